//! The schema, in versions.

use rusqlite::{Connection, TransactionBehavior};

use super::failed;
use crate::error::{Result, StoreError};

/// Version n is the nth. What has been released is never edited.
const MIGRATIONS: [&str; 2] = [
    include_str!("../../migrations/sqlite/0001_intents.sql"),
    include_str!("../../migrations/sqlite/0002_record_and_resolve.sql"),
];

/// Brings the schema to the newest version, each step in a transaction of its own.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    loop {
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let version: usize = transaction
            .query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get::<_, i64>(0))
            .map_err(failed)
            .and_then(|version| usize::try_from(version).map_err(|_| StoreError::Corrupt("user_version")))?;
        let Some(migration) = MIGRATIONS.get(version) else {
            return if version == MIGRATIONS.len() { Ok(()) } else { Err(too_new(version)) };
        };
        transaction.execute_batch(migration).map_err(failed)?;
        transaction.pragma_update(None, "user_version", version as i64 + 1).map_err(failed)?;
        transaction.commit().map_err(failed)?;
    }
}

fn too_new(version: usize) -> StoreError {
    let version = u32::try_from(version).unwrap_or(u32::MAX);
    StoreError::SchemaTooNew { found: version, known: MIGRATIONS.len() as u32 }
}
