//! The header `Retry-After` (RFC 9110, section 10.2.3), in both its forms.
//!
//! 1. Digits alone: so many seconds.
//! 2. One of the three forms of an HTTP date (section 5.6.7), read as UTC whatever its day of the
//!    week: the time until then, zero where it is past. A two-digit year is the one with these last
//!    digits that lies at most 50 years ahead of `now`.
//! 3. Anything else is not heeded.

use core::time::Duration;

use super::Time;

/// The longest that is believed: a year.
const LONGEST: u64 = 366 * 86_400;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const LONG_DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// How long `Retry-After` asks to wait, at most a year; `now` is the caller's clock.
///
/// ```
/// use std::time::Duration;
/// use intentkey_core::protocol::{Time, wait_asked_for};
///
/// let now = Time::from_seconds(784_111_770);
/// assert_eq!(wait_asked_for("120", now), Some(Duration::from_secs(120)));
/// let seven = Some(Duration::from_secs(7));
/// assert_eq!(wait_asked_for("Sun, 06 Nov 1994 08:49:37 GMT", now), seven);
/// assert_eq!(wait_asked_for("Sunday, 06-Nov-94 08:49:37 GMT", now), seven);
/// assert_eq!(wait_asked_for("Sun Nov  6 08:49:37 1994", now), seven);
/// assert_eq!(wait_asked_for("soon", now), None);
/// ```
#[must_use]
pub fn wait_asked_for(value: &str, now: Time) -> Option<Duration> {
    let value = value.trim_ascii();
    let wait = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // Too many digits to count: as long as can be.
        Duration::from_secs(value.parse().unwrap_or(LONGEST))
    } else {
        date(value, now)?.since(now)
    };
    Some(wait.min(Duration::from_secs(LONGEST)))
}

fn date(value: &str, now: Time) -> Option<Time> {
    imf_fixdate(value).or_else(|| rfc_850(value, now)).or_else(|| asctime(value))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`
fn imf_fixdate(value: &str) -> Option<Time> {
    let (weekday, rest) = value.split_once(", ")?;
    DAYS.contains(&weekday).then_some(())?;
    let [day, month, year, clock, "GMT"] = parts(rest, ' ')? else { return None };
    time(digits(year, 4)?, month, digits(day, 2)?, clock)
}

/// `Sunday, 06-Nov-94 08:49:37 GMT`
fn rfc_850(value: &str, now: Time) -> Option<Time> {
    let (weekday, rest) = value.split_once(", ")?;
    LONG_DAYS.contains(&weekday).then_some(())?;
    let [date, clock, "GMT"] = parts(rest, ' ')? else { return None };
    let [day, month, year] = parts(date, '-')?;
    let this_year = year_of(now);
    let latest = this_year + 50;
    let year = latest - (latest + 100 - digits(year, 2)?) % 100;
    time(year, month, digits(day, 2)?, clock)
}

/// `Sun Nov  6 08:49:37 1994`
fn asctime(value: &str) -> Option<Time> {
    let (weekday, rest) = value.split_once(' ')?;
    DAYS.contains(&weekday).then_some(())?;
    let (month, rest) = rest.split_once(' ')?;
    let (day, rest) = match rest.strip_prefix(' ') {
        Some(rest) => rest.split_once(' ').map(|(day, rest)| (digits(day, 1), rest))?,
        None => rest.split_once(' ').map(|(day, rest)| (digits(day, 2), rest))?,
    };
    let [clock, year] = parts(rest, ' ')?;
    time(digits(year, 4)?, month, day?, clock)
}

/// Exactly `N` parts.
fn parts<const N: usize>(text: &str, separator: char) -> Option<[&str; N]> {
    let mut split = text.split(separator);
    let mut parts = [""; N];
    for part in &mut parts {
        *part = split.next()?;
    }
    split.next().is_none().then_some(parts)
}

/// Exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u64> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn time(year: u64, month: &str, day: u64, clock: &str) -> Option<Time> {
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let [hour, minute, second] = parts(clock, ':')?;
    let (hour, minute, second) = (digits(hour, 2)?, digits(minute, 2)?, digits(second, 2)?);
    // 60 is a leap second.
    let is_real = year >= 1970 && day >= 1 && day <= days_in(year, month);
    (is_real && hour < 24 && minute < 60 && second <= 60)
        .then(|| Time::from_seconds(((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second))
}

const fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

const fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 => 28 + is_leap(year) as u64,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days from 1970-01-01 to a day of 1970 or later.
fn days(year: u64, month: u64, day: u64) -> u64 {
    let leap_days_before = |year: u64| year / 4 - year / 100 + year / 400;
    let years = (year - 1970) * 365 + leap_days_before(year - 1) - leap_days_before(1969);
    years + (1..month).map(|month| days_in(year, month)).sum::<u64>() + day - 1
}

fn year_of(time: Time) -> u64 {
    // The mean year of the calendar has 365.2425 days; which side of New Year it is does not matter
    // to what lies 50 years away.
    1970 + time.seconds() / 31_556_952
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration as StdDuration, UNIX_EPOCH};

    extern crate std;

    fn read(value: &str, now: u64) -> Option<u64> {
        date(value, Time::from_seconds(now)).map(Time::seconds)
    }

    #[test]
    fn dates_are_read_as_httpdate_reads_them() {
        // Every 1,000,003 seconds from 1970 to 2199, in the form that senders must use.
        for seconds in (0..7_258_118_400_u64).step_by(1_000_003) {
            let written = httpdate::fmt_http_date(UNIX_EPOCH + StdDuration::from_secs(seconds));
            assert_eq!(read(&written, 0), Some(seconds), "{written}");
        }
    }

    #[test]
    fn old_forms_are_read() {
        assert_eq!(read("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), Some(784_111_777));
        // 50 years ahead of 2026 is 2076; 77 is past.
        assert_eq!(read("Friday, 01-Jan-77 00:00:00 GMT", 1_767_225_600), Some(220_924_800));
        assert_eq!(read("Wednesday, 01-Jan-76 00:00:00 GMT", 1_767_225_600), Some(3_345_062_400));
        assert_eq!(read("Sun Nov  6 08:49:37 1994", 0), Some(784_111_777));
        assert_eq!(read("Wed Nov 16 08:49:37 1994", 0), Some(784_975_777));
    }

    #[test]
    fn what_is_no_date_is_not_heeded() {
        for value in [
            "",
            "-1",
            "1.5",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT",
            "Sun, 29 Feb 1995 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT",
            "Xxx, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994",
        ] {
            assert_eq!(wait_asked_for(value, Time::from_seconds(0)), None, "{value}");
        }
        assert_eq!(
            wait_asked_for("99999999999999999999999", Time::from_seconds(0)),
            Some(Duration::from_secs(LONGEST))
        );
    }
}
