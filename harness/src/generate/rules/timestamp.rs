//! `timestamp`: moments under every offset and with any fraction.

use intentkey_core::{Precision, Timestamp};
use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy as _, Union};

use super::date::civil;
use super::{Spellings, blank, not_strings, padded, refused, texts};
use crate::generate::cycle::cycle;
use crate::generate::json::Json;

/// The seconds of a day.
const DAY: i64 = 86_400;

/// The first second of 0001-01-03 and the last of 9999-12-29, in seconds since 1970: far enough
/// inside that every offset stays within the years 0001 to 9999.
const EARLIEST: i64 = -62_135_596_800 + 2 * DAY;
const LATEST: i64 = 253_402_300_799 - 2 * DAY;

/// Seconds at which a calendar turns: days, months, leap days, centuries, years.
const TURNS: [i64; 12] = [
    0,
    951_782_400,     // 2000-02-29
    951_868_800,     // 2000-03-01
    1_709_164_800,   // 2024-02-29
    1_709_251_200,   // 2024-03-01
    1_704_067_200,   // 2024-01-01
    1_772_323_200,   // 2026-03-01
    4_107_542_400,   // 2100-03-01
    -2_203_891_200,  // 1900-03-01
    -62_135_424_000, // 0001-01-03
    253_402_041_600, // 9999-12-29
    -1,
];

const REFUSED: &[&str] = &[
    "2026-03-01T10:00:00",
    "2026-03-01 10:00:00Z",
    "2026-03-01T10:00:60Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T10:60:00Z",
    "2026-03-01T10:00:00,5Z",
    "2026-03-01T10:00:00.Z",
    "2026-03-01T10:00Z",
    "2026-02-29T10:00:00Z",
    "2026-03-01",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-03-00T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-03-01T10:00:00+24:00",
    "2026-03-01T10:00:00+01:60",
    "2026-03-01T10:00:00+0100",
    "2026-03-01T10:00:00+01",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "0000-12-31T23:59:59Z",
    "10000-01-01T00:00:00Z",
    "2016-12-31T23:59:60Z",
    "2026-3-1T10:00:00Z",
    "20260301T100000Z",
    "2026-03-01T10:00:00\u{2212}03:00",
    "1767225600",
    "2026-03-01T10:00:00 Z",
    "2026-03-01T10:00:00ZZ",
    "2026-03-01T10:00:00Z[UTC]",
    "+2026-03-01T10:00:00Z",
    "2026-03-01T\u{ff11}0:00:00Z",
    "2026-03-01T10:00:00UTC",
    "2026-03-01T10:00:00-03:00:00",
    "Sun, 01 Mar 2026 10:00:00 GMT",
];

pub(super) fn spellings(rule: &Timestamp) -> Spellings {
    let kept = match rule.precision {
        Precision::Milli => 3,
        Precision::Micro => 6,
        _ => 0,
    };
    let equal = (moment(), vec(0_u8..10, kept), written(), written()).prop_map(
        move |(second, fraction, one, other)| [one.write(second, &fraction), other.write(second, &fraction)],
    );
    Spellings {
        equal: padded(equal),
        different: Some(different(kept)),
        refused: refused(REFUSED, "value_malformed"),
        other_kinds: not_strings(),
        empty: blank(),
    }
}

fn moment() -> BoxedStrategy<i64> {
    let turns = (cycle(&TURNS), -2_i64..3).prop_map(|(turn, by)| (turn + by).clamp(EARLIEST, LATEST)).boxed();
    Union::new(vec![(0..4_102_444_800_i64).boxed(), turns, (EARLIEST..LATEST).boxed()]).boxed()
}

/// How a moment is written.
#[derive(Clone, Debug)]
struct Written {
    /// Minutes from UTC.
    offset: i32,
    zone: &'static str,
    small_t: bool,
    /// Digits beyond those that are kept.
    more: Vec<u8>,
    /// Whether zeros at the end are left out.
    short: bool,
}

fn written() -> BoxedStrategy<Written> {
    let hard = cycle(&[0, 60, -180, 330, 845, 1439, -1439, -1, 1, 720]).boxed();
    let offset = Union::new(vec![hard, (-1439..1440).boxed()]);
    let more = Union::new_weighted(vec![
        (2, vec(0_u8..10, 0..8).boxed()),
        (1, cycle(&[vec![9; 30], vec![5], vec![9; 9]]).boxed()),
    ]);
    (offset, cycle(&["Z", "z", "+00:00", "-00:00"]), weighted(0.3), more, weighted(0.5))
        .prop_map(|(offset, zone, small_t, more, short)| Written { offset, zone, small_t, more, short })
        .boxed()
}

impl Written {
    fn write(&self, second: i64, kept: &[u8]) -> String {
        let local = second + i64::from(self.offset) * 60;
        let (year, month, day) = civil(local.div_euclid(DAY));
        let of_day = local.rem_euclid(DAY);
        let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
        let t = if self.small_t { 't' } else { 'T' };
        let fraction: String = kept.iter().chain(&self.more).map(u8::to_string).collect();
        let fraction = if self.short { fraction.trim_end_matches('0') } else { &fraction };
        let point = if fraction.is_empty() { "" } else { "." };
        let zone = match self.offset {
            0 => self.zone.to_owned(),
            offset => {
                let sign = if offset < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60)
            }
        };
        format!("{year:04}-{month:02}-{day:02}{t}{hour:02}:{minute:02}:{second:02}{point}{fraction}{zone}")
    }
}

/// Moments one unit apart, and one local time under two offsets.
fn different(kept: usize) -> BoxedStrategy<[Json; 2]> {
    let seconds = (moment(), vec(0_u8..10, kept), written(), written(), cycle(&[1_i64, 60, 3600, DAY]))
        .prop_map(|(second, fraction, one, other, by)| {
            let later = if second + by > LATEST { second - by } else { second + by };
            [one.write(second, &fraction), other.write(later, &fraction)]
        })
        .boxed();
    let mut options = vec![seconds];
    if kept > 0 {
        let fractions = (moment(), vec(0_u8..10, kept), 0..kept, 1_u8..10, written(), written()).prop_map(
            |(second, fraction, place, by, one, other)| {
                let changed: Vec<u8> = fraction
                    .iter()
                    .enumerate()
                    .map(|(index, digit)| if index == place { (digit + by) % 10 } else { *digit })
                    .collect();
                [one.write(second, &fraction), other.write(second, &changed)]
            },
        );
        options.push(fractions.boxed());
    }
    Union::new(options).prop_map(texts).boxed()
}
