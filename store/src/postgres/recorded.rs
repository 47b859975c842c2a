//! Recorded intents.

use std::time::Duration;

use intentkey_core::Key;

use super::failed;
use super::session::Session;
use super::statements::{fingerprint, get, key_of, millis, time};
use crate::engine::Leased;
use crate::error::{Result, StoreError};
use crate::record::{Parked, RecordedAs, Stored, Why};

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
pub(super) async fn resume(
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

pub(super) async fn park(session: &impl Session, key: &Key, why: Why) -> Result<bool> {
    let sql = "UPDATE intentkey_recorded SET parked = $2 WHERE key = $1 RETURNING true";
    Ok(session.row(sql, &[&key.as_str(), &why.as_str()]).await.map_err(failed)?.is_some())
}

pub(super) async fn parked(session: &impl Session, after: Option<&Key>, limit: u32) -> Result<Vec<Parked>> {
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
