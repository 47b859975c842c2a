//! Numbers: the double nearest to what was written, printed shortest.

use alloc::borrow::Cow;
use alloc::string::String;
use core::cmp::Ordering;

use super::nearest::nearest_double;
use crate::decimal::Digits;
use crate::error::Code;

/// The largest integer that every IEEE 754 double represents exactly with its neighbours:
/// 2^53 - 1 (RFC 7493, section 2.2).
const LARGEST_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Decimal digits that survive a double unchanged, so that the shortest print of the double
/// nearest to such a literal is the literal itself (`f64::DIGITS`).
const EXACT_DIGITS: usize = 15;

/// A number of a payload.
///
/// It means the IEEE 754 double nearest to what was written, so that a browser that parsed it
/// and a host that did not agree; its digits are those of the shortest decimal number that
/// gives this double back. Integers beyond 2^53 - 1 are refused as `number_unsafe` by the
/// rules that take numbers, as are infinity and NaN.
///
/// ```
/// use intentkey_core::Number;
///
/// assert_eq!(Number::from(0.1_f32).as_f64(), 0.1);
/// assert_eq!(Number::from(7_u64).as_f64(), 7.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Number<'a>(Source<'a>);

#[derive(Clone, Debug, PartialEq)]
enum Source<'a> {
    Double(f64),
    /// Text that follows the grammar of RFC 8259, section 6.
    Literal(Cow<'a, str>),
}

impl<'a> Number<'a> {
    /// A number from text that follows the grammar of JSON numbers already.
    pub(crate) fn from_literal(literal: &'a str) -> Self {
        Number(Source::Literal(Cow::Borrowed(literal)))
    }

    /// The double that is meant.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        match &self.0 {
            Source::Double(double) => *double,
            Source::Literal(literal) => {
                Digits::parse(literal).map_or(f64::NAN, |digits| nearest_double(&digits))
            }
        }
    }

    /// The exact decimal text of the number, in the grammar of the `decimal` rule.
    pub(crate) fn decimal_text<'s>(&'s self, scratch: &'s mut String) -> Result<&'s str, Code> {
        match &self.0 {
            Source::Literal(literal) if is_short_and_plain(literal) => Ok(literal),
            _ => shortest(self.as_f64(), scratch),
        }
    }
}

/// Whether a literal has at most 15 digits and no exponent: then it is its own shortest print,
/// and below 2^53.
fn is_short_and_plain(literal: &str) -> bool {
    literal.len() <= EXACT_DIGITS && !literal.bytes().any(|byte| byte == b'e' || byte == b'E')
}

/// The shortest decimal text that gives the double back; of two equally near, the even one, as
/// JavaScript and Python have it (ECMA-262, Number::toString). Rust's own takes the upper one.
fn shortest(double: f64, scratch: &mut String) -> Result<&str, Code> {
    // All doubles beyond are integral; NaN is not at most anything.
    if !matches!(double.abs().partial_cmp(&LARGEST_SAFE_INTEGER), Some(Ordering::Less | Ordering::Equal)) {
        return Err(Code::NumberUnsafe);
    }
    scratch.clear();
    scratch.push_str(ryu::Buffer::new().format_finite(double));
    Ok(scratch)
}

impl From<f64> for Number<'_> {
    fn from(double: f64) -> Self {
        Number(Source::Double(double))
    }
}

/// A 32-bit float stands for its own shortest print, as in JSON text: `0.1`, not
/// `0.10000000149011612`.
impl From<f32> for Number<'_> {
    fn from(float: f32) -> Self {
        if !float.is_finite() {
            return Number(Source::Double(f64::from(float)));
        }
        Number(Source::Literal(Cow::Owned(String::from(ryu::Buffer::new().format_finite(float)))))
    }
}

macro_rules! from_integers {
    ($($integer:ty),+) => {$(
        /// The double nearest to the integer.
        impl From<$integer> for Number<'_> {
            fn from(integer: $integer) -> Self {
                Number(Source::Double(integer as f64))
            }
        }
    )+};
}

from_integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn digits(number: Number<'_>) -> Result<String, Code> {
        let mut scratch = String::new();
        number.decimal_text(&mut scratch).map(String::from)
    }

    #[test]
    fn a_literal_means_the_nearest_double() {
        for (literal, expected) in [
            ("10.00", "10.00"),
            ("564895.9", "564895.9"),
            ("10.0000000000000001", "10.0"),
            ("0.1000000000000000055511151231257827", "0.1"),
            ("9007199254740991", "9007199254740991.0"),
            ("-9007199254740991", "-9007199254740991.0"),
            ("5e-324", "5e-324"),
            ("1E2", "100.0"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("-0.0", "-0.0"),
        ] {
            assert_eq!(digits(Number::from_literal(literal)).as_deref(), Ok(expected), "{literal}");
        }
    }

    #[test]
    fn what_parsers_disagree_on_is_unsafe() {
        for literal in ["9007199254740992", "-9007199254740993", "1e400", "1e20", "1e16"] {
            assert_eq!(digits(Number::from_literal(literal)), Err(Code::NumberUnsafe), "{literal}");
        }
        for double in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            assert_eq!(digits(Number::from(double)), Err(Code::NumberUnsafe), "{double}");
        }
        assert_eq!(digits(Number::from(u64::MAX)), Err(Code::NumberUnsafe));
    }

    #[test]
    fn a_double_prints_shortest() {
        for (double, expected) in [
            (0.0, "0.0"),
            (1.005, "1.005"),
            (2.675, "2.675"),
            (1.15, "1.15"),
            (-12.5, "-12.5"),
            (1e-7, "1e-7"),
            (1_000_000_000_000_000.5, "1000000000000000.5"),
        ] {
            assert_eq!(digits(Number::from(double)).as_deref(), Ok(expected), "{double}");
        }
        assert_eq!(digits(Number::from(0.1_f32)).as_deref(), Ok("0.1"));
    }

    #[test]
    fn of_two_shortest_prints_the_even_one_counts() {
        for (literal, expected) in [
            ("773827990036015.2", "773827990036015.2"),
            ("-181069113505406.12", "-181069113505406.12"),
            ("1015954010.4726562", "1015954010.4726562"),
            ("2.9802322387695312e-08", "2.9802322387695312e-8"),
        ] {
            assert_eq!(
                digits(Number::from(literal.parse::<f64>().unwrap())).as_deref(),
                Ok(expected),
                "{literal}"
            );
        }
    }

    #[test]
    fn digits_and_exponents_cancel_out_at_any_size() {
        let zeros = |count| "0".repeat(count);
        for count in [999, 655_350, 655_360, 2_000_000] {
            let small = format!("0.{}1e{}", zeros(count), count + 1);
            let large = format!("-1{}e-{count}", zeros(count));
            assert_eq!(Number::from_literal(&small).as_f64(), 1.0, "{count}");
            assert_eq!(Number::from_literal(&large).as_f64(), -1.0, "{count}");
        }
        let beyond = format!("1{}", zeros(2000));
        assert_eq!(Number::from_literal(&beyond).as_f64(), f64::INFINITY);
        assert_eq!(Number::from_literal(&format!("0.{}1", zeros(2000))).as_f64(), 0.0);
        assert_eq!(Number::from_literal(&format!("0.{}e5", zeros(2000))).as_f64(), 0.0);
    }
}
