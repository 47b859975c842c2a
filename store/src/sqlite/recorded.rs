//! Recorded intents.

use std::time::Duration;

use intentkey_core::{Fingerprint, Key};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::failed;
use super::rows::{key_of, millis, millis_of, now, time};
use crate::engine::Leased;
use crate::error::{Result, StoreError};
use crate::record::{Parked, RecordedAs, Stored, Why};

pub(super) fn record(connection: &Connection, recorded: &Stored) -> Result<RecordedAs> {
    let now = millis(now(connection)?.now);
    let inserted = connection.prepare_cached(
        "INSERT INTO intentkey_recorded (key, fingerprint, edge_key, edge_fingerprint, tenant, action, \
         destination, epoch_seconds, ends_seconds, ttl_millis, secret_id, policy_digest, request, \
         recorded_at, next_attempt_at) \
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14 \
         WHERE NOT EXISTS (SELECT 1 FROM intentkey_intents WHERE key = ?1 \
           AND (status = 'done' OR fingerprint <> ?2 OR tenant <> ?5)) \
         ON CONFLICT (key) DO NOTHING",
    );
    let inserted = inserted.and_then(|mut insert| {
        insert.execute(params![
            recorded.key.as_str(),
            recorded.fingerprint.as_bytes(),
            recorded.edge.as_ref().map(|(key, _)| key.as_str()),
            recorded.edge.as_ref().map(|(_, fingerprint)| fingerprint.as_bytes()),
            recorded.tenant,
            recorded.action,
            recorded.destination,
            recorded.epoch_seconds,
            recorded.ends_seconds,
            recorded.ttl_millis,
            recorded.secret_id,
            recorded.policy_digest,
            recorded.request,
            now,
        ])
    });
    if inserted.map_err(failed)? == 1 {
        if recorded.wakes {
            wake(connection, recorded)?;
        }
        return Ok(RecordedAs::New);
    }
    let known: Option<([u8; 32], String)> = connection
        .prepare_cached(
            "SELECT fingerprint, tenant, 1 AS nth FROM intentkey_intents WHERE key = ?1 \
             UNION ALL SELECT fingerprint, tenant, 2 FROM intentkey_recorded WHERE key = ?1 \
             ORDER BY nth LIMIT 1",
        )
        .and_then(|mut select| {
            select.query_row([recorded.key.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
        .map_err(failed)?;
    let same = known.is_some_and(|(fingerprint, tenant)| {
        Fingerprint::from_bytes(fingerprint) == recorded.fingerprint && tenant == recorded.tenant
    });
    Ok(if same { RecordedAs::Known } else { RecordedAs::PayloadConflict })
}

/// Recovery has left a row alone for want of its request: it looks at it anew.
fn wake(connection: &Connection, recorded: &Stored) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE intentkey_intents SET next_look_at = execute_by WHERE key = ?1 AND status = 'in_flight' \
             AND destination = ?2 AND recovery_attempts = 0 AND next_look_at > execute_by",
        )
        .and_then(|mut update| update.execute([recorded.key.as_str(), recorded.destination.as_str()]))
        .map(drop)
        .map_err(failed)
}

/// What is done is not to be resumed: what a settlement has missed is deleted. What belongs to another
/// payload is, so that it is found out and parked.
pub(super) fn resume(
    connection: &Connection,
    destination: &str,
    limit: u32,
    lease: Duration,
) -> Result<Vec<Leased>> {
    let now = millis(now(connection)?.now);
    connection
        .prepare_cached(
            "DELETE FROM intentkey_recorded WHERE key IN ( \
               SELECT r.key FROM intentkey_recorded AS r JOIN intentkey_intents AS i ON i.key = r.key \
               WHERE r.destination = ?1 AND r.next_attempt_at <= ?2 AND i.status = 'done' \
                 AND i.fingerprint = r.fingerprint AND i.tenant = r.tenant \
               ORDER BY r.next_attempt_at LIMIT ?3)",
        )
        .and_then(|mut delete| delete.execute(params![destination, now, limit]))
        .map_err(failed)?;
    let mut select = connection
        .prepare_cached(
            "UPDATE intentkey_recorded SET next_attempt_at = ?2 + ?4 WHERE key IN ( \
               SELECT r.key FROM intentkey_recorded AS r LEFT JOIN intentkey_intents AS i ON i.key = r.key \
               WHERE r.destination = ?1 AND r.next_attempt_at <= ?2 AND r.parked IS NULL \
                 AND (i.key IS NULL OR i.status IN ('released', 'edge') \
                   OR i.fingerprint <> r.fingerprint OR i.tenant <> r.tenant) \
               ORDER BY r.next_attempt_at LIMIT ?3) \
             RETURNING key, fingerprint, edge_key, edge_fingerprint, tenant, action, epoch_seconds, \
               ends_seconds, ttl_millis, secret_id, policy_digest, request",
        )
        .map_err(failed)?;
    let mut rows = select.query(params![destination, now, limit, millis_of(lease)]).map_err(failed)?;
    let mut recorded = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let key = key_of(&row.get::<_, String>(0).map_err(failed)?)?;
        recorded.push((key, read_recorded(row, destination)));
    }
    Ok(recorded)
}

pub(super) fn park(connection: &Connection, key: &Key, why: Why) -> Result<bool> {
    connection
        .prepare_cached("UPDATE intentkey_recorded SET parked = ?2 WHERE key = ?1")
        .and_then(|mut update| update.execute([key.as_str(), why.as_str()]))
        .map(|updated| updated > 0)
        .map_err(failed)
}

pub(super) fn parked(connection: &Connection, after: Option<&Key>, limit: u32) -> Result<Vec<Parked>> {
    let mut select = connection
        .prepare_cached(
            "SELECT key, tenant, action, destination, parked, recorded_at FROM intentkey_recorded \
             WHERE parked IS NOT NULL AND key > ?1 ORDER BY key LIMIT ?2",
        )
        .map_err(failed)?;
    let mut rows = select.query(params![after.map_or("", Key::as_str), limit]).map_err(failed)?;
    let mut parked = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let text = |index| row.get::<_, String>(index).map_err(failed);
        parked.push(Parked {
            key: key_of(&text(0)?)?,
            tenant: text(1)?,
            action: text(2)?,
            destination: text(3)?,
            why: Why::parse(&text(4)?).ok_or(StoreError::Corrupt("parked"))?,
            recorded_at: row.get(5).map_err(failed).and_then(time)?,
        });
    }
    Ok(parked)
}

fn read_recorded(row: &rusqlite::Row<'_>, destination: &str) -> Result<Stored> {
    let text = |index| row.get::<_, String>(index).map_err(failed);
    let edge_key: Option<String> = row.get(2).map_err(failed)?;
    let edge_fingerprint: Option<[u8; 32]> = row.get(3).map_err(failed)?;
    let edge = match edge_key.zip(edge_fingerprint) {
        None => None,
        Some((key, fingerprint)) => Some((key_of(&key)?, Fingerprint::from_bytes(fingerprint))),
    };
    Ok(Stored {
        key: key_of(&text(0)?)?,
        fingerprint: Fingerprint::from_bytes(row.get(1).map_err(failed)?),
        edge,
        tenant: text(4)?,
        action: text(5)?,
        destination: destination.to_owned(),
        epoch_seconds: row.get(6).map_err(failed)?,
        ends_seconds: row.get(7).map_err(failed)?,
        ttl_millis: row.get(8).map_err(failed)?,
        secret_id: row.get(9).map_err(failed)?,
        policy_digest: row.get(10).map_err(failed)?,
        request: row.get(11).map_err(failed)?,
        wakes: false,
    })
}
