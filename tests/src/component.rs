//! The component in wasmtime.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};
use wasmtime::component::{Component, Linker, ResourceAny};
use wasmtime::{Config, Engine, Error, Result, Store, StoreLimits, StoreLimitsBuilder};

use crate::cases::{Case, Ring, Setup};
use crate::report::{Report, Tally};
use bindings::exports::intentkey::keys::derivation as wit;

mod bindings {
    wasmtime::component::bindgen!({ path: "../wasm/wit", world: "deriver" });
}

/// What one call may use: the largest payload takes a small part of it.
const FUEL: u64 = 10_000_000_000;
/// What the instance may hold: 64 MiB.
const MEMORY: usize = 64 << 20;
/// Its version, as `Cargo.toml` pins it.
const VERSION: &str = "48";

/// Every case by the component at this path.
pub fn run(path: &Path, cases: &[Case]) -> Result<Report> {
    let mut host = Host::new(path)?;
    let mut derivers: HashMap<&Setup, Result<ResourceAny, Value>> = HashMap::new();
    let mut tally = Tally::default();
    for case in cases {
        if !derivers.contains_key(&case.setup) {
            derivers.insert(&case.setup, host.create(&case.setup)?);
        }
        let mut routes = Vec::new();
        match &derivers[&case.setup] {
            Err(refused) => routes.push(("create", refused.clone())),
            Ok(deriver) => {
                routes.push(("derive-json", host.derive_json(*deriver, &case.intent)?));
                if let Some(intent) = record(case) {
                    routes.push(("derive", host.derive(*deriver, &intent)?));
                }
            }
        }
        let expected = |(route, given)| (route, given, case.expect.clone());
        tally.count(&case.id, routes.into_iter().map(expected));
    }
    Ok(tally.report("wasmtime (Rust)", VERSION))
}

/// The intent as the record of the interface, where it can be one.
fn record(case: &Case) -> Option<wit::Intent> {
    // serde_json refuses lone surrogates and keeps one of two equal names: those stay text.
    let intent: Value = serde_json::from_str(&case.intent).ok().filter(|_| case.as_object)?;
    Some(wit::Intent {
        tenant: intent["tenant"].as_str()?.to_owned(),
        action: intent["action"].as_str()?.to_owned(),
        intent_epoch: intent["intent_epoch"].as_i64()?,
        payload: crate::json::Json::read(&case.intent)?.member("payload")?.compact(),
    })
}

struct Host {
    store: Store<StoreLimits>,
    world: bindings::Deriver,
}

impl Host {
    fn new(path: &Path) -> Result<Self> {
        let mut config = Config::new();
        config.consume_fuel(true);
        let engine = Engine::new(&config)?;
        let component = Component::from_file(&engine, path)?;
        let limits = StoreLimitsBuilder::new().memory_size(MEMORY).build();
        let mut store = Store::new(&engine, limits);
        store.limiter(|limits| limits);
        store.set_fuel(FUEL)?;
        // Nothing is linked: the component imports nothing.
        let world = bindings::Deriver::instantiate(&mut store, &component, &Linker::new(&engine))?;
        Ok(Host { store, world })
    }

    fn create(&mut self, setup: &Setup) -> Result<Result<ResourceAny, Value>> {
        self.store.set_fuel(FUEL)?;
        let policies = wit::Policies::Json(setup.policy.clone());
        let keyring =
            keyring(&setup.keyring).ok_or_else(|| Error::msg("a keyring that the cases should not have"))?;
        let made = self.world.intentkey_keys_derivation().deriver().call_create(
            &mut self.store,
            &policies,
            &keyring,
        )?;
        Ok(made.map_err(|refusal| refused(&refusal)))
    }

    fn derive_json(&mut self, deriver: ResourceAny, intent: &str) -> Result<Value> {
        self.store.set_fuel(FUEL)?;
        let interface = self.world.intentkey_keys_derivation();
        let outcome = interface.deriver().call_derive_json(&mut self.store, deriver, intent)?;
        Ok(shown(outcome))
    }

    fn derive(&mut self, deriver: ResourceAny, intent: &wit::Intent) -> Result<Value> {
        self.store.set_fuel(FUEL)?;
        let interface = self.world.intentkey_keys_derivation();
        Ok(shown(interface.deriver().call_derive(&mut self.store, deriver, intent)?))
    }
}

fn keyring(ring: &Ring) -> Option<wit::Keyring> {
    let text = match ring {
        Ring::Bare(hex) => return bytes(hex).map(wit::Keyring::Bare),
        Ring::Entries(text) => text,
    };
    let entries: Vec<Value> = serde_json::from_str(text).ok()?;
    if entries.iter().any(|entry| entry["tenant"].is_string()) {
        return entries.iter().map(tenant).collect::<Option<_>>().map(wit::Keyring::Tenants);
    }
    entries.iter().map(master).collect::<Option<_>>().map(wit::Keyring::Masters)
}

fn master(entry: &Value) -> Option<wit::MasterSecret> {
    Some(wit::MasterSecret {
        id: entry["id"].as_str()?.to_owned(),
        from_epoch: entry["from_epoch"].as_u64()?,
        secret: bytes(entry["secret_hex"].as_str()?)?,
    })
}

fn tenant(entry: &Value) -> Option<wit::TenantSecret> {
    Some(wit::TenantSecret {
        id: entry["id"].as_str()?.to_owned(),
        from_epoch: entry["from_epoch"].as_u64()?,
        tenant: entry["tenant"].as_str()?.to_owned(),
        tenant_secret: bytes(entry["tenant_secret_hex"].as_str()?)?,
    })
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let pair = |at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    (0..hex.len()).step_by(2).map(pair).collect()
}

fn shown(outcome: Result<wit::Derived, wit::Refusal>) -> Value {
    let derived = match outcome {
        Ok(derived) => derived,
        Err(refusal) => return refused(&refusal),
    };
    let mut shown = json!({
        "key": derived.key, "fingerprint": derived.fingerprint,
        "bucket": derived.bucket, "secret_id": derived.secret_id,
    });
    if let Some(edge) = derived.edge {
        shown["edge"] =
            json!({ "key": edge.key, "fingerprint": edge.fingerprint, "secret_id": edge.secret_id });
    }
    shown
}

fn refused(refusal: &wit::Refusal) -> Value {
    let mut error = json!({ "code": refusal.code });
    if let Some(field) = &refusal.field {
        error["field"] = json!(field);
    }
    if !refusal.fields.is_empty() {
        error["fields"] = json!(refusal.fields);
    }
    json!({ "error": error })
}
