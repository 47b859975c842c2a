//! `timestamp`: a moment.
//!
//! Source: RFC 3339, section 5.6 (`date-time`). A leap second (second 60) is refused: hosts
//! disagree on what it is.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::date::{Day, number};
use super::{Canonical, Input, parameter};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// The minutes of a day.
const DAY: i32 = 24 * 60;

/// A moment in RFC 3339 form, taken to UTC and cut, not rounded, to a fixed number of fraction
/// digits: a retry that adds digits means the same moment. Years 0001 to 9999, as written and in
/// UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timestamp {
    /// How many fraction digits the canonical form has.
    pub precision: Precision,
}

/// How many fraction digits a timestamp has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precision {
    /// None.
    Second,
    /// Three.
    Milli,
    /// Six.
    Micro,
}

const PRECISIONS: &[(&str, Precision)] =
    &[("second", Precision::Second), ("milli", Precision::Milli), ("micro", Precision::Micro)];

impl Precision {
    fn digits(self) -> usize {
        match self {
            Precision::Second => 0,
            Precision::Milli => 3,
            Precision::Micro => 6,
        }
    }
}

impl Canonical for Timestamp {
    const NAME: &'static str = "timestamp";

    fn read(parameters: &mut Table<'_>) -> Result<Self, Refusal> {
        let precision = parameters.word("precision", PRECISIONS)?.unwrap_or(Precision::Second);
        Ok(Timestamp { precision })
    }

    fn parameters(&self) -> Vec<String> {
        vec![parameter("precision", PRECISIONS, &self.precision)]
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        let moment = Moment::parse(input.text.as_bytes()).ok_or(Code::ValueMalformed)?;
        let Day { year, month, day } = moment.day;
        let (hour, minute, second) = (moment.minute / 60, moment.minute % 60, moment.second);
        push_two_digits(year / 100, out);
        push_two_digits(year % 100, out);
        let parts = [(b'-', month), (b'-', day), (b'T', hour), (b':', minute), (b':', second)];
        for (separator, number) in parts {
            out.push_byte(separator);
            push_two_digits(number, out);
        }
        let digits = self.precision.digits();
        if digits > 0 {
            let fraction = moment.fraction.iter().copied().chain(core::iter::repeat(b'0'));
            out.push('.');
            fraction.take(digits).for_each(|digit| out.push_byte(digit));
        }
        out.push('Z');
        Ok(())
    }
}

fn push_two_digits(number: u32, out: &mut Buffer) {
    out.push_ascii(&[b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]);
}

/// A moment in UTC.
struct Moment<'t> {
    day: Day,
    minute: u32,
    second: u32,
    fraction: &'t [u8],
}

impl<'t> Moment<'t> {
    fn parse(text: &'t [u8]) -> Option<Self> {
        let (day, rest) = text.split_at_checked(10)?;
        let &[b'T' | b't', h1, h2, b':', m1, m2, b':', s1, s2, ref rest @ ..] = rest else { return None };
        let (hour, minute, second) = (number(&[h1, h2])?, number(&[m1, m2])?, number(&[s1, s2])?);
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let (fraction, zone) = take_fraction(rest)?;
        let minute = (hour * 60 + minute) as i32 - offset_minutes(zone)?;
        let day = Day::parse(day)?;
        let (day, minute) = match minute {
            ..0 => (day.previous()?, minute + DAY),
            DAY.. => (day.next()?, minute - DAY),
            _ => (day, minute),
        };
        Some(Moment { day, minute: minute.unsigned_abs(), second, fraction })
    }
}

/// Splits the fraction's digits, at least one after a point, from the zone.
fn take_fraction(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let [b'.', rest @ ..] = text else { return Some((&[], text)) };
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if length == 0 { None } else { rest.split_at_checked(length) }
}

/// The offset from UTC in minutes, up to 23:59 either way.
fn offset_minutes(zone: &[u8]) -> Option<i32> {
    let (sign, digits) = match zone {
        [b'Z' | b'z'] => return Some(0),
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let &[h1, h2, b':', m1, m2] = digits else { return None };
    let (hour, minute) = (number(&[h1, h2])?, number(&[m1, m2])?);
    (hour <= 23 && minute <= 59).then_some(sign * (hour * 60 + minute) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str, precision: Precision) -> Option<String> {
        let mut out = Buffer::default();
        Timestamp { precision }
            .canonical(Input { text, minor_unit: None }, &mut out)
            .ok()
            .map(|()| out.into_string())
    }

    #[test]
    fn moments_are_written_in_utc_and_cut() {
        for (text, second, micro) in [
            ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00.000000Z"),
            ("2026-03-01t07:00:00.1234567-03:00", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00.123456Z"),
            ("2024-02-29T23:59:59.9+00:00", "2024-02-29T23:59:59Z", "2024-02-29T23:59:59.900000Z"),
            ("2023-12-31T23:30:00-01:00", "2024-01-01T00:30:00Z", "2024-01-01T00:30:00.000000Z"),
            ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00Z", "2024-02-29T23:30:00.000000Z"),
            ("2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000000Z"),
            ("2026-01-01T12:00:00+23:59", "2025-12-31T12:01:00Z", "2025-12-31T12:01:00.000000Z"),
        ] {
            assert_eq!(canonical(text, Precision::Second).as_deref(), Some(second), "{text}");
            assert_eq!(canonical(text, Precision::Micro).as_deref(), Some(micro), "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in [
            "2026-03-01T10:00:00",
            "2026-03-01 10:00:00Z",
            "2026-03-01T10:00:60Z",
            "2026-03-01T24:00:00Z",
            "2026-03-01T10:00:00,5Z",
            "2026-03-01T10:00:00.Z",
            "2026-03-01T10:00Z",
            "2026-02-29T10:00:00Z",
            "2026-03-01T10:00:00+24:00",
            "2026-03-01T10:00:00+0100",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "0000-12-31T23:59:59-01:00",
            "2026-03-01T10:00:00Z ",
            "2026-03-01",
        ] {
            assert_eq!(canonical(text, Precision::Milli), None, "{text}");
        }
    }
}
