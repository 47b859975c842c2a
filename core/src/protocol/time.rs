//! Points in time, as databases give them.

use core::fmt;
use core::time::Duration;

/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Nothing here reads a clock: every time is the database's, read after the row in question was
/// locked or inserted.
///
/// ```
/// use std::time::Duration;
/// use intentkey_core::protocol::Time;
///
/// let claimed = Time::from_seconds(1_767_225_600);
/// let execute_by = claimed + Duration::from_secs(30);
/// assert_eq!(execute_by.since(claimed), Duration::from_secs(30));
/// assert_eq!(claimed.since(execute_by), Duration::ZERO);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

impl Time {
    /// From milliseconds since 1970.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Time(millis)
    }

    /// From seconds since 1970.
    #[must_use]
    pub const fn from_seconds(seconds: u64) -> Self {
        Time(seconds.saturating_mul(1000))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// Whole seconds since 1970.
    #[must_use]
    pub const fn seconds(self) -> u64 {
        self.0 / 1000
    }

    /// How long after another time this is; zero where it is not after it.
    #[must_use]
    pub const fn since(self, earlier: Time) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

/// Later, by whole milliseconds; a fraction of one counts as one.
impl core::ops::Add<Duration> for Time {
    type Output = Time;

    fn add(self, duration: Duration) -> Time {
        let millis = duration.as_nanos().div_ceil(1_000_000);
        Time(self.0.saturating_add(u64::try_from(millis).unwrap_or(u64::MAX)))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_never_ends_early() {
        let start = Time::from_seconds(1);
        assert_eq!(start + Duration::from_nanos(1), Time::from_millis(1001));
        assert_eq!(start + Duration::from_millis(1), Time::from_millis(1001));
        assert_eq!(Time::from_millis(u64::MAX) + Duration::from_secs(1), Time::from_millis(u64::MAX));
        assert_eq!(start + Duration::MAX, Time::from_millis(u64::MAX));
    }
}
