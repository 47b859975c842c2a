//! What goes wrong on the way to the server and in it.

use deadpool_postgres::{HookError, PoolError, TimeoutType};
use tokio_postgres::error::SqlState;

use crate::error::{DatabaseError, StoreError};

/// What the server says in the details of an error may hold a row's values, and is left out.
pub(super) fn failed(error: tokio_postgres::Error) -> StoreError {
    let Some(from_server) = error.as_db_error() else {
        let cause = std::error::Error::source(&error);
        let message = cause.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
        let mut failure = DatabaseError::new(None, message);
        failure.is_passing = error.is_closed() || cause.is_some_and(|cause| cause.is::<std::io::Error>());
        return StoreError::Database(failure);
    };
    let code = from_server.code();
    match *code {
        SqlState::T_R_SERIALIZATION_FAILURE => return StoreError::Serialization,
        SqlState::LOCK_NOT_AVAILABLE | SqlState::QUERY_CANCELED => return StoreError::Contended,
        _ => {}
    }
    let class = code.code().get(..2).unwrap_or_default();
    let mut failure = DatabaseError::new(Some(code.code().into()), from_server.message().into());
    failure.is_passing = class == "08"
        || matches!(
            *code,
            SqlState::T_R_DEADLOCK_DETECTED
                | SqlState::ADMIN_SHUTDOWN
                | SqlState::CRASH_SHUTDOWN
                | SqlState::CANNOT_CONNECT_NOW
                | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
                | SqlState::READ_ONLY_SQL_TRANSACTION
        );
    // Bad data, a broken constraint, too large.
    failure.is_of_one_row = matches!(class, "22" | "23" | "54");
    StoreError::Database(failure)
}

/// A broken connection, where it is being set up.
pub(super) const BROKEN: &str = "the connection broke while its session was set up";

pub(super) fn unpooled(error: PoolError) -> StoreError {
    match error {
        PoolError::PostCreateHook(HookError::Message(message)) if message == "fsync" => {
            StoreError::NotDurable("fsync")
        }
        PoolError::PostCreateHook(HookError::Message(message)) if message == "synchronous_commit" => {
            StoreError::NotDurable("synchronous_commit")
        }
        PoolError::PostCreateHook(HookError::Message(message)) => {
            let mut failure = DatabaseError::new(None, message.into_owned());
            failure.is_passing = failure.to_string() == BROKEN;
            StoreError::Database(failure)
        }
        PoolError::Timeout(TimeoutType::Wait) => StoreError::Contended,
        PoolError::Backend(error) => failed(error),
        error => StoreError::database(error),
    }
}

/// Whether the same may succeed on another connection, or a moment later.
pub(super) fn is_passing(error: &StoreError) -> bool {
    match error {
        StoreError::Database(error) => error.is_passing,
        StoreError::Serialization => true,
        _ => false,
    }
}

/// Whether the session is one that cannot write: of a standby, or begun while the server took no writes.
pub(super) fn is_read_only(error: &StoreError) -> bool {
    matches!(error, StoreError::Database(error) if error.code() == Some(SqlState::READ_ONLY_SQL_TRANSACTION.code()))
}
