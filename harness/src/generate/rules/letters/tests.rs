//! The table against a second source: the committed CaseFolding.txt and unicode-normalization.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use super::*;
use crate::generate::rules::near_misses::NEAR_MISSES;
use crate::generate::rules::{distinct, sweep};

/// CaseFolding.txt of Unicode 18.0, statuses C and F.
fn foldings() -> BTreeMap<char, String> {
    let character = |code: &str| char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
    include_str!("../../../../../core/tests/unicode/case_folding_18.0.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split(';').map(str::trim).collect::<Vec<_>>())
        .map(|line| (character(line[0]), line[1].split(' ').map(character).collect()))
        .collect()
}

/// The form that two texts share exactly if they are a canonical caseless match.
fn caseless(text: &str, foldings: &BTreeMap<char, String>) -> String {
    let fold = |character: char| foldings.get(&character).cloned().unwrap_or_else(|| character.to_string());
    text.nfd().map(fold).collect::<String>().nfd().collect()
}

fn canonical(text: &str) -> String {
    text.nfd().collect()
}

/// Texts can be put side by side only if each begins with a letter that no mark moves across.
fn begins_with_starter(text: &str, foldings: &BTreeMap<char, String>) -> bool {
    let first = |text: &str| text.chars().next().map(canonical_combining_class);
    first(&canonical(text)) == Some(0) && first(&caseless(text, foldings)) == Some(0)
}

#[test]
fn classes_are_equal_within_and_different_between() {
    let foldings = foldings();
    let mut seen = BTreeMap::new();
    for class in CLASSES {
        let form = caseless(class[0][0], &foldings);
        let mut groups = BTreeMap::new();
        for (index, group) in class.iter().enumerate() {
            for text in *group {
                assert_eq!(caseless(text, &foldings), form, "{text:?}");
                assert_eq!(canonical(text), canonical(group[0]), "{text:?}");
                assert!(begins_with_starter(text, &foldings), "{text:?}");
            }
            assert_eq!(groups.insert(canonical(group[0]), index), None, "{group:?}");
        }
        assert_eq!(seen.insert(form, class), None, "{class:?}");
    }
}

#[test]
fn near_misses_are_different() {
    let foldings = foldings();
    for [one, other] in NEAR_MISSES {
        assert_ne!(caseless(one, &foldings), caseless(other, &foldings), "{one:?} {other:?}");
        for text in [one, other] {
            assert!(begins_with_starter(text, &foldings), "{text:?}");
        }
    }
    for [one, other] in neighbours() {
        assert_ne!(caseless(&one, &foldings), caseless(&other, &foldings), "{one:?} {other:?}");
    }
}

#[test]
fn the_sweep_is_equal_where_it_says_so() {
    let foldings = foldings();
    for pair in sweep::all() {
        let [one, other] = pair.equal.clone();
        assert_eq!(caseless(&one, &foldings), caseless(&other, &foldings), "{one:?} {other:?}");
        assert_eq!(canonical(&one) == canonical(&other), pair.canonical, "{one:?} {other:?}");
        assert!(
            begins_with_starter(&one, &foldings) && begins_with_starter(&other, &foldings),
            "{one:?} {other:?}"
        );
        if let Some(without_marks) = &pair.without_marks {
            assert_ne!(caseless(&one, &foldings), caseless(without_marks, &foldings), "{one:?}");
        }
    }
    // Every character that folds is in it, but for those that stand for no letter of their own.
    let swept: String = sweep::all().iter().flat_map(|pair| pair.equal.clone()).collect();
    let missing: Vec<char> = foldings.keys().copied().filter(|folding| !swept.contains(*folding)).collect();
    assert!(missing.len() < 40, "{missing:?}");
}

#[test]
fn distinct_letters_are_distinct() {
    let foldings = foldings();
    let forms = |equality, form: &dyn Fn(&str) -> String| {
        let mut seen = BTreeMap::new();
        for letter in distinct::letters(equality) {
            assert_eq!(seen.insert(form(&letter.to_string()), letter), None, "{letter:?}");
        }
        seen.len()
    };
    assert!(forms(Some(Equality::Caseless), &|text| caseless(text, &foldings)) > 1000);
    assert!(forms(Some(Equality::Canonical), &canonical) > 2000);
    assert!(forms(None, &str::to_owned) > 2000);
}
