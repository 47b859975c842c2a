//! Recorded intents: what is written down before the first attempt.

use std::fmt;
use std::time::Duration;

use intentkey_core::protocol::{Time, Validity};
use intentkey_core::{Fingerprint, Key};

use crate::claim::{Claim, Target};
use crate::error::{Result, StoreError};
use crate::seal::{Part, Seal};
use crate::text;

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

/// Why a recorded intent can never be executed as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Why {
    /// Its key belongs to another payload or another tenant by now.
    PayloadConflict,
    /// It came so late that what protects it may have been deleted.
    TooLate,
}

impl Why {
    /// How it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Why::PayloadConflict => "payload_conflict",
            Why::TooLate => "too_late",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Why> {
        [Why::PayloadConflict, Why::TooLate].into_iter().find(|why| why.as_str() == word)
    }
}

/// A recorded intent that can never be executed as it is, and is left to people: look what became of it,
/// then [forget](crate::Store::forget) it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Parked {
    /// The idempotency key.
    pub key: Key,
    /// Whose intent it is.
    pub tenant: String,
    /// The action.
    pub action: String,
    /// Where the effect was to happen.
    pub destination: String,
    /// Why it is parked.
    pub why: Why,
    /// When it was recorded.
    pub recorded_at: Time,
}

impl fmt::Debug for Parked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parked").field("key", &self.key).field("why", &self.why).finish_non_exhaustive()
    }
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
    /// Whether recovery, which has given up on executing the row again for want of the request, is to
    /// look at it anew.
    pub(crate) wakes: bool,
}

impl Stored {
    pub(crate) fn new(recorded: &Recorded, seal: &dyn Seal) -> Result<Self> {
        let claim = &recorded.claim;
        text::check_claim(claim)?;
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
            wakes: claim.target.terms.key_retention().is_some(),
            request: seal.seal(&claim.key, Part::Request, &recorded.request).map_err(StoreError::Seal)?,
        })
    }

    pub(crate) fn open(self, target: &Target, seal: &dyn Seal) -> Result<Recorded> {
        let seconds = |seconds: i64| u64::try_from(seconds).unwrap_or(0);
        let validity = match self.epoch_seconds {
            None => Validity::UNBOUNDED,
            Some(epoch) => Validity::between(seconds(epoch), self.ends_seconds.map(seconds)),
        };
        let request = seal.open(&self.key, Part::Request, &self.request).map_err(StoreError::Seal)?;
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
