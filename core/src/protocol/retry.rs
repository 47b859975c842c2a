//! What a client does after an attempt: always with the same key and the same parameters, or not
//! at all.
//!
//! What an attempt came to ([`Attempted::of`]):
//!
//! 1. No response: [`Attempted::Unclear`].
//! 2. A replay of a stored response, whatever its status: [`Attempted::Final`].
//! 3. 409 of the type `unsettled`, and 422 of the type `intent-too-late` (it may have been executed, and
//!    its outcome deleted): [`Attempted::Unsettled`].
//! 4. 409 of the type `in-flight`, or with `Retry-After`: [`Attempted::InFlight`].
//! 5. 408, 425, 429, 500, 502, 503, 504: [`Attempted::Unclear`].
//! 6. 401, 403, 404, 407, 421: [`Attempted::Refused`]. Something in front of the destination may have
//!    answered, which knows nothing of earlier attempts.
//! 7. Any other response: [`Attempted::Final`].
//!
//! What follows ([`RetryPlan::next`]):
//!
//! 1. After [`Attempted::Final`]: [`Next::Stop`].
//! 2. After [`Attempted::Unsettled`]: [`Next::Reconcile`].
//! 3. After [`Attempted::Refused`]: [`Next::Stop`] where it is the first attempt, else
//!    [`Next::Reconcile`]: what came before was unclear, and still is.
//! 4. Otherwise a pause is drawn: the ceiling is the first pause, doubled with every retry and never
//!    above the longest (the exponent is clamped before anything is raised to it), and the pause is
//!    any part of the ceiling ("full jitter"), by the caller's random number.
//! 5. With `Retry-After`, the pause is what that asks for, and any part of the first pause on top.
//! 6. Where an attempt after the pause could end outside of the destination's retention, the outcome
//!    stays unknown: [`Next::Reconcile`], and neither the old key is sent again, which the
//!    destination may have forgotten, nor a new one.
//! 7. Otherwise: [`Next::RetryAfter`] the pause.

use core::time::Duration;

use super::problem::Problem;

/// The exponent above which doubling does not go: 2^32 milliseconds are 49 days.
const HIGHEST_EXPONENT: u32 = 32;

/// When a client tries again.
///
/// ```
/// use std::time::Duration;
/// use intentkey_core::protocol::{Attempted, Next, RetryPlan};
///
/// let second = Duration::from_secs(1);
/// let plan = RetryPlan::within(86_400 * second, 30 * second);
/// // The largest random number draws the whole ceiling: 0.5 s, 1 s, 2 s, ... 60 s.
/// let next = |retries| plan.next(Attempted::Unclear, retries, 10 * second, None, u64::MAX);
/// assert_eq!(next(0), Next::RetryAfter(second / 2));
/// assert_eq!(next(2), Next::RetryAfter(2 * second));
/// assert_eq!(next(4_000_000_000), Next::RetryAfter(60 * second));
/// // A day later the destination may have forgotten the key.
/// assert_eq!(plan.next(Attempted::Unclear, 9, 86_400 * second, None, 0), Next::Reconcile);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPlan {
    first: Duration,
    longest: Duration,
    end: Duration,
}

/// What an attempt came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attempted {
    /// A response that further attempts would only repeat.
    Final,
    /// Another attempt is being executed.
    InFlight,
    /// The outcome was given up on, or is not kept any more.
    Unsettled,
    /// This attempt was not let through; that says nothing of earlier ones.
    Refused,
    /// Nobody knows, or not now.
    Unclear,
}

/// What a client does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// Nothing: the response is final.
    Stop,
    /// Tries again after this pause, with the same key and the same parameters.
    RetryAfter(Duration),
    /// Stops; the outcome is unknown and must be reconciled. No further attempt, with no key.
    Reconcile,
}

impl Attempted {
    /// What an attempt came to: `status` of its response, if there was one; whether it carried
    /// `Idempotent-Replayed: true` and `Retry-After`; and the `type` of its problem details.
    #[must_use]
    pub fn of(
        status: Option<u16>,
        is_replay: bool,
        has_retry_after: bool,
        problem_type: Option<&str>,
    ) -> Attempted {
        let is_type = |problem: Problem| problem_type == Some(problem.type_uri());
        match status {
            None => Attempted::Unclear,
            Some(_) if is_replay => Attempted::Final,
            Some(409) if is_type(Problem::Unsettled) => Attempted::Unsettled,
            Some(422) if is_type(Problem::IntentTooLate) => Attempted::Unsettled,
            Some(409) if is_type(Problem::IN_FLIGHT) || has_retry_after => Attempted::InFlight,
            Some(408 | 425 | 429 | 500 | 502 | 503 | 504) => Attempted::Unclear,
            Some(401 | 403 | 404 | 407 | 421) => Attempted::Refused,
            Some(_) => Attempted::Final,
        }
    }
}

impl RetryPlan {
    /// Retries while the destination remembers keys, for `retention` from the first attempt on,
    /// where one attempt takes at most `attempt`. Pauses begin at 0.5 s and end at 60 s.
    #[must_use]
    pub fn within(retention: Duration, attempt: Duration) -> Self {
        RetryPlan {
            first: Duration::from_millis(500),
            longest: Duration::from_secs(60),
            end: retention.saturating_sub(attempt),
        }
    }

    /// The same with another first and another longest pause.
    #[must_use]
    pub fn with_pauses(self, first: Duration, longest: Duration) -> Self {
        RetryPlan { first, longest, ..self }
    }

    /// What follows an attempt: `retries` came before it, the first attempt began `elapsed` ago,
    /// `Retry-After` asked for `asked`, and `random` is uniform over all its values.
    #[must_use]
    pub fn next(
        &self,
        attempted: Attempted,
        retries: u32,
        elapsed: Duration,
        asked: Option<Duration>,
        random: u64,
    ) -> Next {
        match attempted {
            Attempted::Final => Next::Stop,
            Attempted::Unsettled => Next::Reconcile,
            Attempted::Refused if retries == 0 => Next::Stop,
            Attempted::Refused => Next::Reconcile,
            Attempted::InFlight | Attempted::Unclear => {
                let pause = match asked {
                    None => part(self.ceiling(retries), random),
                    Some(asked) => asked.saturating_add(part(self.first.min(self.longest), random)),
                };
                if elapsed.saturating_add(pause) > self.end {
                    Next::Reconcile
                } else {
                    Next::RetryAfter(pause)
                }
            }
        }
    }

    /// The longest pause before the retry that follows `retries` others.
    fn ceiling(&self, retries: u32) -> Duration {
        self.first.saturating_mul(1 << retries.min(HIGHEST_EXPONENT - 1)).min(self.longest)
    }
}

/// A part of a duration: nothing for the smallest random number, all of it for the largest.
fn part(whole: Duration, random: u64) -> Duration {
    let millis = (whole.as_millis() + 1).saturating_mul(u128::from(random)) >> 64;
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX)).min(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn plan() -> RetryPlan {
        RetryPlan::within(100 * SECOND, 10 * SECOND).with_pauses(SECOND, 8 * SECOND)
    }

    #[test]
    fn pauses_double_up_to_the_longest_and_never_overflow() {
        let ceilings = [0, 1, 2, 3, 4, 31, 32, 64, u32::MAX].map(|retries| plan().ceiling(retries).as_secs());
        assert_eq!(ceilings, [1, 2, 4, 8, 8, 8, 8, 8, 8]);
        let vast = plan().with_pauses(Duration::MAX, Duration::MAX);
        assert_eq!(vast.ceiling(u32::MAX), Duration::MAX);
    }

    #[test]
    fn jitter_is_full() {
        let pause = |random| plan().next(Attempted::Unclear, 2, Duration::ZERO, None, random);
        assert_eq!(pause(0), Next::RetryAfter(Duration::ZERO));
        assert_eq!(pause(u64::MAX / 2), Next::RetryAfter(2 * SECOND));
        assert_eq!(pause(u64::MAX), Next::RetryAfter(4 * SECOND));
    }

    #[test]
    fn retry_after_is_the_least_pause() {
        let pause = |random| plan().next(Attempted::InFlight, 0, Duration::ZERO, Some(30 * SECOND), random);
        assert_eq!(pause(0), Next::RetryAfter(30 * SECOND));
        assert_eq!(pause(u64::MAX), Next::RetryAfter(31 * SECOND));
        // It cannot ask for an attempt that the destination would take as new.
        let next = plan().next(Attempted::InFlight, 0, Duration::ZERO, Some(91 * SECOND), 0);
        assert_eq!(next, Next::Reconcile);
    }

    #[test]
    fn the_end_lies_inside_the_retention() {
        let next = |elapsed| plan().next(Attempted::Unclear, 0, elapsed * SECOND, None, 0);
        assert_eq!((next(90), next(91)), (Next::RetryAfter(Duration::ZERO), Next::Reconcile));
        let forgetful = RetryPlan::within(SECOND, 2 * SECOND);
        assert_eq!(forgetful.next(Attempted::Unclear, 0, SECOND, None, 0), Next::Reconcile);
    }

    #[test]
    fn an_attempt_is_final_unclear_or_a_conflict_of_two_kinds() {
        let in_flight = Some(Problem::IN_FLIGHT.type_uri());
        let unsettled = Some(Problem::Unsettled.type_uri());
        let too_late = Some(Problem::IntentTooLate.type_uri());
        for (status, is_replay, has_retry_after, problem_type, attempted) in [
            (None, false, false, None, Attempted::Unclear),
            (Some(200), false, false, None, Attempted::Final),
            (Some(500), true, false, None, Attempted::Final),
            (Some(503), true, true, None, Attempted::Final),
            (Some(409), false, true, unsettled, Attempted::Unsettled),
            (Some(409), false, false, in_flight, Attempted::InFlight),
            (Some(409), false, true, None, Attempted::InFlight),
            (Some(409), false, false, None, Attempted::Final),
            (Some(422), false, false, None, Attempted::Final),
            (Some(422), false, false, too_late, Attempted::Unsettled),
            (Some(422), true, false, too_late, Attempted::Final),
            (Some(401), false, false, None, Attempted::Refused),
            (Some(404), true, false, None, Attempted::Final),
            (Some(429), false, true, None, Attempted::Unclear),
            (Some(500), false, false, None, Attempted::Unclear),
            (Some(501), false, false, None, Attempted::Final),
        ] {
            assert_eq!(
                Attempted::of(status, is_replay, has_retry_after, problem_type),
                attempted,
                "{status:?} {problem_type:?}"
            );
        }
        assert_eq!(plan().next(Attempted::Final, 0, SECOND, None, 0), Next::Stop);
        // A gateway that lets nobody through says nothing of the attempt before.
        assert_eq!(plan().next(Attempted::Refused, 0, SECOND, None, 0), Next::Stop);
        assert_eq!(plan().next(Attempted::Refused, 1, SECOND, None, 0), Next::Reconcile);
        assert_eq!(plan().next(Attempted::Unsettled, 0, SECOND, None, 0), Next::Reconcile);
    }
}
