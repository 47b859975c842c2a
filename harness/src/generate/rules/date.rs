//! `date`: real days.

use proptest::strategy::{BoxedStrategy, Strategy as _, Union};

use super::{Spellings, blank, not_strings, padded, refused, texts};
use crate::generate::cycle::cycle;

/// 0001-01-01 and 9999-12-31, in days since 1970.
const FIRST: i64 = -719_162;
const LAST: i64 = 2_932_896;

/// Days at which something turns: leap days, years, the first day and the last.
const TURNS: [i64; 9] = [0, 11_016, 11_017, 19_782, 19_783, 19_723, 47_541, FIRST, LAST];

const REFUSED: &[&str] = &[
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-04-31",
    "1900-02-29",
    "2100-02-29",
    "0000-01-01",
    "2026-1-1",
    "20260101",
    "2026/01/01",
    "01-01-2026",
    "01/02/2026",
    "2026-01-01T00:00:00Z",
    "10000-01-01",
    "-001-01-01",
    "2026-01-01Z",
    "\u{ff12}026-01-01",
    "2026\u{2010}01\u{2010}01",
    "2026-01",
    "26-01-01",
    "2026-001",
    "2026-01-1 ",
    "Jan 1 2026",
    "x",
    "2026- 1-01",
    "+026-01-01",
];

pub(super) fn spellings() -> Spellings {
    let written = |day: i64| {
        let (year, month, day) = civil(day);
        format!("{year:04}-{month:02}-{day:02}")
    };
    let different = (day(), cycle(&[1_i64, 7, 31, 365])).prop_map(move |(day, by)| {
        [written(day), written(if day + by > LAST { day - by } else { day + by })]
    });
    Spellings {
        equal: padded(day().prop_map(move |day| [written(day), written(day)])),
        different: Some(different.prop_map(texts).boxed()),
        refused: refused(REFUSED, "value_malformed"),
        other_kinds: not_strings(),
        empty: blank(),
    }
}

fn day() -> BoxedStrategy<i64> {
    Union::new(vec![(0..40_000_i64).boxed(), cycle(&TURNS).boxed(), (FIRST..=LAST).boxed()]).boxed()
}

/// Year, month and day of a day since 1970, in the proleptic Gregorian calendar.
///
/// Source: Howard Hinnant, chrono-Compatible Low-Level Date Algorithms, `civil_from_days`.
pub(super) fn civil(days: i64) -> (i64, i64, i64) {
    // Counted from 0000-03-01: then the leap day is the last of its year.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(19_723), (2024, 1, 1));
        assert_eq!(civil(FIRST), (1, 1, 1));
        assert_eq!(civil(LAST), (9999, 12, 31));
        assert_eq!(civil(-25_508), (1900, 3, 1));
    }
}
