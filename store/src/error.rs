//! What goes wrong. Expected outcomes (in flight, conflict, unsettled) are values, not errors.

use std::fmt;

use intentkey_core::protocol::RetentionError;

/// Why the store could not do what was asked. No text of a payload, a response or a secret is in it.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The URL is none that a store can be opened at.
    Url(&'static str),
    /// The database would forget what it has confirmed: what must be switched on.
    NotDurable(&'static str),
    /// The database's schema is newer than this program knows.
    SchemaTooNew {
        /// The database's version.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// The database cannot be reached, or answered with an error.
    ///
    /// A claim or a settlement may have been written all the same. A claim that was, is recovered after
    /// its `execute_by`; a settlement can be repeated.
    Database(Box<dyn std::error::Error + Send + Sync>),
    /// The caller's transaction met a concurrent one: roll it back and run it again.
    ///
    /// From `claim_in` alone, in a transaction that is REPEATABLE READ or SERIALIZABLE.
    Serialization,
    /// Others changed the row at every turn: try again.
    Contended,
    /// What is stored is not what this program writes.
    Corrupt(&'static str),
    /// A response cannot be stored: its status or a header is not valid in HTTP.
    Response(&'static str),
    /// The policy's retention does not say for how long outcomes are kept.
    Retention(RetentionError),
    /// A body could not be sealed or opened.
    Seal(Box<dyn std::error::Error + Send + Sync>),
    /// A statement cannot be read, at this line.
    Statement {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

/// What the store's functions return.
pub type Result<T> = std::result::Result<T, StoreError>;

impl StoreError {
    pub(crate) fn database(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        StoreError::Database(Box::new(error))
    }
}

impl From<RetentionError> for StoreError {
    fn from(error: RetentionError) -> Self {
        StoreError::Retention(error)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Url(message) => write!(f, "the database's URL: {message}"),
            StoreError::NotDurable(setting) => write!(
                f,
                "the database may forget what it has confirmed: switch {setting} on, or say unsafe_without_durability"
            ),
            StoreError::SchemaTooNew { found, known } => write!(
                f,
                "the database's schema has version {found}, and this program knows {known}: use a newer program"
            ),
            StoreError::Database(error) => write!(f, "the database: {error}"),
            StoreError::Serialization => {
                f.write_str("the transaction met a concurrent one: roll it back and run it again")
            }
            StoreError::Contended => f.write_str("others changed the row at every turn: try again"),
            StoreError::Corrupt(what) => write!(f, "the database holds a row that cannot be read: {what}"),
            StoreError::Response(message) => write!(f, "the response cannot be stored: {message}"),
            StoreError::Retention(error) => error.fmt(f),
            StoreError::Seal(error) => write!(f, "a body could not be sealed or opened: {error}"),
            StoreError::Statement { line, message } => write!(f, "line {line} of the statement: {message}"),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StoreError::Database(error) | StoreError::Seal(error) => Some(&**error),
            _ => None,
        }
    }
}
