//! The core of intentkey: the same intent gets the same idempotency key, wherever and however
//! often it is attempted.
//!
//! A [`Policy`] says once which fields of a payload make an action what it is, and how each is
//! spelled canonically. A [`Deriver`] takes an [`Intent`] to its [`Key`] and [`Fingerprint`]. The
//! same code runs natively and in Wasm; it reads no clock, draws no randomness, does no I/O and
//! keeps no global state.
//!
//! ```
//! use intentkey_core::{Deriver, Policy, Secret};
//!
//! let policy = Policy::from_json(r#"{
//!     "name": "pix-payment",
//!     "actions": ["pix.transfer"],
//!     "bucket_seconds": 900,
//!     "key": { "length": 40 },
//!     "identity": {
//!         "creditor_key": { "rule": "pix_key" },
//!         "amount": { "rule": "decimal", "scale": "currency" },
//!         "currency": { "rule": "currency" }
//!     },
//!     "ignored": { "request_id": "new on every attempt" }
//! }"#)?;
//! let deriver = Deriver::new(policy, Secret::from_hex("000102030405060708090a0b0c0d0e0f")?)?;
//!
//! let line = r#"{"tenant": "acme", "action": "pix.transfer", "intent_epoch": 1767225600,
//!     "payload": {"creditor_key": "123.456.789-09", "amount": 10.5, "currency": "brl"}}"#;
//! let retry = r#"{"tenant": "acme", "action": "pix.transfer", "intent_epoch": 1767225600,
//!     "payload": {"currency": "BRL", "amount": "10.50", "creditor_key": "12345678909",
//!                 "request_id": "7f1c"}}"#;
//! let key = deriver.derive(&deriver.read(line)?)?.key;
//! assert_eq!(key, deriver.derive(&deriver.read(retry)?)?.key);
//! # Ok::<(), intentkey_core::Refusal>(())
//! ```
//!
//! The map: [`Policy`] and its rules ([`Rule`]) → [`Value`] → material → [`Key`]; [`protocol`] decides
//! what follows when a key is claimed. What goes wrong is a [`Refusal`] with a [`Code`] and a field; no
//! message holds a value or a secret.
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod bucket;
mod buffer;
mod decimal;
mod derive;
mod error;
mod explain;
mod fingerprint;
mod handshake;
mod hmac;
mod intent;
mod json;
mod key;
mod keyring;
mod material;
mod own_mac;
mod policies;
mod policy;
pub mod protocol;
mod rules;
mod secret;
mod secret_id;
mod sorted;
mod swar;
mod unicode;
mod value;
mod walk;
mod written;

pub use derive::{Derived, DerivedKey, Deriver, Edge, EdgeKey, RecordedIntent};
pub use error::{Code, Refusal};
pub use explain::{ExplainedField, Explanation};
pub use fingerprint::Fingerprint;
pub use handshake::{Handshake, PolicyCheck, SecretCheck};
pub use intent::{Epoch, Intent, Payload};
pub use key::{Key, KeyFormat, KeyShape};
pub use keyring::{Keyring, KeyringEntry, TenantEntry};
pub use own_mac::{EdgeMaterial, Material, Materials};
pub use policies::{DatedPolicy, Policies};
pub use policy::{
    Caller, Class, Empty, Field, Ignored, List, Path, Place, Policy, Retention, Scope, Segment,
};
pub use rules::{
    Boolean, Case, Currency, Date, Decimal, Digits, Email, Enum, Exact, Form, ISO_4217_DATE, Identifier,
    Integer, Phone, PixKey, PixKeyKind, Precision, Rounding, Rule, Scale, Space, Text, Timestamp, Uuid,
};
pub use secret::Secret;
pub use secret_id::SecretId;
pub use unicode::UNICODE_VERSION;
#[cfg(feature = "serde")]
pub use value::SerializeError;
pub use value::{Name, Number, Value};
