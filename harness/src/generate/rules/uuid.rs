//! `uuid`: 32 hexadecimal digits.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{BoxedStrategy, Strategy as _};

use super::{Spellings, blank, not_strings, padded, refused, texts};

/// The lengths of the groups that hyphens part.
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

const REFUSED: &[&str] = &[
    "{123e4567-e89b-12d3-a456-426655440000}",
    "urn:uuid:123e4567-e89b-12d3-a456-426655440000",
    "123e4567-e89b-12d3-a456-42665544000",
    "123e4567-e89b-12d3-a456-4266554400000",
    "123e4567e89b12d3a45642665544000",
    "123e4567e89b12d3a4564266554400000",
    "123e4567-e89b12d3-a456-426655440000",
    "123e4567-e89b-12d3a456-4266-55440000",
    "123g4567-e89b-12d3-a456-426655440000",
    "123e4567 e89b 12d3 a456 426655440000",
    "123e4567-e89b-12d3-a456\u{2013}426655440000",
    "\u{ff11}23e4567-e89b-12d3-a456-426655440000",
    "123e4567-e89b-12d3-a456_426655440000",
    "-123e4567e89b12d3a45642665544000",
    "x",
];

pub(super) fn spellings() -> Spellings {
    let equal = (hexadecimal(), case(), case(), any::<bool>(), any::<bool>()).prop_map(
        |(digits, case_one, case_other, plain_one, plain_other)| {
            [(case_one, plain_one), (case_other, plain_other)].map(|(case, plain)| {
                in_case(&if plain { digits.clone() } else { hyphenated(&digits) }, &case)
            })
        },
    );
    Spellings {
        equal: padded(equal),
        different: Some(different().prop_map(texts).boxed()),
        refused: refused(REFUSED, "value_malformed"),
        other_kinds: not_strings(),
        empty: blank(),
    }
}

/// 32 hexadecimal digits.
pub(super) fn hexadecimal() -> BoxedStrategy<String> {
    vec(0_u8..16, 32).prop_map(|digits| digits.iter().map(|digit| format!("{digit:x}")).collect()).boxed()
}

/// The digits with hyphens.
pub(super) fn hyphenated(digits: &str) -> String {
    let mut digits = digits.chars();
    let groups: Vec<String> = GROUPS.iter().map(|length| digits.by_ref().take(*length).collect()).collect();
    groups.join("-")
}

/// Which characters are upper case.
pub(super) fn case() -> BoxedStrategy<Vec<bool>> {
    vec(any::<bool>(), 0..12).boxed()
}

/// The text with some ASCII letters in upper case.
pub(super) fn in_case(text: &str, upper: &[bool]) -> String {
    if upper.is_empty() {
        return text.to_owned();
    }
    let switched =
        |(character, upper): (char, &bool)| if *upper { character.to_ascii_uppercase() } else { character };
    text.chars().zip(upper.iter().cycle()).map(switched).collect()
}

/// Two that differ in one digit.
pub(super) fn different() -> BoxedStrategy<[String; 2]> {
    (hexadecimal(), 0_usize..32, 1_u32..16)
        .prop_map(|(digits, place, by)| {
            let changed = digits.chars().enumerate().map(|(index, digit)| {
                let value = digit.to_digit(16).unwrap_or_default();
                if index == place { char::from_digit((value + by) % 16, 16).unwrap_or('0') } else { digit }
            });
            [hyphenated(&digits), hyphenated(&changed.collect::<String>())]
        })
        .boxed()
}
