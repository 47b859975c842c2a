//! The store on SQLite: embedded, a file or memory, nothing to install.
//!
//! WAL, `synchronous = FULL`: what is confirmed survives a crash of the machine. Every operation is one
//! transaction that takes the write lock first (`BEGIN IMMEDIATE`): a deferred one that reads and then
//! writes fails at once where another writes between, whatever the `busy_timeout` is. Many processes on
//! one machine may share a file; a network file system may not be used.

mod migrate;
mod recorded;
mod rows;
mod verbs;
mod worker;

use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::claim::{Claim, Claimed, Owned};
use crate::claiming;
use crate::engine::{self, By};
use crate::error::{DatabaseError, Result, StoreError};
use crate::options::Options;
use crate::record::{self, Recorded, RecordedAs};
use crate::response::Response;
use crate::settle::{self, Settled, Settlement};
use crate::text;
use crate::token::Token;
use rows::SqliteRows;
use worker::Worker;

/// How many statements are kept ready: all there are.
const STATEMENTS: usize = 64;

/// A store on SQLite.
#[derive(Clone)]
pub struct SqliteStore {
    worker: Worker,
    /// For what only reads: claims do not wait for a long list. In memory there is one connection.
    reader: Worker,
    options: Options,
}

impl SqliteStore {
    /// Opens a database in a file, which is made where it is missing, and brings its schema up to date.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`], [`StoreError::Missing`], [`StoreError::SchemaTooNew`], and
    /// [`StoreError::NotDurable`] where the file system allows no WAL.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self> {
        let connection = open_file(path.as_ref(), options.existing_only)?;
        connection.busy_timeout(options.longest_claim).map_err(failed)?;
        let mode = write_ahead(&connection, options.longest_claim)?;
        let is_wal = mode.eq_ignore_ascii_case("wal");
        if !is_wal && !options.unsafe_without_durability {
            return Err(StoreError::NotDurable("journal_mode = WAL"));
        }
        let store = SqliteStore::start(connection, options)?;
        if !is_wal {
            return Ok(store);
        }
        let connection = open_file(path.as_ref(), true)?;
        connection.busy_timeout(store.options.longest_claim).map_err(failed)?;
        connection.pragma_update(None, "query_only", true).map_err(failed)?;
        Ok(SqliteStore { reader: Worker::start(connection)?, ..store })
    }

    /// Opens a database in memory, for tests: it is gone with the last clone of the store.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`].
    pub fn in_memory(options: Options) -> Result<Self> {
        SqliteStore::start(Connection::open_in_memory().map_err(failed)?, options)
    }

    fn start(mut connection: Connection, options: Options) -> Result<Self> {
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        migrate::migrate(&mut connection)?;
        let worker = Worker::start(connection)?;
        Ok(SqliteStore { reader: worker.clone(), worker, options })
    }

    /// Claims inside the caller's transaction, for effects in the same database: they happen exactly
    /// once, and nothing needs to be recovered. Settle in the same transaction
    /// ([`SqliteStore::settle_in`]); the claim is visible to nobody before the commit, and a concurrent
    /// repeat waits for it.
    ///
    /// The transaction is to be immediate.
    ///
    /// # Errors
    ///
    /// Those of [`Store::claim`](crate::Store::claim); [`StoreError::Serialization`] where a deferred
    /// transaction has read before another wrote. The transaction is to be rolled back after any error.
    pub fn claim_in(&self, transaction: &rusqlite::Transaction<'_>, claim: &Claim) -> Result<Claimed> {
        text::check_claim(claim)?;
        let mut rows = SqliteRows(transaction);
        let outcome = at_once(claiming::claim(&mut rows, claim, Token::draw()?, &self.options))?;
        engine::claimed(outcome, claim, By::Caller, &self.options)
    }

    /// Settles inside the caller's transaction.
    ///
    /// # Errors
    ///
    /// Those of [`Store::settle`](crate::Store::settle).
    pub fn settle_in(
        &self,
        transaction: &rusqlite::Transaction<'_>,
        owned: &Owned,
        response: &Response,
    ) -> Result<Settled> {
        let stored = response.store(&owned.key, &*self.options.seal)?;
        let settlement = Settlement::Done(stored);
        let outcome = at_once(settle::settle(&mut SqliteRows(transaction), owned, &settlement))?;
        engine::settled(outcome, owned, Some(response), By::Caller, &self.options)
    }

    /// Records an intent inside the caller's transaction: an outbox, for what the caller's own writes
    /// must lead to.
    ///
    /// # Errors
    ///
    /// Those of [`Store::record`](crate::Store::record).
    pub fn record_in(
        &self,
        transaction: &rusqlite::Transaction<'_>,
        recorded: &Recorded,
    ) -> Result<RecordedAs> {
        recorded::record(transaction, &record::Stored::new(recorded, &*self.options.seal)?)
    }

    /// Runs a job in an immediate transaction.
    async fn transact<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.worker.transact(job).await
    }
}

fn open_file(path: &Path, existing_only: bool) -> Result<Connection> {
    let mut flags = OpenFlags::default();
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, !existing_only);
    Connection::open_with_flags(path, flags).map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen) if existing_only && !path.exists() => StoreError::Missing,
        _ => failed(error),
    })
}

/// Asks for a write-ahead log, and gives the journal's mode.
///
/// Two that open a new file at once can each keep the other from the lock that this takes. SQLite does
/// not wait then, whatever the `busy_timeout` is: so this tries again, for so long.
fn write_ahead(connection: &Connection, at_most: Duration) -> Result<String> {
    const PAUSE: Duration = Duration::from_millis(5);
    let begun = Instant::now();
    loop {
        let mode = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0));
        match mode.map_err(failed) {
            Err(StoreError::Contended) if begun.elapsed() < at_most => thread::sleep(PAUSE),
            mode => return mode,
        }
    }
}

/// The outcome of a future that waits for nothing.
fn at_once<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        // None of the futures of `SqliteRows` is ever pending.
        Poll::Pending => Err(StoreError::Contended),
    }
}

fn failed(error: rusqlite::Error) -> StoreError {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    if matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..)) {
        return StoreError::Corrupt("a column");
    }
    match error.sqlite_error() {
        // SQLITE_BUSY_SNAPSHOT: the transaction has read before another wrote.
        Some(code) if code.extended_code == rusqlite::ffi::SQLITE_BUSY_SNAPSHOT => StoreError::Serialization,
        Some(code) if code.code == ErrorCode::DatabaseBusy => StoreError::Contended,
        Some(code) => {
            let mut failure = DatabaseError::new(Some(code.extended_code.to_string()), error.to_string());
            failure.is_of_one_row = matches!(
                code.code,
                ErrorCode::ConstraintViolation | ErrorCode::TooBig | ErrorCode::TypeMismatch
            );
            StoreError::Database(failure)
        }
        None => StoreError::database(error),
    }
}
