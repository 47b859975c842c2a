//! An intent whose bodies are written: what is left is to choose a secret and to MAC.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::explain::ExplainedField;
use crate::fingerprint::Fingerprint;
use crate::intent::{Intent, Payload};
use crate::json;
use crate::key::Key;
use crate::material;
use crate::policy::{Place, Policy};
use crate::secret::MacKey;
use crate::value::Value;
use crate::walk::{self, Bodies, survey};

/// Room for the material of a usual payment, so that writing it allocates once.
pub(crate) const USUAL_MATERIAL: usize = 256;

/// What is wanted of an intent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    Key,
    Fingerprint,
}

/// An intent whose bodies are written.
pub(crate) struct Written<'d> {
    pub(crate) policy: &'d Policy,
    pub(crate) tenant: &'d str,
    pub(crate) bucket: u64,
    /// The bucket that begins at the edge which the intent is near.
    pub(crate) edge: Option<u64>,
    /// `[tenant,action,body`, to be closed.
    bodies: Bodies,
    key_end: usize,
}

impl<'d> Written<'d> {
    /// Judges an intent up to its identity and writes its bodies.
    ///
    /// `place` says what need not be looked at, `policy_at` which policy is in force.
    pub(crate) fn new(
        intent: &'d Intent<'_>,
        place: Place<'_>,
        policy_at: &dyn Fn(u64) -> Option<&'d Policy>,
        want: Want,
        trace: Option<&mut Vec<ExplainedField>>,
    ) -> Result<Self, Refusal> {
        let payload = match &intent.payload {
            Payload::Json(text) => Cow::Owned(json::read_payload(text, place)?),
            Payload::Borrowed(value) => Cow::Borrowed(*value),
            Payload::Owned(value) => Cow::Borrowed(value),
        };
        let (policy, epoch, action) = match open(intent, &payload, policy_at) {
            Ok(opened) => opened,
            // The limits of a payload come before all that is wrong with its intent.
            Err(code) => return survey::limits(&payload, place).and(Err(Refusal::new(code))),
        };
        let wants_full = want == Want::Fingerprint && policy.has_checked();
        let key = begin(&intent.tenant, action);
        let full = wants_full.then(|| key.clone());
        let mut bodies = Bodies::new(key, full);
        walk::write_bodies(policy, &payload, &mut bodies, trace)?;
        let buckets = policy.buckets();
        Ok(Written {
            policy,
            tenant: &intent.tenant,
            bucket: buckets.of(epoch),
            edge: buckets.edge_near(epoch),
            key_end: bodies.key.len(),
            bodies,
        })
    }

    /// The material of the key.
    pub(crate) fn material(&mut self) -> &Buffer {
        let bucket = self.bucket;
        let material = self.reopen();
        material::close_with_bucket(material, bucket);
        material
    }

    /// The material of the edge key.
    pub(crate) fn edge_material(&mut self, bucket: u64) -> &Buffer {
        let material = self.reopen();
        material::close_with_edge(material, bucket);
        material
    }

    pub(crate) fn key(&mut self, mac: &MacKey) -> Key {
        self.policy.key_shape().key(&mac.mac(self.material().as_bytes()))
    }

    pub(crate) fn edge_key(&mut self, mac: &MacKey, bucket: u64) -> Key {
        self.policy.key_shape().key(&mac.mac(self.edge_material(bucket).as_bytes()))
    }

    /// The fingerprint; the intent was written for it.
    pub(crate) fn fingerprint(&mut self, mac: &MacKey) -> Fingerprint {
        let mac = match &mut self.bodies.full {
            Some(full) => {
                full.push_byte(b']');
                let mac = mac.mac(full.as_bytes());
                full.truncate(full.len() - 1);
                mac
            }
            None => {
                let material = self.reopen();
                material.push_byte(b']');
                mac.mac(material.as_bytes())
            }
        };
        Fingerprint::new(mac)
    }

    /// The key's material without what it was closed with.
    fn reopen(&mut self) -> &mut Buffer {
        self.bodies.key.truncate(self.key_end);
        &mut self.bodies.key
    }
}

/// Judges what an intent is beside its fields.
fn open<'p>(
    intent: &Intent<'_>,
    payload: &Value<'_>,
    policy_at: &dyn Fn(u64) -> Option<&'p Policy>,
) -> Result<(&'p Policy, u64, &'p str), Code> {
    if !matches!(payload, Value::Object(_)) {
        return Err(Code::PayloadNotObject);
    }
    if intent.tenant.is_empty() {
        return Err(Code::TenantEmpty);
    }
    let epoch = intent.epoch.seconds()?;
    let policy = policy_at(epoch).ok_or(Code::PolicyMissingForEpoch)?;
    let action = policy.written_action(&intent.action).ok_or(Code::ActionUnknown)?;
    Ok((policy, epoch, action))
}

/// `[tenant,action,`
fn begin(tenant: &str, action: &str) -> Buffer {
    let mut material = Buffer::with_capacity(USUAL_MATERIAL);
    material.push_byte(b'[');
    material::push_string(&mut material, tenant);
    material.push_byte(b',');
    material.push_str(action);
    material.push_byte(b',');
    material
}
