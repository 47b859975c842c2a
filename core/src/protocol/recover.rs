//! When to look at a row whose outcome is unknown, and what a look-up says.
//!
//! When a row is looked at first ([`Schedule::first_look`]):
//!
//! 1. The destination allows a look-up then: at `execute_by` plus its longest delay, since a
//!    request may still arrive before.
//! 2. Otherwise at `execute_by`.
//!
//! When it is looked at again ([`Schedule::next_look`]): 1, 2 and 4 minutes after one another, then
//! never: it is `unsettled`.
//!
//! What a look-up is ([`Schedule::look_up_event`]):
//!
//! 1. Found: [`Event::Found`].
//! 2. Absent, asked at `execute_by` plus the longest delay or later: [`Event::Absent`].
//! 3. All else, with a look-up to follow: [`Event::Unknown`].
//! 4. All else: [`Event::UnknownLast`].

use core::time::Duration;

use super::Time;
use super::destination::{Means, Terms};
use super::table::Event;

/// When recovery looks at rows.
///
/// ```
/// use std::time::Duration;
/// use intentkey_core::protocol::{Schedule, Time};
///
/// let schedule = Schedule::default();
/// let start = Time::from_seconds(1000);
/// assert_eq!(schedule.next_look(1, start), Some(Time::from_seconds(1060)));
/// assert_eq!(schedule.next_look(3, start), Some(Time::from_seconds(1240)));
/// assert_eq!(schedule.next_look(4, start), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    pauses: [Duration; 3],
}

/// 1, 2 and 4 minutes.
impl Default for Schedule {
    fn default() -> Self {
        Schedule { pauses: [60, 120, 240].map(Duration::from_secs) }
    }
}

/// What a destination says of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LookUp {
    /// The effect happened.
    Found,
    /// The destination does not know the key.
    Absent,
    /// The destination did not answer, or not clearly.
    Unknown,
}

impl Schedule {
    /// Other pauses between the four look-ups, for destinations that settle faster or slower.
    #[must_use]
    pub const fn with_pauses(pauses: [Duration; 3]) -> Self {
        Schedule { pauses }
    }

    /// When a row is looked at first, where an execution may take `execution`.
    #[must_use]
    pub fn first_look(&self, terms: Terms, claimed: Time, execute_by: Time, execution: Duration) -> Time {
        match (terms.means_at(claimed, execute_by, execution), terms.longest_delay()) {
            (Means::LookUp, Some(delay)) => execute_by + delay,
            _ => execute_by,
        }
    }

    /// When a row is looked up again after `looked_up` look-ups, the last of them at `now`; `None`
    /// where it is given up on.
    #[must_use]
    pub fn next_look(&self, looked_up: u32, now: Time) -> Option<Time> {
        let index = usize::try_from(looked_up).ok()?.checked_sub(1)?;
        self.pauses.get(index).map(|pause| now + *pause)
    }

    /// Which event a look-up is that was asked for at `asked` and is the `looked_up`th.
    #[must_use]
    pub fn look_up_event(
        &self,
        look_up: LookUp,
        terms: Terms,
        execute_by: Time,
        asked: Time,
        looked_up: u32,
    ) -> Event {
        let late_enough = |delay: Duration| asked >= execute_by + delay;
        match look_up {
            LookUp::Found => Event::Found,
            LookUp::Absent if terms.longest_delay().is_some_and(late_enough) => Event::Absent,
            _ if self.next_look(looked_up, asked).is_some() => Event::Unknown,
            _ => Event::UnknownLast,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn seconds(seconds: u64) -> Time {
        Time::from_seconds(seconds)
    }

    #[test]
    fn a_look_up_waits_for_what_is_under_way() {
        let schedule = Schedule::default();
        let first = |terms| schedule.first_look(terms, seconds(100), seconds(130), 30 * SECOND);
        assert_eq!(first(Terms::look_up(45 * SECOND)), seconds(175));
        assert_eq!(first(Terms::neither()), seconds(130));
        assert_eq!(first(Terms::idempotent_by_key(3600 * SECOND)), seconds(130));
        assert_eq!(first(Terms::idempotent_by_key(40 * SECOND).and_look_up(5 * SECOND)), seconds(135));
    }

    #[test]
    fn there_are_four_look_ups() {
        let schedule = Schedule::default();
        let pauses: [Option<Time>; 5] =
            core::array::from_fn(|done| schedule.next_look(done as u32 + 1, seconds(0)));
        assert_eq!(pauses, [Some(seconds(60)), Some(seconds(120)), Some(seconds(240)), None, None]);
    }

    #[test]
    fn absence_counts_only_after_the_longest_delay() {
        let schedule = Schedule::default();
        let terms = Terms::look_up(45 * SECOND);
        let event =
            |look_up, asked, nth| schedule.look_up_event(look_up, terms, seconds(130), seconds(asked), nth);
        assert_eq!(event(LookUp::Absent, 174, 1), Event::Unknown);
        assert_eq!(event(LookUp::Absent, 175, 1), Event::Absent);
        assert_eq!(event(LookUp::Absent, 174, 4), Event::UnknownLast);
        assert_eq!(event(LookUp::Unknown, 175, 3), Event::Unknown);
        assert_eq!(event(LookUp::Unknown, 175, 4), Event::UnknownLast);
        assert_eq!(event(LookUp::Found, 0, 4), Event::Found);
        // Nobody said how long a request may be under way: absence says nothing.
        let keyed = Terms::idempotent_by_key(SECOND);
        assert_eq!(
            schedule.look_up_event(LookUp::Absent, keyed, seconds(0), seconds(9999), 1),
            Event::Unknown
        );
    }
}
