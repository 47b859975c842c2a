//! When an intent was decided, as exports write it.

use intentkey_core::Epoch;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;

use super::mapping::{EpochUnit, Mapping};

/// The first epoch that the core takes for milliseconds.
const MILLISECONDS_FROM: u64 = 100_000_000_000;

/// An epoch: as the core judges it, and its seconds where it is sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Second {
    /// What the core is given.
    pub(crate) epoch: Epoch,
    /// Its seconds; of no meaning where the core refuses it.
    pub(crate) seconds: u64,
}

impl Second {
    /// What is no epoch: the core refuses it as `epoch_invalid`.
    pub(crate) const INVALID: fn() -> Second = || Second { epoch: Epoch::from(-1_i64), seconds: 0 };

    /// Whether the core takes it: whole seconds from 0 that are no milliseconds.
    pub(crate) fn is_sound(self) -> bool {
        self.seconds < MILLISECONDS_FROM && self.epoch == Epoch::from(self.seconds)
    }

    fn of_float(seconds: f64) -> Self {
        // The cast saturates.
        Second { epoch: seconds.into(), seconds: seconds as u64 }
    }
}

impl From<u64> for Second {
    fn from(seconds: u64) -> Self {
        Second { epoch: seconds.into(), seconds }
    }
}

/// Reads the text of a JSON number, strictly as `derive` does.
pub(super) fn of_number(text: &str, unit: EpochUnit) -> Second {
    let per_second = match unit {
        EpochUnit::Seconds => 1,
        EpochUnit::Milliseconds => 1000,
    };
    if let Ok(whole) = text.parse::<u64>() {
        return (whole / per_second).into();
    }
    match text.parse::<f64>() {
        Ok(number) if unit == EpochUnit::Seconds => Second::of_float(number),
        Ok(number) => Second::of_float((number / 1000.0).floor()),
        Err(_) => Second::INVALID(),
    }
}

/// Reads text: a number, or a date and time.
pub(super) fn of_text(text: &str, mapping: &Mapping) -> Second {
    let text = text.trim();
    if let Some(format) = &mapping.epoch_format {
        return of_timestamp(formatted(text, format, mapping.assume_utc));
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E'));
    if is_number {
        return of_number(text, mapping.epoch_unit);
    }
    let timestamp = text.parse::<Timestamp>().ok().or_else(|| {
        let civil: DateTime = mapping.assume_utc.then(|| text.parse().ok()).flatten()?;
        TimeZone::UTC.to_timestamp(civil).ok()
    });
    of_timestamp(timestamp)
}

/// A date and time as `strptime` reads it; what has no time is midnight.
fn formatted(text: &str, format: &str, assume_utc: bool) -> Option<Timestamp> {
    let parts = BrokenDownTime::parse(format, text).ok()?;
    parts.to_timestamp().ok().or_else(|| {
        let civil = parts.to_datetime().ok().filter(|_| assume_utc)?;
        TimeZone::UTC.to_timestamp(civil).ok()
    })
}

fn of_timestamp(timestamp: Option<Timestamp>) -> Second {
    match timestamp {
        // Cut towards the past, also before 1970, which the core then refuses.
        Some(timestamp) => {
            let seconds = timestamp.as_millisecond().div_euclid(1000);
            Second { epoch: seconds.into(), seconds: u64::try_from(seconds).unwrap_or(0) }
        }
        None => Second::INVALID(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_seconds_unless_said_otherwise() {
        assert_eq!(of_number("1767225600", EpochUnit::Seconds), 1_767_225_600.into());
        assert_eq!(of_number("1767225600999", EpochUnit::Milliseconds), 1_767_225_600.into());
        assert_eq!(of_number("1.7672256e9", EpochUnit::Seconds).seconds, 1_767_225_600);
    }

    #[test]
    fn dates_with_an_offset_are_taken_as_databases_write_them() {
        let mapping = Mapping::default();
        for text in [
            "2026-01-01T00:00:00Z",
            "2026-01-01 00:00:00+00",
            "2026-01-01 03:00:00.999999+03:00",
            " 2025-12-31T21:00:00-03:00 ",
        ] {
            assert_eq!(of_text(text, &mapping), 1_767_225_600.into(), "{text}");
        }
        assert_eq!(of_text("2026-01-01 00:00:00", &mapping), Second::INVALID());
        let utc = Mapping { assume_utc: true, ..mapping };
        assert_eq!(of_text("2026-01-01 00:00:00", &utc), 1_767_225_600.into());
        for (format, text) in [
            ("%m/%d/%Y %H:%M", "1/1/2026 0:00"),
            ("%d/%m/%Y", "01/01/2026"),
            ("%d.%m.%Y %H:%M:%S", "01.01.2026 00:00:00"),
            ("%d/%m/%Y %H:%M %z", "31/12/2025 21:00 -0300"),
            ("%d/%b/%Y:%H:%M:%S %z", "01/Jan/2026:03:00:00 +0300"),
        ] {
            let mapping = Mapping { epoch_format: Some(String::from(format)), ..utc.clone() };
            assert_eq!(of_text(text, &mapping), 1_767_225_600.into(), "{text}");
            assert_eq!(of_text("13/13/2026 0:00", &mapping), Second::INVALID(), "{format}");
            let strict = Mapping { assume_utc: false, ..mapping };
            let expected = if format.ends_with("%z") { 1_767_225_600.into() } else { Second::INVALID() };
            assert_eq!(of_text(text, &strict), expected, "{text}");
        }
        for text in ["", "yesterday", "-5", "2026-13-01T00:00:00Z"] {
            assert_eq!(of_text(text, &utc), Second::INVALID(), "{text}");
        }
    }
}
