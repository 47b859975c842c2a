//! The statements on rows, each with what makes it right under concurrency.

use std::time::{Duration, Instant, SystemTime};

use intentkey_core::protocol::{Status, Time};
use intentkey_core::{Fingerprint, Key};
use tokio_postgres::types::FromSql;

use super::failed;
use super::session::Session;
use crate::claim::Claim;
use crate::error::{Result, StoreError};
use crate::resolve::Resolving;
use crate::response::Stored;
use crate::row::Row;
use crate::rows::{COLUMNS, Entry, Found, NOTABLE_WAIT, New, Reading, columns};
use crate::terms::{of_columns, to_columns};
use crate::token::Token;

/// How long a statement takes at most: the server ends it then.
#[derive(Clone)]
pub(super) struct LongestWait {
    pub(super) wait: Duration,
    /// What `statement_timeout` reads in a session that it was found right in. Claims compare the text:
    /// the server takes several microseconds to read it as an interval.
    pub(super) setting: String,
}

/// A row that was inserted.
pub(super) struct InsertedRow {
    /// The clock that the row was made of.
    pub(super) at: Reading,
    /// The server's time after the insertion.
    pub(super) now: Time,
}

/// Inserts a claim's row, where its key is free and the claim will still come in time after the longest
/// wait.
///
/// The times in the row are read before the insertion, which may wait for another transaction that has
/// inserted the same key; RETURNING is evaluated after it. With a longest wait, nothing is inserted in a
/// session whose timeout is another: in a pool of the caller's, somebody may have set it.
pub(super) async fn insert(
    session: &impl Session,
    new: &New<'_>,
    longest: Option<&LongestWait>,
) -> Result<Option<InsertedRow>> {
    let claim = new.claim;
    let begun = Instant::now();
    let (retention, delay) = to_columns(claim.target.terms);
    let latest = claim.validity.latest(claim.ttl);
    let expires_at = latest.map(system_time);
    // Times in the place of "never": with `IS NULL OR` the server would plan every execution anew.
    let latest = system_time(latest.unwrap_or(LATEST));
    let earliest = system_time(claim.validity.earliest().unwrap_or(Time::from_millis(0)));
    let row = session.row(
        "INSERT INTO intentkey_intents (key, fingerprint, tenant, action, destination, status, created_at, \
           claimed_at, expires_at, owner_token, execute_by, next_look_at, secret_id, policy_digest, \
           edge_key, key_retention_ms, longest_delay_ms) \
         SELECT $1, $2, $3, $4, $5, 'in_flight', t.now, t.now, \
           coalesce($6, t.now + $7 * interval '1 millisecond'), $8, \
           t.now + $9 * interval '1 millisecond', t.now + $10 * interval '1 millisecond', $11, $12, $16, \
           $18, $19 \
         FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) AS t \
         WHERE t.now >= $13 AND t.now + $14 * interval '1 millisecond' < $15 \
           AND coalesce($17 = current_setting('statement_timeout'), true) \
         ON CONFLICT (key) DO NOTHING \
         RETURNING claimed_at, clock_timestamp()",
        &[
            &claim.key.as_str(),
            &claim.fingerprint.as_bytes().as_slice(),
            &claim.tenant,
            &claim.action,
            &claim.target.name,
            &expires_at,
            &millis(claim.ttl),
            &new.token.as_bytes().as_slice(),
            &millis(claim.target.execution),
            &millis(new.first_look),
            &claim.secret_id,
            &claim.policy_digest,
            &earliest,
            &millis(longest.map_or(Duration::ZERO, |longest| longest.wait)),
            &latest,
            &claim.edge.as_ref().map(|(edge, _)| edge.as_str()),
            &longest.map(|longest| longest.setting.as_str()),
            &retention,
            &delay,
        ],
    )
    .await
    .map_err(failed)?;
    let Some(row) = row else { return Ok(None) };
    let at = Reading { now: time(&row, 0)?, begun };
    Ok(Some(InsertedRow { at, now: time(&row, 1)? }))
}

/// Inserts the row of an edge key, which points to its intent's. The server's time after the insertion, where
/// the edge key was free.
pub(super) async fn insert_edge(
    session: &impl Session,
    new: &New<'_>,
    edge: &(Key, Fingerprint),
) -> Result<Option<Time>> {
    let row = session
        .row(
            "INSERT INTO intentkey_intents (key, owner_key, fingerprint, tenant, status, created_at) \
         VALUES ($1, $2, $3, $4, 'edge', date_trunc('milliseconds', clock_timestamp())) \
         ON CONFLICT (key) DO NOTHING RETURNING clock_timestamp()",
            &[&edge.0.as_str(), &new.claim.key.as_str(), &edge.1.as_bytes().as_slice(), &new.claim.tenant],
        )
        .await
        .map_err(failed)?;
    row.map(|row| time(&row, 0)).transpose()
}

/// The entry of the key, else that of the edge key.
pub(super) async fn find(session: &impl Session, key: &Key, edge: Option<&Key>) -> Result<Found> {
    let begun = Instant::now();
    let row = session
        .row(
            concat!(
                "SELECT ",
                columns!(),
                ", entry.key, entry.fingerprint, entry.tenant, t.now \
             FROM (SELECT clock_timestamp() AS now) AS t \
             LEFT JOIN (intentkey_intents AS entry \
               JOIN intentkey_intents AS i ON i.key = coalesce(entry.owner_key, entry.key)) \
             ON entry.key IN ($1, $2) ORDER BY entry.key = $1 DESC LIMIT 1"
            ),
            &[&key.as_str(), &edge.unwrap_or(key).as_str()],
        )
        .await
        .map_err(failed)?;
    let row = row.ok_or(StoreError::Corrupt("no time"))?;
    let at = Reading { now: time(&row, COLUMNS + 3)?, begun };
    let entry = match get::<Option<&str>>(&row, COLUMNS)? {
        None => None,
        Some(key) => Some(Entry {
            key: key_of(key)?,
            fingerprint: fingerprint(&row, COLUMNS + 1)?,
            tenant: get(&row, COLUMNS + 2)?,
            row: read(&row)?,
        }),
    };
    Ok(Found { at, entry })
}

/// Locks the row of a key that is no edge key, and reads the clock.
///
/// The clock is read over the locked row: in the target list of a SELECT with FOR UPDATE it would be
/// read below the node that locks, before the wait. Where the lock was waited for it is read once more,
/// since this machine's clock was read before the wait.
pub(super) async fn lock(session: &impl Session, key: &Key) -> Result<Option<(Row, Reading)>> {
    let begun = Instant::now();
    let row = session
        .row(
            concat!(
                "WITH i AS MATERIALIZED ( \
               SELECT * FROM intentkey_intents WHERE key = $1 AND status <> 'edge' FOR UPDATE) \
             SELECT ",
                columns!(),
                ", clock_timestamp() FROM i"
            ),
            &[&key.as_str()],
        )
        .await
        .map_err(failed)?;
    let Some(row) = row else { return Ok(None) };
    let at = match begun.elapsed() < NOTABLE_WAIT {
        true => Reading { now: time(&row, COLUMNS)?, begun },
        false => now(session).await?,
    };
    Ok(Some((read(&row)?, at)))
}

/// Writes what can change of a locked row. What was recorded of it goes when it is done.
///
/// A response that is there never changes, and is left where it is: a repeat that moves the expiry would
/// otherwise write a large body anew.
pub(super) async fn write(session: &impl Session, row: &Row) -> Result<()> {
    let (retention, delay) = row.terms.map(to_columns).unzip();
    session
        .rows(
            "WITH done AS (DELETE FROM intentkey_recorded \
           WHERE key = $1 AND $2 = 'done' AND fingerprint = $14 AND tenant = $15) \
         UPDATE intentkey_intents SET status = $2, response_code = coalesce(response_code, $3), \
           response_headers = coalesce(response_headers, $4), response_body = coalesce(response_body, $5), \
           claimed_at = $6, expires_at = $7, owner_token = $8, execute_by = $9, uncertain = $10, \
           recovery_attempts = $11, next_look_at = $12, destination = $13, key_retention_ms = $16, \
           longest_delay_ms = $17 WHERE key = $1",
            &[
                &row.key.as_str(),
                &row.status.as_str(),
                &row.response.as_ref().map(|response| i32::from(response.status)),
                &row.response.as_ref().map(|response| response.headers.as_slice()),
                &row.response.as_ref().map(|response| response.body.as_slice()),
                &system_time(row.claimed_at),
                &system_time(row.expires_at),
                &row.token.as_bytes().as_slice(),
                &system_time(row.execute_by),
                &row.uncertain,
                &i32::try_from(row.recovery_attempts).unwrap_or(i32::MAX),
                &system_time(row.next_look_at),
                &row.destination,
                &row.fingerprint.as_bytes().as_slice(),
                &row.tenant,
                &retention,
                &delay,
            ],
        )
        .await
        .map_err(failed)?;
    Ok(())
}

pub(super) async fn put_on_record(
    session: &impl Session,
    key: &Key,
    resolving: &Resolving,
    now: Time,
) -> Result<()> {
    session
        .rows(
            "INSERT INTO intentkey_resolutions (key, resolution, resolved_by, note, resolved_at) \
         VALUES ($1, $2, $3, $4, $5)",
            &[&key.as_str(), &resolving.word(), &resolving.by, &resolving.note, &system_time(now)],
        )
        .await
        .map_err(failed)?;
    Ok(())
}

pub(super) async fn forget(session: &impl Session, key: &Key) -> Result<bool> {
    let sql = "DELETE FROM intentkey_recorded WHERE key = $1 RETURNING true";
    Ok(session.row(sql, &[&key.as_str()]).await.map_err(failed)?.is_some())
}

pub(super) async fn forget_claim(session: &impl Session, claim: &Claim) -> Result<()> {
    session
        .rows(
            "DELETE FROM intentkey_recorded WHERE key = $1 AND fingerprint = $2 AND tenant = $3",
            &[&claim.key.as_str(), &claim.fingerprint.as_bytes().as_slice(), &claim.tenant],
        )
        .await
        .map(drop)
        .map_err(failed)
}

/// The server's time.
pub(super) async fn now(session: &impl Session) -> Result<Reading> {
    let begun = Instant::now();
    let row = session.row("SELECT clock_timestamp()", &[]).await.map_err(failed)?;
    Ok(Reading { now: time(&row.ok_or(StoreError::Corrupt("no time"))?, 0)?, begun })
}

/// The latest time that is stored: the year 9999. PostgreSQL's own end is later, a duration's is not.
const LATEST: Time = Time::from_seconds(253_402_300_799);

pub(super) fn system_time(time: Time) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(time.min(LATEST).millis())
}

/// A duration in milliseconds, as PostgreSQL multiplies an interval with; at most a hundred years.
pub(super) fn millis(duration: Duration) -> f64 {
    duration.as_millis().min(100 * 366 * 86_400_000) as f64
}

pub(super) fn get<'r, T: FromSql<'r>>(row: &'r tokio_postgres::Row, index: usize) -> Result<T> {
    row.try_get(index).map_err(|_| StoreError::Corrupt("a column"))
}

pub(super) fn time(row: &tokio_postgres::Row, index: usize) -> Result<Time> {
    let since = get::<SystemTime>(row, index)?
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_err(|_| StoreError::Corrupt("a time before 1970"))?;
    Ok(Time::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX)))
}

pub(super) fn fingerprint(row: &tokio_postgres::Row, index: usize) -> Result<Fingerprint> {
    let bytes: [u8; 32] =
        get::<&[u8]>(row, index)?.try_into().map_err(|_| StoreError::Corrupt("fingerprint"))?;
    Ok(Fingerprint::from_bytes(bytes))
}

pub(super) fn key_of(key: &str) -> Result<Key> {
    Key::parse(key).ok_or(StoreError::Corrupt("key"))
}

pub(super) fn read(row: &tokio_postgres::Row) -> Result<Row> {
    let status = Status::parse(get(row, 5)?).ok_or(StoreError::Corrupt("status"))?;
    let response = match get::<Option<i32>>(row, 6)? {
        None => None,
        Some(status) => Some(Stored {
            status: u16::try_from(status).map_err(|_| StoreError::Corrupt("response_code"))?,
            headers: get(row, 7)?,
            body: get(row, 8)?,
        }),
    };
    if response.is_some() != (status == Status::Done) {
        return Err(StoreError::Corrupt("response"));
    }
    Ok(Row {
        key: key_of(get(row, 0)?)?,
        tenant: get(row, 1)?,
        action: get(row, 2)?,
        destination: get(row, 3)?,
        fingerprint: fingerprint(row, 4)?,
        status,
        response,
        created_at: time(row, 9)?,
        claimed_at: time(row, 10)?,
        expires_at: time(row, 11)?,
        token: Token::read(get(row, 12)?)?,
        execute_by: time(row, 13)?,
        uncertain: get(row, 14)?,
        recovery_attempts: get::<i32>(row, 15)?.unsigned_abs(),
        next_look_at: time(row, 16)?,
        secret_id: get(row, 17)?,
        policy_digest: get(row, 18)?,
        terms: of_columns(get(row, 19)?, get(row, 20)?),
    })
}
