//! Which event a claim is, seen against the row of its key.
//!
//! 1. The row has another fingerprint, or is another tenant's: [`Event::ClaimOther`].
//! 2. The row carries the claimant's own token: [`Event::ClaimOwn`].
//! 3. The intent's bucket, edge and ttl are over: [`Event::ClaimTooLate`].
//! 4. The intent is from the future: [`Event::ClaimTooEarly`].
//! 5. Otherwise: [`Event::Claim`].
//!
//! What follows is in [`TRANSITIONS`](super::TRANSITIONS).

use core::time::Duration;

use super::Time;
use super::destination::Terms;
use super::retention::Timing;
use super::table::{Event, State, Status};

/// The row of a key, as a claim sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The row's status.
    pub status: Status,
    /// When the row was claimed first.
    pub claimed: Time,
    /// Until when its owner may execute.
    pub execute_by: Time,
    /// Whether the row has the claim's fingerprint and tenant.
    pub same_intent: bool,
    /// Whether the row's token is the claimant's.
    pub own_token: bool,
    /// Whether the effect is at the destination that is asked about. Where it is not, that one's terms
    /// say nothing of it.
    pub same_destination: bool,
}

impl Held {
    /// The row's state at `now`, where the destination that is asked about has these terms and an
    /// execution may take `execution`.
    #[must_use]
    pub fn state(&self, terms: Terms, now: Time, execution: Duration) -> State {
        let means = self.same_destination.then(|| terms.means_at(self.claimed, now, execution));
        State::new(self.status, now >= self.execute_by, means)
    }
}

/// Which event a claim is.
///
/// ```
/// use std::time::Duration;
/// use intentkey_core::protocol::{Answer, Held, Status, Terms, Time, Timing, claim_event, transition};
///
/// let held = Held {
///     status: Status::InFlight,
///     claimed: Time::from_seconds(1000),
///     execute_by: Time::from_seconds(1030),
///     same_intent: true,
///     own_token: false,
///     same_destination: true,
/// };
/// let execution = Duration::from_secs(30);
/// let state = held.state(Terms::neither(), Time::from_seconds(1029), execution);
/// let repeat = transition(claim_event(Some(&held), Timing::InTime), state);
/// assert_eq!(repeat.answer, Answer::InFlight);
///
/// let state = held.state(Terms::neither(), Time::from_seconds(1030), execution);
/// let repeat = transition(claim_event(Some(&held), Timing::InTime), state);
/// assert_eq!((repeat.answer, repeat.becomes), (Answer::Unsettled, Some(Status::Unsettled)));
///
/// // A repeat that is sent to another destination leaves the outcome to the first one's recovery.
/// let elsewhere = Held { same_destination: false, ..held };
/// let honours_keys = Terms::idempotent_by_key(Duration::from_secs(86_400));
/// let state = elsewhere.state(honours_keys, Time::from_seconds(1030), execution);
/// let repeat = transition(claim_event(Some(&elsewhere), Timing::InTime), state);
/// assert_eq!((repeat.answer, repeat.becomes), (Answer::InFlight, None));
/// ```
#[must_use]
pub fn claim_event(held: Option<&Held>, timing: Timing) -> Event {
    match (held, timing) {
        (Some(Held { same_intent: false, .. }), _) => Event::ClaimOther,
        (Some(Held { own_token: true, .. }), _) => Event::ClaimOwn,
        (_, Timing::TooLate) => Event::ClaimTooLate,
        (_, Timing::TooEarly) => Event::ClaimTooEarly,
        (_, Timing::InTime) => Event::Claim,
    }
}

/// The longest that a repeat is asked to wait, in seconds: owners seldom use all their time.
const LONGEST_WAIT: u64 = 30;

/// The `Retry-After` of a repeat that met a row in flight, in seconds: what is left until
/// `execute_by`, or after that until the next look-up, rounded up, from 1 to 30.
///
/// ```
/// use intentkey_core::protocol::{Time, retry_after};
///
/// assert_eq!(retry_after(Time::from_millis(7_001), Time::from_seconds(5)), 3);
/// assert_eq!(retry_after(Time::from_seconds(5), Time::from_seconds(9)), 1);
/// assert_eq!(retry_after(Time::from_seconds(500), Time::from_seconds(9)), 30);
/// ```
#[must_use]
pub fn retry_after(until: Time, now: Time) -> u64 {
    let left = until.since(now).as_millis().div_ceil(1000);
    u64::try_from(left).unwrap_or(LONGEST_WAIT).clamp(1, LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_payload_comes_before_all_else() {
        let held = |same_intent, own_token| Held {
            status: Status::Done,
            claimed: Time::from_seconds(0),
            execute_by: Time::from_seconds(0),
            same_intent,
            own_token,
            same_destination: true,
        };
        for (held, timing, event) in [
            (Some(held(false, true)), Timing::TooLate, Event::ClaimOther),
            (Some(held(true, true)), Timing::TooLate, Event::ClaimOwn),
            (Some(held(true, false)), Timing::TooLate, Event::ClaimTooLate),
            (None, Timing::TooLate, Event::ClaimTooLate),
            (None, Timing::TooEarly, Event::ClaimTooEarly),
            (None, Timing::InTime, Event::Claim),
        ] {
            assert_eq!(claim_event(held.as_ref(), timing), event);
        }
    }
}
