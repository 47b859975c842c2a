//! Intents from any text, under a policy with every rule.
#![no_main]

use std::sync::LazyLock;

use intentkey_core::{Deriver, Policy, Secret};
use libfuzzer_sys::fuzz_target;

static DERIVER: LazyLock<Deriver> = LazyLock::new(|| {
    let policy = Policy::from_json(include_str!("every_rule.policy.json")).expect("the policy is sound");
    Deriver::new(policy, Secret::new([7; 32]).expect("not weak")).expect("one secret serves all epochs")
});

fuzz_target!(|text: &str| {
    let Ok(intent) = DERIVER.read(text) else { return };
    let derived = DERIVER.derive(&intent);
    let explained = DERIVER.explain(&intent);
    // Each verb gives the same key or the same refusal.
    assert_eq!(derived.as_ref().ok(), explained.as_ref().ok().map(|explained| &explained.derived));
    assert_eq!(derived.as_ref().err(), explained.as_ref().err());
    let keys = (
        derived.as_ref().ok().map(|derived| derived.key),
        DERIVER.derive_key(&intent).ok().map(|derived| derived.key),
    );
    assert_eq!(keys.0, keys.1);
    if let Ok(explained) = explained {
        assert!(explained.material.starts_with("[\""), "material is an array of the tenant and more");
    }
});
