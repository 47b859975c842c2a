//! What a database does with rows: three operations, on which the protocol is written once.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use intentkey_core::protocol::{Schedule, Time};
use intentkey_core::{Fingerprint, Key};

use crate::claim::Claim;
use crate::error::Result;
use crate::resolve::Resolving;
use crate::row::Row;
use crate::token::Token;

/// The columns of a row, in the order in which both databases read them.
macro_rules! columns {
    () => {
        "i.key, i.tenant, i.action, i.destination, i.fingerprint, i.status, i.response_code, \
         i.response_headers, i.response_body, i.created_at, i.claimed_at, i.expires_at, i.owner_token, \
         i.execute_by, i.uncertain, i.recovery_attempts, i.next_look_at, i.secret_id, i.policy_digest, \
         i.key_retention_ms, i.longest_delay_ms"
    };
}
pub(crate) use columns;

/// How many columns that is.
pub(crate) const COLUMNS: usize = 21;

/// What has waited this long has used up some of its time to execute, and gets it back.
pub(crate) const NOTABLE_WAIT: Duration = Duration::from_millis(50);

/// A reading of the database's clock.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    /// The database's time.
    pub(crate) now: Time,
    /// This machine's, before.
    pub(crate) begun: Instant,
}

impl Reading {
    /// This machine's time at a later time of the database's, or a little earlier.
    pub(crate) fn until(self, time: Time) -> Instant {
        self.begun.checked_add(time.since(self.now)).unwrap_or(self.begun)
    }
}

/// A row to insert.
pub(crate) struct New<'c> {
    pub(crate) claim: &'c Claim,
    pub(crate) token: Token,
    /// How long after the claim recovery looks at it first.
    pub(crate) first_look: Duration,
    pub(crate) schedule: Schedule,
}

/// What became of an insertion.
pub(crate) enum Inserted {
    /// The row is there, and its edge key's with it.
    Ours {
        execute_by: Time,
        /// The clock that this was made of.
        at: Reading,
        /// Whether the insertion has waited for others since, so that there is less time to execute.
        has_waited: bool,
    },
    /// Nothing was inserted: a key is taken, or the database's clock says that the claim comes too
    /// late, too early, or so late that the careful insertion must decide.
    Not,
}

/// What is found under a key or an edge key.
pub(crate) struct Found {
    pub(crate) at: Reading,
    pub(crate) entry: Option<Entry>,
}

/// A key or edge key, and the row that it belongs to.
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) tenant: String,
    pub(crate) row: Row,
}

/// Whether a changed row is to be written.
#[derive(Clone)]
pub(crate) enum Write {
    No,
    Yes,
    /// With an entry among the resolutions, in the same transaction.
    OnRecord(Arc<Resolving>),
}

/// A connection, in a transaction of the caller's or with transactions of its own.
pub(crate) trait Rows {
    /// Inserts the claim's row, and that of its edge key: both or none. `careful` reads the clock again
    /// after the insertion and takes it back where the claim has come too late meanwhile.
    ///
    /// Nobody else sees a row whose `execute_by` is over or nearly so, since the insertion waited: it is
    /// renewed in the same transaction, or there is a long time left.
    fn insert(&mut self, new: &New<'_>, careful: bool) -> impl Future<Output = Result<Inserted>> + Send;

    /// The entry of the key, else that of the edge key; unlocked.
    fn find(&mut self, key: &Key, edge: Option<&Key>) -> impl Future<Output = Result<Found>> + Send;

    /// Locks the row of a key that is no edge key, then reads the clock, lets `decide` change the row, and
    /// writes it in the same transaction. `None` where there is no row.
    fn change<T: Send>(
        &mut self,
        key: &Key,
        decide: impl FnMut(&mut Row, Reading) -> (T, Write) + Send,
    ) -> impl Future<Output = Result<Option<T>>> + Send;

    /// Deletes what was recorded of a claim, if anything was.
    fn forget(&mut self, claim: &Claim) -> impl Future<Output = Result<()>> + Send;
}
