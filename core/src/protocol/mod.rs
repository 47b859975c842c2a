//! The protocol: what is decided when a key is claimed, settled, recovered and swept.
//!
//! Everything here is a pure decision. The store (`intentkey-store`) locks a row, asks what follows,
//! and writes it; the model checker asks the same functions. Times are arguments: the database's,
//! read after the row was locked or inserted.
//!
//! # The table
//!
//! What is stored, seen at a given time, is a [`State`]; what somebody does is an [`Event`]; the table
//! [`TRANSITIONS`] says for each pair what is answered ([`Answer`]) and which [`Status`] the row gets.
//! "Overdue" is in flight at or after `execute_by`; which kind of it, depends on the destination
//! ([`Terms`]). "Elsewhere" is what a claim or a worker for another destination than the row's sees:
//! that one's terms say nothing of the effect, so it is left to its own destination.
//!
//! | event | stored | answer | becomes |
//! | --- | --- | --- | --- |
//! | claim | nothing | execute | in_flight |
//! | claim, too late | nothing | refuse: too late |  |
//! | claim, too early | nothing | refuse: too early |  |
//! | claim, whenever | in_flight | 409 in flight |  |
//! | claim, whenever | overdue, repeatable | execute | in_flight |
//! | claim, whenever | overdue, look-up; overdue, elsewhere | 409 in flight |  |
//! | claim, whenever | overdue, unknowable | 409 unsettled | unsettled |
//! | claim, whenever | done | replay |  |
//! | claim, whenever | released | execute | in_flight |
//! | claim, whenever | unsettled | 409 unsettled |  |
//! | claim, other fingerprint or tenant | any | 422 |  |
//! | claim, finding its own token | in_flight | owned |  |
//! | claim, finding its own token | overdue, elsewhere | 409 in flight |  |
//! | claim, finding its own token | nothing; overdue, repeatable; overdue, look-up; overdue, unknowable; released | execute | in_flight |
//! | claim, finding its own token | done | replay |  |
//! | claim, finding its own token | unsettled | 409 unsettled |  |
//! | settle by the holder | in_flight; overdue; released; unsettled | settled | done |
//! | release by the holder | in_flight; overdue; released; unsettled | settled | released |
//! | release by the holder, taken over while unknown | in_flight; overdue; released; unsettled | leave |  |
//! | settle by the holder; release by the holder; release by the holder, taken over while unknown | done | already settled |  |
//! | settle by the holder; release by the holder; release by the holder, taken over while unknown | nothing | not the owner |  |
//! | settle or release by another | any | not the owner |  |
//! | recover, request recorded | overdue, repeatable | execute | in_flight |
//! | recover, request not recorded | overdue, repeatable | leave |  |
//! | recover, request recorded; recover, request not recorded | overdue, look-up | look up |  |
//! | recover, request recorded; recover, request not recorded | overdue, unknowable | give up | unsettled |
//! | recover, request recorded; recover, request not recorded | nothing; in_flight; overdue, elsewhere; done; released; unsettled | leave |  |
//! | look-up: found | overdue, repeatable; overdue, look-up; overdue, unknowable; released; unsettled | settled | done |
//! | look-up: absent, late enough | overdue, repeatable; overdue, look-up | settled | released |
//! | look-up: unknown | overdue, repeatable; overdue, look-up | look again |  |
//! | look-up: unknown, the last | overdue, repeatable; overdue, look-up; overdue, unknowable | give up | unsettled |
//! | look-up: absent, late enough; look-up: unknown | overdue, unknowable | give up | unsettled |
//! | look-up: found | nothing; in_flight; overdue, elsewhere; done | leave |  |
//! | look-up: absent, late enough; look-up: unknown; look-up: unknown, the last | nothing; in_flight; overdue, elsewhere; done; released; unsettled | leave |  |
//! | resolve: found | overdue; unsettled | resolved | done |
//! | resolve: never happened | overdue; unsettled | resolved | released |
//! | resolve: found; resolve: never happened | nothing; in_flight; done; released | not unsettled |  |
//! | sweep, expired | done | delete |  |
//! | sweep, expired | nothing; in_flight; overdue; released; unsettled | leave |  |
//!
//! In flight never expires into a second execution: before `execute_by` a repeat gets 409; afterwards
//! somebody executes again only where the destination takes the key once, or where it is known that
//! nothing happened.
//!
//! # What nobody can promise
//!
//! An owner that sleeps past `execute_by` and then sends, to a destination that does not honour keys,
//! is outside of every promise. So is a destination whose declared [`Terms`] are not true.

mod claim;
mod destination;
mod header;
mod item;
mod problem;
mod recover;
mod retention;
mod retry;
mod retry_after;
mod table;
mod time;

pub use claim::{Held, claim_event, retry_after};
pub use destination::{Means, Terms};
pub use header::{ClientKey, KeyMalformed};
pub use problem::{PROBLEM_JSON, Problem, REPLAYED};
pub use recover::{LookUp, Schedule};
pub use retention::{
    DEFAULT_TTL, FUTURE_TOLERANCE, RetentionError, Timing, Validity, kept_until, may_sweep, time_to_live,
};
pub use retry::{Attempted, Next, RetryPlan};
pub use retry_after::wait_asked_for;
pub use table::{Answer, Event, State, Status, TRANSITIONS, Transition, transition};
pub use time::Time;
