//! For how long a row protects, and which claims come too late or too early.
//!
//! For how long a finished intent is kept ([`time_to_live`]):
//!
//! 1. A caller for whom nobody has measured how long it goes on repeating: refused.
//! 2. A ttl shorter than the longest horizon among the callers: refused.
//! 3. A ttl: as it says.
//! 4. None: 7 days, or the longest horizon where that is longer.
//!
//! When a claim comes ([`Validity::timing`]):
//!
//! 1. The intent's epoch is more than 5 minutes ahead: too early.
//! 2. The last bucket of its keys ended a ttl ago, or longer: too late.
//! 3. Otherwise, and for keys that have no bucket: in time.
//!
//! When a row expires ([`Validity::expires_at`], [`Validity::moved_on`], [`kept_until`], [`may_sweep`]):
//!
//! 1. A ttl after the end of the last bucket that its keys belong to.
//! 2. Where there is none (one bucket for all time, a client's key): a ttl after the claim.
//! 3. A repeat moves that on to a ttl after the repeat, if that is later, and to when the repeat's own
//!    keys come too late: near an edge they belong to one bucket more.
//! 4. A row that becomes done late is kept from then on for as long as it would have been from its
//!    claim: those who wait for its outcome begin to repeat only then.
//! 5. The sweep deletes finished rows that expired longer ago than its margin.

use alloc::boxed::Box;
use core::fmt;
use core::time::Duration;

use super::Time;
use crate::derive::Derived;
use crate::policy::{Policy, Retention};

/// For how long a finished intent is kept where nothing says otherwise: 7 days, since the longest
/// redelivery that common senders of webhooks and queues promise is 3 to 5 days.
pub const DEFAULT_TTL: Duration = Duration::from_secs(7 * 86_400);

/// How far ahead an intent's epoch may lie: clocks of honest producers differ by less.
pub const FUTURE_TOLERANCE: Duration = Duration::from_secs(300);

/// Moving an expiry by less than this part of the ttl is not worth a write.
const PART_WORTH_WRITING: u32 = 100;
/// Moving an expiry by this much is always worth a write.
const ALWAYS_WORTH_WRITING: Duration = Duration::from_secs(60);

/// Why no time to live follows from a policy's retention.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetentionError {
    /// Nobody has measured for how long this caller goes on; the name is empty where that is said
    /// of all callers.
    Unmeasured {
        /// The caller.
        caller: Box<str>,
    },
    /// A caller goes on for longer than rows are kept.
    TooShort {
        /// The caller.
        caller: Box<str>,
        /// For how many seconds it goes on.
        horizon_seconds: u64,
        /// For how many seconds rows are kept.
        ttl_seconds: u64,
    },
}

impl fmt::Display for RetentionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RetentionError::Unmeasured { caller } if caller.is_empty() => {
                f.write_str("retention.callers is unmeasured: find out for how long the callers repeat")
            }
            RetentionError::Unmeasured { caller } => {
                write!(f, "retention.callers.{caller} is unmeasured: find out for how long it repeats")
            }
            RetentionError::TooShort { caller, horizon_seconds, ttl_seconds } => write!(
                f,
                "retention.ttl_seconds is {ttl_seconds}, and {caller} repeats for {horizon_seconds} seconds: keep keys at least as long"
            ),
        }
    }
}

impl core::error::Error for RetentionError {}

/// For how long a finished intent is kept.
///
/// # Errors
///
/// [`RetentionError`], where the callers' horizons are not known or not covered.
///
/// ```
/// use std::time::Duration;
/// use intentkey_core::Policy;
/// use intentkey_core::protocol::{DEFAULT_TTL, time_to_live};
///
/// let policy = |retention: &str| Policy::from_json(&format!(r#"{{
///     "name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
///     "identity": {{ "order": {{ "rule": "exact" }} }}, "retention": {retention}
/// }}"#));
/// let ttl = |retention| policy(retention).map(|policy| time_to_live(policy.retention()));
/// assert_eq!(ttl(r#"{"callers": {"queue": 86400}}"#)?, Ok(DEFAULT_TTL));
/// assert_eq!(ttl(r#"{"callers": {"queue": 864000}}"#)?, Ok(Duration::from_secs(864_000)));
/// assert!(ttl(r#"{"callers": {"queue": "unmeasured"}}"#)?.is_err());
/// assert!(ttl(r#"{"ttl_seconds": 60, "callers": {"queue": 61}}"#)?.is_err());
/// # Ok::<(), intentkey_core::Refusal>(())
/// ```
pub fn time_to_live(retention: Option<&Retention>) -> Result<Duration, RetentionError> {
    let Some(retention) = retention else { return Ok(DEFAULT_TTL) };
    let mut longest = 0;
    for caller in retention.callers() {
        let Some(horizon_seconds) = caller.horizon_seconds() else {
            return Err(RetentionError::Unmeasured { caller: caller.name().into() });
        };
        if let Some(ttl_seconds) = retention.ttl_seconds().filter(|ttl| *ttl < horizon_seconds) {
            let caller = caller.name().into();
            return Err(RetentionError::TooShort { caller, horizon_seconds, ttl_seconds });
        }
        longest = longest.max(horizon_seconds);
    }
    Ok(match retention.ttl_seconds() {
        Some(ttl) => Duration::from_secs(ttl),
        None => DEFAULT_TTL.max(Duration::from_secs(longest)),
    })
}

/// Whether a claim comes in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timing {
    /// It does.
    InTime,
    /// What protected the intent may have been deleted: it must not be executed as new.
    TooLate,
    /// The intent is from the future.
    TooEarly,
}

/// From when to when the keys of an intent can be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    epoch: Option<Time>,
    ends: Option<Time>,
}

impl Validity {
    /// Of a key that has no epoch: a client's, or a recorded one.
    pub const UNBOUNDED: Validity = Validity { epoch: None, ends: None };

    /// Of an intent that was decided at `epoch` and derived under `policy`, the policy in force at
    /// that epoch.
    ///
    /// ```
    /// use std::time::Duration;
    /// use intentkey_core::protocol::{Time, Timing, Validity};
    /// use intentkey_core::{Deriver, Intent, Payload, Policy, Secret};
    ///
    /// let policy = Policy::from_json(r#"{
    ///     "name": "refund", "actions": ["refund.create"], "bucket_seconds": 900, "edge_seconds": 20,
    ///     "identity": { "order": { "rule": "exact" } }
    /// }"#)?;
    /// let deriver = Deriver::new(policy.clone(), Secret::new([7; 32])?)?;
    /// let validity = |epoch: u64| {
    ///     let payload = Payload::Json(r#"{"order": "A-1"}"#);
    ///     let intent =
    ///         Intent { tenant: "acme".into(), action: "refund.create".into(), epoch: epoch.into(), payload };
    ///     Ok::<_, intentkey_core::Refusal>(Validity::derived(&policy, epoch, &deriver.derive(&intent)?))
    /// };
    /// let ttl = Duration::from_secs(86_400);
    /// // The bucket of 900 to 1799 is over at 1800; near its end there is a key of the next one.
    /// assert_eq!(validity(1000)?.expires_at(Time::from_seconds(1001), ttl), Time::from_seconds(88_200));
    /// assert_eq!(validity(1790)?.expires_at(Time::from_seconds(1791), ttl), Time::from_seconds(89_100));
    /// assert_eq!(validity(1000)?.timing(Time::from_seconds(88_200), ttl), Timing::TooLate);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    #[must_use]
    pub fn derived(policy: &Policy, epoch: u64, derived: &Derived) -> Validity {
        let buckets = policy.buckets();
        // Where another policy takes over there is no edge key.
        let edge = derived.edge.as_ref().and_then(|_| buckets.edge_near(epoch));
        let last = derived.bucket.max(edge.unwrap_or(0));
        Validity {
            epoch: Some(Time::from_seconds(epoch)),
            ends: (buckets.seconds > 0)
                .then(|| Time::from_seconds(buckets.first_second(last.saturating_add(1)))),
        }
    }

    /// Of a key whose intent was decided at `epoch` and whose last bucket ends at `ends` (`None`:
    /// never), both in seconds since 1970, for producers that derive elsewhere.
    #[must_use]
    pub const fn between(epoch: u64, ends: Option<u64>) -> Validity {
        let ends = match ends {
            Some(ends) => Some(Time::from_seconds(ends)),
            None => None,
        };
        Validity { epoch: Some(Time::from_seconds(epoch)), ends }
    }

    /// When the intent was decided, where the key says so.
    #[must_use]
    pub const fn epoch(self) -> Option<Time> {
        self.epoch
    }

    /// When the last bucket of its keys ends, where it does.
    #[must_use]
    pub const fn ends(self) -> Option<Time> {
        self.ends
    }

    /// Before when a claim comes too early; `None` where it never does.
    #[must_use]
    pub fn earliest(self) -> Option<Time> {
        let tolerance = u64::try_from(FUTURE_TOLERANCE.as_millis()).unwrap_or(0);
        self.epoch.map(|epoch| Time::from_millis(epoch.millis().saturating_sub(tolerance)))
    }

    /// Whether a claim at `now` comes in time.
    #[must_use]
    pub fn timing(self, now: Time, ttl: Duration) -> Timing {
        if self.earliest().is_some_and(|earliest| now < earliest) {
            Timing::TooEarly
        } else if self.latest(ttl).is_some_and(|latest| now >= latest) {
            Timing::TooLate
        } else {
            Timing::InTime
        }
    }

    /// From when on a claim comes too late; `None` where it never does.
    #[must_use]
    pub fn latest(self, ttl: Duration) -> Option<Time> {
        self.ends.map(|ends| ends + ttl)
    }

    /// When a row that is claimed at `claimed` expires, if nobody repeats it.
    #[must_use]
    pub fn expires_at(self, claimed: Time, ttl: Duration) -> Time {
        self.latest(ttl).unwrap_or(claimed + ttl)
    }

    /// The expiry of a row after a repeat with these keys at `now`, where that is worth a write: it is
    /// later by a minute, or by a hundredth of the ttl, or the row would be gone before the repeat's keys
    /// come too late.
    ///
    /// ```
    /// use std::time::Duration;
    /// use intentkey_core::protocol::{Time, Validity};
    ///
    /// let (seconds, ttl) = (Time::from_seconds, Duration::from_secs(86_400));
    /// // The row's key is of the bucket of 900; the repeat, at its edge, may come with that of 1800 too.
    /// let repeat = Validity::between(1785, Some(2700));
    /// assert_eq!(repeat.moved_on(seconds(88_200), seconds(1790), ttl), Some(seconds(89_100)));
    /// ```
    #[must_use]
    pub fn moved_on(self, expires_at: Time, now: Time, ttl: Duration) -> Option<Time> {
        let later = now + ttl;
        let worth = (ttl / PART_WORTH_WRITING).min(ALWAYS_WORTH_WRITING);
        let by_repeat = (later > expires_at && later.since(expires_at) >= worth).then_some(later);
        let by_keys = self.latest(ttl).filter(|latest| *latest > expires_at);
        by_repeat.max(by_keys)
    }
}

/// The expiry of a row that was claimed first at `created`, was to expire at `expires_at`, and becomes
/// done at `now`.
///
/// ```
/// use intentkey_core::protocol::{Time, kept_until};
///
/// let seconds = Time::from_seconds;
/// // At once: a little later. When it would have been swept: a whole time to live from then on.
/// assert_eq!(kept_until(seconds(100), seconds(700), seconds(101)), seconds(701));
/// assert_eq!(kept_until(seconds(100), seconds(700), seconds(900)), seconds(1500));
/// ```
#[must_use]
pub fn kept_until(created: Time, expires_at: Time, now: Time) -> Time {
    expires_at.max(now + expires_at.since(created))
}

/// Whether the sweep may delete a finished row at `now`.
///
/// `margin` is longer than any claim takes, plus what [`Validity::moved_on`] does not write: a claim that read
/// its clock before the row expired has then come to its end.
#[must_use]
pub fn may_sweep(expires_at: Time, now: Time, margin: Duration) -> bool {
    now > expires_at + margin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Time {
        Time::from_seconds(seconds)
    }

    const DAY: Duration = Duration::from_secs(86_400);

    #[test]
    fn a_claim_is_in_time_from_five_minutes_before_to_a_ttl_after_its_bucket() {
        let validity = Validity::between(1000, Some(1800));
        for (now, timing) in [
            (699, Timing::TooEarly),
            (700, Timing::InTime),
            (1000, Timing::InTime),
            (88_199, Timing::InTime),
            (88_200, Timing::TooLate),
        ] {
            assert_eq!(validity.timing(seconds(now), DAY), timing, "{now}");
        }
        assert_eq!(Validity::between(1000, None).timing(seconds(u64::MAX / 1000), DAY), Timing::InTime);
        assert_eq!(Validity::between(1000, None).timing(seconds(699), DAY), Timing::TooEarly);
        assert_eq!(Validity::UNBOUNDED.timing(seconds(0), DAY), Timing::InTime);
    }

    #[test]
    fn expiry_counts_from_the_bucket_or_the_claim() {
        assert_eq!(Validity::between(1000, Some(1800)).expires_at(seconds(1700), DAY), seconds(88_200));
        assert_eq!(Validity::between(1000, None).expires_at(seconds(1700), DAY), seconds(88_100));
        assert_eq!(Validity::UNBOUNDED.expires_at(seconds(1700), DAY), seconds(88_100));
    }

    #[test]
    fn a_repeat_moves_expiry_on_and_never_back() {
        let moved_on = |expires_at, now, ttl| Validity::UNBOUNDED.moved_on(expires_at, now, ttl);
        assert_eq!(moved_on(seconds(100_000), seconds(20_000), DAY), Some(seconds(106_400)));
        assert_eq!(moved_on(seconds(100_000), seconds(10_000), DAY), None);
        // Less than a minute is not worth a write; of a short ttl a hundredth is.
        assert_eq!(moved_on(seconds(100_000), seconds(13_659), DAY), None);
        assert_eq!(moved_on(seconds(100_000), seconds(13_660), DAY), Some(seconds(100_060)));
        let short = Duration::from_secs(10);
        assert_eq!(moved_on(seconds(20), Time::from_millis(10_100), short), Some(Time::from_millis(20_100)));
        assert_eq!(moved_on(seconds(20), Time::from_millis(10_099), short), None);
        // To when the repeat's keys come too late, also by a second.
        let keys = Validity::between(0, Some(13_601));
        assert_eq!(keys.moved_on(seconds(100_000), seconds(0), DAY), Some(seconds(100_001)));
        assert_eq!(keys.moved_on(seconds(100_001), seconds(0), DAY), None);
        assert_eq!(keys.moved_on(seconds(100_000), seconds(20_000), DAY), Some(seconds(106_400)));
    }

    #[test]
    fn the_sweep_keeps_its_margin() {
        let margin = Duration::from_secs(60);
        assert!(!may_sweep(seconds(100), seconds(160), margin));
        assert!(may_sweep(seconds(100), Time::from_millis(160_001), margin));
    }
}
