//! The one table of what happens to a row.
//!
//! [`TRANSITIONS`] is what the store executes, what the model checker explores, what the tests go
//! through, and what the module's documentation shows.

use core::fmt;

use super::destination::Means;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// How it is written.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// What a row says of its intent, as it is stored.
    Status {
        /// Somebody owns the effect, and its outcome is not written.
        InFlight = "in_flight",
        /// The outcome is written.
        Done = "done",
        /// The effect is known not to have happened.
        Released = "released",
        /// Nobody knows whether the effect happened, and nobody looks any more.
        Unsettled = "unsettled",
    }
}

impl Status {
    /// Reads what [`Status::as_str`] writes.
    #[must_use]
    pub fn parse(word: &str) -> Option<Status> {
        Status::ALL.iter().copied().find(|status| status.as_str() == word)
    }
}

words! {
    /// What is stored, seen at a given time and with what the destination allows then.
    State {
        /// No row.
        Nothing = "nothing",
        /// In flight, before `execute_by`.
        Running = "in_flight",
        /// In flight at or after `execute_by`; the destination honours the key.
        OverdueRepeatable = "overdue, repeatable",
        /// In flight at or after `execute_by`; the destination can be asked.
        OverdueLookUp = "overdue, look-up",
        /// In flight at or after `execute_by`; nothing can tell.
        OverdueUnknowable = "overdue, unknowable",
        /// In flight at or after `execute_by`; the effect is at another destination than the one that
        /// is asked about, whose terms say nothing of it.
        OverdueElsewhere = "overdue, elsewhere",
        /// The outcome is written.
        Done = "done",
        /// Known not to have happened.
        Released = "released",
        /// Given up on.
        Unsettled = "unsettled",
    }
}

impl State {
    /// The state of a row, where `means` is what its destination allows: `None` where the destination
    /// that is asked about is another.
    #[must_use]
    pub const fn new(status: Status, overdue: bool, means: Option<Means>) -> State {
        match (status, overdue, means) {
            (Status::InFlight, false, _) => State::Running,
            (Status::InFlight, true, Some(Means::Repeat)) => State::OverdueRepeatable,
            (Status::InFlight, true, Some(Means::LookUp)) => State::OverdueLookUp,
            (Status::InFlight, true, Some(Means::Nothing)) => State::OverdueUnknowable,
            (Status::InFlight, true, None) => State::OverdueElsewhere,
            (Status::Done, ..) => State::Done,
            (Status::Released, ..) => State::Released,
            (Status::Unsettled, ..) => State::Unsettled,
        }
    }
}

words! {
    /// What somebody does to a row.
    Event {
        /// A claim with the row's fingerprint and tenant, or the first one.
        Claim = "claim",
        /// A claim of a derived intent whose bucket, edge and ttl are over.
        ClaimTooLate = "claim, too late",
        /// A claim of a derived intent from the future.
        ClaimTooEarly = "claim, too early",
        /// A claim that finds its own token: the answer of its commit was lost.
        ClaimOwn = "claim, finding its own token",
        /// A claim with another fingerprint, or of another tenant.
        ClaimOther = "claim, other fingerprint or tenant",
        /// The holder of the token writes the outcome.
        Settle = "settle by the holder",
        /// The holder of the token knows that the effect did not happen.
        Release = "release by the holder",
        /// The same, where the holder took the row over while its outcome was unknown: an owner before
        /// it may have executed.
        ReleaseUncertain = "release by the holder, taken over while unknown",
        /// Somebody without the token writes an outcome.
        SettleStranger = "settle or release by another",
        /// Recovery takes up a row whose request was recorded.
        Recover = "recover, request recorded",
        /// Recovery takes up a row whose request was not recorded.
        RecoverUnrecorded = "recover, request not recorded",
        /// A look-up found the effect.
        Found = "look-up: found",
        /// A look-up that began at `execute_by` plus the longest delay, or later, found nothing.
        Absent = "look-up: absent, late enough",
        /// Any other look-up, and more are to follow.
        Unknown = "look-up: unknown",
        /// Any other look-up, the last.
        UnknownLast = "look-up: unknown, the last",
        /// An operator or a statement says that the effect happened.
        ResolveFound = "resolve: found",
        /// An operator or a statement says that it never happened.
        ResolveNever = "resolve: never happened",
        /// The sweep meets a row that has expired, by more than its margin.
        Sweep = "sweep, expired",
    }
}

words! {
    /// What is answered or done.
    Answer {
        /// The effect is the claimant's: a new token, a new `execute_by`; then execute.
        Execute = "execute",
        /// The effect is the claimant's already.
        Owned = "owned",
        /// 409: the original is running, or its outcome is being found out.
        InFlight = "409 in flight",
        /// 409 of its own type: reconcile.
        Unsettled = "409 unsettled",
        /// The stored response, byte for byte.
        Replay = "replay",
        /// 422: the key belongs to something else.
        Conflict = "422",
        /// Refused: too late to know whether it was executed before.
        RefuseLate = "refuse: too late",
        /// Refused: from the future.
        RefuseEarly = "refuse: too early",
        /// The outcome is written.
        Settled = "settled",
        /// An outcome was written before, and stays.
        AlreadySettled = "already settled",
        /// Nothing is written: the row has another owner, or there is none.
        NotOwner = "not the owner",
        /// Look the key up.
        LookUp = "look up",
        /// Look again later.
        LookAgain = "look again",
        /// Nobody looks any more.
        GiveUp = "give up",
        /// Nothing is to be done now.
        Leave = "leave",
        /// Resolved, on record.
        Resolved = "resolved",
        /// Nothing to resolve: the outcome is known, or its owner is running.
        NotUnsettled = "not unsettled",
        /// The row is deleted.
        Delete = "delete",
    }
}

/// A row of the table: any of the states, any of the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// What happens.
    pub events: &'static [Event],
    /// What is stored when it happens.
    pub states: &'static [State],
    /// What is answered or done.
    pub answer: Answer,
    /// The status that the row gets; `None` leaves it as it is.
    pub becomes: Option<Status>,
}

const fn row(
    events: &'static [Event],
    states: &'static [State],
    answer: Answer,
    becomes: Option<Status>,
) -> Transition {
    Transition { events, states, answer, becomes }
}

/// A claim, be it early or late: where something is stored, what is stored decides.
const CLAIMS: &[Event] = &[Event::Claim, Event::ClaimTooLate, Event::ClaimTooEarly];

/// The table: for every event and state exactly one row.
#[rustfmt::skip]
pub const TRANSITIONS: &[Transition] = {
    use {Answer as A, Event as E, State as S, Status::*};
    &[
        row(&[E::Claim], &[S::Nothing], A::Execute, Some(InFlight)),
        row(&[E::ClaimTooLate], &[S::Nothing], A::RefuseLate, None),
        row(&[E::ClaimTooEarly], &[S::Nothing], A::RefuseEarly, None),
        row(CLAIMS, &[S::Running], A::InFlight, None),
        row(CLAIMS, &[S::OverdueRepeatable], A::Execute, Some(InFlight)),
        row(CLAIMS, &[S::OverdueLookUp, S::OverdueElsewhere], A::InFlight, None),
        row(CLAIMS, &[S::OverdueUnknowable], A::Unsettled, Some(Unsettled)),
        row(CLAIMS, &[S::Done], A::Replay, None),
        row(CLAIMS, &[S::Released], A::Execute, Some(InFlight)),
        row(CLAIMS, &[S::Unsettled], A::Unsettled, None),
        row(&[E::ClaimOther], State::ALL, A::Conflict, None),
        row(&[E::ClaimOwn], &[S::Running], A::Owned, None),
        row(&[E::ClaimOwn], &[S::OverdueElsewhere], A::InFlight, None),
        row(&[E::ClaimOwn], &[S::Nothing, S::OverdueRepeatable, S::OverdueLookUp, S::OverdueUnknowable, S::Released], A::Execute, Some(InFlight)),
        row(&[E::ClaimOwn], &[S::Done], A::Replay, None),
        row(&[E::ClaimOwn], &[S::Unsettled], A::Unsettled, None),

        row(&[E::Settle], &[S::Running, S::OverdueRepeatable, S::OverdueLookUp, S::OverdueUnknowable, S::OverdueElsewhere, S::Released, S::Unsettled], A::Settled, Some(Done)),
        row(&[E::Release], &[S::Running, S::OverdueRepeatable, S::OverdueLookUp, S::OverdueUnknowable, S::OverdueElsewhere, S::Released, S::Unsettled], A::Settled, Some(Released)),
        row(&[E::ReleaseUncertain], &[S::Running, S::OverdueRepeatable, S::OverdueLookUp, S::OverdueUnknowable, S::OverdueElsewhere, S::Released, S::Unsettled], A::Leave, None),
        row(&[E::Settle, E::Release, E::ReleaseUncertain], &[S::Done], A::AlreadySettled, None),
        row(&[E::Settle, E::Release, E::ReleaseUncertain], &[S::Nothing], A::NotOwner, None),
        row(&[E::SettleStranger], State::ALL, A::NotOwner, None),

        row(&[E::Recover], &[S::OverdueRepeatable], A::Execute, Some(InFlight)),
        row(&[E::RecoverUnrecorded], &[S::OverdueRepeatable], A::Leave, None),
        row(&[E::Recover, E::RecoverUnrecorded], &[S::OverdueLookUp], A::LookUp, None),
        row(&[E::Recover, E::RecoverUnrecorded], &[S::OverdueUnknowable], A::GiveUp, Some(Unsettled)),
        row(&[E::Recover, E::RecoverUnrecorded], &[S::Nothing, S::Running, S::OverdueElsewhere, S::Done, S::Released, S::Unsettled], A::Leave, None),

        row(&[E::Found], &[S::OverdueRepeatable, S::OverdueLookUp, S::OverdueUnknowable, S::Released, S::Unsettled], A::Settled, Some(Done)),
        row(&[E::Absent], &[S::OverdueRepeatable, S::OverdueLookUp], A::Settled, Some(Released)),
        row(&[E::Unknown], &[S::OverdueRepeatable, S::OverdueLookUp], A::LookAgain, None),
        row(&[E::UnknownLast], &[S::OverdueRepeatable, S::OverdueLookUp, S::OverdueUnknowable], A::GiveUp, Some(Unsettled)),
        row(&[E::Absent, E::Unknown], &[S::OverdueUnknowable], A::GiveUp, Some(Unsettled)),
        row(&[E::Found], &[S::Nothing, S::Running, S::OverdueElsewhere, S::Done], A::Leave, None),
        row(&[E::Absent, E::Unknown, E::UnknownLast], &[S::Nothing, S::Running, S::OverdueElsewhere, S::Done, S::Released, S::Unsettled], A::Leave, None),

        row(&[E::ResolveFound], &[S::OverdueRepeatable, S::OverdueLookUp, S::OverdueUnknowable, S::OverdueElsewhere, S::Unsettled], A::Resolved, Some(Done)),
        row(&[E::ResolveNever], &[S::OverdueRepeatable, S::OverdueLookUp, S::OverdueUnknowable, S::OverdueElsewhere, S::Unsettled], A::Resolved, Some(Released)),
        row(&[E::ResolveFound, E::ResolveNever], &[S::Nothing, S::Running, S::Done, S::Released], A::NotUnsettled, None),

        row(&[E::Sweep], &[S::Done], A::Delete, None),
        row(&[E::Sweep], &[S::Nothing, S::Running, S::OverdueRepeatable, S::OverdueLookUp, S::OverdueUnknowable, S::OverdueElsewhere, S::Released, S::Unsettled], A::Leave, None),
    ]
};

/// What an event leads to.
///
/// ```
/// use intentkey_core::protocol::{Answer, Event, State, Status, transition};
///
/// let first = transition(Event::Claim, State::Nothing);
/// assert_eq!((first.answer, first.becomes), (Answer::Execute, Some(Status::InFlight)));
/// // In flight never expires into a second execution.
/// assert_eq!(transition(Event::Claim, State::OverdueLookUp).answer, Answer::InFlight);
/// ```
#[must_use]
pub fn transition(event: Event, state: State) -> &'static Transition {
    let matches = |row: &&Transition| row.events.contains(&event) && row.states.contains(&state);
    // A test goes through all events and states, so the fallback is never met; it touches nothing.
    TRANSITIONS.iter().find(matches).unwrap_or(&Transition {
        events: &[],
        states: &[],
        answer: Answer::Leave,
        becomes: None,
    })
}

#[cfg(test)]
mod tests;
