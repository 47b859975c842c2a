//! The store on PostgreSQL, for many machines.
//!
//! Every claim is one statement where nothing stands in its way: an `INSERT ... ON CONFLICT DO NOTHING`
//! whose commit is the claim. All transactions of the store's own are READ COMMITTED, whatever the
//! server's default is. Times are `clock_timestamp()`, read after the row was inserted or locked.
//!
//! `synchronous_commit` and `fsync` must be on. An asynchronous replica that takes over can forget
//! claims: fail over to a synchronous one, or reconcile what was claimed in the last moments.
//! A pooler in front of the server must be in session mode.

mod failure;
mod migrate;
mod recorded;
mod rows;
mod session;
mod statements;
mod transport;
mod verbs;

use std::time::Duration;

use deadpool_postgres::{Hook, HookError, Pool, Runtime};

use crate::claim::{Claim, Claimed, Owned};
use crate::claiming;
use crate::engine::{self, By};
use crate::error::{Result, StoreError};
use crate::options::Options;
use crate::record::{self, Recorded, RecordedAs};
use crate::response::Response;
use crate::settle::{self, Settled, Settlement};
use crate::text;
use crate::token::Token;
use failure::{BROKEN, failed, is_passing, is_read_only, unpooled};
use rows::{CallersRows, PooledRows};
use statements::LongestWait;

/// How often an operation is tried where the connection breaks or a deadlock is resolved.
const TRIES: u32 = 5;
/// The pause before the first repetition; it doubles.
const PAUSE: Duration = Duration::from_millis(50);

/// A store on PostgreSQL.
#[derive(Clone)]
pub struct PostgresStore {
    pool: Pool,
    longest: LongestWait,
    options: Options,
}

impl PostgresStore {
    /// Connects to a database by its URL (`postgres://user:password@host/database`), and brings its schema
    /// up to date.
    ///
    /// With the feature `tls`, a server on another machine is reached by TLS, and its certificate is
    /// checked, whatever `sslmode` is written; `sslmode=disable` switches that off, for a network that
    /// nobody else reads.
    ///
    /// # Errors
    ///
    /// [`StoreError::Url`], without the feature `tls` also where the URL asks for TLS, or names another
    /// machine without `sslmode=disable`;
    /// [`StoreError::NotDurable`]; [`StoreError::SchemaTooNew`]; [`StoreError::Database`].
    pub async fn connect(url: &str, options: Options) -> Result<Self> {
        let manager = transport::manager(url, &options)?;
        let pool = Pool::builder(manager)
            .max_size(options.connections)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(options.longest_claim))
            .create_timeout(Some(options.longest_claim))
            .recycle_timeout(Some(options.longest_claim))
            .post_create(Hook::async_fn({
                let options = options.clone();
                move |client, _| {
                    let options = options.clone();
                    Box::pin(async move {
                        prepare(client, &options).await.map_err(|error| match error {
                            StoreError::NotDurable(setting) => HookError::message(setting),
                            StoreError::Database(error) if error.is_passing => HookError::message(BROKEN),
                            error => HookError::message(error.to_string()),
                        })
                    })
                }
            }))
            .build()
            .map_err(StoreError::database)?;
        PostgresStore::with_pool(pool, options).await
    }

    /// Uses a pool of the caller's, such as one with TLS, and brings the schema up to date. Its sessions
    /// must be READ COMMITTED by default and have a `statement_timeout` of at most
    /// [`Options::longest_claim`]; both are checked, on one of them. Every claim compares the second for
    /// itself, and takes more round trips in a session where it is another. Give the pool a
    /// `wait_timeout`, and its connections a `connect_timeout` and a `tcp_user_timeout`.
    ///
    /// # Errors
    ///
    /// As [`PostgresStore::connect`].
    pub async fn with_pool(pool: Pool, options: Options) -> Result<Self> {
        let mut client = pool.get().await.map_err(unpooled)?;
        let longest = check(&client, &options).await?;
        migrate::migrate(&mut client).await?;
        drop(client);
        Ok(PostgresStore { pool, longest, options })
    }

    /// Claims inside the caller's transaction, for effects in the same database: they happen exactly
    /// once, and nothing needs to be recovered. Settle in the same transaction
    /// ([`PostgresStore::settle_in`]); the claim is visible to nobody before the commit, and a concurrent
    /// repeat waits for it and gets its outcome.
    ///
    /// # Errors
    ///
    /// Those of [`Store::claim`](crate::Store::claim); [`StoreError::Serialization`] in a transaction
    /// that is REPEATABLE READ or SERIALIZABLE and meets another claim of the key. The transaction is to
    /// be rolled back after any error, and where this future is dropped.
    ///
    /// Transactions that claim several keys are to claim them in one order: the server ends one of two
    /// that wait for each other.
    pub async fn claim_in(
        &self,
        transaction: &tokio_postgres::Transaction<'_>,
        claim: &Claim,
    ) -> Result<Claimed> {
        text::check_claim(claim)?;
        let token = Token::draw()?;
        let outcome = claiming::claim(&mut CallersRows(transaction), claim, token, &self.options).await?;
        engine::claimed(outcome, claim, By::Caller, &self.options)
    }

    /// Settles inside the caller's transaction.
    ///
    /// # Errors
    ///
    /// Those of [`Store::settle`](crate::Store::settle).
    pub async fn settle_in(
        &self,
        transaction: &tokio_postgres::Transaction<'_>,
        owned: &Owned,
        response: &Response,
    ) -> Result<Settled> {
        let stored = response.store(&owned.key, &*self.options.seal)?;
        let settlement = Settlement::Done(stored);
        let outcome = settle::settle(&mut CallersRows(transaction), owned, &settlement).await?;
        engine::settled(outcome, owned, Some(response), By::Caller, &self.options)
    }

    /// Records an intent inside the caller's transaction: an outbox, for what the caller's own writes
    /// must lead to.
    ///
    /// # Errors
    ///
    /// Those of [`Store::record`](crate::Store::record).
    pub async fn record_in(
        &self,
        transaction: &tokio_postgres::Transaction<'_>,
        recorded: &Recorded,
    ) -> Result<RecordedAs> {
        recorded::record(transaction, &record::Stored::new(recorded, &*self.options.seal)?).await
    }

    async fn rows(&self) -> Result<PooledRows<'_>> {
        let client = self.pool.get().await.map_err(unpooled)?;
        Ok(PooledRows { client, longest: &self.longest })
    }

    /// Runs an operation, again where its connection broke or the server gave up on it: everything that
    /// is run here may be run twice.
    async fn again<T, F: Future<Output = Result<T>>>(&self, operation: impl Fn() -> F) -> Result<T> {
        let mut pause = PAUSE;
        for _ in 1..TRIES {
            match operation().await {
                Err(error) if is_passing(&error) => {
                    tracing::debug!(%error, "trying again");
                    if is_read_only(&error) {
                        // A new connection may reach the server that has taken over.
                        self.pool.retain(|_, _| false);
                    }
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                }
                outcome => return outcome,
            }
        }
        operation().await
    }
}

/// Sets a new session up.
async fn prepare(client: &tokio_postgres::Client, options: &Options) -> Result<()> {
    let timeout = options.longest_claim.as_millis();
    client
        .batch_execute(&format!(
            "SET default_transaction_isolation = 'read committed'; SET statement_timeout = {timeout}; \
             SET idle_in_transaction_session_timeout = {timeout}"
        ))
        .await
        .map_err(failed)?;
    check_durability(client, options).await
}

/// How long a session waits, where everything about it is right.
async fn check(client: &tokio_postgres::Client, options: &Options) -> Result<LongestWait> {
    check_durability(client, options).await?;
    let row = client
        .query_one(
            "SELECT current_setting('default_transaction_isolation'), \
             (SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'), \
             current_setting('statement_timeout')",
            &[],
        )
        .await
        .map_err(failed)?;
    let (isolation, timeout): (&str, i64) =
        (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
    let setting = row.try_get(2).map_err(failed)?;
    if isolation != "read committed" {
        return Err(StoreError::Url("the pool's sessions are not READ COMMITTED by default"));
    }
    if timeout <= 0 || u128::from(timeout.unsigned_abs()) > options.longest_claim.as_millis() {
        return Err(StoreError::Url("the pool's sessions have no statement_timeout within longest_claim"));
    }
    Ok(LongestWait { wait: options.longest_claim, setting })
}

async fn check_durability(client: &tokio_postgres::Client, options: &Options) -> Result<()> {
    let row = client
        .query_one("SELECT current_setting('fsync'), current_setting('synchronous_commit')", &[])
        .await
        .map_err(failed)?;
    if options.unsafe_without_durability {
        return Ok(());
    }
    // `local`, `remote_write` and `remote_apply` wait for the local disk as well.
    for (index, setting) in ["fsync", "synchronous_commit"].into_iter().enumerate() {
        if row.try_get::<_, &str>(index).map_err(failed)? == "off" {
            return Err(StoreError::NotDurable(setting));
        }
    }
    Ok(())
}
