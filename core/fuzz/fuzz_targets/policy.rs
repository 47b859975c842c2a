//! Policies and keyrings from any text: a refusal or a policy, never a panic.
#![no_main]

use intentkey_core::{Keyring, Policies};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(policies) = Policies::from_json(text) {
        for (_, policy) in policies.iter() {
            // A policy that was read has a digest, and says where its fields are.
            assert_eq!(policy.digest().len(), 64);
            assert!(policy.fields().iter().all(|field| !field.path().to_string().is_empty()));
        }
    }
    let _ = Keyring::from_json(text);
});
