//! Intents of requests.

use std::fmt;

use intentkey_core::Key;

use crate::error::{Result, StoreError};

/// Whose intent a request is, and under which key: an extension of the request.
#[derive(Clone)]
pub struct Intent {
    pub(super) key: Key,
    pub(super) tenant: String,
    pub(super) action: String,
}

impl Intent {
    /// A new intent, under a random key (UUID v4). Sent twice, it is two intents: keep it, or its
    /// [key](Self::key), with the job that it belongs to.
    ///
    /// # Errors
    ///
    /// Where the operating system has no randomness.
    pub fn new(tenant: impl Into<String>, action: impl Into<String>) -> Result<Self> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(StoreError::database)?;
        Ok(Intent::with_key(Key::recorded(random), tenant, action))
    }

    /// An intent under a key that is known: derived, or recorded with a job.
    #[must_use]
    pub fn with_key(key: Key, tenant: impl Into<String>, action: impl Into<String>) -> Self {
        Intent { key, tenant: tenant.into(), action: action.into() }
    }

    /// Its key.
    #[must_use]
    pub fn key(&self) -> Key {
        self.key
    }
}

impl fmt::Debug for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Intent(..)")
    }
}
