//! The protocol under a model checker: every interleaving of two attempts at one intent.
//!
//! What decides is core's own code ([`intentkey_core::protocol`]); what is modelled is the world around
//! it: a queue that redelivers, crashes at every step, owners that pause, requests that are under way,
//! answers that are lost, look-ups that lag or get no answer, recovery that crashes or executes itself. [`stateright`] explores all of it, breadth
//! first, so that the trace to a double effect is a shortest one.

mod comparison;
mod model;
mod steps;
mod timeline;
mod world;

pub use comparison::Comparison;
pub use model::{Outcome, run};
pub use timeline::{html, text};
pub use world::{Action, Attempt, DELAY, EXECUTION, LAG, PAUSES, Request, Row, Said, Step, World};

use std::fmt;
use std::time::Duration;

use intentkey_core::protocol::Terms;

/// Where the key of an attempt comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Each attempt draws a key of its own.
    PerAttempt,
    /// The key is derived, and the attempt's clock says in which bucket.
    AttemptClock,
    /// A random key that was recorded with the intent before the first attempt.
    Recorded,
    /// The key is derived, and the intent's own epoch says in which bucket.
    FrozenEpoch,
}

/// What a destination is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// It executes a key at most once.
    Idempotent,
    /// It can be asked, and its answer follows its writes.
    LookUp,
    /// It can be asked, and its answer may be [`LAG`] behind its writes: its longest delay, as it is
    /// stated, holds that.
    LaggingLookUp,
    /// Neither.
    Neither,
}

/// The safety rules; each can be switched off, to see what it prevents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// An owner sends nothing once its time is over.
    pub fencing: bool,
    /// A look-up without an answer, and one that comes before what is under way has arrived, says nothing.
    pub unknown_is_not_absent: bool,
    /// In flight never expires into a second execution.
    pub in_flight_stays: bool,
    /// The longest delay that is stated of a destination holds how far its look-up lags.
    pub stated_lag: bool,
}

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Where keys come from.
    pub strategy: Strategy,
    /// What the destination is.
    pub destination: Destination,
    /// The safety rules.
    pub rules: Rules,
}

impl Strategy {
    /// All of them, the least sound first.
    pub const ALL: [Strategy; 4] =
        [Strategy::PerAttempt, Strategy::AttemptClock, Strategy::Recorded, Strategy::FrozenEpoch];
}

impl Destination {
    /// All of them.
    pub const ALL: [Destination; 4] =
        [Destination::Idempotent, Destination::LookUp, Destination::LaggingLookUp, Destination::Neither];

    /// How far its answers may be behind its writes.
    #[must_use]
    pub fn lag(self) -> Duration {
        if self == Destination::LaggingLookUp { LAG } else { Duration::ZERO }
    }
}

impl Setup {
    /// What the store is told of the destination.
    #[must_use]
    pub fn terms(&self) -> Terms {
        match self.destination {
            // Longer than any run: its end is not simulated.
            Destination::Idempotent => Terms::idempotent_by_key(Duration::from_secs(86_400)),
            Destination::LaggingLookUp if self.rules.stated_lag => Terms::look_up(DELAY + LAG),
            Destination::LookUp | Destination::LaggingLookUp => Terms::look_up(DELAY),
            Destination::Neither => Terms::neither(),
        }
    }

    /// When time stands still, in seconds: after the last look-up, where there is one.
    fn end(&self) -> u64 {
        let looked = PAUSES.iter().sum::<Duration>() + EXECUTION;
        self.terms().longest_delay().map_or(30, |delay| (looked + delay + DELAY).as_secs())
    }
}

impl Rules {
    /// All of them on.
    pub const ALL: Rules =
        Rules { fencing: true, unknown_is_not_absent: true, in_flight_stays: true, stated_lag: true };
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Strategy::PerAttempt => "a key for each attempt",
            Strategy::AttemptClock => "derived, clock read in the attempt",
            Strategy::Recorded => "recorded UUID",
            Strategy::FrozenEpoch => "derived, frozen epoch",
        })
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Destination::Idempotent => "honours keys",
            Destination::LookUp => "can be looked up",
            Destination::LaggingLookUp => "look-up that lags",
            Destination::Neither => "neither",
        })
    }
}

/// What a sound run with these rules assumes, in sentences.
pub fn assumed(rules: Rules) -> impl Iterator<Item = &'static str> {
    let fencing = rules.fencing.then_some("an owner starts nothing once its time is over (fencing)");
    ASSUMED.lines().chain(fencing)
}

/// What every sound run assumes, one sentence a line.
const ASSUMED: &str = "\
two attempts at one intent, each of which may be redelivered, and recovery; two crashes, at any step
requests arrive or are lost, and look-ups follow, within the stated longest delay
the destination is what it was declared to be, and does not forget a key during the run
the database forgets nothing that it has confirmed";

#[cfg(test)]
mod tests;
