//! The core, in this process.

use std::sync::{Arc, Mutex, PoisonError};

use intentkey_core::{
    Deriver, ExplainedField, Keyring, KeyringEntry, Policies, Refusal, Secret, TenantEntry,
};

use super::{Derived, Edge, Explained, Host, Outcome, Refused, Ring};

/// The core, in this process.
pub struct Native {
    policies: Policies,
    /// The deriver of the ring that was used last: nearly all derivations share one.
    last: Mutex<Option<(Ring, Arc<Deriver>)>>,
}

impl Native {
    /// The core with a policy, or with policies over time.
    pub fn new(policies: impl Into<Policies>) -> Self {
        Native { policies: policies.into(), last: Mutex::new(None) }
    }

    fn deriver(&self, ring: &Ring) -> Result<Arc<Deriver>, Refusal> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((held, deriver)) = &*last
            && held == ring
        {
            return Ok(Arc::clone(deriver));
        }
        let deriver = Arc::new(Deriver::new(self.policies.clone(), keyring(ring)?)?);
        *last = Some((ring.clone(), Arc::clone(&deriver)));
        Ok(deriver)
    }
}

impl Host for Native {
    fn name(&self) -> &str {
        "native"
    }

    fn derive(&self, ring: &Ring, intent: &str) -> Outcome {
        let deriver = self.deriver(ring).map_err(refused)?;
        let intent = deriver.read(intent).map_err(refused)?;
        let derived = deriver.derive(&intent).map_err(refused)?;
        Ok(Derived {
            key: derived.key.to_string(),
            fingerprint: derived.fingerprint.to_string(),
            bucket: derived.bucket,
            secret_id: derived.secret_id.to_string(),
            edge: derived.edge.map(|edge| Edge {
                key: edge.key.to_string(),
                fingerprint: edge.fingerprint.to_string(),
                secret_id: edge.secret_id.to_string(),
            }),
        })
    }

    fn explain(&self, ring: &Ring, intent: &str) -> Option<Explained> {
        let deriver = self.deriver(ring).ok()?;
        let intent = deriver.read(intent).ok()?;
        let explanation = deriver.explain(&intent).ok()?;
        let fields = explanation.fields.into_iter().filter_map(canonical).collect();
        Some(Explained { material: explanation.material, fields })
    }

    fn says(&self, ring: &Ring, intent: &str) -> String {
        let said = || -> Result<String, Refusal> {
            let deriver = self.deriver(ring)?;
            let intent = deriver.read(intent)?;
            let derived = deriver.derive(&intent)?;
            Ok(format!("{derived:?} {deriver:?}"))
        };
        said().unwrap_or_else(|refusal| format!("{refusal} {refusal:?}"))
    }
}

fn keyring(ring: &Ring) -> Result<Keyring, Refusal> {
    match ring {
        Ring::Bare(secret) => Ok(Secret::new(*secret)?.into()),
        Ring::Tenant { tenant, secret } => {
            let (id, tenant) = (String::from("default"), tenant.clone());
            Keyring::of_tenants(vec![TenantEntry {
                id,
                from_epoch: 0,
                tenant,
                tenant_secret: Secret::new(*secret)?,
            }])
        }
        Ring::Dated(secrets) => {
            let entries = secrets.iter().map(|dated| {
                let secret = Secret::new(dated.secret)?;
                Ok(KeyringEntry { id: dated.id.clone(), from_epoch: dated.from_epoch, secret })
            });
            Keyring::new(entries.collect::<Result<_, Refusal>>()?)
        }
    }
}

fn canonical(field: ExplainedField) -> Option<(String, String)> {
    let canonical = field.canonical?;
    let written = if field.rule == Some("boolean") { canonical } else { quoted(&canonical) };
    Some((field.field, written))
}

fn quoted(text: &str) -> String {
    crate::generate::json::Json::text(text).compact()
}

fn refused(refusal: Refusal) -> Refused {
    Refused {
        code: refusal.code().as_str().to_owned(),
        field: refusal.field().map(String::from),
        fields: refusal.fields().to_vec(),
        message: refusal.message().to_owned(),
    }
}
