//! What the store does on SQLite.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::Status;
use rusqlite::{Connection, params};

use super::recorded::{park, parked, record, resume};
use super::rows::{SqliteRows, key_of, millis, millis_of, now, now_sql, open, read};
use super::{SqliteStore, at_once, failed};
use crate::claim::{Claim, Owned};
use crate::claiming::{self, Outcome};
use crate::engine::{DueRow, Engine, Leased};
use crate::error::Result;
use crate::options::Options;
use crate::record::{Parked, RecordedAs, Stored, Why};
use crate::recovery::{self, Advance, Advanced};
use crate::resolve::{self, Resolved, Resolving};
use crate::row::Row;
use crate::rows::{COLUMNS, columns};
use crate::settle::{self, Settlement};
use crate::store::{Counts, Filter, Which};
use crate::token::Token;

#[async_trait]
impl Engine for SqliteStore {
    fn options(&self) -> &Options {
        &self.options
    }

    async fn claim(&self, claim: &Claim, token: Token) -> Result<Outcome> {
        let (claim, options) = (claim.clone(), self.options.clone());
        self.transact(move |connection| {
            at_once(claiming::claim(&mut SqliteRows(connection), &claim, token, &options))
        })
        .await
    }

    async fn settle(&self, owned: &Owned, settlement: Settlement) -> Result<settle::Outcome> {
        let owned = owned.clone();
        self.transact(move |connection| {
            at_once(settle::settle(&mut SqliteRows(connection), &owned, &settlement))
        })
        .await
    }

    async fn record(&self, recorded: Stored) -> Result<RecordedAs> {
        self.transact(move |connection| record(connection, &recorded)).await
    }

    async fn resume(&self, destination: &str, limit: u32, lease: Duration) -> Result<Vec<Leased>> {
        let destination = destination.to_owned();
        self.transact(move |connection| resume(connection, &destination, limit, lease)).await
    }

    async fn park(&self, key: &Key, why: Why) -> Result<bool> {
        let key = *key;
        self.transact(move |connection| park(connection, &key, why)).await
    }

    async fn parked(&self, after: Option<&Key>, limit: u32) -> Result<Vec<Parked>> {
        let after = after.copied();
        self.reader.call(move |connection| parked(connection, after.as_ref(), limit)).await
    }

    async fn forget(&self, key: &Key) -> Result<bool> {
        let key = *key;
        self.transact(move |connection| SqliteRows(connection).forget(&key)).await
    }

    async fn due(&self, destination: &str, limit: u32, lease: Duration) -> Result<Vec<DueRow>> {
        let destination = destination.to_owned();
        self.transact(move |connection| due(connection, &destination, limit, lease)).await
    }

    async fn advance(&self, advance: Advance) -> Result<Advanced> {
        self.transact(move |connection| at_once(recovery::advance(&mut SqliteRows(connection), &advance)))
            .await
    }

    async fn resolve(&self, key: &Key, resolving: Arc<Resolving>) -> Result<Resolved> {
        let key = *key;
        self.transact(move |connection| {
            at_once(resolve::resolve(&mut SqliteRows(connection), &key, &resolving))
        })
        .await
    }

    async fn sweep(&self, limit: u32) -> Result<u64> {
        let margin = self.options.margin();
        self.transact(move |connection| sweep(connection, margin, limit)).await
    }

    async fn get(&self, key: &Key) -> Result<Option<Row>> {
        let key = *key;
        let found = self.reader.call(move |connection| SqliteRows(connection).find(&key, None)).await?;
        Ok(found.entry.map(|entry| entry.row))
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        let filter = filter.clone();
        self.reader.call(move |connection| list(connection, &filter)).await
    }

    async fn known(&self, keys: &[Key]) -> Result<u64> {
        let keys = keys.to_vec();
        self.reader.call(move |connection| known(connection, &keys)).await
    }

    async fn counts(&self) -> Result<Counts> {
        self.reader.call(|connection| counts(connection)).await
    }
}

fn due(connection: &Connection, destination: &str, limit: u32, lease: Duration) -> Result<Vec<DueRow>> {
    let now = millis(now(connection)?.now);
    let mut due = Vec::new();
    let mut select = connection
        .prepare_cached(concat!(
            "SELECT ",
            columns!(),
            ", r.request FROM intentkey_intents AS i LEFT JOIN intentkey_recorded AS r \
               ON r.key = i.key AND r.fingerprint = i.fingerprint AND r.tenant = i.tenant \
               AND r.destination = i.destination \
             WHERE ",
            open!(),
            " AND i.status = 'in_flight' AND i.destination = ?1 AND i.next_look_at <= ?2 \
             ORDER BY i.next_look_at LIMIT ?3"
        ))
        .map_err(failed)?;
    let mut rows = select.query(params![destination, now, limit]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let key = key_of(&row.get::<_, String>(0).map_err(failed)?)?;
        let request = || row.get(COLUMNS).map_err(failed);
        due.push((key, read(row).and_then(|row| Ok((row, request()?)))));
    }
    let mut update = connection
        .prepare_cached("UPDATE intentkey_intents SET next_look_at = ?2 WHERE key = ?1")
        .map_err(failed)?;
    for (key, _) in &due {
        update.execute(params![key.as_str(), now + millis_of(lease)]).map_err(failed)?;
    }
    Ok(due)
}

/// What was recorded of a doomed row goes with it, also where a settlement has missed it: it would be
/// executed as new. What belongs to another payload is left to people.
fn sweep(connection: &Connection, margin: Duration, limit: u32) -> Result<u64> {
    let before = millis(now(connection)?.now) - millis_of(margin);
    let run = |sql: &str| {
        connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params![before, limit]))
            .map_err(failed)
    };
    macro_rules! doomed {
        ($columns:literal) => {
            concat!(
                "SELECT ",
                $columns,
                " FROM intentkey_intents WHERE status = 'done' AND expires_at < ?1 \
                 ORDER BY expires_at, key LIMIT ?2"
            )
        };
    }
    run(concat!(
        "DELETE FROM intentkey_recorded WHERE (key, fingerprint, tenant) IN (",
        doomed!("key, fingerprint, tenant"),
        ")"
    ))?;
    run(concat!(
        "UPDATE intentkey_recorded SET parked = 'payload_conflict' WHERE parked IS NULL AND key IN (",
        doomed!("key"),
        ")"
    ))?;
    // Edge keys first: once their rows are gone nothing says which they were.
    run(concat!(
        "DELETE FROM intentkey_intents WHERE status = 'edge' AND key IN (",
        doomed!("edge_key"),
        ")"
    ))?;
    let swept = run(concat!("DELETE FROM intentkey_intents WHERE key IN (", doomed!("key"), ")"))?;
    Ok(swept as u64)
}

fn list(connection: &Connection, filter: &Filter) -> Result<Vec<Row>> {
    let mut select = connection.prepare_cached(listing(filter.which)).map_err(failed)?;
    let after = filter.after.as_ref().map_or("", Key::as_str);
    let mut rows = select.query(params![filter.destination, after, filter.limit]).map_err(failed)?;
    let mut listed = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        listed.push(read(row)?);
    }
    Ok(listed)
}

/// Statuses are written out, and the condition of the index of open rows is repeated: SQLite uses a
/// partial index only where the statement has its very condition.
fn listing(which: Which) -> &'static str {
    macro_rules! listing {
        ($condition:expr) => {
            concat!(
                "SELECT ",
                columns!(),
                " FROM intentkey_intents AS i WHERE ",
                $condition,
                " AND (?1 IS NULL OR i.destination = ?1) AND i.key > ?2 ORDER BY i.key LIMIT ?3"
            )
        };
    }
    match which {
        Which::All => listing!("i.status <> 'edge'"),
        Which::Status(Status::InFlight) => listing!(concat!(open!(), " AND i.status = 'in_flight'")),
        Which::Status(Status::Done) => listing!("i.status = 'done'"),
        Which::Status(Status::Released) => listing!(concat!(open!(), " AND i.status = 'released'")),
        Which::Status(Status::Unsettled) => listing!(concat!(open!(), " AND i.status = 'unsettled'")),
        Which::Unknown => listing!(concat!(
            open!(),
            " AND (i.status = 'unsettled' OR i.status = 'in_flight' AND i.execute_by <= ",
            now_sql!(),
            ")"
        )),
        Which::Due => {
            listing!(concat!(open!(), " AND i.status = 'in_flight' AND i.next_look_at <= ", now_sql!()))
        }
    }
}

fn known(connection: &Connection, keys: &[Key]) -> Result<u64> {
    let sql = "SELECT count(*) FROM intentkey_intents WHERE key = ?1 AND status <> 'edge'";
    let mut select = connection.prepare_cached(sql).map_err(failed)?;
    let mut known = 0;
    for key in keys {
        known += select.query_row([key.as_str()], |row| row.get::<_, u32>(0)).map_err(failed)?;
    }
    Ok(known.into())
}

/// Each number comes of a partial index, not of the table with all its bodies.
fn counts(connection: &Connection) -> Result<Counts> {
    macro_rules! count_open {
        ($condition:literal) => {
            concat!("(SELECT count(*) FROM intentkey_intents AS i WHERE ", open!(), " AND ", $condition, ")")
        };
    }
    let now = millis(now(connection)?.now);
    connection
        .query_row(
            concat!(
                "SELECT ",
                count_open!("i.status = 'in_flight' AND i.execute_by > ?1"),
                ", ",
                count_open!("i.status = 'in_flight' AND i.execute_by <= ?1"),
                ", (SELECT count(*) FROM intentkey_intents WHERE status = 'done'), ",
                count_open!("i.status = 'released'"),
                ", ",
                count_open!("i.status = 'unsettled'"),
                ", (SELECT count(*) FROM intentkey_recorded WHERE parked IS NULL), \
                 (SELECT count(*) FROM intentkey_recorded WHERE parked IS NOT NULL)"
            ),
            [now],
            |row| Counts::read(|index| row.get(index)),
        )
        .map_err(failed)
}
