//! The results of `derive` as JSON, in the form that every producer shares.

use intentkey_core::{Derived, Explanation, Fingerprint, Key, Refusal, SecretId};
use serde::{Serialize, Serializer};

/// What an intent derived to.
#[derive(Serialize)]
pub(crate) struct DerivedLine {
    #[serde(serialize_with = "key")]
    key: Key,
    #[serde(serialize_with = "fingerprint")]
    fingerprint: Fingerprint,
    bucket: u64,
    #[serde(serialize_with = "id")]
    secret_id: SecretId,
    #[serde(skip_serializing_if = "Option::is_none")]
    material: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<EdgeLine>,
}

#[derive(Serialize)]
struct EdgeLine {
    #[serde(serialize_with = "key")]
    key: Key,
    #[serde(serialize_with = "fingerprint")]
    fingerprint: Fingerprint,
    #[serde(serialize_with = "id")]
    secret_id: SecretId,
    #[serde(skip_serializing_if = "Option::is_none")]
    material: Option<String>,
}

/// Why an intent was refused.
#[derive(Serialize)]
pub(crate) struct RefusedLine<'r> {
    error: ErrorMembers<'r>,
}

#[derive(Serialize)]
struct ErrorMembers<'r> {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'r str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    fields: &'r [String],
    message: &'r str,
}

pub(crate) fn derived(derived: Derived) -> DerivedLine {
    let edge = derived.edge.map(|edge| EdgeLine {
        key: edge.key,
        fingerprint: edge.fingerprint,
        secret_id: edge.secret_id,
        material: None,
    });
    DerivedLine {
        key: derived.key,
        fingerprint: derived.fingerprint,
        bucket: derived.bucket,
        secret_id: derived.secret_id,
        material: None,
        edge,
    }
}

pub(crate) fn explained(explanation: Explanation) -> DerivedLine {
    let mut line = derived(explanation.derived);
    line.material = Some(explanation.material);
    if let Some(edge) = &mut line.edge {
        edge.material = explanation.edge_material;
    }
    line
}

pub(crate) fn refused(refusal: &Refusal) -> RefusedLine<'_> {
    RefusedLine {
        error: ErrorMembers {
            code: refusal.code().as_str(),
            field: refusal.field(),
            fields: refusal.fields(),
            message: refusal.message(),
        },
    }
}

fn key<S: Serializer>(key: &Key, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(key.as_str())
}

fn fingerprint<S: Serializer>(fingerprint: &Fingerprint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(fingerprint)
}

fn id<S: Serializer>(id: &SecretId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(id)
}
