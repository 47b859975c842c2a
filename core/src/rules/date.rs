//! `date`: a calendar day.
//!
//! Source: RFC 3339, section 5.6 (`full-date`), Gregorian calendar.

use super::{Canonical, Input};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// A day as `YYYY-MM-DD`, from year 0001 on, that exists in the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Date;

impl Canonical for Date {
    const NAME: &'static str = "date";

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Date)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        Day::parse(input.text.as_bytes()).ok_or(Code::ValueMalformed)?;
        out.push_str(input.text);
        Ok(())
    }
}

/// A day of the Gregorian calendar, year 0001 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) year: u32,
    pub(super) month: u32,
    pub(super) day: u32,
}

impl Day {
    /// Reads exactly `YYYY-MM-DD`.
    pub(super) fn parse(text: &[u8]) -> Option<Day> {
        let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text else { return None };
        let year = number(&[y1, y2, y3, y4])?;
        let month = number(&[m1, m2])?;
        let day = number(&[d1, d2])?;
        (year >= 1 && day >= 1 && day <= days_in_month(year, month)?).then_some(Day { year, month, day })
    }

    /// The day after, up to 9999-12-31.
    pub(super) fn next(self) -> Option<Day> {
        let Day { year, month, day } = self;
        if day < days_in_month(year, month)? {
            Some(Day { day: day + 1, ..self })
        } else if month < 12 {
            Some(Day { month: month + 1, day: 1, ..self })
        } else {
            (year < 9999).then_some(Day { year: year + 1, month: 1, day: 1 })
        }
    }

    /// The day before, down to 0001-01-01.
    pub(super) fn previous(self) -> Option<Day> {
        let Day { year, month, day } = self;
        if day > 1 {
            Some(Day { day: day - 1, ..self })
        } else if month > 1 {
            Some(Day { month: month - 1, day: days_in_month(year, month - 1)?, ..self })
        } else {
            (year > 1).then_some(Day { year: year - 1, month: 12, day: 31 })
        }
    }
}

/// The number that ASCII digits write, and nothing but digits.
pub(super) fn number(digits: &[u8]) -> Option<u32> {
    digits
        .iter()
        .try_fold(0, |number, &digit| digit.is_ascii_digit().then(|| number * 10 + u32::from(digit - b'0')))
}

fn days_in_month(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    Some(match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_days_are_dates() {
        for text in ["2026-11-30", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"] {
            assert!(Day::parse(text.as_bytes()).is_some(), "{text}");
        }
        for text in [
            "2023-02-29",
            "1900-02-29",
            "0000-01-01",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "2026-2-1",
            "20260228",
            "2026-02-28Z",
            "2026/02/28",
            "-001-01-01",
            "",
        ] {
            assert_eq!(Day::parse(text.as_bytes()), None, "{text}");
        }
    }
}
