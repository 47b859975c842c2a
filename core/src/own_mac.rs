//! Bring your own MAC: the bytes to be MACed, and the key from the MAC.
//!
//! For secrets that never leave a KMS, an HSM or a browser's WebCrypto.

use alloc::vec::Vec;

use crate::error::Refusal;
use crate::intent::Intent;
use crate::key::Key;
use crate::policy::Policy;
use crate::written::{Want, Written, with_written};

/// What is to be MACed for an intent.
///
/// A server never MACs material that a client sends: it rebuilds it from the authenticated
/// tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Material {
    /// The bytes: HMAC-SHA256 over them, keyed with the secret in force at `bucket_start`, gives
    /// the MAC for [`Policy::key_from_mac`]. With `scope = "tenant"` the MAC is keyed with the
    /// tenant's secret.
    pub bytes: Vec<u8>,
    /// The first second of the intent's bucket, since 1970.
    pub bucket_start: u64,
    /// The same for the edge key, where the intent is near a bucket's edge.
    pub edge: Option<EdgeMaterial>,
}

/// What is to be MACed for the edge key of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EdgeMaterial {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The first second of the bucket that begins at the edge, since 1970.
    pub bucket_start: u64,
}

/// What is to be MACed for an intent, its fingerprint included.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Materials {
    /// That of the key.
    pub key: Material,
    /// The bytes of the fingerprint: HMAC-SHA256 over them, keyed with the HMAC-SHA256 of
    /// `intentkey fingerprint v1` under the same secret as the key.
    pub fingerprint: Vec<u8>,
}

impl Policy {
    /// The material of an intent; no secret is needed.
    ///
    /// The policy counts as the one in force at all epochs: near an edge at which another policy
    /// takes over there is no edge key, and a caller with policies over time leaves it out.
    ///
    /// # Errors
    ///
    /// Any code of [`Deriver::derive`](crate::Deriver::derive) but those of secrets.
    ///
    /// ```
    /// use intentkey_core::{Intent, Payload, Policy};
    ///
    /// let policy = Policy::from_json(r#"{
    ///     "name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
    ///     "identity": { "order": { "rule": "exact" } }
    /// }"#)?;
    /// let material = policy.material(&Intent {
    ///     tenant: "acme".into(),
    ///     action: "refund.create".into(),
    ///     epoch: 1_767_225_600_u64.into(),
    ///     payload: Payload::Json(r#"{"order": "A-1"}"#),
    /// })?;
    /// assert_eq!(material.bytes, br#"["acme","refund.create",{"order":"A-1"},1963584]"#);
    /// let mac = [0; 32]; // from the KMS
    /// assert_eq!(policy.key_from_mac(&mac).as_str().len(), 64);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn material(&self, intent: &Intent<'_>) -> Result<Material, Refusal> {
        with_written(intent, self.payload_place(), &|_| Some(self), Want::Key, None, |written| {
            Ok(self.material_of(written))
        })
    }

    /// The material of an intent's key and of its fingerprint, from one look at its payload.
    ///
    /// # Errors
    ///
    /// As [`Self::material`].
    ///
    /// ```
    /// use intentkey_core::{Intent, Payload, Policy};
    ///
    /// let policy = Policy::from_json(r#"{
    ///     "name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
    ///     "identity": { "order": { "rule": "exact" } },
    ///     "checked": { "note": { "rule": "text" } }
    /// }"#)?;
    /// let materials = policy.materials(&Intent {
    ///     tenant: "acme".into(),
    ///     action: "refund.create".into(),
    ///     epoch: 1_767_225_600_u64.into(),
    ///     payload: Payload::Json(r#"{"order": "A-1", "note": "Lost"}"#),
    /// })?;
    /// assert_eq!(materials.key.bytes, br#"["acme","refund.create",{"order":"A-1"},1963584]"#);
    /// assert_eq!(materials.fingerprint, br#"["acme","refund.create",{"note":"lost","order":"A-1"}]"#);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn materials(&self, intent: &Intent<'_>) -> Result<Materials, Refusal> {
        with_written(intent, self.payload_place(), &|_| Some(self), Want::Fingerprint, None, |written| {
            let fingerprint = written.with_fingerprint_material(|material| material.as_bytes().into());
            Ok(Materials { key: self.material_of(written), fingerprint })
        })
    }

    fn material_of(&self, written: &mut Written<'_>) -> Material {
        let first_second = |bucket| self.buckets().first_second(bucket);
        let edge = written.edge.map(|bucket| EdgeMaterial {
            bytes: written.edge_material(bucket).as_bytes().into(),
            bucket_start: first_second(bucket),
        });
        Material {
            bytes: written.material().as_bytes().into(),
            bucket_start: first_second(written.bucket),
            edge,
        }
    }

    /// The key that a MAC over material gives, in the policy's shape.
    #[must_use]
    pub fn key_from_mac(&self, mac: &[u8; 32]) -> Key {
        self.key_shape().key(mac)
    }
}
