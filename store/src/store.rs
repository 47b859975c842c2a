//! The trait that both databases implement.

use std::time::Duration;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::Status;

use crate::claim::{Claim, Claimed, Owned, Target};
use crate::error::Result;
use crate::record::{Parked, Recorded, RecordedAs, Why};
use crate::recovery::{Advanced, Due, Step};
use crate::resolve::{Resolution, Resolved};
use crate::response::Response;
use crate::row::Row;
use crate::settle::Settled;

/// A store of idempotency keys. Every method is safe to call from many tasks, processes and machines at
/// once, and to drop at any await: what a dropped claim has written is recovered like that of an owner
/// who died.
#[async_trait]
pub trait Store: Send + Sync {
    /// Takes the key, and the edge key with it, in a transaction of its own. Where the answer of the
    /// commit is lost, it looks for its own token.
    async fn claim(&self, claim: &Claim) -> Result<Claimed>;

    /// Writes the outcome. Only the holder of the token can, also late, and also where the row was given
    /// up on. May be repeated.
    async fn settle(&self, owned: &Owned, response: &Response) -> Result<Settled>;

    /// Says that the effect is known not to have happened: the next repeat executes it. Never to be
    /// called because of a time-out.
    async fn release(&self, owned: &Owned) -> Result<Settled>;

    /// Writes an intent down before its first attempt.
    ///
    /// It is compared with what is stored under its own key; where it meets another payload under its
    /// edge key only, [`resume`](crate::resume) finds that out and parks it.
    async fn record(&self, recorded: &Recorded) -> Result<RecordedAs>;

    /// Recorded intents of a destination that nobody executes: new ones, and those that never happened.
    /// Each is leased to the caller for `lease`. [`resume`](crate::resume) claims and executes them.
    ///
    /// One that cannot be read is an error of its own, and in the log with its key's prefix.
    async fn resume(&self, target: &Target, limit: u32, lease: Duration) -> Result<Vec<Result<Recorded>>>;

    /// Leaves a recorded intent to people, since it can never be executed as it is. Whether it was there.
    async fn park(&self, key: &Key, why: Why) -> Result<bool>;

    /// Up to `limit` recorded intents that are left to people, in the order of their keys, after a key.
    async fn parked(&self, after: Option<&Key>, limit: u32) -> Result<Vec<Parked>>;

    /// Deletes a recorded intent that is not to be attempted any more. Whether it was there.
    async fn forget(&self, key: &Key) -> Result<bool>;

    /// Rows of a destination whose outcome is to be found out now, each leased to the caller for `lease`.
    /// [`recover`](crate::recover) takes them further; [`Filter::due`] only lists them.
    ///
    /// One that cannot be read is an error of its own, and in the log with its key's prefix.
    async fn due(&self, target: &Target, limit: u32, lease: Duration) -> Result<Vec<Result<Due>>>;

    /// Takes one of these rows a step further.
    async fn advance(&self, due: &Due, step: &Step, target: &Target) -> Result<Advanced>;

    /// Resolves an outcome that is unknown ([`Filter::unknown`]), on record: `by` says who, `note` why.
    ///
    /// "Never happened" is to be said only once no request can be under way any more: the next repeat
    /// executes.
    async fn resolve(&self, key: &Key, resolution: &Resolution, by: &str, note: &str) -> Result<Resolved>;

    /// The same of a row as it was seen: nothing is written where it has another owner by now, whose
    /// attempt nobody has said anything of.
    async fn resolve_seen(
        &self,
        row: &Row,
        resolution: &Resolution,
        by: &str,
        note: &str,
    ) -> Result<Resolved>;

    /// Deletes up to `limit` rows that are done and expired longer ago than the margin, and how many
    /// it were. What was recorded of them goes too.
    async fn sweep(&self, limit: u32) -> Result<u64>;

    /// The row of a key or an edge key.
    async fn get(&self, key: &Key) -> Result<Option<Row>>;

    /// The response of a row that is done.
    fn response(&self, row: &Row) -> Result<Option<Response>>;

    /// Rows in the order of their keys.
    async fn list(&self, filter: &Filter) -> Result<Vec<Row>>;

    /// How many of these keys have a row; edge keys do not count.
    async fn known(&self, keys: &[Key]) -> Result<u64>;

    /// How many rows there are, for gauges. Reads the indexes of the whole table.
    async fn counts(&self) -> Result<Counts>;
}

/// Which rows are listed.
#[derive(Clone, Debug)]
pub struct Filter {
    pub(crate) which: Which,
    pub(crate) destination: Option<String>,
    pub(crate) after: Option<Key>,
    pub(crate) limit: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Which {
    All,
    Status(Status),
    Unknown,
    Due,
}

/// How many rows a page has.
const PAGE: u32 = 100;

impl Default for Filter {
    fn default() -> Self {
        Filter { which: Which::All, destination: None, after: None, limit: PAGE }
    }
}

impl Filter {
    /// Rows of this status.
    #[must_use]
    pub fn status(status: Status) -> Self {
        Filter { which: Which::Status(status), ..Filter::default() }
    }

    /// Rows whose outcome is unknown, for people: given up on, or in flight at or after `execute_by`, be
    /// it that recovery has yet to find out or that none runs for their destination.
    #[must_use]
    pub fn unknown() -> Self {
        Filter { which: Which::Unknown, ..Filter::default() }
    }

    /// Rows that recovery is to look at now, for people: what [`Store::due`] would lease. Listing them
    /// leases nothing, and keeps no worker from them.
    #[must_use]
    pub fn due() -> Self {
        Filter { which: Which::Due, ..Filter::default() }
    }

    /// Rows of this destination only.
    #[must_use]
    pub fn at(mut self, destination: &str) -> Self {
        self.destination = Some(destination.to_owned());
        self
    }

    /// Rows after this key only: the next page.
    #[must_use]
    pub fn after(mut self, key: Key) -> Self {
        self.after = Some(key);
        self
    }

    /// So many rows at most; 100.
    #[must_use]
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = limit;
        self
    }
}

/// How many rows there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// In flight, before their `execute_by`.
    pub running: u64,
    /// In flight, at or after it.
    pub overdue: u64,
    /// Done.
    pub done: u64,
    /// Known not to have happened.
    pub released: u64,
    /// Given up on.
    pub unsettled: u64,
    /// Recorded, and not done.
    pub recorded: u64,
    /// Recorded, and left to people.
    pub parked: u64,
}

impl Counts {
    /// From the columns of a statement, in the order of the members.
    pub(crate) fn read<E>(
        column: impl Fn(usize) -> std::result::Result<i64, E>,
    ) -> std::result::Result<Self, E> {
        let count = |index| column(index).map(i64::unsigned_abs);
        Ok(Counts {
            running: count(0)?,
            overdue: count(1)?,
            done: count(2)?,
            released: count(3)?,
            unsettled: count(4)?,
            recorded: count(5)?,
            parked: count(6)?,
        })
    }
}
