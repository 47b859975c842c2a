//! Hosts: whatever derives keys, seen from outside.
//!
//! A host gets what every host can be given, an intent as JSON text, and answers with what every
//! host shows: a key or a code. So one set of invariants serves them all.

pub mod component;
mod native;
pub(crate) mod pipe;
mod process;

#[cfg(feature = "component")]
pub use component::Component;
pub use native::Native;
pub use process::Process;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Something that derives keys under one policy.
pub trait Host: Sync {
    /// The host's name, for people.
    fn name(&self) -> &str;

    /// Derives the key of an intent: a JSON object with `tenant`, `action`, `intent_epoch` and
    /// `payload`.
    fn derive(&self, ring: &Ring, intent: &str) -> Outcome;

    /// Derives the keys of many intents, in their order. A host that waits for another process
    /// sends them together.
    fn derive_all(&self, ring: &Ring, intents: &[&str]) -> Vec<Outcome> {
        intents.iter().map(|intent| self.derive(ring, intent)).collect()
    }

    /// Whether the host can be given this text at all: one that reads lines gets no line feed.
    fn takes(&self, _intent: &str) -> bool {
        true
    }

    /// How much of an outcome must be the same as another host's.
    fn agreement(&self) -> Agreement {
        Agreement::Whole
    }

    /// How it came to the key; `None` from a host that does not tell, and for a refusal.
    fn explain(&self, _ring: &Ring, _intent: &str) -> Option<Explained> {
        None
    }

    /// All that the host would print about this derivation: messages, logs, debug output.
    fn says(&self, _ring: &Ring, _intent: &str) -> String {
        String::new()
    }
}

/// Another host, which must agree with the one that is looked at.
#[derive(Clone)]
pub enum Beside {
    /// The component of this build, where [`component::find`] finds it, or in this file.
    Component(Option<PathBuf>),
    /// Any host, made for the policy that is looked at.
    Host(Arc<dyn Host + Send>),
}

impl fmt::Debug for Beside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Beside::Component(file) => f.debug_tuple("Component").field(file).finish(),
            Beside::Host(host) => f.debug_tuple("Host").field(&host.name()).finish(),
        }
    }
}

/// How much of two outcomes must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// All but the message of a refusal: of one core, every surface shows the same.
    Whole,
    /// The key and the edge's key, or the code: what two producers must have in common.
    KeyOrCode,
}

impl Agreement {
    /// Whether two outcomes are the same so far.
    #[must_use]
    pub fn holds(self, one: &Outcome, other: &Outcome) -> bool {
        let edge = |derived: &Derived| derived.edge.as_ref().map(|edge| edge.key.clone());
        match (self, one, other) {
            (_, Ok(_), Err(_)) | (_, Err(_), Ok(_)) => false,
            (Agreement::Whole, Ok(one), Ok(other)) => one == other,
            (Agreement::Whole, Err(one), Err(other)) => {
                (&one.code, &one.field, &one.fields) == (&other.code, &other.field, &other.fields)
            }
            (Agreement::KeyOrCode, Ok(one), Ok(other)) => one.key == other.key && edge(one) == edge(other),
            (Agreement::KeyOrCode, Err(one), Err(other)) => one.code == other.code,
        }
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

impl Ring {
    /// The one secret for all epochs, as a process is given it; `None` for other rings.
    pub(crate) fn secret_in_hex(&self) -> Option<String> {
        match self {
            Ring::Bare(secret) => Some(secret.iter().map(|byte| format!("{byte:02x}")).collect()),
            Ring::Dated(_) | Ring::Tenant { .. } => None,
        }
    }
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
