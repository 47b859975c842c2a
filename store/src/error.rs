//! What goes wrong. Expected outcomes (in flight, conflict, unsettled) are values, not errors.

use std::fmt;

use intentkey_core::protocol::RetentionError;

/// Why the store could not do what was asked. No text of a payload, a response or a secret is in it.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The URL is none that a store can be opened at.
    Url(&'static str),
    /// The file is not there, and was not to be made
    /// ([`Options::existing_only`](crate::Options::existing_only)).
    Missing,
    /// The database would forget what it has confirmed: what must be switched on.
    NotDurable(&'static str),
    /// The database's schema is newer than this program knows.
    SchemaTooNew {
        /// The database's version.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// The database has tables of this crate's, and not their version: another program made them, or the
    /// table of versions is lost.
    SchemaUnversioned,
    /// The database cannot be reached, or answered with an error.
    ///
    /// A claim or a settlement may have been written all the same. A claim that was, is recovered after
    /// its `execute_by`; a settlement can be repeated.
    Database(DatabaseError),
    /// The caller's transaction met a concurrent one: roll it back and run it again.
    ///
    /// From `claim_in` alone, in a transaction that is REPEATABLE READ or SERIALIZABLE.
    Serialization,
    /// Others hold the row, all connections, or the whole database for too long: try again.
    Contended,
    /// What is stored is not what this program writes.
    Corrupt(&'static str),
    /// A text cannot be stored: which, and why.
    Text(&'static str),
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

/// What a database answered, or what happened on the way to it: its code and its message, and nothing that
/// may hold a row's values.
#[derive(Debug)]
pub struct DatabaseError {
    code: Option<String>,
    message: String,
    /// Whether the same may succeed on another connection, or a moment later.
    pub(crate) is_passing: bool,
    /// Whether it comes of what one row holds.
    pub(crate) is_of_one_row: bool,
}

impl DatabaseError {
    pub(crate) fn new(code: Option<String>, message: String) -> Self {
        DatabaseError { code, message, is_passing: false, is_of_one_row: false }
    }

    /// PostgreSQL's SQLSTATE, or SQLite's extended result code; `None` where no database answered.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.code {
            Some(code) => write!(f, "{} ({code})", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for DatabaseError {}

/// What the store's functions return.
pub type Result<T> = std::result::Result<T, StoreError>;

impl StoreError {
    pub(crate) fn database(error: impl std::error::Error) -> Self {
        StoreError::Database(DatabaseError::new(None, error.to_string()))
    }

    /// Whether it comes of one row, so that others can still be worked on.
    pub(crate) fn is_of_one_row(&self) -> bool {
        match self {
            StoreError::Database(error) => error.is_of_one_row,
            StoreError::Contended
            | StoreError::Corrupt(_)
            | StoreError::Response(_)
            | StoreError::Seal(_)
            | StoreError::Text(_) => true,
            _ => false,
        }
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
            StoreError::Missing => f.write_str("there is no such database"),
            StoreError::NotDurable(setting) => write!(
                f,
                "the database may forget what it has confirmed: switch {setting} on, or say unsafe_without_durability"
            ),
            StoreError::SchemaTooNew { found, known } => write!(
                f,
                "the database's schema has version {found}, and this program knows {known}: use a newer program"
            ),
            StoreError::SchemaUnversioned => f.write_str(
                "the database has the table intentkey_intents and no intentkey_migrations: its version is unknown",
            ),
            StoreError::Database(error) => write!(f, "the database: {error}"),
            StoreError::Serialization => {
                f.write_str("the transaction met a concurrent one: roll it back and run it again")
            }
            StoreError::Contended => f.write_str("others hold the row, the connections or the database for too long: try again"),
            StoreError::Corrupt(what) => write!(f, "the database holds a row that cannot be read: {what}"),
            StoreError::Text(message) => f.write_str(message),
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
            StoreError::Seal(error) => Some(&**error),
            _ => None,
        }
    }
}
