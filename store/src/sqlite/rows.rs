//! Rows on a SQLite connection that is in a transaction.

use std::future::{Future, ready};
use std::time::{Duration, Instant};

use intentkey_core::protocol::{Status, Time, Timing};
use intentkey_core::{Fingerprint, Key};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::failed;
use crate::claim::Claim;
use crate::error::{Result, StoreError};
use crate::response::Stored;
use crate::row::Row;
use crate::rows::{COLUMNS, Entry, Found, Inserted, NOTABLE_WAIT, New, Reading, Rows, Write, columns};
use crate::terms::{of_columns, to_columns};
use crate::token::Token;

/// The database's time, in SQL.
macro_rules! now_sql {
    () => {
        "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)"
    };
}
pub(super) use now_sql;

/// The condition of the index of open rows.
macro_rules! open {
    () => {
        "i.status IN ('in_flight', 'released', 'unsettled')"
    };
}
pub(super) use open;

/// A connection in a transaction that has the write lock, or takes it with its first write.
pub(super) struct SqliteRows<'c>(pub(super) &'c Connection);

impl SqliteRows<'_> {
    fn insert(&self, new: &New<'_>) -> Result<Inserted> {
        let claim = new.claim;
        let at = now(self.0)?;
        let claimed_at = at.now;
        if claim.validity.timing(claimed_at, claim.ttl) != Timing::InTime {
            return Ok(Inserted::Not);
        }
        let execute_by = claimed_at + claim.target.execution;
        let (retention, delay) = to_columns(claim.target.terms);
        let inserted = self.0.prepare_cached(
            "INSERT INTO intentkey_intents (key, fingerprint, tenant, action, destination, status, created_at, \
             claimed_at, expires_at, owner_token, execute_by, next_look_at, secret_id, policy_digest, edge_key, \
             key_retention_ms, longest_delay_ms) \
             VALUES (?1, ?2, ?3, ?4, ?5, 'in_flight', ?6, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) \
             ON CONFLICT (key) DO NOTHING",
        );
        let inserted = inserted.and_then(|mut insert| {
            insert.execute(params![
                claim.key.as_str(),
                claim.fingerprint.as_bytes(),
                claim.tenant,
                claim.action,
                claim.target.name,
                millis(claimed_at),
                millis(claim.validity.expires_at(claimed_at, claim.ttl)),
                new.token.as_bytes(),
                millis(execute_by),
                millis(claimed_at + new.first_look),
                claim.secret_id,
                claim.policy_digest,
                claim.edge.as_ref().map(|(edge, _)| edge.as_str()),
                retention,
                delay,
            ])
        });
        if inserted.map_err(failed)? == 0 {
            return Ok(Inserted::Not);
        }
        // The insertion may have waited for the write lock, in a transaction of the caller's: far less than
        // the sweep's margin, or the clock is read again.
        let has_waited = at.begun.elapsed() >= NOTABLE_WAIT;
        let now = if has_waited { now(self.0)?.now } else { claimed_at };
        let in_time = claim.validity.timing(now, claim.ttl) == Timing::InTime;
        if !in_time || !self.insert_edge(new, claimed_at)? {
            self.0
                .prepare_cached("DELETE FROM intentkey_intents WHERE key = ?1")
                .and_then(|mut delete| delete.execute([claim.key.as_str()]))
                .map_err(failed)?;
            return Ok(Inserted::Not);
        }
        Ok(Inserted::Ours { execute_by, at, has_waited })
    }

    /// Whether the edge key was free, or there is none. Whoever has the write lock cannot meet another in
    /// the opposite order.
    fn insert_edge(&self, new: &New<'_>, claimed_at: Time) -> Result<bool> {
        let Some((edge, fingerprint)) = &new.claim.edge else { return Ok(true) };
        let inserted = self.0.prepare_cached(
            "INSERT INTO intentkey_intents (key, owner_key, fingerprint, tenant, status, created_at) \
             VALUES (?1, ?2, ?3, ?4, 'edge', ?5) ON CONFLICT (key) DO NOTHING",
        );
        let inserted = inserted.and_then(|mut insert| {
            let key = new.claim.key.as_str();
            let created_at = millis(claimed_at);
            insert.execute(params![edge.as_str(), key, fingerprint.as_bytes(), new.claim.tenant, created_at])
        });
        Ok(inserted.map_err(failed)? == 1)
    }

    pub(super) fn find(&self, key: &Key, edge: Option<&Key>) -> Result<Found> {
        let entry = self.0.prepare_cached(concat!(
            "SELECT ",
            columns!(),
            ", entry.key, entry.fingerprint, entry.tenant FROM intentkey_intents AS entry \
             JOIN intentkey_intents AS i ON i.key = coalesce(entry.owner_key, entry.key) \
             WHERE entry.key IN (?1, ?2) ORDER BY entry.key = ?1 DESC LIMIT 1"
        ));
        let entry = entry.and_then(|mut select| {
            let keys = [key.as_str(), edge.unwrap_or(key).as_str()];
            select.query_row(keys, |row| Ok(read_entry(row))).optional()
        });
        let entry = entry.map_err(failed)?.transpose()?;
        Ok(Found { at: now(self.0)?, entry })
    }

    fn change<T>(
        &self,
        key: &Key,
        mut decide: impl FnMut(&mut Row, Reading) -> (T, Write),
    ) -> Result<Option<T>> {
        let row = self
            .0
            .prepare_cached(concat!(
                "SELECT ",
                columns!(),
                " FROM intentkey_intents AS i WHERE i.key = ?1 AND i.status <> 'edge'"
            ))
            .and_then(|mut select| select.query_row([key.as_str()], |row| Ok(read(row))).optional());
        let Some(mut row) = row.map_err(failed)?.transpose()? else { return Ok(None) };
        let at = now(self.0)?;
        let (outcome, write) = decide(&mut row, at);
        match write {
            Write::No => {}
            Write::Yes => self.write(&row)?,
            Write::OnRecord(resolving) => {
                self.write(&row)?;
                self.0
                    .prepare_cached(
                        "INSERT INTO intentkey_resolutions (key, resolution, resolved_by, note, resolved_at) \
                         VALUES (?1, ?2, ?3, ?4, ?5)",
                    )
                    .and_then(|mut insert| {
                        let word = resolving.word();
                        insert.execute(params![
                            key.as_str(),
                            word,
                            resolving.by,
                            resolving.note,
                            millis(at.now)
                        ])
                    })
                    .map_err(failed)?;
            }
        }
        Ok(Some(outcome))
    }

    fn write(&self, row: &Row) -> Result<()> {
        let update = self.0.prepare_cached(
            "UPDATE intentkey_intents SET status = ?2, response_code = ?3, response_headers = ?4, \
             response_body = ?5, claimed_at = ?6, expires_at = ?7, owner_token = ?8, execute_by = ?9, \
             uncertain = ?10, recovery_attempts = ?11, next_look_at = ?12, destination = ?13, \
             key_retention_ms = ?14, longest_delay_ms = ?15 WHERE key = ?1",
        );
        let (retention, delay) = row.terms.map(to_columns).unzip();
        update
            .and_then(|mut update| {
                update.execute(params![
                    row.key.as_str(),
                    row.status.as_str(),
                    row.response.as_ref().map(|response| response.status),
                    row.response.as_ref().map(|response| &response.headers),
                    row.response.as_ref().map(|response| &response.body),
                    millis(row.claimed_at),
                    millis(row.expires_at),
                    row.token.as_bytes(),
                    millis(row.execute_by),
                    row.uncertain,
                    row.recovery_attempts,
                    millis(row.next_look_at),
                    row.destination,
                    retention,
                    delay,
                ])
            })
            .map_err(failed)?;
        if row.status != Status::Done {
            return Ok(());
        }
        self.forget_intent(&row.key, &row.fingerprint, &row.tenant)
    }

    fn forget_intent(&self, key: &Key, fingerprint: &Fingerprint, tenant: &str) -> Result<()> {
        let delete = "DELETE FROM intentkey_recorded WHERE key = ?1 AND fingerprint = ?2 AND tenant = ?3";
        self.0
            .prepare_cached(delete)
            .and_then(|mut delete| delete.execute(params![key.as_str(), fingerprint.as_bytes(), tenant]))
            .map(drop)
            .map_err(failed)
    }

    pub(super) fn forget(&self, key: &Key) -> Result<bool> {
        self.0
            .prepare_cached("DELETE FROM intentkey_recorded WHERE key = ?1")
            .and_then(|mut delete| delete.execute([key.as_str()]))
            .map(|deleted| deleted > 0)
            .map_err(failed)
    }
}

/// Everything is ready at once: nothing here waits but for SQLite itself.
impl Rows for SqliteRows<'_> {
    fn insert(&mut self, new: &New<'_>, _careful: bool) -> impl Future<Output = Result<Inserted>> + Send {
        ready(SqliteRows::insert(self, new))
    }

    fn find(&mut self, key: &Key, edge: Option<&Key>) -> impl Future<Output = Result<Found>> + Send {
        ready(SqliteRows::find(self, key, edge))
    }

    fn change<T: Send>(
        &mut self,
        key: &Key,
        decide: impl FnMut(&mut Row, Reading) -> (T, Write) + Send,
    ) -> impl Future<Output = Result<Option<T>>> + Send {
        ready(SqliteRows::change(self, key, decide))
    }

    fn forget(&mut self, claim: &Claim) -> impl Future<Output = Result<()>> + Send {
        ready(self.forget_intent(&claim.key, &claim.fingerprint, &claim.tenant))
    }
}

/// The database's time.
pub(super) fn now(connection: &Connection) -> Result<Reading> {
    let begun = Instant::now();
    connection
        .prepare_cached(concat!("SELECT ", now_sql!()))
        .and_then(|mut select| select.query_row([], |row| row.get(0)))
        .map_err(failed)
        .and_then(time)
        .map(|now| Reading { now, begun })
}

pub(super) fn millis(time: Time) -> i64 {
    i64::try_from(time.millis()).unwrap_or(i64::MAX)
}

/// A hundred years: what is added to a time stays a time.
const LONGEST_MILLIS: i64 = 100 * 366 * 86_400_000;

pub(super) fn millis_of(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX).min(LONGEST_MILLIS)
}

pub(super) fn time(millis: i64) -> Result<Time> {
    u64::try_from(millis).map(Time::from_millis).map_err(|_| StoreError::Corrupt("a time"))
}

fn read_entry(row: &rusqlite::Row<'_>) -> Result<Entry> {
    let key: String = row.get(COLUMNS).map_err(failed)?;
    Ok(Entry {
        key: key_of(&key)?,
        fingerprint: Fingerprint::from_bytes(row.get(COLUMNS + 1).map_err(failed)?),
        tenant: row.get(COLUMNS + 2).map_err(failed)?,
        row: read(row)?,
    })
}

pub(super) fn key_of(key: &str) -> Result<Key> {
    Key::parse(key).ok_or(StoreError::Corrupt("key"))
}

pub(super) fn read(row: &rusqlite::Row<'_>) -> Result<Row> {
    let text = |index| row.get::<_, String>(index).map_err(failed);
    let at = |index| row.get::<_, i64>(index).map_err(failed).and_then(time);
    let status = Status::parse(&text(5)?).ok_or(StoreError::Corrupt("status"))?;
    let response = match row.get::<_, Option<u16>>(6).map_err(failed)? {
        None => None,
        Some(status) => {
            Some(Stored { status, headers: row.get(7).map_err(failed)?, body: row.get(8).map_err(failed)? })
        }
    };
    Ok(Row {
        key: key_of(&text(0)?)?,
        tenant: text(1)?,
        action: text(2)?,
        destination: text(3)?,
        fingerprint: Fingerprint::from_bytes(row.get(4).map_err(failed)?),
        status,
        response,
        created_at: at(9)?,
        claimed_at: at(10)?,
        expires_at: at(11)?,
        token: Token::read(&row.get::<_, Vec<u8>>(12).map_err(failed)?)?,
        execute_by: at(13)?,
        uncertain: row.get(14).map_err(failed)?,
        recovery_attempts: row.get(15).map_err(failed)?,
        next_look_at: at(16)?,
        secret_id: row.get(17).map_err(failed)?,
        policy_digest: row.get(18).map_err(failed)?,
        terms: of_columns(row.get(19).map_err(failed)?, row.get(20).map_err(failed)?),
    })
}
