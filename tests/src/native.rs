//! The core, in this process.

use std::collections::BTreeMap;
use std::sync::Arc;

use intentkey_core::{Derived, Deriver, Keyring, Policies, Refusal, Secret};
use serde_json::{Value, json};

use crate::cases::{Case, Ring, Setup};
use crate::report::{Report, Tally};

/// Derivers by what they are made of.
#[derive(Default)]
pub struct Derivers(BTreeMap<Setup, Result<Arc<Deriver>, Refusal>>);

impl Derivers {
    /// What comes of an intent.
    pub fn outcome(&mut self, setup: &Setup, intent: &str) -> Value {
        let mut outcome = || Ok(shown(&self.deriver(setup)?.derive_text(intent)?));
        outcome().unwrap_or_else(|refusal: Refusal| refused(&refusal))
    }

    fn deriver(&mut self, setup: &Setup) -> Result<Arc<Deriver>, Refusal> {
        if let Some(made) = self.0.get(setup) {
            return made.clone();
        }
        let made = make(setup).map(Arc::new);
        self.0.insert(setup.clone(), made.clone());
        made
    }
}

fn make(setup: &Setup) -> Result<Deriver, Refusal> {
    let policies = Policies::from_json(&setup.policy)?;
    let keyring = match &setup.keyring {
        Ring::Bare(hex) => Secret::from_hex(hex)?.into(),
        Ring::Entries(text) => Keyring::from_json(text)?,
    };
    Deriver::new(policies, keyring)
}

trait DeriveText {
    fn derive_text(&self, intent: &str) -> Result<Derived, Refusal>;
}

impl DeriveText for Deriver {
    fn derive_text(&self, intent: &str) -> Result<Derived, Refusal> {
        self.derive(&self.read(intent)?)
    }
}

/// Every case by every verb of the core.
#[must_use]
pub fn run(cases: &[Case]) -> Report {
    let mut derivers = Derivers::default();
    let mut tally = Tally::default();
    for case in cases {
        let given = derivers.outcome(&case.setup, &case.intent);
        let mut others = || -> Result<Vec<(&str, Value, Value)>, Refusal> {
            let deriver = derivers.deriver(&case.setup)?;
            let intent = deriver.read(&case.intent)?;
            let expect = &case.expect;
            Ok(vec![
                ("derive_key", json!(deriver.derive_key(&intent)?.key.as_str()), expect["key"].clone()),
                ("fingerprint", json!(deriver.fingerprint(&intent)?.to_hex()), expect["fingerprint"].clone()),
                ("explain", shown(&deriver.explain(&intent)?.derived), expect.clone()),
            ])
        };
        let others =
            others().unwrap_or_else(|refusal| vec![("verbs", refused(&refusal), case.expect.clone())]);
        let first = std::iter::once(("derive", given, case.expect.clone()));
        tally.count(&case.id, first.chain(others));
    }
    tally.report("native", env!("CARGO_PKG_VERSION"))
}

fn shown(derived: &Derived) -> Value {
    let mut shown = json!({
        "key": derived.key.as_str(),
        "fingerprint": derived.fingerprint.to_hex(),
        "bucket": derived.bucket,
        "secret_id": &*derived.secret_id,
    });
    if let Some(edge) = &derived.edge {
        shown["edge"] = json!({
            "key": edge.key.as_str(),
            "fingerprint": edge.fingerprint.to_hex(),
            "secret_id": &*edge.secret_id,
        });
    }
    shown
}

fn refused(refusal: &Refusal) -> Value {
    let mut error = json!({ "code": refusal.code().as_str() });
    if let Some(field) = refusal.field() {
        error["field"] = json!(field);
    }
    if !refusal.fields().is_empty() {
        error["fields"] = json!(refusal.fields());
    }
    json!({ "error": error })
}
