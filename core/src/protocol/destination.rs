//! What a destination allows when an outcome is unknown.
//!
//! What a [`Means`] is, at a given time, follows from what the destination was declared to be:
//!
//! 1. It honours keys, and a request that is executed again would arrive within its retention, counted
//!    from the claim, also where it is under way for the longest delay: [`Means::Repeat`].
//! 2. Otherwise, it has a look-up that follows its writes: [`Means::LookUp`].
//! 3. Otherwise nothing can tell what happened: [`Means::Nothing`].

use core::time::Duration;

use super::Time;

/// What a destination was declared to be.
///
/// A declaration is a promise that the destination makes and nobody here can check: one that says
/// more than is true leads to double effects.
///
/// ```
/// use std::time::Duration;
/// use intentkey_core::protocol::Terms;
///
/// let day = Duration::from_secs(86_400);
/// let psp = Terms::idempotent_by_key(day).and_look_up(Duration::from_secs(60));
/// assert_eq!(psp.key_retention(), Some(day));
/// assert_eq!(Terms::neither().longest_delay(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    key_retention: Option<Duration>,
    longest_delay: Option<Duration>,
}

/// What can be done about an unknown outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Means {
    /// Execute again with the same key: the destination honours it.
    Repeat,
    /// Look the key up.
    LookUp,
    /// Neither.
    Nothing,
}

impl Terms {
    /// A destination that executes a key at most once, and remembers it for at least `retention`. Where
    /// no [longest delay](Terms::and_look_up) is stated, a request that its sender has given up on must
    /// have arrived, or be lost, by the end of its execution.
    #[must_use]
    pub const fn idempotent_by_key(retention: Duration) -> Self {
        Terms { key_retention: Some(retention), longest_delay: None }
    }

    /// A destination that can be asked for a key, whose answer follows its writes, and at which a
    /// request arrives or is lost within `longest_delay` after its sender stopped.
    #[must_use]
    pub const fn look_up(longest_delay: Duration) -> Self {
        Terms { key_retention: None, longest_delay: Some(longest_delay) }
    }

    /// A destination with neither: what is unknown stays so.
    #[must_use]
    pub const fn neither() -> Self {
        Terms { key_retention: None, longest_delay: None }
    }

    /// The same, with a look-up as in [`Terms::look_up`] for what is past the retention of keys.
    #[must_use]
    pub const fn and_look_up(self, longest_delay: Duration) -> Self {
        Terms { longest_delay: Some(longest_delay), ..self }
    }

    /// For how long the destination remembers a key, where it honours keys.
    #[must_use]
    pub const fn key_retention(self) -> Option<Duration> {
        self.key_retention
    }

    /// How long a request may be under way, where the destination can be asked for a key.
    #[must_use]
    pub const fn longest_delay(self) -> Option<Duration> {
        self.longest_delay
    }

    /// What can be done at `now` about an effect that was claimed first at `claimed`, where an
    /// execution may take `execution`.
    #[must_use]
    pub fn means_at(self, claimed: Time, now: Time, execution: Duration) -> Means {
        // Until when a request that is sent again can arrive.
        let last = now + execution + self.longest_delay.unwrap_or_default();
        match (self.key_retention, self.longest_delay) {
            // The destination remembers the key from its first execution on, which came after the claim.
            (Some(retention), _) if last <= claimed + retention => Means::Repeat,
            (_, Some(_)) => Means::LookUp,
            (_, None) => Means::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_means_follow_from_the_terms() {
        let claimed = Time::from_seconds(1000);
        let at = |terms: Terms, after: u64| terms.means_at(claimed, Time::from_seconds(1000 + after), SECOND);
        let keyed = Terms::idempotent_by_key(60 * SECOND);
        assert_eq!((at(keyed, 0), at(keyed, 59)), (Means::Repeat, Means::Repeat));
        // The second execution could reach a destination that has forgotten the first.
        assert_eq!((at(keyed, 60), at(keyed, 61)), (Means::Nothing, Means::Nothing));
        // It could also arrive that late: a second after its sender has given up.
        assert_eq!(at(keyed.and_look_up(SECOND), 58), Means::Repeat);
        assert_eq!(at(keyed.and_look_up(SECOND), 59), Means::LookUp);
        assert_eq!(at(Terms::look_up(SECOND), 0), Means::LookUp);
        assert_eq!(at(Terms::neither(), 0), Means::Nothing);
    }
}
