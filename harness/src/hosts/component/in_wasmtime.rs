//! The component in wasmtime, in a box: it imports nothing, has so much fuel for a derivation and
//! so much memory, and after a trap a fresh instance takes over.

mod answers;
mod compiled;

pub use compiled::Unusable;

use std::sync::{Mutex, PoisonError};

use intentkey_core::Policy;
use wasmtime::component::{Component as Code, InstancePre, Linker, ResourceAny};
use wasmtime::{Engine, Error, Result, Store, StoreLimits, StoreLimitsBuilder};

use self::bindings::exports::intentkey::keys::derivation as wit;
use super::Found;
use crate::hosts::{Host, Outcome, Refused, Ring};
use crate::policy_json;

mod bindings {
    wasmtime::component::bindgen!({ path: "../wasm/wit", world: "deriver" });
}

/// What an instance may use.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// For one derivation, in instructions, nearly. Fuel and no deadline: what a case comes to must
    /// not depend on how busy the machine is.
    fuel: u64,
    /// Its memory, in bytes.
    memory: usize,
}

/// Ten times what the largest payload needs, and twice its memory.
const LIMITS: Limits = Limits { fuel: 10_000_000_000, memory: 64 << 20 };

/// The component in wasmtime.
pub struct Component {
    policy: String,
    engine: Engine,
    ready: bindings::DeriverPre<StoreLimits>,
    limits: Limits,
    instance: Mutex<Option<Instance>>,
}

/// An instance, with the deriver of the ring that was used last.
struct Instance {
    store: Store<StoreLimits>,
    world: bindings::Deriver,
    held: Option<(Ring, Result<ResourceAny, Refused>)>,
}

impl Component {
    /// The component, compiled, with a policy. Where it is that of this build, what was compiled
    /// is kept beside it for the next time.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or compiled, or is not the component of intentkey.
    pub fn open(found: &Found, policy: &Policy) -> Result<Self, Unusable> {
        let engine = compiled::engine()?;
        let code = compiled::code(&engine, found)?;
        Self::new(engine, &code, policy).map_err(Unusable::from)
    }

    fn new(engine: Engine, code: &Code, policy: &Policy) -> Result<Self> {
        // Nothing is linked: the component imports nothing.
        let ready: InstancePre<StoreLimits> = Linker::new(&engine).instantiate_pre(code)?;
        let ready = bindings::DeriverPre::new(ready)?;
        let policy = policy_json::write(policy).to_string();
        Ok(Component { policy, engine, ready, limits: LIMITS, instance: Mutex::new(None) })
    }

    /// The digest that the component itself gives of the policy.
    ///
    /// # Errors
    ///
    /// A refusal of the policy, and a trap.
    pub fn digest(&self) -> Result<String, Refused> {
        self.within(|instance| {
            let policies = instance.world.intentkey_keys_derivation().policy();
            let policy = match policies.call_create(&mut instance.store, &self.policy)? {
                Ok(policy) => policy,
                Err(refusal) => return Ok(Err(answers::refused(refusal))),
            };
            let digest = policies.call_digest(&mut instance.store, policy)?;
            policy.resource_drop(&mut instance.store)?;
            Ok(Ok(digest))
        })
    }

    /// Works with the instance, which a trap ends; the next call makes another.
    fn within<T>(
        &self,
        work: impl FnOnce(&mut Instance) -> Result<Result<T, Refused>>,
    ) -> Result<T, Refused> {
        let mut held = self.instance.lock().unwrap_or_else(PoisonError::into_inner);
        let instance = match held.take() {
            Some(instance) => Ok(instance),
            None => Instance::new(&self.engine, &self.ready, self.limits),
        };
        let mut instance = instance.map_err(|error| trapped(&error))?;
        let outcome = instance
            .refuel(self.limits)
            .and_then(|()| work(&mut instance))
            .map_err(|error| trapped(&error))?;
        *held = Some(instance);
        outcome
    }
}

impl Host for Component {
    fn name(&self) -> &str {
        "component"
    }

    fn derive(&self, ring: &Ring, intent: &str) -> Outcome {
        self.within(|instance| {
            let deriver = match instance.deriver(ring, &self.policy)? {
                Ok(deriver) => deriver,
                Err(refused) => return Ok(Err(refused)),
            };
            let derivers = instance.world.intentkey_keys_derivation().deriver();
            let outcome = derivers.call_derive_json(&mut instance.store, deriver, intent)?;
            Ok(outcome.map(answers::derived).map_err(answers::refused))
        })
    }
}

impl Instance {
    fn new(engine: &Engine, ready: &bindings::DeriverPre<StoreLimits>, limits: Limits) -> Result<Self> {
        let mut store = Store::new(engine, StoreLimitsBuilder::new().memory_size(limits.memory).build());
        store.limiter(|limits| limits);
        store.set_fuel(limits.fuel)?;
        let world = ready.instantiate(&mut store)?;
        Ok(Instance { store, world, held: None })
    }

    fn refuel(&mut self, limits: Limits) -> Result<()> {
        self.store.set_fuel(limits.fuel)
    }

    /// The deriver of a ring; that of another is let go.
    fn deriver(&mut self, ring: &Ring, policy: &str) -> Result<Result<ResourceAny, Refused>> {
        if let Some((held, deriver)) = &self.held
            && held == ring
        {
            return Ok(deriver.clone());
        }
        if let Some((_, Ok(deriver))) = self.held.take() {
            deriver.resource_drop(&mut self.store)?;
        }
        let policies = wit::Policies::Json(policy.to_owned());
        let derivers = self.world.intentkey_keys_derivation().deriver();
        let made = derivers.call_create(&mut self.store, &policies, &answers::keyring(ring))?;
        let made = made.map_err(answers::refused);
        self.held = Some((ring.clone(), made.clone()));
        Ok(made)
    }
}

/// A trap as a refusal: out of fuel or memory, or a mistake.
fn trapped(error: &Error) -> Refused {
    let message = format!("the component trapped: {}", error.root_cause());
    Refused { code: String::from("trapped"), message, ..Refused::default() }
}

#[cfg(test)]
mod tests;
