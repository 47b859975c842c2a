//! Between what the component takes and gives and what every host does.

use super::wit;
use crate::hosts::{Derived, Edge, Refused, Ring};

pub(super) fn keyring(ring: &Ring) -> wit::Keyring {
    match ring {
        Ring::Bare(secret) => wit::Keyring::Bare(secret.to_vec()),
        Ring::Dated(secrets) => {
            let masters = secrets.iter().map(|dated| wit::MasterSecret {
                id: dated.id.clone(),
                from_epoch: dated.from_epoch,
                secret: dated.secret.to_vec(),
            });
            wit::Keyring::Masters(masters.collect())
        }
        Ring::Tenant { tenant, secret } => wit::Keyring::Tenants(vec![wit::TenantSecret {
            id: String::from("default"),
            from_epoch: 0,
            tenant: tenant.clone(),
            tenant_secret: secret.to_vec(),
        }]),
    }
}

pub(super) fn derived(derived: wit::Derived) -> Derived {
    let wit::Derived { key, fingerprint, bucket, secret_id, edge } = derived;
    let edge = edge.map(|wit::Edge { key, fingerprint, secret_id }| Edge { key, fingerprint, secret_id });
    Derived { key, fingerprint, bucket, secret_id, edge }
}

pub(super) fn refused(refusal: wit::Refusal) -> Refused {
    let wit::Refusal { code, field, fields, message } = refusal;
    Refused { code, field, fields, message }
}
