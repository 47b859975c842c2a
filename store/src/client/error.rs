//! Why there is no answer.

use std::fmt;

use intentkey_core::Key;

use crate::error::StoreError;

/// Why a request with an intent has no answer. In `reqwest_middleware::Error::Middleware`, from which
/// `downcast_ref` takes it.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The intent could not be recorded or claimed; nothing was sent.
    Store(StoreError),
    /// The body is a stream, which cannot be sent twice.
    Stream,
    /// The key was used for another request; nothing was sent.
    KeyReused,
    /// Another attempt of this intent is under way, here or in another process.
    InFlight {
        /// When to ask again, in seconds.
        retry_after: u64,
    },
    /// No attempt reached the destination: the intent may be tried again, with its key.
    NotSent(Key),
    /// An attempt may have had its effect. Recovery goes on with the key; never use another.
    StillUnknown(Key),
    /// The outcome was given up on, here or at the destination: reconcile.
    Unsettled(Key),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClientError::Store(error) => return write!(f, "nothing was sent: {error}"),
            ClientError::Stream => "the body is a stream, which cannot be sent twice: give its bytes",
            ClientError::KeyReused => "the key was used for another request: nothing was sent",
            ClientError::InFlight { .. } => "another attempt of this intent is under way",
            ClientError::NotSent(_) => "the destination could not be reached: nothing was sent",
            ClientError::StillUnknown(_) => {
                "the outcome is unknown: recovery goes on with the same key, and no other may be used"
            }
            ClientError::Unsettled(_) => "the outcome was given up on: reconcile it",
        })
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ClientError::Store(error) => Some(error),
            _ => None,
        }
    }
}

impl From<StoreError> for ClientError {
    fn from(error: StoreError) -> Self {
        ClientError::Store(error)
    }
}
