//! `decimal`: exact amounts and their roundings, in every notation.
//!
//! A meaning is a whole number of units of the last place kept, in up to 28 digits. Its spellings
//! are made from the digits by hand: no arithmetic type is asked, since some of them round twice.

use intentkey_core::{Decimal, Rounding, Scale};
use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy as _, Union};

use super::currency::Coin;
use super::notation::{Parts, notation};
use super::units::{HALF, LESS, MORE, MOST_DIGITS, one_less, spelled, units};
use super::white_space::padding;
use super::{Spellings, any_of, blank};
use crate::generate::cycle::cycle;
use crate::generate::json::Json;

/// The largest integer that every JSON parser keeps exactly, 2^53 - 1 (RFC 7493, section 2.2).
const LARGEST_SAFE: &str = "9007199254740991";

const MALFORMED: &[&str] = &[
    "1,5",
    "1_000",
    "NaN",
    "Infinity",
    "-inf",
    "0x10",
    "\u{ff11}",
    "\u{661}.5",
    "1e",
    "e5",
    ".",
    "+",
    "-",
    "1.2.3",
    "--1",
    "+-1",
    "1 0",
    "1e+",
    "1e1.5",
    "\u{2212}1",
    "$1",
    "1'000",
    "1e\u{ff12}",
    "(1)",
    "1f",
    "0b1",
    "1/2",
    "5%",
    "-.",
    "1\u{a0}000",
    "1..2",
    "abc",
    "1.0BRL",
];

pub(super) fn spellings(rule: &Decimal, coin: Option<&'static Coin>) -> Spellings {
    let scale = match (&rule.scale, coin) {
        (Scale::Fixed(scale), _) => *scale,
        (_, coin) => coin.and_then(|coin| coin.minor).unwrap_or(2),
    };
    at_scale(usize::from(scale), rule.rounding)
}

/// The spellings of a fixed scale.
pub(super) fn at_scale(scale: usize, rounding: Rounding) -> Spellings {
    Spellings {
        equal: equal(scale, rounding),
        different: Some(different(scale, rounding)),
        refused: refused(scale, rounding),
        other_kinds: ["true", "false", "[]", "{}", "[1]", "{\"a\":1}"].map(Json::literal).into(),
        empty: blank(),
    }
}

fn equal(scale: usize, rounding: Rounding) -> BoxedStrategy<[Json; 2]> {
    let side = || (spelled(rounding), notation(), padding());
    let twice = (units(), side(), side()).prop_map(move |(units, one, other)| {
        [one, other].map(|(respell, notation, padding)| {
            let parts = respell.of(&units, scale);
            notation.write(&parts, &padding)
        })
    });
    let zeros = (zero(scale, rounding), zero(scale, rounding)).prop_map(<[Json; 2]>::from);
    let mut options = vec![(12, twice.boxed()), (2, zeros.boxed())];
    if scale + LARGEST_SAFE.len() <= MOST_DIGITS {
        let signed = [LARGEST_SAFE.to_owned(), format!("-{LARGEST_SAFE}")];
        let largest = cycle(&signed).prop_map(|digits| [Json::literal(digits.clone()), Json::text(digits)]);
        options.push((1, largest.boxed()));
    }
    if rounding != Rounding::Refuse {
        options.push((2, long_literal()));
    }
    Union::new_weighted(options).boxed()
}

/// Zero in its spellings: with a sign, an exponent of any size, and whatever rounds to it.
fn zero(scale: usize, rounding: Rounding) -> BoxedStrategy<Json> {
    let exact = [
        "0",
        "-0",
        "+0",
        "0.00",
        "-0.0",
        ".0",
        "0.",
        "-.0",
        "0e5",
        "-0E-5",
        "0e999999999999",
        "000",
        "0e-99",
    ];
    let literals = ["0", "-0", "0.0", "-0.00", "0e5", "-0e-5", "0E+400"];
    let mut options =
        vec![cycle(&exact).prop_map(Json::text).boxed(), cycle(&literals).prop_map(Json::literal).boxed()];
    if rounding != Rounding::Refuse {
        let rounded = (cycle(LESS), proptest::bool::ANY).prop_map(move |(tail, negative)| {
            let sign = if negative { "-" } else { "" };
            Json::text(format!("{sign}0.{}{tail}", "0".repeat(scale)))
        });
        options.push(rounded.boxed());
        options.push(
            cycle(&["1e-400", "-9e-1000000000", "1e-99999999999999999999"]).prop_map(Json::text).boxed(),
        );
        options.push(cycle(&["1e-400", "-5e-324", "9e-1000"]).prop_map(Json::literal).boxed());
    }
    any_of(options)
}

/// A number literal of many digits, and the shortest literal of the double that it means.
fn long_literal() -> BoxedStrategy<[Json; 2]> {
    let listed = [
        "1.00499999999999999999999999999999",
        "0.1000000000000000055511151231257827",
        "2.67499999999999982236431605997495353221893310546875",
    ];
    let listed = cycle(&listed).prop_map(String::from).boxed();
    let drawn = (0_u32..100_000, vec(0_u8..10, 16..40)).prop_map(|(whole, digits)| {
        format!("{whole}.{}", digits.iter().map(u8::to_string).collect::<String>())
    });
    any_of(vec![listed, drawn.boxed()])
        .prop_map(|literal| {
            let double: f64 = literal.parse().unwrap_or(0.0);
            [Json::literal(literal), Json::literal(format!("{double}"))]
        })
        .boxed()
}

fn different(scale: usize, rounding: Rounding) -> BoxedStrategy<[Json; 2]> {
    let write = move |negative: bool, digits: &str, tail: &str| {
        let parts = Parts { negative, digits: format!("{digits}{tail}"), places: scale + tail.len() };
        Json::text(parts.plain())
    };
    let by_one = units().prop_map(move |units| {
        [write(units.negative, &units.digits, ""), write(units.negative, &one_less(&units.digits), "")]
    });
    let by_sign =
        units().prop_map(move |units| [write(false, &units.digits, ""), write(true, &units.digits, "")]);
    let by_ten = (1_u64..1_000_000).prop_map(move |number| {
        [write(false, &number.to_string(), ""), write(false, &format!("{number}0"), "")]
    });
    let mut options = vec![by_one.boxed(), by_sign.boxed(), by_ten.boxed()];
    if rounding != Rounding::Refuse {
        // On both sides of a half: one is rounded away from zero, the other is not. To the even
        // neighbour a half belongs to either side, so that there it is more than a half.
        let halves = if rounding == Rounding::HalfUp { HALF } else { MORE };
        let at_half = (units(), cycle(halves), cycle(LESS)).prop_map(move |(units, half, less)| {
            [write(units.negative, &units.digits, half), write(units.negative, &units.digits, less)]
        });
        options.push(at_half.boxed());
    }
    if rounding == Rounding::HalfEven {
        // A half goes up from an odd number, and down from an even one.
        let to_even = (0_u64..1_000_000, cycle(HALF)).prop_map(move |(number, half)| {
            let odd = (number * 2 + 1).to_string();
            [write(false, &odd, half), write(false, &odd, "")]
        });
        let not_from_even = (1_u64..1_000_000, cycle(HALF)).prop_map(move |(number, half)| {
            let even = (number * 2).to_string();
            [write(false, &even, half), write(false, &even, MORE.first().copied().unwrap_or("6"))]
        });
        options.extend([to_even.boxed(), not_from_even.boxed()]);
    }
    any_of(options)
}

fn refused(scale: usize, rounding: Rounding) -> Vec<(Json, &'static str)> {
    let mut refused = super::refused(MALFORMED, "decimal_malformed");
    let largest = format!("1{}", "0".repeat(MOST_DIGITS.saturating_sub(scale)));
    for text in [largest.as_str(), "1e29", "-1e28", "1e999999999999", "9e99999999999999999999"] {
        refused.push((Json::text(text), "decimal_out_of_range"));
    }
    for literal in [
        "9007199254740993",
        "9007199254740992",
        "-9007199254740992",
        "1e16",
        "1e400",
        "-1e999",
        "123456789012345678901234567890",
    ] {
        refused.push((Json::literal(literal), "number_unsafe"));
    }
    if rounding == Rounding::Refuse {
        for tail in ["1", "5", "00000000000000000000000000000000001", "9"] {
            refused.push((Json::text(format!("1.{}{tail}", "0".repeat(scale))), "decimal_inexact"));
        }
        refused.push((Json::text("1e-400"), "decimal_inexact"));
        refused.push((Json::text("-1e-99999999999999999999"), "decimal_inexact"));
    } else {
        // Rounding up gives one digit too many.
        let nines =
            Parts { negative: false, digits: format!("{}5", "9".repeat(MOST_DIGITS)), places: scale + 1 };
        refused.push((Json::text(nines.plain()), "decimal_out_of_range"));
    }
    refused
}
