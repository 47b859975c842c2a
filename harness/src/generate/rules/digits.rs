//! `digits`: digits with a mask.

use std::ops::Range;

use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy, Union};

use super::{Spellings, blank, not_strings, padded, refused, texts};
use crate::generate::cycle::cycle;
use crate::generate::json::Json;

/// What may stand between digits.
const SEPARATORS: &[&str] = &[" ", ".", "-", "/", "(", ")", "", ") (", "./-"];

const REFUSED: &[&str] = &[
    "12a",
    "1_2",
    "+12",
    "1,2",
    "1\u{a0}2",
    "1\t2",
    "\u{ff11}",
    "\u{661}2",
    "1\u{2013}2",
    "a",
    "1\u{0}2",
    "#12",
    "[1]",
    "1\u{b2}",
    "\u{200b}1",
    "1\\2",
    "1:2",
    "0x1",
    "1e2",
];

pub(super) fn spellings() -> Spellings {
    let pairs = (digits(1..20), mask(SEPARATORS), mask(SEPARATORS))
        .prop_map(|(digits, one, other)| [one.over(&digits), other.over(&digits)]);
    let mut empty = blank();
    empty.extend([".", "-", "/", "()", " ( - ) ", "( )"].map(Json::text));
    Spellings {
        equal: padded(pairs),
        different: Some(different()),
        refused: refused(REFUSED, "value_malformed"),
        other_kinds: not_strings(),
        empty,
    }
}

/// So many digits.
pub(super) fn digits(length: Range<usize>) -> BoxedStrategy<String> {
    vec(0_u8..10, length).prop_map(|digits| digits.iter().map(u8::to_string).collect()).boxed()
}

/// Separators and the places where they stand.
#[derive(Clone, Debug)]
pub(super) struct Mask(Vec<(usize, &'static str)>);

/// A few separators, wherever a mask has them or not.
pub(super) fn mask(separators: &[&'static str]) -> BoxedStrategy<Mask> {
    vec((0_usize..24, cycle(separators)), 0..6).prop_map(Mask).boxed()
}

impl Mask {
    /// The characters with separators before, between and after them.
    pub(super) fn over(&self, characters: &str) -> String {
        let places = characters.chars().count() + 1;
        let at =
            |place: usize| self.0.iter().filter(move |entry| entry.0 % places == place).map(|entry| entry.1);
        let mut out = String::new();
        for (place, character) in characters.chars().enumerate() {
            out.extend(at(place));
            out.push(character);
        }
        out.extend(at(places - 1));
        out
    }
}

fn different() -> BoxedStrategy<[Json; 2]> {
    let changed = (digits(0..9), 0_u8..10, 1_u8..10, digits(0..9)).prop_map(|(before, digit, by, after)| {
        [digit, (digit + by) % 10].map(|digit| format!("{before}{digit}{after}"))
    });
    let longer = (digits(1..9), digits(1..3)).prop_map(|(digits, more)| [digits.clone(), digits + &more]);
    let zeros = digits(1..9).prop_map(|digits| [digits.clone(), format!("0{digits}")]);
    Union::new(vec![
        changed.prop_map(texts).boxed(),
        longer.prop_map(texts).boxed(),
        zeros.prop_map(texts).boxed(),
    ])
    .boxed()
}
