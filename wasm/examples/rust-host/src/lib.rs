//! Keys in a Rust host: the component in wasmtime.
//!
//! A Rust program that may link `intentkey-core` should do that. The component is for hosts that
//! run plug-ins, and for those that want what derives keys in a box: it imports nothing, and what
//! it may use of this process is bounded by fuel and by a limit on memory.

use std::path::Path;

use wasmtime::component::{Component, Linker, ResourceAny};
use wasmtime::{Config, Engine, Error, Result, Store, StoreLimits, StoreLimitsBuilder};

use bindings::exports::intentkey::keys::derivation::{Keyring, Policies};

pub use bindings::exports::intentkey::keys::derivation::{Intent, Refusal};

mod bindings {
    wasmtime::component::bindgen!({ path: "../../wit", world: "deriver" });
}

/// What one call may use: an ordinary one takes a hundredth of it.
const FUEL_PER_CALL: u64 = 100_000_000;
/// What the instance may hold, in bytes.
const MEMORY: usize = 64 << 20;

/// An instance of the component, with a policy and a secret.
pub struct Deriver {
    store: Store<StoreLimits>,
    world: bindings::Deriver,
    held: ResourceAny,
}

impl Deriver {
    /// Compiles the component, which takes a tenth of a second: a service does that once, or keeps
    /// what `Component::serialize` gives.
    pub fn new(component: &Path, policy: &str, secret: &[u8]) -> Result<Self> {
        let mut config = Config::new();
        config.consume_fuel(true);
        let engine = Engine::new(&config)?;
        let limits = StoreLimitsBuilder::new().memory_size(MEMORY).build();
        let mut store = Store::new(&engine, limits);
        store.limiter(|limits| limits);
        store.set_fuel(FUEL_PER_CALL)?;
        // Nothing is linked: the component imports nothing.
        let component = Component::from_file(&engine, component)?;
        let world = bindings::Deriver::instantiate(&mut store, &component, &Linker::new(&engine))?;
        let (policies, keyring) = (Policies::Json(policy.to_owned()), Keyring::Bare(secret.to_owned()));
        let deriver = world.intentkey_keys_derivation().deriver();
        let made = deriver.call_create(&mut store, &policies, &keyring)?;
        let held = made.map_err(|refusal| Error::msg(format!("{}: {}", refusal.code, refusal.message)))?;
        Ok(Deriver { store, world, held })
    }

    /// The key of an intent, or why there is none. The outer error is a trap: out of fuel or
    /// memory. After one this instance cannot be entered again; make another.
    pub fn key(&mut self, intent: &Intent) -> Result<Result<String, Refusal>> {
        self.store.set_fuel(FUEL_PER_CALL)?;
        let deriver = self.world.intentkey_keys_derivation().deriver();
        let derived = deriver.call_derive_key(&mut self.store, self.held, intent)?;
        Ok(derived.map(|derived| derived.key))
    }
}
