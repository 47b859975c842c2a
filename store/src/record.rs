//! Recorded intents: what is written down before the first attempt.

use std::fmt;
use std::time::Duration;

use intentkey_core::protocol::{Time, Validity};
use intentkey_core::{Fingerprint, Key};

use crate::claim::{Claim, Target};
use crate::error::{Result, StoreError};
use crate::seal::Seal;

/// An intent with its request and its key, to be written down before the first attempt.
///
/// Written in the same transaction as what it follows from, it is an outbox: whatever happens to the
/// process, the intent is found again, with the same key.
#[derive(Clone)]
#[non_exhaustive]
pub struct Recorded {
    /// The claim that every attempt makes.
    pub claim: Claim,
    /// The request, as the destination gets it.
    pub request: Vec<u8>,
}

/// What became of writing an intent down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedAs {
    /// It is written.
    New,
    /// It was written before, or is done already.
    Known,
    /// The key was recorded with another fingerprint or tenant; nothing is written.
    PayloadConflict,
}

impl Recorded {
    /// An intent with its request.
    #[must_use]
    pub fn new(claim: Claim, request: impl Into<Vec<u8>>) -> Self {
        Recorded { claim, request: request.into() }
    }
}

/// Of the request its length.
impl fmt::Debug for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorded")
            .field("claim", &self.claim)
            .field("request_bytes", &self.request.len())
            .finish()
    }
}

/// A recorded intent as the table has it, its request sealed.
pub(crate) struct Stored {
    pub(crate) key: Key,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) edge: Option<(Key, Fingerprint)>,
    pub(crate) tenant: String,
    pub(crate) action: String,
    pub(crate) destination: String,
    pub(crate) epoch_seconds: Option<i64>,
    pub(crate) ends_seconds: Option<i64>,
    pub(crate) ttl_millis: i64,
    pub(crate) secret_id: Option<String>,
    pub(crate) policy_digest: Option<String>,
    pub(crate) request: Vec<u8>,
}

impl Stored {
    pub(crate) fn new(recorded: &Recorded, seal: &dyn Seal) -> Result<Self> {
        let claim = &recorded.claim;
        let seconds = |time: Time| i64::try_from(time.seconds()).unwrap_or(i64::MAX);
        Ok(Stored {
            key: claim.key,
            fingerprint: claim.fingerprint,
            edge: claim.edge,
            tenant: claim.tenant.clone(),
            action: claim.action.clone(),
            destination: claim.target.name.clone(),
            epoch_seconds: claim.validity.epoch().map(seconds),
            ends_seconds: claim.validity.ends().map(seconds),
            ttl_millis: i64::try_from(claim.ttl.as_millis()).unwrap_or(i64::MAX),
            secret_id: claim.secret_id.clone(),
            policy_digest: claim.policy_digest.clone(),
            request: seal.seal(&claim.key, &recorded.request).map_err(StoreError::Seal)?,
        })
    }

    pub(crate) fn open(self, target: &Target, seal: &dyn Seal) -> Result<Recorded> {
        let seconds = |seconds: i64| u64::try_from(seconds).unwrap_or(0);
        let validity = match self.epoch_seconds {
            None => Validity::UNBOUNDED,
            Some(epoch) => Validity::between(seconds(epoch), self.ends_seconds.map(seconds)),
        };
        let request = seal.open(&self.key, &self.request).map_err(StoreError::Seal)?;
        let claim = Claim {
            edge: self.edge,
            validity,
            ttl: Duration::from_millis(seconds(self.ttl_millis)),
            secret_id: self.secret_id,
            policy_digest: self.policy_digest,
            ..Claim::new(self.key, self.fingerprint, self.tenant, self.action, target.clone())
        };
        Ok(Recorded { claim, request })
    }
}
