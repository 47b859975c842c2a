//! From core's results to those of the world.

use alloc::string::String;

use intentkey_core::{Class, Derived, DerivedKey, ExplainedField, Explanation, Handshake, Material, Refusal};

use super::wit;
use crate::boundary::Refused;

impl From<Refused> for wit::Refusal {
    fn from(refused: Refused) -> Self {
        let Refused { code, field, fields, message } = refused;
        wit::Refusal { code: code.into(), field, fields, message }
    }
}

impl From<Refusal> for wit::Refusal {
    fn from(refusal: Refusal) -> Self {
        Refused::from(refusal).into()
    }
}

pub(super) fn derived(derived: &Derived) -> wit::Derived {
    wit::Derived {
        key: derived.key.as_str().into(),
        fingerprint: derived.fingerprint.to_hex(),
        bucket: derived.bucket,
        secret_id: (*derived.secret_id).into(),
        edge: derived.edge.as_ref().map(|edge| wit::Edge {
            key: edge.key.as_str().into(),
            fingerprint: edge.fingerprint.to_hex(),
            secret_id: (*edge.secret_id).into(),
        }),
    }
}

pub(super) fn derived_key(derived: &DerivedKey) -> wit::DerivedKey {
    wit::DerivedKey {
        key: derived.key.as_str().into(),
        bucket: derived.bucket,
        secret_id: (*derived.secret_id).into(),
        edge: derived
            .edge
            .as_ref()
            .map(|edge| wit::EdgeKey { key: edge.key.as_str().into(), secret_id: (*edge.secret_id).into() }),
    }
}

pub(super) fn explanation(explanation: &Explanation) -> wit::Explanation {
    wit::Explanation {
        derived: derived(&explanation.derived),
        material: explanation.material.clone(),
        edge_material: explanation.edge_material.clone(),
        fields: explanation.fields.iter().map(explained_field).collect(),
    }
}

fn explained_field(field: &ExplainedField) -> wit::ExplainedField {
    wit::ExplainedField {
        field: field.field.clone(),
        class: match field.class {
            Some(Class::Identity) => wit::Class::Identity,
            Some(Class::Checked) => wit::Class::Checked,
            None => wit::Class::Ignored,
        },
        kind: field.kind.map(String::from),
        rule: field.rule.map(String::from),
        canonical: field.canonical.clone(),
    }
}

pub(super) fn handshake(handshake: Handshake) -> wit::Handshake {
    let policies = handshake.policies.into_iter().map(|policy| wit::PolicyCheck {
        name: policy.name,
        from_epoch: policy.from_epoch,
        digest: policy.digest,
    });
    let secrets = handshake.secrets.into_iter().map(|secret| wit::SecretCheck {
        id: secret.id,
        tenant: secret.tenant,
        check: secret.check,
    });
    wit::Handshake {
        policies: policies.collect(),
        secrets: secrets.collect(),
        unicode: handshake.unicode.into(),
        currencies: handshake.currencies.into(),
    }
}

pub(super) fn material(material: Material) -> wit::Material {
    wit::Material {
        bytes: material.bytes,
        bucket_start: material.bucket_start,
        edge: material
            .edge
            .map(|edge| wit::EdgeMaterial { bytes: edge.bytes, bucket_start: edge.bucket_start }),
    }
}
