//! Hosts: whatever derives keys, seen from outside.
//!
//! A host gets what every host can be given, an intent as JSON text, and answers with what every
//! host shows: a key or a code. So one set of invariants serves them all.

mod native;

pub use native::Native;

use std::fmt;

/// Something that derives keys under one policy.
pub trait Host: Sync {
    /// The host's name, for people.
    fn name(&self) -> &str;

    /// Derives the key of an intent: a JSON object with `tenant`, `action`, `intent_epoch` and
    /// `payload`.
    fn derive(&self, ring: &Ring, intent: &str) -> Outcome;

    /// How it came to the key; `None` from a host that does not tell, and for a refusal.
    fn explain(&self, _ring: &Ring, _intent: &str) -> Option<Explained> {
        None
    }

    /// All that the host would print about this derivation: messages, logs, debug output.
    fn says(&self, _ring: &Ring, _intent: &str) -> String {
        String::new()
    }
}

/// The secrets that a host derives with.
#[derive(Clone, PartialEq, Eq)]
pub enum Ring {
    /// One secret for all epochs.
    Bare([u8; 32]),
    /// Secrets that follow one another.
    Dated(Vec<Dated>),
    /// The secret of one tenant, for all epochs: what a producer holds that serves nobody else.
    Tenant {
        /// The tenant.
        tenant: String,
        /// Its secret.
        secret: [u8; 32],
    },
}

/// A secret and the epoch from which it is in force.
#[derive(Clone, PartialEq, Eq)]
pub struct Dated {
    /// The secret's id.
    pub id: String,
    /// The first second from which it is in force.
    pub from_epoch: u64,
    /// The secret.
    pub secret: [u8; 32],
}

/// Shows no secret, though all of them are made up.
impl fmt::Debug for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ring::Bare(_) => f.write_str("one secret"),
            Ring::Tenant { .. } => f.write_str("one tenant's secret"),
            Ring::Dated(secrets) => {
                f.debug_list().entries(secrets.iter().map(|secret| secret.from_epoch)).finish()
            }
        }
    }
}

/// What came of a derivation.
pub type Outcome = Result<Derived, Refused>;

/// What an intent derived to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The key.
    pub key: String,
    /// The fingerprint.
    pub fingerprint: String,
    /// The bucket.
    pub bucket: u64,
    /// The id of the secret.
    pub secret_id: String,
    /// The second key, near a bucket's edge.
    pub edge: Option<Edge>,
}

/// The second key of an intent near a bucket's edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The key.
    pub key: String,
    /// The fingerprint.
    pub fingerprint: String,
    /// The id of the secret.
    pub secret_id: String,
}

/// A refusal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// The code.
    pub code: String,
    /// The field concerned.
    pub field: Option<String>,
    /// The fields concerned.
    pub fields: Vec<String>,
    /// What people are told.
    pub message: String,
}

/// How a host came to a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// The material.
    pub material: String,
    /// Each field with a value: its path with indexes, and its canonical form as JSON.
    pub fields: Vec<(String, String)>,
}
