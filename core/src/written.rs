//! An intent whose bodies are written: what is left is to choose a secret and to MAC.

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
    /// An intent of which nothing is written yet.
    #[inline]
    fn new(intent: &'d Intent<'_>, policy: &'d Policy, action: &str, epoch: u64, want: Want) -> Self {
        let key = begin(&intent.tenant, action);
        let full = (want == Want::Fingerprint && policy.has_checked()).then(|| key.clone());
        let buckets = policy.buckets();
        Written {
            policy,
            tenant: &intent.tenant,
            bucket: buckets.of(epoch),
            edge: buckets.edge_near(epoch),
            bodies: Bodies::new(key, full),
            key_end: 0,
        }
    }

    /// The material of the key.
    pub(crate) fn material(&mut self) -> &mut Buffer {
        let bucket = self.bucket;
        let material = self.reopen();
        material::close_with_bucket(material, bucket);
        material
    }

    /// The material of the edge key.
    pub(crate) fn edge_material(&mut self, bucket: u64) -> &mut Buffer {
        let material = self.reopen();
        material::close_with_edge(material, bucket);
        material
    }

    pub(crate) fn key(&mut self, mac: &MacKey) -> Key {
        self.policy.key_shape().key(&mac.mac(self.material()))
    }

    pub(crate) fn edge_key(&mut self, mac: &MacKey, bucket: u64) -> Key {
        self.policy.key_shape().key(&mac.mac(self.edge_material(bucket)))
    }

    /// The fingerprint; the intent was written for it.
    pub(crate) fn fingerprint(&mut self, mac: &MacKey) -> Fingerprint {
        Fingerprint::new(self.with_fingerprint_material(|material| mac.mac(material)))
    }

    /// Lends the material of the fingerprint; the intent was written for it.
    #[inline]
    pub(crate) fn with_fingerprint_material<T>(&mut self, then: impl FnOnce(&mut Buffer) -> T) -> T {
        match &mut self.bodies.full {
            Some(full) => {
                full.push_byte(b']');
                let made = then(full);
                full.truncate(full.len() - 1);
                made
            }
            None => {
                let material = self.reopen();
                material.push_byte(b']');
                then(material)
            }
        }
    }

    /// The key's material without what it was closed with.
    fn reopen(&mut self) -> &mut Buffer {
        self.bodies.key.truncate(self.key_end);
        &mut self.bodies.key
    }
}

/// Judges an intent up to its identity, writes its bodies, and does with them what is asked for.
///
/// `place` says what need not be looked at, `policy_at` which policy is in force. What is written is
/// lent, not given: it is too large to be moved for nothing.
pub(crate) fn with_written<'d, T>(
    intent: &'d Intent<'_>,
    place: Place<'_>,
    policy_at: &dyn Fn(u64) -> Option<&'d Policy>,
    want: Want,
    trace: Option<&mut Vec<ExplainedField>>,
    then: impl FnOnce(&mut Written<'d>) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let read;
    let payload = match &intent.payload {
        Payload::Json(text) => {
            read = json::read_payload(text, place)?;
            &read
        }
        Payload::Borrowed(value) => *value,
        Payload::Owned(value) => value,
    };
    let (policy, epoch, action) = match open(intent, payload, policy_at) {
        Ok(opened) => opened,
        // The limits of a payload come before all that is wrong with its intent.
        Err(code) => return survey::limits(payload, place).and(Err(Refusal::new(code))),
    };
    let mut written = Written::new(intent, policy, action, epoch, want);
    walk::write_bodies(policy, payload, &mut written.bodies, trace)?;
    written.key_end = written.bodies.key.len();
    then(&mut written)
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
