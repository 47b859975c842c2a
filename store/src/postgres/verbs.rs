//! What the store does on PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::Status;

use super::session::{Params, Session};
use super::statements::{find, fingerprint, forget, get, key_of, millis, read, time};
use super::{PostgresStore, failed};
use crate::claim::{self, Claim, Outcome, Owned};
use crate::engine::{DueRow, Engine, Leased};
use crate::error::{Result, StoreError};
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
        self.again(|| async { claim::claim(&mut self.rows().await?, claim, token, &self.options).await })
            .await
    }

    async fn settle(&self, owned: &Owned, settlement: Settlement) -> Result<settle::Outcome> {
        self.again(|| async { settle::settle(&mut self.rows().await?, owned, &settlement).await }).await
    }

    async fn record(&self, recorded: Stored) -> Result<RecordedAs> {
        self.again(|| async { record(&*self.rows().await?.client, &recorded).await }).await
    }

    async fn resume(&self, destination: &str, limit: u32, lease: Duration) -> Result<Vec<Leased>> {
        let rows = self.rows().await?;
        resume(&*rows.client, destination, limit, lease).await
    }

    async fn park(&self, key: &Key, why: Why) -> Result<bool> {
        self.again(|| async { park(&*self.rows().await?.client, key, why).await }).await
    }

    async fn parked(&self, after: Option<&Key>, limit: u32) -> Result<Vec<Parked>> {
        let rows = self.rows().await?;
        parked(&*rows.client, after, limit).await
    }

    async fn forget(&self, key: &Key) -> Result<bool> {
        self.again(|| async { forget(&*self.rows().await?.client, key).await }).await
    }

    async fn due(&self, destination: &str, limit: u32, lease: Duration) -> Result<Vec<DueRow>> {
        let rows = self.rows().await?;
        due(&*rows.client, destination, limit, lease).await
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
        let rows = self.rows().await?;
        sweep(&*rows.client, self.options.margin(), limit).await
    }

    async fn get(&self, key: &Key) -> Result<Option<Row>> {
        let rows = self.rows().await?;
        Ok(find(&*rows.client, key, None).await?.entry.map(|entry| entry.row))
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        let rows = self.rows().await?;
        list(&*rows.client, filter).await
    }

    async fn known(&self, keys: &[Key]) -> Result<u64> {
        let rows = self.rows().await?;
        known(&*rows.client, keys).await
    }

    async fn counts(&self) -> Result<Counts> {
        let rows = self.rows().await?;
        counts(&*rows.client).await
    }
}

pub(super) async fn record(session: &impl Session, recorded: &Stored) -> Result<RecordedAs> {
    let inserted = session
        .row(
            "INSERT INTO intentkey_recorded (key, fingerprint, edge_key, edge_fingerprint, tenant, action, \
           destination, epoch_seconds, ends_seconds, ttl_millis, secret_id, policy_digest, request, \
           recorded_at, next_attempt_at) \
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, t.now, t.now \
         FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) AS t \
         WHERE NOT EXISTS (SELECT FROM intentkey_intents WHERE key = $1 \
           AND (status = 'done' OR fingerprint <> $2 OR tenant <> $5)) \
         ON CONFLICT (key) DO NOTHING RETURNING true",
            &[
                &recorded.key.as_str(),
                &recorded.fingerprint.as_bytes().as_slice(),
                &recorded.edge.as_ref().map(|(key, _)| key.as_str()),
                &recorded.edge.as_ref().map(|(_, fingerprint)| fingerprint.as_bytes().as_slice()),
                &recorded.tenant,
                &recorded.action,
                &recorded.destination,
                &recorded.epoch_seconds,
                &recorded.ends_seconds,
                &recorded.ttl_millis,
                &recorded.secret_id,
                &recorded.policy_digest,
                &recorded.request,
            ],
        )
        .await
        .map_err(failed)?;
    if inserted.is_some() {
        if recorded.wakes {
            wake(session, recorded).await?;
        }
        return Ok(RecordedAs::New);
    }
    let known = session
        .row(
            "SELECT fingerprint, tenant, 1 AS nth FROM intentkey_intents WHERE key = $1 \
         UNION ALL SELECT fingerprint, tenant, 2 FROM intentkey_recorded WHERE key = $1 \
         ORDER BY nth LIMIT 1",
            &[&recorded.key.as_str()],
        )
        .await
        .map_err(failed)?;
    let Some(known) = known else {
        // It was done between the two statements, and swept before: nothing is left to attempt.
        return Ok(RecordedAs::Known);
    };
    let same = fingerprint(&known, 0)? == recorded.fingerprint && get::<&str>(&known, 1)? == recorded.tenant;
    Ok(if same { RecordedAs::Known } else { RecordedAs::PayloadConflict })
}

/// Recovery has left a row alone for want of its request: it looks at it anew.
async fn wake(session: &impl Session, recorded: &Stored) -> Result<()> {
    session
        .rows(
            "UPDATE intentkey_intents SET next_look_at = execute_by WHERE key = $1 AND status = 'in_flight' \
         AND destination = $2 AND recovery_attempts = 0 AND next_look_at > execute_by",
            &[&recorded.key.as_str(), &recorded.destination],
        )
        .await
        .map(drop)
        .map_err(failed)
}

/// `now()`, the time of the statement's beginning, serves where nothing is waited for; unlike
/// `clock_timestamp()` it can be searched for in an index.
///
/// What is done is not to be resumed: what a settlement has missed is deleted. What belongs to another
/// payload is, so that it is found out and parked.
async fn resume(
    session: &impl Session,
    destination: &str,
    limit: u32,
    lease: Duration,
) -> Result<Vec<Leased>> {
    let rows = session
        .rows(
            "WITH picked AS MATERIALIZED ( \
           SELECT r.key, i.status IS NOT NULL AND i.status = 'done' AND i.fingerprint = r.fingerprint \
             AND i.tenant = r.tenant AS is_done \
           FROM intentkey_recorded AS r LEFT JOIN intentkey_intents AS i ON i.key = r.key \
           WHERE r.destination = $1 AND r.next_attempt_at <= now() AND r.parked IS NULL \
             AND (i.key IS NULL OR i.status IN ('released', 'edge', 'done') \
               OR i.fingerprint <> r.fingerprint OR i.tenant <> r.tenant) \
           ORDER BY r.next_attempt_at LIMIT $2 FOR UPDATE OF r SKIP LOCKED), \
         done AS (DELETE FROM intentkey_recorded AS r USING picked WHERE r.key = picked.key AND picked.is_done) \
         UPDATE intentkey_recorded AS r SET next_attempt_at = now() + $3 * interval '1 millisecond' \
         FROM picked WHERE r.key = picked.key AND NOT picked.is_done \
         RETURNING r.key, r.fingerprint, r.edge_key, r.edge_fingerprint, r.tenant, r.action, \
           r.epoch_seconds, r.ends_seconds, r.ttl_millis, r.secret_id, r.policy_digest, r.request",
            &[&destination, &i64::from(limit), &millis(lease)],
        )
        .await
        .map_err(failed)?;
    rows.iter().map(|row| Ok((key_of(get(row, 0)?)?, read_recorded(row, destination)))).collect()
}

async fn park(session: &impl Session, key: &Key, why: Why) -> Result<bool> {
    let sql = "UPDATE intentkey_recorded SET parked = $2 WHERE key = $1 RETURNING true";
    Ok(session.row(sql, &[&key.as_str(), &why.as_str()]).await.map_err(failed)?.is_some())
}

async fn parked(session: &impl Session, after: Option<&Key>, limit: u32) -> Result<Vec<Parked>> {
    let rows = session
        .rows(
            "SELECT key, tenant, action, destination, parked, recorded_at FROM intentkey_recorded \
         WHERE parked IS NOT NULL AND key > $1 ORDER BY key LIMIT $2",
            &[&after.map_or("", Key::as_str), &i64::from(limit)],
        )
        .await
        .map_err(failed)?;
    let parked = |row: &tokio_postgres::Row| {
        Ok(Parked {
            key: key_of(get(row, 0)?)?,
            tenant: get(row, 1)?,
            action: get(row, 2)?,
            destination: get(row, 3)?,
            why: Why::parse(get(row, 4)?).ok_or(StoreError::Corrupt("parked"))?,
            recorded_at: time(row, 5)?,
        })
    };
    rows.iter().map(parked).collect()
}

fn read_recorded(row: &tokio_postgres::Row, destination: &str) -> Result<Stored> {
    let edge = match get::<Option<&str>>(row, 2)? {
        None => None,
        Some(key) => Some((key_of(key)?, fingerprint(row, 3)?)),
    };
    Ok(Stored {
        key: key_of(get(row, 0)?)?,
        fingerprint: fingerprint(row, 1)?,
        edge,
        tenant: get(row, 4)?,
        action: get(row, 5)?,
        destination: destination.to_owned(),
        epoch_seconds: get(row, 6)?,
        ends_seconds: get(row, 7)?,
        ttl_millis: get(row, 8)?,
        secret_id: get(row, 9)?,
        policy_digest: get(row, 10)?,
        request: get(row, 11)?,
        wakes: false,
    })
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
    }
}

async fn known(session: &impl Session, keys: &[Key]) -> Result<u64> {
    let keys: Vec<&str> = keys.iter().map(Key::as_str).collect();
    let sql = "SELECT count(*) FROM intentkey_intents WHERE key = ANY($1) AND status <> 'edge'";
    let row = session.row(sql, &[&keys]).await.map_err(failed)?;
    let known = row.map_or(Ok(0), |row| get::<i64>(&row, 0))?;
    Ok(known.unsigned_abs())
}

async fn counts(session: &impl Session) -> Result<Counts> {
    let row = session
        .row(
            "SELECT count(*) FILTER (WHERE status = 'in_flight' AND execute_by > now()), \
           count(*) FILTER (WHERE status = 'in_flight' AND execute_by <= now()), \
           count(*) FILTER (WHERE status = 'done'), count(*) FILTER (WHERE status = 'released'), \
           count(*) FILTER (WHERE status = 'unsettled'), \
           (SELECT count(*) FROM intentkey_recorded WHERE parked IS NULL), \
           (SELECT count(*) FROM intentkey_recorded WHERE parked IS NOT NULL) \
         FROM intentkey_intents",
            &[],
        )
        .await
        .map_err(failed)?;
    let Some(row) = row else { return Ok(Counts::default()) };
    Counts::read(|index| get(&row, index))
}
