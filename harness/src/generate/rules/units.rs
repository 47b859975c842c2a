//! Whole numbers of units of the last place, and the numbers that are rounded to them.

use intentkey_core::Rounding;
use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Just, Strategy as _, Union};

use super::any_of;
use super::notation::Parts;
use crate::generate::cycle::cycle;

/// The most digits of a result.
pub(super) const MOST_DIGITS: usize = 28;

/// Tails of less than half a unit.
pub(super) const LESS: &[&str] = &[
    "4",
    "49",
    "1",
    "0",
    "0001",
    "499999999999999999999999999999",
    "00000000000000000000000000000000000000001",
    "4999999999999999",
    "49999999999999999999999999999999999999999999999999",
];

/// Tails of more than half a unit.
pub(super) const MORE: &[&str] = &[
    "6",
    "9",
    "51",
    "500000000000000000000000000001",
    "5000000000000001",
    "99999999999999999999999999999999",
    "50000000000000000000000000000000000000000000000001",
];

/// Tails of exactly half a unit.
pub(super) const HALF: &[&str] = &["5", "50", "500000000000000000000000000000000"];

/// A whole number of units of the last place.
#[derive(Clone, Debug)]
pub(super) struct Units {
    pub(super) negative: bool,
    /// No zeros in front; not zero.
    pub(super) digits: String,
}

pub(super) fn units() -> BoxedStrategy<Units> {
    let small = (1_u64..1000).prop_map(|number| number.to_string()).boxed();
    let usual = (1_u64..10_000_000_000).prop_map(|number| number.to_string()).boxed();
    let hard =
        cycle(&["1", "5", "10", "100", "101", "99", "995", "1005", "2675", "9007199254740991", "1000000"]);
    let large = (1_u8..10, vec(0_u8..10, 0..26))
        .prop_map(|(first, rest)| format!("{first}{}", rest.iter().map(u8::to_string).collect::<String>()))
        .boxed();
    // One unit less than the largest, so that there is room to round up.
    let largest = Just(format!("{}8", "9".repeat(MOST_DIGITS - 1))).boxed();
    let digits = Union::new_weighted(vec![
        (3, small),
        (3, usual),
        (2, hard.prop_map(String::from).boxed()),
        (2, large),
        (1, largest),
    ]);
    (digits, proptest::bool::weighted(0.3)).prop_map(|(digits, negative)| Units { negative, digits }).boxed()
}

/// How a number of units is spelled: exactly, or by a number that is rounded to it.
#[derive(Clone, Debug)]
pub(super) enum Respelled {
    Exactly,
    /// The number and a tail that rounds down.
    Down(&'static str),
    /// One less and a tail that rounds up.
    Up(&'static str),
    /// A tail of one half, on the side from which it is rounded to this number.
    Half(&'static str, Rounding),
}

pub(super) fn spelled(rounding: Rounding) -> BoxedStrategy<Respelled> {
    if rounding == Rounding::Refuse {
        return Just(Respelled::Exactly).boxed();
    }
    any_of(vec![
        Just(Respelled::Exactly).boxed(),
        cycle(LESS).prop_map(Respelled::Down).boxed(),
        cycle(MORE).prop_map(Respelled::Up).boxed(),
        cycle(HALF).prop_map(move |tail| Respelled::Half(tail, rounding)).boxed(),
    ])
}

impl Respelled {
    pub(super) fn of(&self, units: &Units, scale: usize) -> Parts {
        let is_even = matches!(units.digits.bytes().last(), Some(b'0' | b'2' | b'4' | b'6' | b'8'));
        let (digits, tail) = match self {
            Respelled::Exactly => (units.digits.clone(), ""),
            Respelled::Down(tail) => (units.digits.clone(), *tail),
            Respelled::Up(tail) => (one_less(&units.digits), *tail),
            // Away from zero: from one less. To the even neighbour: from either side of an even
            // number, from neither side of an odd one.
            Respelled::Half(tail, Rounding::HalfUp) => (one_less(&units.digits), *tail),
            Respelled::Half(tail, _) if is_even && tail.len() > 1 => (one_less(&units.digits), *tail),
            Respelled::Half(tail, _) if is_even => (units.digits.clone(), *tail),
            Respelled::Half(..) => (units.digits.clone(), ""),
        };
        Parts { negative: units.negative, digits: format!("{digits}{tail}"), places: scale + tail.len() }
    }
}

/// One less than a decimal number that is not zero, with as many digits.
pub(super) fn one_less(digits: &str) -> String {
    let mut borrow = true;
    let mut reversed: Vec<u8> = Vec::with_capacity(digits.len());
    for digit in digits.bytes().rev() {
        reversed.push(match (borrow, digit) {
            (true, b'0') => b'9',
            (true, digit) => {
                borrow = false;
                digit - 1
            }
            (false, digit) => digit,
        });
    }
    reversed.into_iter().rev().map(char::from).collect()
}
