//! What the store does on PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::Status;

use super::recorded::{park, parked, record, resume};
use super::session::{Params, Session};
use super::statements::{find, forget, get, key_of, millis, read};
use super::{PostgresStore, failed};
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
impl Engine for PostgresStore {
    fn options(&self) -> &Options {
        &self.options
    }

    /// Where the answer of the commit is lost, the next try finds its own token in the row.
    async fn claim(&self, claim: &Claim, token: Token) -> Result<Outcome> {
        self.again(|| async { claiming::claim(&mut self.rows().await?, claim, token, &self.options).await })
            .await
    }

    async fn settle(&self, owned: &Owned, settlement: Settlement) -> Result<settle::Outcome> {
        self.again(|| async { settle::settle(&mut self.rows().await?, owned, &settlement).await }).await
    }

    async fn record(&self, recorded: Stored) -> Result<RecordedAs> {
        self.again(|| async { record(&*self.rows().await?.client, &recorded).await }).await
    }

    async fn resume(&self, destination: &str, limit: u32, lease: Duration) -> Result<Vec<Leased>> {
        self.again(|| async { resume(&*self.rows().await?.client, destination, limit, lease).await }).await
    }

    async fn park(&self, key: &Key, why: Why) -> Result<bool> {
        self.again(|| async { park(&*self.rows().await?.client, key, why).await }).await
    }

    async fn parked(&self, after: Option<&Key>, limit: u32) -> Result<Vec<Parked>> {
        self.again(|| async { parked(&*self.rows().await?.client, after, limit).await }).await
    }

    async fn forget(&self, key: &Key) -> Result<bool> {
        self.again(|| async { forget(&*self.rows().await?.client, key).await }).await
    }

    async fn due(&self, destination: &str, limit: u32, lease: Duration) -> Result<Vec<DueRow>> {
        self.again(|| async { due(&*self.rows().await?.client, destination, limit, lease).await }).await
    }

    async fn advance(&self, advance: Advance) -> Result<Advanced> {
        // Not again: a step that was written and whose answer was lost would count twice. Its row is due
        // after the lease.
        recovery::advance(&mut self.rows().await?, &advance).await
    }

    async fn resolve(&self, key: &Key, resolving: Arc<Resolving>) -> Result<Resolved> {
        resolve::resolve(&mut self.rows().await?, key, &resolving).await
    }

    async fn sweep(&self, limit: u32) -> Result<u64> {
        self.again(|| async { sweep(&*self.rows().await?.client, self.options.margin(), limit).await }).await
    }

    async fn get(&self, key: &Key) -> Result<Option<Row>> {
        let found = self.again(|| async { find(&*self.rows().await?.client, key, None).await }).await?;
        Ok(found.entry.map(|entry| entry.row))
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        self.again(|| async { list(&*self.rows().await?.client, filter).await }).await
    }

    async fn known(&self, keys: &[Key]) -> Result<u64> {
        self.again(|| async { known(&*self.rows().await?.client, keys).await }).await
    }

    async fn counts(&self) -> Result<Counts> {
        self.again(|| async { counts(&*self.rows().await?.client).await }).await
    }
}

async fn due(session: &impl Session, destination: &str, limit: u32, lease: Duration) -> Result<Vec<DueRow>> {
    let rows = session
        .rows(
            concat!(
                "WITH picked AS MATERIALIZED ( \
               SELECT key FROM intentkey_intents \
               WHERE status = 'in_flight' AND destination = $1 AND next_look_at <= now() \
               ORDER BY next_look_at LIMIT $2 FOR UPDATE SKIP LOCKED), \
             leased AS ( \
               UPDATE intentkey_intents AS i SET next_look_at = now() + $3 * interval '1 millisecond' \
               FROM picked WHERE i.key = picked.key RETURNING i.*) \
             SELECT ",
                columns!(),
                ", r.request FROM leased AS i LEFT JOIN intentkey_recorded AS r \
               ON r.key = i.key AND r.fingerprint = i.fingerprint AND r.tenant = i.tenant \
               AND r.destination = i.destination \
             ORDER BY i.execute_by"
            ),
            &[&destination, &i64::from(limit), &millis(lease)],
        )
        .await
        .map_err(failed)?;
    let due = |row| {
        let request = || get(row, COLUMNS);
        Ok((key_of(get(row, 0)?)?, read(row).and_then(|read| Ok((read, request()?)))))
    };
    rows.iter().map(due).collect()
}

/// A row that a repeat has moved on since the statement began is looked at again when it is locked, and
/// left; one that somebody has locked is left to the next sweep.
///
/// What was recorded of a doomed row goes with it, also where a settlement has missed it: it would be
/// executed as new. What belongs to another payload is left to people.
async fn sweep(session: &impl Session, margin: Duration, limit: u32) -> Result<u64> {
    let row = session
        .row(
            "WITH doomed AS MATERIALIZED ( \
           SELECT key, edge_key, fingerprint, tenant FROM intentkey_intents \
           WHERE status = 'done' AND expires_at < now() - $1 * interval '1 millisecond' \
           ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED), \
         recorded AS (DELETE FROM intentkey_recorded AS r USING doomed \
           WHERE r.key = doomed.key AND r.fingerprint = doomed.fingerprint AND r.tenant = doomed.tenant), \
         others AS (UPDATE intentkey_recorded AS r SET parked = 'payload_conflict' FROM doomed \
           WHERE r.key = doomed.key AND (r.fingerprint <> doomed.fingerprint OR r.tenant <> doomed.tenant) \
             AND r.parked IS NULL), \
         edges AS (DELETE FROM intentkey_intents AS i USING doomed \
           WHERE i.key = doomed.edge_key AND i.owner_key = doomed.key), \
         gone AS (DELETE FROM intentkey_intents AS i USING doomed WHERE i.key = doomed.key RETURNING 1) \
         SELECT count(*) FROM gone",
            &[&millis(margin), &i64::from(limit)],
        )
        .await
        .map_err(failed)?;
    let swept = row.map_or(Ok(0), |row| get::<i64>(&row, 0))?;
    Ok(swept.unsigned_abs())
}

async fn list(session: &impl Session, filter: &Filter) -> Result<Vec<Row>> {
    let after = filter.after.as_ref().map_or("", Key::as_str);
    let params: Params<'_> = &[&filter.destination, &after, &i64::from(filter.limit)];
    let rows = session.rows(listing(filter.which), params).await.map_err(failed)?;
    rows.iter().map(read).collect()
}

/// Statuses are written out: by a parameter the planner would not find the index of open rows.
fn listing(which: Which) -> &'static str {
    macro_rules! listing {
        ($condition:literal) => {
            concat!(
                "SELECT ",
                columns!(),
                " FROM intentkey_intents AS i WHERE ",
                $condition,
                " AND ($1::text IS NULL OR i.destination = $1) AND i.key > $2 ORDER BY i.key LIMIT $3"
            )
        };
    }
    match which {
        Which::All => listing!("i.status <> 'edge'"),
        Which::Status(Status::InFlight) => listing!("i.status = 'in_flight'"),
        Which::Status(Status::Done) => listing!("i.status = 'done'"),
        Which::Status(Status::Released) => listing!("i.status = 'released'"),
        Which::Status(Status::Unsettled) => listing!("i.status = 'unsettled'"),
        Which::Unknown => {
            listing!("(i.status = 'unsettled' OR i.status = 'in_flight' AND i.execute_by <= now())")
        }
        Which::Due => listing!("i.status = 'in_flight' AND i.next_look_at <= now()"),
    }
}

async fn known(session: &impl Session, keys: &[Key]) -> Result<u64> {
    let keys: Vec<&str> = keys.iter().map(Key::as_str).collect();
    let sql = "SELECT count(*) FROM intentkey_intents WHERE key = ANY($1) AND status <> 'edge'";
    let row = session.row(sql, &[&keys]).await.map_err(failed)?;
    let known = row.map_or(Ok(0), |row| get::<i64>(&row, 0))?;
    Ok(known.unsigned_abs())
}

/// Each number comes of a partial index: a scan of the whole table, with all its bodies, could take longer
/// than a statement may.
async fn counts(session: &impl Session) -> Result<Counts> {
    let row = session
        .row(
            "SELECT (SELECT count(*) FROM intentkey_intents WHERE status = 'in_flight' AND execute_by > now()), \
           (SELECT count(*) FROM intentkey_intents WHERE status = 'in_flight' AND execute_by <= now()), \
           (SELECT count(*) FROM intentkey_intents WHERE status = 'done'), \
           (SELECT count(*) FROM intentkey_intents WHERE status = 'released'), \
           (SELECT count(*) FROM intentkey_intents WHERE status = 'unsettled'), \
           (SELECT count(*) FROM intentkey_recorded WHERE parked IS NULL), \
           (SELECT count(*) FROM intentkey_recorded WHERE parked IS NOT NULL)",
            &[],
        )
        .await
        .map_err(failed)?;
    let Some(row) = row else { return Ok(Counts::default()) };
    Counts::read(|index| get(&row, index))
}
