//! Stores by URL.

use crate::error::{Result, StoreError};
use crate::options::Options;
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::Store;

/// Opens a store by its URL, and brings its schema up to date: `sqlite:intents.db` (a path),
/// `sqlite::memory:`, or `postgres://user:password@host/database`.
///
/// # Errors
///
/// [`StoreError::Url`], [`StoreError::NotDurable`], [`StoreError::SchemaTooNew`],
/// [`StoreError::Database`].
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use intentkey_store::{Options, open};
///
/// let store = open("sqlite::memory:", Options::default()).await?;
/// assert_eq!(store.counts().await?.done, 0);
/// # Ok::<(), intentkey_store::StoreError>(())
/// # }).unwrap();
/// ```
pub async fn open(url: &str, options: Options) -> Result<Box<dyn Store>> {
    match url.split_once(':') {
        Some(("sqlite", ":memory:")) => Ok(Box::new(SqliteStore::in_memory(options)?)),
        Some(("sqlite", path)) => {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() {
                return Err(StoreError::Url("a path follows sqlite:"));
            }
            Ok(Box::new(SqliteStore::open(path, options)?))
        }
        Some(("postgres" | "postgresql", _)) => Ok(Box::new(PostgresStore::connect(url, options).await?)),
        _ => Err(StoreError::Url("it begins with sqlite: or postgres:")),
    }
}
