//! `decimal`: an amount at a fixed scale, rounded once.
//!
//! The arithmetic is on the digits themselves. `rust_decimal` 1.43, which would be the library
//! for it, rounds while it parses (28 digits, then the scale), so that
//! `1.00499999999999999999999999999999` becomes 1.01 where 1.00 is right; it serves the tests as
//! a second opinion. Half even: IEEE 754-2019, section 4.3.1.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{Canonical, Input, Takes, parameter};
use crate::error::{Code, Refusal};
use crate::policy::{Path, Table, integer_within};
use crate::value::Value;

/// The most digits of a result, the limit of decimal types in common use.
const MOST_DIGITS: i64 = 28;

/// The largest scale that a policy can ask for.
const LARGEST_SCALE: u64 = 18;

/// An amount: fixed scale, no exponent, no plus, no leading zeros, and minus zero is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decimal {
    /// How many decimal places the canonical form has.
    pub scale: Scale,
    /// What happens to digits beyond them.
    pub rounding: Rounding,
}

/// How many decimal places there are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scale {
    /// Always so many, 0 to 18.
    Fixed(u8),
    /// As many as the minor unit of the currency in this identity field has.
    Currency(Path),
}

/// What happens to digits beyond the scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rounding {
    /// To the nearest; halves away from zero.
    HalfUp,
    /// To the nearest; halves to the even neighbour.
    HalfEven,
    /// `decimal_inexact`.
    Refuse,
}

const ROUNDINGS: &[(&str, Rounding)] =
    &[("half_up", Rounding::HalfUp), ("half_even", Rounding::HalfEven), ("refuse", Rounding::Refuse)];

impl Decimal {
    pub(crate) fn currency_field(&self) -> Option<&Path> {
        match &self.scale {
            Scale::Fixed(_) => None,
            Scale::Currency(path) => Some(path),
        }
    }
}

impl Canonical for Decimal {
    const NAME: &'static str = "decimal";
    const TAKES: Takes = Takes::Numbers;

    fn read(parameters: &mut Table<'_>) -> Result<Self, Refusal> {
        let scale = read_scale(parameters)?;
        let rounding = parameters.word("rounding", ROUNDINGS)?.unwrap_or(Rounding::HalfUp);
        Ok(Decimal { scale, rounding })
    }

    fn parameters(&self) -> Vec<String> {
        let rounding = parameter("rounding", ROUNDINGS, &self.rounding);
        match &self.scale {
            Scale::Fixed(scale) => vec![rounding, format!("scale={scale}")],
            Scale::Currency(path) => vec![rounding, format!("currency_field={path}")],
        }
    }

    fn canonical(&self, input: Input<'_>, out: &mut String) -> Result<(), Code> {
        let scale = match &self.scale {
            Scale::Fixed(scale) => *scale,
            Scale::Currency(_) => input.minor_unit.ok_or(Code::CurrencyUnknown)?,
        };
        round(input.text, scale, self.rounding, out)
    }
}

fn read_scale(parameters: &mut Table<'_>) -> Result<Scale, Refusal> {
    let scale = parameters.take("scale");
    let field = parameters.string("currency_field")?;
    match scale {
        Some(Value::String(word)) if *word == "currency" => {
            let path = Path::parse(field.unwrap_or("currency"))
                .map_err(|problem| parameters.refuse("currency_field", problem))?;
            Ok(Scale::Currency(path))
        }
        _ if field.is_some() => {
            Err(parameters.refuse("currency_field", "belongs with scale = \"currency\" only"))
        }
        None => Ok(Scale::Fixed(2)),
        Some(value) => integer_within(value, 0, LARGEST_SCALE)
            .and_then(|scale| u8::try_from(scale).ok())
            .map(Scale::Fixed)
            .ok_or_else(|| parameters.refuse("scale", "must be an integer from 0 to 18 or \"currency\"")),
    }
}

/// Appends the number rounded to `scale` places.
pub(super) fn round(text: &str, scale: u8, rounding: Rounding, out: &mut String) -> Result<(), Code> {
    let number = Digits::parse(text).ok_or(Code::DecimalMalformed)?;
    let kept = number.point.saturating_add(i64::from(scale));
    if number.is_zero() {
        write_fixed(false, 0, scale, out);
        return Ok(());
    }
    if kept > MOST_DIGITS {
        return Err(Code::DecimalOutOfRange);
    }
    let (coefficient, lost) = number.split(kept);
    if rounding == Rounding::Refuse && lost != Lost::Nothing {
        return Err(Code::DecimalInexact);
    }
    let up = match lost {
        Lost::Nothing | Lost::LessThanHalf => false,
        Lost::Half => rounding == Rounding::HalfUp || coefficient % 2 == 1,
        Lost::MoreThanHalf => true,
    };
    let coefficient = coefficient + u128::from(up);
    if coefficient >= 10_u128.pow(MOST_DIGITS as u32) {
        return Err(Code::DecimalOutOfRange);
    }
    write_fixed(number.negative && coefficient != 0, coefficient, scale, out);
    Ok(())
}

/// What rounding leaves behind, in units of the last place kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lost {
    Nothing,
    LessThanHalf,
    Half,
    MoreThanHalf,
}

/// The digits of a number as it was written, leading zeros aside.
struct Digits<'t> {
    negative: bool,
    whole: &'t [u8],
    fraction: &'t [u8],
    /// How many digits stand before the decimal point; negative where zeros follow it. An
    /// exponent of any size only moves it.
    point: i64,
}

impl<'t> Digits<'t> {
    /// Reads `[+-]?(d+(.d*)?|.d+)([eE][+-]?d+)?`.
    fn parse(text: &'t str) -> Option<Self> {
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

    fn is_zero(&self) -> bool {
        self.whole.is_empty() && self.fraction.is_empty()
    }

    /// The first `kept` digits as an integer, zeros appended where there are fewer, and what is
    /// lost with the others. `kept` is at most 28.
    fn split(&self, kept: i64) -> (u128, Lost) {
        let Ok(kept) = usize::try_from(kept) else {
            return (0, Lost::LessThanHalf);
        };
        let mut digits = self.whole.iter().chain(self.fraction).map(|digit| digit - b'0');
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

fn take_digits(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
    bytes.split_at_checked(length).unwrap_or((bytes, &[]))
}

fn without_leading_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.get(zeros..).unwrap_or_default()
}

/// The value of an exponent, saturating: beyond the limits all are alike.
fn exponent(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        _ => (false, bytes),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    // Half of i64's range, so that adding the number of digits does not overflow.
    const FARTHEST: i64 = i64::MAX / 2;
    let magnitude = digits.iter().fold(0_i64, |magnitude, digit| {
        magnitude.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(FARTHEST)
    });
    Some(if negative { -magnitude } else { magnitude })
}

/// Appends `coefficient` with `scale` places.
fn write_fixed(negative: bool, coefficient: u128, scale: u8, out: &mut String) {
    let places = usize::from(scale);
    let mut digits = [b'0'; MOST_DIGITS as usize];
    let written = fill_from_right(&mut digits, coefficient);
    let (front, fraction) = digits.split_at_checked(digits.len() - places).unwrap_or((&digits, &[]));
    let whole_digits = written.saturating_sub(places).max(1);
    let whole = front.get(front.len() - whole_digits..).unwrap_or_default();
    if negative {
        out.push('-');
    }
    out.extend(whole.iter().copied().map(char::from));
    if !fraction.is_empty() {
        out.push('.');
        out.extend(fraction.iter().copied().map(char::from));
    }
}

/// Writes the decimal digits of a number at the end of `digits` and gives how many they are.
fn fill_from_right(digits: &mut [u8], mut number: u128) -> usize {
    let mut written = 0;
    for slot in digits.iter_mut().rev() {
        if number == 0 {
            break;
        }
        // Most amounts fit 64 bits, whose division is several times faster.
        let digit = match u64::try_from(number) {
            Ok(small) => {
                number = u128::from(small / 10);
                small % 10
            }
            Err(_) => {
                let digit = number % 10;
                number /= 10;
                digit as u64
            }
        };
        *slot = b'0' + digit as u8;
        written += 1;
    }
    written
}

#[cfg(test)]
mod tests;
