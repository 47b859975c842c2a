//! The schema, in versions.
//!
//! The versions are in a table of their own, as on PostgreSQL: `PRAGMA user_version` is one number for the
//! whole file, and belongs to the application whose file it is.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::failed;
use super::rows::now_sql;
use crate::error::{Result, StoreError};

/// Version n is the nth. What has been released is never edited.
const MIGRATIONS: [&str; 4] = [
    include_str!("../../migrations/sqlite/0001_intents.sql"),
    include_str!("../../migrations/sqlite/0002_record_and_resolve.sql"),
    include_str!("../../migrations/sqlite/0003_parked.sql"),
    include_str!("../../migrations/sqlite/0004_terms.sql"),
];

/// Brings the schema to the newest version, each step in a transaction of its own.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    loop {
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let version = version(&transaction)?;
        let Some(migration) = MIGRATIONS.get(version) else {
            return if version == MIGRATIONS.len() { Ok(()) } else { Err(too_new(version)) };
        };
        transaction.execute_batch(migration).map_err(failed)?;
        let insert =
            concat!("INSERT INTO intentkey_migrations (version, applied_at) VALUES (?1, ", now_sql!(), ")");
        transaction.execute(insert, [version as i64 + 1]).map_err(failed)?;
        transaction.commit().map_err(failed)?;
    }
}

fn version(transaction: &Transaction<'_>) -> Result<usize> {
    if !exists(transaction, "intentkey_migrations")? {
        if exists(transaction, "intentkey_intents")? {
            return Err(StoreError::SchemaUnversioned);
        }
        let create = "CREATE TABLE intentkey_migrations (version integer PRIMARY KEY, applied_at integer NOT NULL) STRICT";
        transaction.execute_batch(create).map_err(failed)?;
    }
    let version: i64 = transaction
        .query_row("SELECT coalesce(max(version), 0) FROM intentkey_migrations", [], |row| row.get(0))
        .map_err(failed)?;
    usize::try_from(version).map_err(|_| StoreError::Corrupt("intentkey_migrations"))
}

/// Asked of the file: what the connection remembers of its schema may be older.
fn exists(transaction: &Transaction<'_>, table: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)";
    transaction.query_row(sql, [table], |row| row.get(0)).map_err(failed)
}

fn too_new(version: usize) -> StoreError {
    let version = u32::try_from(version).unwrap_or(u32::MAX);
    StoreError::SchemaTooNew { found: version, known: MIGRATIONS.len() as u32 }
}
