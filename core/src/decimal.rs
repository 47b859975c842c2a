//! Decimal numbers as text: their digits, and where the point stands.

use alloc::string::String;

use crate::buffer::Buffer;
use crate::material::push_integer;

/// An integer as text. Numbers in messages are written by this and joined with `concat`: the
/// library's `format!` is five kilobytes of Wasm, and half a kilobyte a use.
pub(crate) fn integer(integer: u64) -> String {
    let mut out = Buffer::default();
    push_integer(&mut out, integer);
    out.into_string()
}

/// The digits of a number as it was written, leading zeros aside.
pub(crate) struct Digits<'t> {
    pub(crate) negative: bool,
    whole: &'t [u8],
    fraction: &'t [u8],
    /// How many digits stand before the decimal point; negative where zeros follow it. An
    /// exponent of any size only moves it.
    pub(crate) point: i64,
}

/// What is lost when digits are cut off, in units of the last one kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    Nothing,
    LessThanHalf,
    Half,
    MoreThanHalf,
}

impl<'t> Digits<'t> {
    /// Reads `[+-]?(d+(.d*)?|.d+)([eE][+-]?d+)?`.
    pub(crate) fn parse(text: &'t str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (negative, bytes) = match bytes {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, bytes),
        };
        let (whole, rest) = take_digits(bytes);
        let (fraction, rest) = match rest {
            [b'.', rest @ ..] => take_digits(rest),
            _ => (&[][..], rest),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let exponent = match rest {
            [] => 0,
            [b'e' | b'E', rest @ ..] => exponent(rest)?,
            _ => return None,
        };
        Some(Digits::from_parts(negative, whole, fraction, exponent))
    }

    fn from_parts(negative: bool, whole: &'t [u8], fraction: &'t [u8], exponent: i64) -> Self {
        let whole = without_leading_zeros(whole);
        let mut point = whole.len() as i64;
        let mut significant = fraction;
        if whole.is_empty() {
            significant = without_leading_zeros(fraction);
            point -= (fraction.len() - significant.len()) as i64;
        }
        Digits { negative, whole, fraction: significant, point: point.saturating_add(exponent) }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.whole.is_empty() && self.fraction.is_empty()
    }

    /// The digits, most significant first, as ASCII; the first is not 0.
    pub(crate) fn ascii(&self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).copied()
    }

    /// The first `kept` digits as an integer, zeros appended where there are fewer, and what is
    /// lost with the others. `kept` is at most 38, the digits of a `u128`.
    pub(crate) fn split(&self, kept: i64) -> (u128, Lost) {
        let Ok(kept) = usize::try_from(kept) else {
            return (0, Lost::LessThanHalf);
        };
        let mut digits = self.ascii().map(|digit| digit - b'0');
        let mut coefficient = 0;
        for _ in 0..kept {
            coefficient = coefficient * 10 + u128::from(digits.next().unwrap_or(0));
        }
        let first = digits.next().unwrap_or(0);
        let more = digits.any(|digit| digit != 0);
        let lost = match (first, more) {
            (0, false) => Lost::Nothing,
            (0..=4, _) => Lost::LessThanHalf,
            (5, false) => Lost::Half,
            _ => Lost::MoreThanHalf,
        };
        (coefficient, lost)
    }
}

/// Splits the digits at the front from the rest.
pub(crate) fn take_digits(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
    bytes.split_at_checked(length).unwrap_or((bytes, &[]))
}

fn without_leading_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.get(zeros..).unwrap_or_default()
}

/// The value of an exponent, saturating: beyond the limits all are alike.
fn exponent(bytes: &[u8]) -> Option<i64> {
    /// Half of the range, so that adding the number of digits does not overflow.
    const FARTHEST: i64 = i64::MAX / 2;
    let (negative, digits) = match bytes {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        _ => (false, bytes),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let magnitude = digits.iter().fold(0_i64, |magnitude, digit| {
        magnitude.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(FARTHEST)
    });
    Some(if negative { -magnitude } else { magnitude })
}
