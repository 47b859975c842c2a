//! `enum`: the listed values.

use intentkey_core::{Case, Enum};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{BoxedStrategy, Strategy as _};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use super::white_space::TRIMMED;
use super::{Spellings, not_strings, texts};
use crate::generate::cycle::cycle;
use crate::generate::json::Json;

pub(super) fn spellings(rule: &Enum) -> Spellings {
    let values: Vec<String> = rule.values.iter().map(|value| value.to_string()).collect();
    let same = cycle(&values).prop_map(|value| texts([value.clone(), value])).boxed();
    let equal = match rule.case {
        Case::Fold => (cycle(&values), choices(), choices())
            .prop_map(|(value, one, other)| texts([respelled(&value, &one), respelled(&value, &other)]))
            .boxed(),
        _ => same,
    };
    Spellings {
        equal,
        different: different(&values),
        refused: refused(rule, &values),
        other_kinds: not_strings(),
        empty: Vec::new(),
    }
}

fn choices() -> BoxedStrategy<Vec<u8>> {
    vec(any::<u8>(), 0..24).boxed()
}

/// The value in another case and another normalization form, character by character.
fn respelled(value: &str, choices: &[u8]) -> String {
    let mut choices = choices.iter().copied().chain(std::iter::repeat(0));
    let mut out = String::new();
    let mut rest = value.chars().peekable();
    while let Some(character) = rest.next() {
        // A letter and its marks stay as they are: changed apart, they may come out unequal.
        if is_mark(character) || rest.peek().is_some_and(|next| is_mark(*next)) {
            out.push(character);
            continue;
        }
        match choices.next().unwrap_or(0) % 4 {
            // The upper case of dotless i is an i with a dot to the fold: another letter.
            1 if character != '\u{131}' => out.extend(character.to_uppercase()),
            2 => out.extend(character.to_lowercase()),
            3 if matches!(character, 'k' | 'K') => out.push('\u{212a}'),
            3 if matches!(character, 's' | 'S') => out.push('\u{17f}'),
            3 => out.extend(std::iter::once(character).nfd()),
            _ => out.push(character),
        }
    }
    out
}

fn is_mark(character: char) -> bool {
    canonical_combining_class(character) != 0
}

fn different(values: &[String]) -> Option<BoxedStrategy<[Json; 2]>> {
    let distinct: Vec<&String> = values
        .iter()
        .enumerate()
        .filter(|(index, value)| !values.iter().take(*index).any(|other| other == *value))
        .map(|entry| entry.1)
        .collect();
    let pairs: Vec<[String; 2]> = distinct
        .iter()
        .flat_map(|one| distinct.iter().map(move |other| [(*one).clone(), (*other).clone()]))
        .filter(|[one, other]| one != other)
        .collect();
    (!pairs.is_empty()).then(|| cycle(&pairs).prop_map(texts).boxed())
}

/// Values beside the listed ones: padded, longer, and in another case where that counts.
fn refused(rule: &Enum, values: &[String]) -> Vec<(Json, &'static str)> {
    let mut texts: Vec<String> = Vec::new();
    for (value, space) in values.iter().zip(TRIMMED.iter().cycle()) {
        texts.extend([format!("{value}{space}"), format!("{space}{value}"), format!("{value}\u{200b}")]);
        if rule.case == Case::Keep {
            texts.extend([value.to_uppercase(), value.to_lowercase(), value.nfd().collect()]);
        }
    }
    texts.extend(["", " ", "null"].map(String::from));
    // A list may hold whatever was made up here: then in some spelling.
    let alike = |one: &str, other: &str| {
        one.nfd().flat_map(char::to_lowercase).eq(other.nfd().flat_map(char::to_lowercase))
    };
    let is_listed = |text: &String| match rule.case {
        Case::Keep => values.contains(text),
        _ => values.iter().any(|value| alike(value, text)),
    };
    texts.retain(|text| !is_listed(text));
    texts.into_iter().map(|text| (Json::text(text), "value_not_listed")).collect()
}
