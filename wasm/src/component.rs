//! The component `intentkey:keys`: what `wit/intentkey.wit` says, by core.
//!
//! It imports nothing, so that any host of the Component Model runs it without WASI, and no clock
//! or randomness can reach it. Nothing here panics; what traps in spite of that (a host's limit
//! on memory) ends the instance, and its host makes another.

mod answers;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use intentkey_core::{Code, Deriver, Epoch, Intent, Key, Keyring, Payload, Policies, Policy, RecordedIntent};

use crate::boundary::{self, Dated, HeldSecret, PolicySource, Refused};
use bindings::exports::intentkey::keys::derivation as wit;

mod bindings {
    wit_bindgen::generate!({ path: "wit", world: "deriver", generate_all });
}

/// What implements the world.
struct Component;

bindings::export!(Component with_types_in bindings);

impl wit::Guest for Component {
    type Deriver = Deriver;
    type Policy = Policy;

    fn recorded_key(high: u64, low: u64) -> String {
        let random = u128::from(high) << 64 | u128::from(low);
        Key::recorded(random.to_be_bytes()).as_str().into()
    }
}

impl wit::GuestDeriver for Deriver {
    fn create(policies: wit::Policies, keyring: wit::Keyring) -> Result<wit::Deriver, wit::Refusal> {
        let made =
            open_policies(policies).and_then(|policies| Ok(Deriver::new(policies, open_keyring(keyring)?)?));
        Ok(wit::Deriver::new(made?))
    }

    fn derive(&self, intent: wit::Intent) -> Result<wit::Derived, wit::Refusal> {
        Ok(answers::derived(&Deriver::derive(self, &read(&intent))?))
    }

    fn derive_key(&self, intent: wit::Intent) -> Result<wit::DerivedKey, wit::Refusal> {
        Ok(answers::derived_key(&Deriver::derive_key(self, &read(&intent))?))
    }

    fn derive_json(&self, intent: String) -> Result<wit::Derived, wit::Refusal> {
        Ok(answers::derived(&Deriver::derive(self, &self.read(&intent)?)?))
    }

    fn derive_batch(&self, intents: Vec<wit::Intent>) -> Vec<wit::Outcome> {
        let outcome = |intent| match wit::GuestDeriver::derive(self, intent) {
            Ok(derived) => wit::Outcome::Derived(derived),
            Err(refusal) => wit::Outcome::Refused(refusal),
        };
        intents.into_iter().map(outcome).collect()
    }

    fn fingerprint(&self, intent: wit::Intent) -> Result<String, wit::Refusal> {
        Ok(Deriver::fingerprint(self, &read(&intent))?.to_hex())
    }

    fn explain(&self, intent: wit::Intent) -> Result<wit::Explanation, wit::Refusal> {
        Ok(answers::explanation(&Deriver::explain(self, &read(&intent))?))
    }

    fn explain_json(&self, intent: String) -> Result<wit::Explanation, wit::Refusal> {
        Ok(answers::explanation(&Deriver::explain(self, &self.read(&intent)?)?))
    }

    fn key_from_id(&self, intent: wit::RecordedIntent) -> Result<String, wit::Refusal> {
        let recorded = RecordedIntent {
            tenant: &intent.tenant,
            id: &intent.id,
            epoch: Epoch::from(intent.intent_epoch),
        };
        Ok(Deriver::key_from_id(self, &recorded)?.as_str().into())
    }

    fn handshake(&self) -> wit::Handshake {
        answers::handshake(Deriver::handshake(self))
    }
}

impl wit::GuestPolicy for Policy {
    fn create(json: String) -> Result<wit::Policy, wit::Refusal> {
        Ok(wit::Policy::new(Policy::from_json(&json)?))
    }

    fn name(&self) -> String {
        Policy::name(self).into()
    }

    fn digest(&self) -> String {
        Policy::digest(self)
    }

    fn material(&self, intent: wit::Intent) -> Result<wit::Material, wit::Refusal> {
        Ok(answers::material(Policy::material(self, &read(&intent))?))
    }

    fn key_from_mac(&self, mac: Vec<u8>) -> Result<String, wit::Refusal> {
        match <&[u8; 32]>::try_from(mac.as_slice()) {
            Ok(mac) => Ok(Policy::key_from_mac(self, mac).as_str().into()),
            Err(_) => Err(Refused::new(Code::ValueMalformed).because("a MAC has 32 bytes").into()),
        }
    }
}

fn open_policies(policies: wit::Policies) -> Result<Policies, Refused> {
    match policies {
        wit::Policies::Json(text) => Ok(Policies::from_json(&text)?),
        wit::Policies::OverTime(dated) => {
            let given = dated.iter().map(|dated| Dated {
                from_epoch: Some(dated.from_epoch),
                policy: PolicySource::Json(&dated.policy),
            });
            boundary::policies(&given.collect::<Vec<_>>())
        }
    }
}

fn open_keyring(keyring: wit::Keyring) -> Result<Keyring, Refused> {
    let held = match keyring {
        wit::Keyring::Bare(secret) => return Ok(intentkey_core::Secret::new(secret)?.into()),
        wit::Keyring::Masters(masters) => masters
            .into_iter()
            .map(|master| HeldSecret {
                id: master.id,
                from_epoch: Some(master.from_epoch),
                tenant: None,
                secret: master.secret.into(),
            })
            .collect(),
        wit::Keyring::Tenants(tenants) => tenants
            .into_iter()
            .map(|tenant| HeldSecret {
                id: tenant.id,
                from_epoch: Some(tenant.from_epoch),
                tenant: Some(tenant.tenant),
                secret: tenant.tenant_secret.into(),
            })
            .collect(),
    };
    boundary::keyring(held)
}

fn read(intent: &wit::Intent) -> Intent<'_> {
    Intent {
        tenant: Cow::Borrowed(&intent.tenant),
        action: Cow::Borrowed(&intent.action),
        epoch: Epoch::from(intent.intent_epoch),
        payload: Payload::Json(&intent.payload),
    }
}
