//! Notations of a decimal number: plain, with an exponent, with zeros that do not count.

use proptest::bool::weighted;
use proptest::strategy::{BoxedStrategy, Strategy as _};

use super::white_space::Padding;
use crate::generate::json::Json;

/// The most digits that every double gives back unchanged (`f64::DIGITS`).
const EXACT_DIGITS: usize = 15;

/// A number: its digits, and how many of them stand behind the point.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// Whether it is below zero.
    pub(crate) negative: bool,
    /// Its digits.
    pub(crate) digits: String,
    /// How many of them stand behind the point; there may be more than digits.
    pub(crate) places: usize,
}

/// A notation.
#[derive(Clone, Debug)]
pub(crate) struct Notation {
    as_number: bool,
    plus: bool,
    leading: usize,
    trailing: usize,
    bare_point: bool,
    exponent: Option<Exponent>,
}

#[derive(Clone, Debug)]
struct Exponent {
    /// How far the point is moved.
    shift: i32,
    upper: bool,
    plus: bool,
    zeros: usize,
}

/// Any notation; the simplest is the plain one, as a string.
pub(crate) fn notation() -> BoxedStrategy<Notation> {
    let exponent = (-40_i32..40, weighted(0.5), weighted(0.5), 0_usize..3)
        .prop_map(|(shift, upper, plus, zeros)| Exponent { shift, upper, plus, zeros });
    let exponent = proptest::option::weighted(0.4, exponent);
    (weighted(0.3), weighted(0.2), 0_usize..4, 0_usize..4, weighted(0.3), exponent)
        .prop_map(|(as_number, plus, leading, trailing, bare_point, exponent)| Notation {
            as_number,
            plus,
            leading,
            trailing,
            bare_point,
            exponent,
        })
        .boxed()
}

impl Parts {
    /// The number as people write it.
    pub(crate) fn plain(&self) -> String {
        let (whole, fraction) = self.split(self.places as i32);
        let whole = if whole.is_empty() { "0" } else { &whole };
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{}{whole}{point}{fraction}", self.sign())
    }

    fn sign(&self) -> &'static str {
        if self.negative { "-" } else { "" }
    }

    /// The digits in front of the point and behind it, where so many stand behind.
    fn split(&self, places: i32) -> (String, String) {
        let count = self.digits.len() as i32;
        let in_front = usize::try_from(count - places).unwrap_or(0);
        let whole: String = self.digits.chars().take(in_front).collect();
        let fraction: String = self.digits.chars().skip(in_front).collect();
        let before = usize::try_from(places - count).unwrap_or(0);
        let behind = usize::try_from(-places).unwrap_or(0);
        (whole + &"0".repeat(behind), "0".repeat(before) + &fraction)
    }

    /// Whether a number literal gives the same digits back.
    fn is_exact_double(&self) -> bool {
        self.digits.trim_start_matches('0').len() <= EXACT_DIGITS && self.places <= 30
    }
}

impl Notation {
    /// The number in this notation; as a string padded.
    pub(crate) fn write(&self, parts: &Parts, padding: &Padding) -> Json {
        if self.as_number && parts.is_exact_double() {
            return Json::literal(self.literal(parts));
        }
        Json::text(padding.around(&self.string(parts)))
    }

    fn string(&self, parts: &Parts) -> String {
        let plus = if self.plus && !parts.negative { "+" } else { parts.sign() };
        let shift = self.exponent.as_ref().map_or(0, |exponent| exponent.shift);
        let (whole, fraction) = parts.split(parts.places as i32 + shift);
        let fraction = fraction + &"0".repeat(self.trailing);
        let whole = "0".repeat(self.leading) + &whole;
        // `.5` and `5.` are numbers too; a point alone is none.
        let whole = if whole.is_empty() && (fraction.is_empty() || !self.bare_point) { "0" } else { &whole };
        let point = if fraction.is_empty() && !self.bare_point { "" } else { "." };
        let exponent = self.exponent.as_ref().map_or(String::new(), Exponent::write);
        format!("{plus}{whole}{point}{fraction}{exponent}")
    }

    /// In the grammar of RFC 8259, section 6.
    fn literal(&self, parts: &Parts) -> String {
        let shift = self.exponent.as_ref().map_or(0, |exponent| exponent.shift);
        let (whole, fraction) = parts.split(parts.places as i32 + shift);
        let whole = whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        let fraction = fraction + &"0".repeat(self.trailing);
        let point = if fraction.is_empty() { "" } else { "." };
        let exponent = self.exponent.as_ref().map_or(String::new(), Exponent::write);
        format!("{}{whole}{point}{fraction}{exponent}", parts.sign())
    }
}

impl Exponent {
    fn write(&self) -> String {
        let letter = if self.upper { "E" } else { "e" };
        let sign = match self.shift {
            ..0 => "-",
            _ if self.plus => "+",
            _ => "",
        };
        format!("{letter}{sign}{}{}", "0".repeat(self.zeros), self.shift.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_in_many_ways() {
        let parts = Parts { negative: true, digits: "1050".into(), places: 2 };
        assert_eq!(parts.plain(), "-10.50");
        assert_eq!(Parts { negative: false, digits: "5".into(), places: 3 }.plain(), "0.005");
        let notation = |shift| Notation {
            as_number: true,
            plus: true,
            leading: 1,
            trailing: 1,
            bare_point: true,
            exponent: Some(Exponent { shift, upper: true, plus: true, zeros: 1 }),
        };
        assert_eq!(notation(1).string(&parts), "-01.0500E+01");
        assert_eq!(notation(-4).string(&parts), "-0105000.0E-04");
        assert_eq!(notation(6).literal(&parts), "-0.000010500E+06");
        for shift in -10..10 {
            assert_eq!(notation(shift).string(&parts).parse(), Ok(-10.5));
            assert_eq!(notation(shift).literal(&parts).parse(), Ok(-10.5));
        }
    }
}
