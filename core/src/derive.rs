//! Derivation: from an intent to its keys.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::explain::ExplainedField;
use crate::fingerprint::Fingerprint;
use crate::intent::{self, Epoch, Guide, Intent};
use crate::key::Key;
use crate::keyring::{Entry, Keyring};
use crate::material;
use crate::policies::Policies;
use crate::policy::{Place, Policy, Scope};
use crate::secret::MacKey;
use crate::secret_id::SecretId;
use crate::written::{USUAL_MATERIAL, Want, Written, with_written};

/// Derives keys: policies and secrets, with all that can be done once done.
///
/// ```
/// use intentkey_core::{Deriver, Intent, Payload, Policy, Secret};
///
/// let policy = Policy::from_json(r#"{
///     "name": "refund",
///     "actions": ["refund.create"],
///     "bucket_seconds": 900,
///     "identity": { "order": { "rule": "exact" } },
///     "ignored": { "request_id": "new on every attempt" }
/// }"#)?;
/// let deriver = Deriver::new(policy, Secret::new([7; 32])?)?;
/// let key = |payload| {
///     let epoch = 1_767_225_600_u64.into();
///     deriver.derive(&Intent { tenant: "acme".into(), action: "refund.create".into(), epoch, payload })
/// };
///
/// let first = key(Payload::Json(r#"{"order": "A-1", "request_id": "5f0a"}"#))?;
/// let retry = key(Payload::Json(r#"{"request_id": "77b2", "order": "A-1"}"#))?;
/// assert_eq!(first.key, retry.key);
/// # Ok::<(), intentkey_core::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deriver {
    policies: Policies,
    keyring: Keyring,
}

/// What an intent derives to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The idempotency key, which travels.
    pub key: Key,
    /// The MAC over identity and checked fields, which stays in the store.
    pub fingerprint: Fingerprint,
    /// The bucket of the intent's epoch.
    pub bucket: u64,
    /// The id of the secret in force at that bucket.
    pub secret_id: SecretId,
    /// The second key of an intent near a bucket's edge.
    pub edge: Option<Edge>,
}

/// The second key of an intent near a bucket's edge: producers on both sides of the edge derive
/// the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The key.
    pub key: Key,
    /// The ordinary fingerprint, under the secret of the edge's bucket.
    pub fingerprint: Fingerprint,
    /// The id of the secret in force at the bucket that begins at the edge.
    pub secret_id: SecretId,
}

/// What a producer needs of a derivation: no fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedKey {
    /// The idempotency key, which travels.
    pub key: Key,
    /// The bucket of the intent's epoch.
    pub bucket: u64,
    /// The id of the secret in force at that bucket.
    pub secret_id: SecretId,
    /// The second key of an intent near a bucket's edge.
    pub edge: Option<EdgeKey>,
}

/// The second key of an intent near a bucket's edge, without its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeKey {
    /// The key.
    pub key: Key,
    /// The id of the secret in force at the bucket that begins at the edge.
    pub secret_id: SecretId,
}

impl Deriver {
    /// Brings policies and secrets together.
    ///
    /// # Errors
    ///
    /// `keyring_invalid` where a policy with `bucket_seconds = 0` meets a ring that does not have
    /// exactly one secret, where tenants' secrets meet a policy whose scope is not `tenant`, and
    /// where an epoch of the keyring that counts is in milliseconds.
    pub fn new(policies: impl Into<Policies>, keyring: impl Into<Keyring>) -> Result<Self, Refusal> {
        let deriver = Deriver { policies: policies.into(), keyring: keyring.into() };
        let invalid = |message: &'static str| Refusal::new(Code::KeyringInvalid).because(message);
        for (_, policy) in deriver.policies.iter() {
            if policy.bucket_seconds() == 0 && !deriver.keyring.is_single() {
                return Err(invalid(
                    "a policy with bucket_seconds = 0 has one bucket for all time, which a second secret would split: use one secret",
                ));
            }
            if policy.bucket_seconds() > 0 && deriver.keyring.has_milliseconds() {
                return Err(invalid("from_epoch is in seconds, and this is too large to be"));
            }
            if policy.scope() != Scope::Tenant && deriver.keyring.is_of_tenants() {
                return Err(invalid("tenants' secrets serve policies with scope = \"tenant\" only"));
            }
        }
        Ok(deriver)
    }

    /// Reads an intent from JSON text: an object with exactly the members `tenant`, `action`,
    /// `intent_epoch` and `payload`.
    ///
    /// # Errors
    ///
    /// `json_malformed`, `payload_too_large`, `payload_too_deep`, `intent_invalid`. What else may
    /// be wrong with the intent is refused when it is derived.
    ///
    /// ```
    /// # use intentkey_core::{Deriver, Intent, Payload, Policy, RecordedIntent, Secret};
    /// # let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"],
    /// #     "bucket_seconds": 900, "edge_seconds": 20, "key": {"format": "uuid"},
    /// #     "identity": {"order": {"rule": "exact"}}, "checked": {"note": {"rule": "text", "required": false}},
    /// #     "ignored": {"request_id": "new on every attempt"}}"#)?;
    /// # let deriver = Deriver::new(policy, Secret::new([7; 32])?)?;
    /// # let intent = |payload| Intent { tenant: "acme".into(), action: "refund.create".into(),
    /// #     epoch: 1_767_225_700_u64.into(), payload: Payload::Json(payload) };
    /// let line = r#"{"tenant": "acme", "action": "refund.create", "intent_epoch": 1767225700,
    ///     "payload": {"order": "A-1"}}"#;
    /// assert_eq!(deriver.read(line)?.tenant, "acme");
    /// assert_eq!(deriver.read("{}").unwrap_err().field(), Some("tenant"));
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn read<'t>(&self, text: &'t str) -> Result<Intent<'t>, Refusal> {
        match self.policies.only_place() {
            Some(place) => intent::read(text, &Guide::Always(place)),
            None => intent::read(text, &Guide::ByEpoch(&|epoch| self.place_at(epoch))),
        }
    }

    /// The place of an intent's payload: a host asks it which parts of its own values need not
    /// be looked at.
    ///
    /// ```
    /// # use intentkey_core::{Deriver, Intent, Payload, Policy, RecordedIntent, Secret};
    /// # let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"],
    /// #     "bucket_seconds": 900, "edge_seconds": 20, "key": {"format": "uuid"},
    /// #     "identity": {"order": {"rule": "exact"}}, "checked": {"note": {"rule": "text", "required": false}},
    /// #     "ignored": {"request_id": "new on every attempt"}}"#)?;
    /// # let deriver = Deriver::new(policy, Secret::new([7; 32])?)?;
    /// # let intent = |payload| Intent { tenant: "acme".into(), action: "refund.create".into(),
    /// #     epoch: 1_767_225_700_u64.into(), payload: Payload::Json(payload) };
    /// let payload = deriver.place_at(1_767_225_700_u64.into());
    /// assert!(payload.member("request_id").is_ignored());
    /// assert!(!payload.member("order").is_ignored());
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    #[must_use]
    pub fn place_at(&self, epoch: Epoch) -> Place<'_> {
        let in_force = epoch.seconds().ok().and_then(|epoch| self.policies.in_force_at(epoch));
        let place = in_force.map(Policy::payload_place);
        place.or(self.policies.only_place()).unwrap_or(Place::UNDECLARED)
    }

    /// Derives the key and the fingerprint of an intent.
    ///
    /// # Errors
    ///
    /// Any code but those of policies and keyrings; the first that applies, in the order of the
    /// steps that [`Code`] is listed in.
    ///
    /// ```
    /// # use intentkey_core::{Deriver, Intent, Payload, Policy, RecordedIntent, Secret};
    /// # let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"],
    /// #     "bucket_seconds": 900, "edge_seconds": 20, "key": {"format": "uuid"},
    /// #     "identity": {"order": {"rule": "exact"}}, "checked": {"note": {"rule": "text", "required": false}},
    /// #     "ignored": {"request_id": "new on every attempt"}}"#)?;
    /// # let deriver = Deriver::new(policy, Secret::new([7; 32])?)?;
    /// # let intent = |payload| Intent { tenant: "acme".into(), action: "refund.create".into(),
    /// #     epoch: 1_767_225_700_u64.into(), payload: Payload::Json(payload) };
    /// let derived = deriver.derive(&intent(r#"{"order": "A-1", "note": "damaged"}"#))?;
    /// assert_eq!((derived.bucket, &*derived.secret_id), (1_963_584, "default"));
    /// let other = deriver.derive(&intent(r#"{"order": "A-1", "note": "lost"}"#))?;
    /// assert_eq!(other.key, derived.key);
    /// assert_ne!(other.fingerprint, derived.fingerprint);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn derive(&self, intent: &Intent<'_>) -> Result<Derived, Refusal> {
        self.with_written(intent, Want::Fingerprint, None, |written| self.derive_written(written))
    }

    /// Derives the key alone: what a producer needs. The refusals are those of [`Self::derive`].
    ///
    /// # Errors
    ///
    /// As [`Self::derive`].
    ///
    /// ```
    /// # use intentkey_core::{Deriver, Intent, Payload, Policy, RecordedIntent, Secret};
    /// # let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"],
    /// #     "bucket_seconds": 900, "edge_seconds": 20, "key": {"format": "uuid"},
    /// #     "identity": {"order": {"rule": "exact"}}, "checked": {"note": {"rule": "text", "required": false}},
    /// #     "ignored": {"request_id": "new on every attempt"}}"#)?;
    /// # let deriver = Deriver::new(policy, Secret::new([7; 32])?)?;
    /// # let intent = |payload| Intent { tenant: "acme".into(), action: "refund.create".into(),
    /// #     epoch: 1_767_225_700_u64.into(), payload: Payload::Json(payload) };
    /// let payload = r#"{"order": "A-1", "request_id": "5f0a"}"#;
    /// assert_eq!(deriver.derive_key(&intent(payload))?.key, deriver.derive(&intent(payload))?.key);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn derive_key(&self, intent: &Intent<'_>) -> Result<DerivedKey, Refusal> {
        self.with_written(intent, Want::Key, None, |written| {
            let secret = self.secret(written, written.bucket)?;
            let key = written.key(secret.key());
            let edge = match written.edge {
                None => None,
                Some(bucket) => {
                    let secret = self.secret(written, bucket)?;
                    Some(EdgeKey { key: written.edge_key(secret.key(), bucket), secret_id: secret.id() })
                }
            };
            Ok(DerivedKey { key, bucket: written.bucket, secret_id: secret.id(), edge })
        })
    }

    /// The fingerprint alone, for an intent whose key was recorded.
    ///
    /// # Errors
    ///
    /// As [`Self::derive`].
    ///
    /// ```
    /// # use intentkey_core::{Deriver, Intent, Payload, Policy, RecordedIntent, Secret};
    /// # let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"],
    /// #     "bucket_seconds": 900, "edge_seconds": 20, "key": {"format": "uuid"},
    /// #     "identity": {"order": {"rule": "exact"}}, "checked": {"note": {"rule": "text", "required": false}},
    /// #     "ignored": {"request_id": "new on every attempt"}}"#)?;
    /// # let deriver = Deriver::new(policy, Secret::new([7; 32])?)?;
    /// # let intent = |payload| Intent { tenant: "acme".into(), action: "refund.create".into(),
    /// #     epoch: 1_767_225_700_u64.into(), payload: Payload::Json(payload) };
    /// let fingerprint = deriver.fingerprint(&intent(r#"{"order": "A-1"}"#))?;
    /// assert_eq!(fingerprint.to_hex().len(), 64);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn fingerprint(&self, intent: &Intent<'_>) -> Result<Fingerprint, Refusal> {
        self.with_written(intent, Want::Fingerprint, None, |written| {
            let secret = self.secret(written, written.bucket)?;
            Ok(written.fingerprint(&secret.fingerprint()))
        })
    }

    /// The fingerprints under every secret of the keyring, the newest first.
    ///
    /// A key that a client chose has no epoch: a repeat after a rotation has the same key, and by the
    /// secret in force then another fingerprint. A store that knows them all takes it for the repeat that
    /// it is.
    ///
    /// # Errors
    ///
    /// As [`Self::derive`].
    ///
    /// ```
    /// # use intentkey_core::{Deriver, Intent, Keyring, KeyringEntry, Payload, Policy, Secret};
    /// # let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"],
    /// #     "bucket_seconds": 900, "identity": {"order": {"rule": "exact"}}}"#)?;
    /// # let entry = |id: &str, from_epoch, byte| Ok::<_, intentkey_core::Refusal>(
    /// #     KeyringEntry { id: id.into(), from_epoch, secret: Secret::new([byte; 32])? });
    /// let keyring = Keyring::new(vec![entry("old", 0, 7)?, entry("new", 1_767_225_600, 8)?])?;
    /// let deriver = Deriver::new(policy, keyring)?;
    /// let intent = |epoch: u64| Intent {
    ///     tenant: "acme".into(),
    ///     action: "refund.create".into(),
    ///     epoch: epoch.into(),
    ///     payload: Payload::Json(r#"{"order": "A-1"}"#),
    /// };
    /// let (before, after) = (intent(1_767_225_000), intent(1_767_225_700));
    /// let known = deriver.fingerprints(&after)?;
    /// assert_eq!(known, [deriver.fingerprint(&after)?, deriver.fingerprint(&before)?]);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn fingerprints(&self, intent: &Intent<'_>) -> Result<Vec<Fingerprint>, Refusal> {
        self.with_written(intent, Want::Fingerprint, None, |written| {
            let ring = self.keyring.ring(written.tenant).ok_or_else(|| Refusal::new(Code::TenantNotHeld))?;
            let under = |entry| {
                let secret = self.scoped(written.policy, written.tenant, entry);
                written.fingerprint(&secret.fingerprint())
            };
            Ok(ring.newest_first().map(under).collect())
        })
    }

    /// The key of an intent that was recorded under an id before the first attempt, for a
    /// destination that wants a key in the policy's shape.
    ///
    /// # Errors
    ///
    /// `tenant_empty`, `identity_empty` for an empty id, the codes of epochs,
    /// `policy_missing_for_epoch`, `tenant_not_held`, `secret_missing_for_epoch`.
    ///
    /// ```
    /// # use intentkey_core::{Deriver, Intent, Payload, Policy, RecordedIntent, Secret};
    /// # let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"],
    /// #     "bucket_seconds": 900, "edge_seconds": 20, "key": {"format": "uuid"},
    /// #     "identity": {"order": {"rule": "exact"}}, "checked": {"note": {"rule": "text", "required": false}},
    /// #     "ignored": {"request_id": "new on every attempt"}}"#)?;
    /// # let deriver = Deriver::new(policy, Secret::new([7; 32])?)?;
    /// # let intent = |payload| Intent { tenant: "acme".into(), action: "refund.create".into(),
    /// #     epoch: 1_767_225_700_u64.into(), payload: Payload::Json(payload) };
    /// let recorded = RecordedIntent { tenant: "acme", id: "job-7", epoch: 1_767_225_700_u64.into() };
    /// assert_eq!(deriver.key_from_id(&recorded)?.as_str().len(), 36);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn key_from_id(&self, intent: &RecordedIntent<'_>) -> Result<Key, Refusal> {
        if intent.tenant.is_empty() {
            return Err(Refusal::new(Code::TenantEmpty));
        }
        let epoch = intent.epoch.seconds().map_err(Refusal::new)?;
        let policy =
            self.policies.in_force_at(epoch).ok_or_else(|| Refusal::new(Code::PolicyMissingForEpoch))?;
        if intent.id.is_empty() {
            return Err(Refusal::new(Code::IdentityEmpty));
        }
        let secret = self.secret_at(policy, intent.tenant, epoch)?;
        let mut material = Buffer::with_capacity(USUAL_MATERIAL);
        material.push_byte(b'[');
        material::push_string(&mut material, intent.tenant);
        material.push_byte(b',');
        material::push_string(&mut material, intent.id);
        material.push_byte(b']');
        Ok(policy.key_shape().key(&secret.key().for_ids().mac(&mut material)))
    }

    pub(crate) fn policies(&self) -> &Policies {
        &self.policies
    }

    pub(crate) fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    pub(crate) fn derive_written(&self, written: &mut Written<'_>) -> Result<Derived, Refusal> {
        let secret = self.secret(written, written.bucket)?;
        let key = written.key(secret.key());
        let fingerprint = written.fingerprint(&secret.fingerprint());
        let edge = match written.edge {
            None => None,
            Some(bucket) => {
                let secret = self.secret(written, bucket)?;
                Some(Edge {
                    key: written.edge_key(secret.key(), bucket),
                    fingerprint: written.fingerprint(&secret.fingerprint()),
                    secret_id: secret.id(),
                })
            }
        };
        Ok(Derived { key, fingerprint, bucket: written.bucket, secret_id: secret.id(), edge })
    }

    /// Writes the bodies of an intent under the policy in force, and does with them what is asked
    /// for.
    pub(crate) fn with_written<'d, T>(
        &'d self,
        intent: &'d Intent<'_>,
        want: Want,
        trace: Option<&mut Vec<ExplainedField>>,
        then: impl FnOnce(&mut Written<'d>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let place = self.place_at(intent.epoch);
        let policy_at = |epoch| self.policies.in_force_at(epoch);
        with_written(intent, place, &policy_at, want, trace, |written| {
            // Before a policy begins there is nobody to agree with across its first edge.
            let begins =
                |bucket: &u64| self.policies.begins_at(written.policy.buckets().first_second(*bucket));
            written.edge = written.edge.filter(|bucket| !begins(bucket));
            then(written)
        })
    }

    /// The secret in force at the first second of a bucket.
    fn secret(&self, written: &Written<'_>, bucket: u64) -> Result<InForce<'_>, Refusal> {
        let first_second = written.policy.buckets().first_second(bucket);
        self.secret_at(written.policy, written.tenant, first_second)
    }

    fn secret_at<'d>(&'d self, policy: &Policy, tenant: &str, epoch: u64) -> Result<InForce<'d>, Refusal> {
        Ok(self.scoped(policy, tenant, self.entry_at(policy, tenant, epoch)?))
    }

    /// A secret, scoped as the policy says.
    fn scoped<'d>(&self, policy: &Policy, tenant: &str, entry: &'d Entry) -> InForce<'d> {
        let is_scoped = policy.scope() == Scope::Tenant && !self.keyring.is_of_tenants();
        InForce { entry, tenant: is_scoped.then(|| entry.macs.key.for_tenant(tenant)) }
    }

    fn entry_at(&self, policy: &Policy, tenant: &str, epoch: u64) -> Result<&Entry, Refusal> {
        let ring = self.keyring.ring(tenant).ok_or_else(|| Refusal::new(Code::TenantNotHeld))?;
        let entry = if policy.bucket_seconds() == 0 { ring.only() } else { ring.in_force_at(epoch) };
        entry.ok_or_else(|| Refusal::new(Code::SecretMissingForEpoch))
    }
}

/// An intent that was recorded under an id before its first attempt: its key comes from the id,
/// never from fields.
#[derive(Clone, Copy, Debug)]
pub struct RecordedIntent<'a> {
    /// Whose intent it is; not empty.
    pub tenant: &'a str,
    /// The id under which it was recorded; not empty.
    pub id: &'a str,
    /// When it was decided; recorded with it.
    pub epoch: Epoch,
}

/// A secret in force, scoped as the policy says.
struct InForce<'d> {
    entry: &'d Entry,
    /// Keyed with the secret of the intent's tenant, where that is not what is held. What is not
    /// asked for is not made.
    tenant: Option<MacKey>,
}

impl InForce<'_> {
    fn id(&self) -> SecretId {
        self.entry.id.clone()
    }

    fn key(&self) -> &MacKey {
        self.tenant.as_ref().unwrap_or(&self.entry.macs.key)
    }

    fn fingerprint(&self) -> Cow<'_, MacKey> {
        match &self.tenant {
            None => Cow::Borrowed(&self.entry.macs.fingerprint),
            Some(key) => Cow::Owned(key.for_fingerprints()),
        }
    }
}
