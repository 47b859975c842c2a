//! Databases to test on, and claims to make.

pub(crate) mod postgres;
pub(crate) mod proxy;

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use intentkey_core::protocol::{ClientKey, Terms};
use intentkey_core::{Fingerprint, Key};
use intentkey_store::{Claim, Claimed, Options, Owned, PostgresStore, Response, SqliteStore, Store, Target};
use tempfile::TempDir;

/// A database of a test's own.
pub(crate) struct Db {
    pub(crate) url: String,
    /// Of SQLite.
    folder: Option<TempDir>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// Runs a test on a kind of database. Where PostgreSQL is missing it is skipped, loudly; with CI=true
/// that is an error.
pub(crate) fn run<F: Future<Output = ()>>(kind: Kind, test: impl FnOnce(Db) -> F) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        match kind {
            Kind::Sqlite => {
                let folder = tempfile::tempdir().unwrap();
                let url = format!("sqlite:{}", folder.path().join("intents.db").display());
                test(Db { url, folder: Some(folder) }).await;
            }
            Kind::Postgres => match postgres::server() {
                Ok(server) => test(Db { url: server.database().await, folder: None }).await,
                Err(why) if std::env::var("CI").is_ok_and(|ci| ci == "true") => panic!("{why}"),
                Err(why) => eprintln!("SKIPPED: {why}"),
            },
        }
    });
}

/// Makes a test on each kind of database of an `async fn(Db)`.
macro_rules! on_both {
    ($($name:ident)+) => {$(
        mod $name {
            #[test]
            fn on_sqlite() {
                crate::support::run(crate::support::Kind::Sqlite, super::$name);
            }

            #[test]
            fn on_postgres() {
                crate::support::run(crate::support::Kind::Postgres, super::$name);
            }
        }
    )+};
}
pub(crate) use on_both;

/// Makes a test on PostgreSQL alone.
macro_rules! on_postgres {
    ($($name:ident)+) => {$(
        mod $name {
            #[test]
            fn on_postgres() {
                crate::support::run(crate::support::Kind::Postgres, super::$name);
            }
        }
    )+};
}
pub(crate) use on_postgres;

/// Makes a test on SQLite alone.
macro_rules! on_sqlite {
    ($($name:ident)+) => {$(
        mod $name {
            #[test]
            fn on_sqlite() {
                crate::support::run(crate::support::Kind::Sqlite, super::$name);
            }
        }
    )+};
}
pub(crate) use on_sqlite;

impl Db {
    pub(crate) fn kind(&self) -> Kind {
        if self.folder.is_some() { Kind::Sqlite } else { Kind::Postgres }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.as_ref().unwrap().path().join("intents.db")
    }

    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        self.open_with(Options::default()).await
    }

    pub(crate) async fn open_with(&self, options: Options) -> Arc<dyn Store> {
        intentkey_store::open(&self.url, options).await.unwrap().into()
    }

    pub(crate) fn sqlite(&self, options: Options) -> SqliteStore {
        SqliteStore::open(self.path(), options).unwrap()
    }

    pub(crate) async fn postgres(&self, options: Options) -> PostgresStore {
        PostgresStore::connect(&self.url, options).await.unwrap()
    }

    /// Runs SQL that both databases understand, on a connection of its own.
    pub(crate) async fn execute(&self, sql: &str) {
        match self.kind() {
            Kind::Sqlite => {
                let connection = rusqlite::Connection::open(self.path()).unwrap();
                connection.busy_timeout(Duration::from_secs(10)).unwrap();
                connection.execute_batch(sql).unwrap();
            }
            Kind::Postgres => postgres::execute(&self.url, sql).await,
        }
    }

    /// Lets time pass for all rows: everything in them happened so much earlier.
    pub(crate) async fn age(&self, by: Duration) {
        let by = match self.kind() {
            Kind::Sqlite => by.as_millis().to_string(),
            Kind::Postgres => format!("interval '{} milliseconds'", by.as_millis()),
        };
        let columns = ["created_at", "claimed_at", "expires_at", "execute_by", "next_look_at"];
        let set = columns.map(|column| format!("{column} = {column} - {by}")).join(", ");
        self.execute(&format!("UPDATE intentkey_intents SET {set}")).await;
    }

    /// A number that a query gives.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        match self.kind() {
            Kind::Sqlite => {
                let connection = rusqlite::Connection::open(self.path()).unwrap();
                connection.query_row(sql, [], |row| row.get(0)).unwrap()
            }
            Kind::Postgres => postgres::connect(&self.url).await.query_one(sql, &[]).await.unwrap().get(0),
        }
    }
}

pub(crate) const SECOND: Duration = Duration::from_secs(1);
pub(crate) const DAY: Duration = Duration::from_secs(86_400);

pub(crate) fn key(name: &str) -> Key {
    ClientKey::lenient(name.as_bytes()).unwrap().stored("acme")
}

pub(crate) fn fingerprint(of: u8) -> Fingerprint {
    Fingerprint::from_bytes([of; 32])
}

pub(crate) fn target(terms: Terms) -> Target {
    Target::new("psp", terms, 30 * SECOND)
}

/// A claim to a destination with neither idempotency nor look-up.
pub(crate) fn claim(name: &str) -> Claim {
    claim_at(name, Terms::neither())
}

pub(crate) fn claim_at(name: &str, terms: Terms) -> Claim {
    Claim::new(key(name), fingerprint(1), "acme", "pay", target(terms))
}

#[track_caller]
pub(crate) fn owned(claimed: Claimed) -> Owned {
    match claimed {
        Claimed::Owned(owned) => owned,
        other => panic!("not owned: {other:?}"),
    }
}

/// The word for what a claim came to.
pub(crate) fn word(claimed: &Claimed) -> &'static str {
    match claimed {
        Claimed::Owned(_) => "owned",
        Claimed::Replay(_) => "replay",
        Claimed::InFlight { .. } => "in flight",
        Claimed::Unsettled => "unsettled",
        Claimed::PayloadConflict => "payload conflict",
        Claimed::TooLate => "too late",
        Claimed::TooEarly => "too early",
    }
}

pub(crate) fn paid() -> Response {
    Response::new(201, r#"{"paid":true}"#).with_header("Content-Type", "application/json")
}
