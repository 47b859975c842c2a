//! `phone`: international numbers with any of the usual separators.

use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy as _};

use super::digits::mask;
use super::{Spellings, blank, not_strings, padded, refused, texts};
use crate::generate::cycle::cycle;

/// What may stand anywhere in a number, in front of the plus too.
const SEPARATORS: &[&str] = &[" ", ".", "-", "(", ")", "", ") ", " (", "--"];

const REFUSED: &[&str] = &[
    "5511987654321",
    "005511987654321",
    "+0511987654321",
    "+551198",
    "+5511987654321000",
    "+55/11987654321",
    "++5511987",
    "+55+11987654",
    "+55a11987654",
    "+55\u{a0}11987654",
    "+55\t11987654",
    "\u{ff0b}5511987654",
    "+\u{665}511987654",
    "+",
    "55+11987654",
    "tel:+5511987654",
    "+55_11987654",
    "+55,11987654",
    "+5511987654x1",
    "+55\u{2011}11987654",
    "x",
];

pub(super) fn spellings() -> Spellings {
    let equal = (number(), mask(SEPARATORS), mask(SEPARATORS))
        .prop_map(|(number, one, other)| [one.over(&number), other.over(&number)]);
    Spellings {
        equal: padded(equal),
        different: Some(different().prop_map(texts).boxed()),
        refused: refused(REFUSED, "value_malformed"),
        other_kinds: not_strings(),
        empty: blank(),
    }
}

/// A plus and 7 to 15 digits, the first not 0; over a run, each length.
pub(super) fn number() -> BoxedStrategy<String> {
    (1_u8..10, vec(0_u8..10, 14), cycle(&[12_usize, 6, 14, 7, 13, 10]))
        .prop_map(|(first, rest, length)| {
            let rest: String = rest.iter().take(length).map(u8::to_string).collect();
            format!("+{first}{rest}")
        })
        .boxed()
}

/// Numbers that differ in one digit, and in their length.
pub(super) fn different() -> BoxedStrategy<[String; 2]> {
    let changed = (number(), 1_u8..9, 0_usize..6).prop_map(|(number, by, from_end)| {
        let place = number.len().saturating_sub(from_end + 1);
        let changed = number.bytes().enumerate().map(|(index, byte)| match byte {
            b'0'..=b'9' if index == place => char::from(b'0' + (byte - b'0' + by) % 10),
            _ => char::from(byte),
        });
        [changed.collect(), number]
    });
    let longer = cycle(&[["+5511987654321", "+55119876543210"], ["+5511987654321", "+551198765432"]]);
    super::any_of(vec![changed.boxed(), longer.prop_map(|pair| pair.map(String::from)).boxed()])
}
