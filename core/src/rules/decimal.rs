//! `decimal`: an amount at a fixed scale, rounded once.
//!
//! The arithmetic is on the digits themselves. `rust_decimal` 1.43, which would be the library
//! for it, rounds while it parses (28 digits, then the scale), so that
//! `1.00499999999999999999999999999999` becomes 1.01 where 1.00 is right; it serves the tests as
//! a second opinion. Half even: IEEE 754-2019, section 4.3.1.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{Canonical, Input, Takes, parameter};
use crate::buffer::Buffer;
use crate::decimal::{self, Digits, Lost, take_digits};
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
            Scale::Fixed(scale) => vec![rounding, ["scale=", &decimal::integer(u64::from(*scale))].concat()],
            Scale::Currency(path) => vec![rounding, ["currency_field=", &path.text()].concat()],
        }
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
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
pub(super) fn round(text: &str, scale: u8, rounding: Rounding, out: &mut Buffer) -> Result<(), Code> {
    if push_if_fixed(text, scale, out) {
        return Ok(());
    }
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

/// Appends a number that is written as it should be, zeros at its end aside, as most amounts are:
/// `12.5` at scale 2.
fn push_if_fixed(text: &str, scale: u8, out: &mut Buffer) -> bool {
    /// Digits that are surely not too many at the largest scale.
    const SURELY_FITTING: usize = 10;
    let scale = usize::from(scale);
    let (whole, rest) = take_digits(text.as_bytes());
    let fraction = match rest {
        [] => rest,
        [b'.', fraction @ ..] if fraction.iter().all(u8::is_ascii_digit) => fraction,
        _ => return false,
    };
    let has_leading_zero = matches!(whole, [] | [b'0', _, ..]);
    if has_leading_zero || whole.len() > SURELY_FITTING || fraction.len() > scale {
        return false;
    }
    out.push_ascii(whole);
    if scale > 0 {
        out.push_byte(b'.');
        out.push_ascii(fraction);
        out.push_ascii(ZEROS.get(fraction.len()..scale).unwrap_or_default());
    }
    true
}

/// As many zeros as the largest scale has places.
const ZEROS: [u8; LARGEST_SCALE as usize] = [b'0'; LARGEST_SCALE as usize];

/// Appends `coefficient` with `scale` places.
fn write_fixed(negative: bool, coefficient: u128, scale: u8, out: &mut Buffer) {
    let places = usize::from(scale);
    let mut digits = [b'0'; MOST_DIGITS as usize];
    let written = fill_from_right(&mut digits, coefficient);
    let (front, fraction) = digits.split_at_checked(digits.len() - places).unwrap_or((&digits, &[]));
    let whole_digits = written.saturating_sub(places).max(1);
    let whole = front.get(front.len() - whole_digits..).unwrap_or_default();
    if negative {
        out.push_byte(b'-');
    }
    out.push_ascii(whole);
    if !fraction.is_empty() {
        out.push_byte(b'.');
        out.push_ascii(fraction);
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
