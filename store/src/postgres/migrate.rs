//! The schema, in versions.

use deadpool_postgres::Client;

use super::failed;
use crate::error::{Result, StoreError};

/// Version n is the nth. What has been released is never edited.
const MIGRATIONS: [&str; 5] = [
    include_str!("../../migrations/postgres/0001_intents.sql"),
    include_str!("../../migrations/postgres/0002_record_and_resolve.sql"),
    include_str!("../../migrations/postgres/0003_parked.sql"),
    include_str!("../../migrations/postgres/0004_no_checks.sql"),
    include_str!("../../migrations/postgres/0005_terms.sql"),
];

/// The advisory lock under which one process migrates: the first 8 bytes of SHA-256 of "intentkey".
const LOCK: i64 = -4169020957569740538;

/// Brings the schema to the newest version, each step in a transaction of its own. Where it is up to
/// date no right to change the schema is needed.
///
/// A step gives up after 5 seconds of waiting for a table's lock, and is tried again: whoever waits for
/// one makes every claim after it wait too.
pub(super) async fn migrate(client: &mut Client) -> Result<()> {
    let mut tries = 0;
    while version(client).await? < MIGRATIONS.len() {
        tries += 1;
        match step(client).await {
            Err(StoreError::Contended) if tries < 10 => {}
            stepped => stepped?,
        }
    }
    Ok(())
}

async fn version(client: &Client) -> Result<usize> {
    let exists = client
        .query_one(
            "SELECT to_regclass('intentkey_migrations') IS NOT NULL, to_regclass('intentkey_intents') IS NOT NULL",
            &[],
        )
        .await
        .and_then(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .map_err(failed)?;
    match exists {
        (true, _) => {}
        (false, false) => return Ok(0),
        (false, true) => return Err(StoreError::SchemaUnversioned),
    }
    let version: i32 = client
        .query_one("SELECT coalesce(max(version), 0) FROM intentkey_migrations", &[])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(failed)?;
    let version = usize::try_from(version).map_err(|_| StoreError::Corrupt("intentkey_migrations"))?;
    if version > MIGRATIONS.len() {
        let found = u32::try_from(version).unwrap_or(u32::MAX);
        return Err(StoreError::SchemaTooNew { found, known: MIGRATIONS.len() as u32 });
    }
    Ok(version)
}

async fn step(client: &mut Client) -> Result<()> {
    {
        let transaction = client.transaction().await.map_err(failed)?;
        transaction
            .batch_execute(&format!(
                "SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock({LOCK}); \
                 SET LOCAL lock_timeout = '5s'; \
                 CREATE TABLE IF NOT EXISTS intentkey_migrations ( \
                   version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())"
            ))
            .await
            .map_err(failed)?;
        // Another process may have come first.
        let version: i32 = transaction
            .query_one("SELECT coalesce(max(version), 0) FROM intentkey_migrations", &[])
            .await
            .and_then(|row| row.try_get(0))
            .map_err(failed)?;
        if let Some(migration) = usize::try_from(version).ok().and_then(|version| MIGRATIONS.get(version)) {
            transaction.batch_execute(migration).await.map_err(failed)?;
            transaction
                .execute("INSERT INTO intentkey_migrations (version) VALUES ($1)", &[&(version + 1)])
                .await
                .map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)
    }
}
