//! Each invariant is shown to fail: wrong cores, and the invariants that catch them.
//!
//! A wrong core is the right one with a mistake in front of it or behind it: in the policy that it
//! goes by, in what it reads, in the bytes that it MACs, or in what it answers.
#![expect(clippy::unwrap_used, clippy::string_slice, reason = "a test may panic")]

mod bucket_split;
mod checked_guard;
mod fail_loud;
mod fixed_point;
mod framing_safe;
mod hosts_agree;
mod identity_sensitive;
mod key_shape;
mod line;
mod order_free;
mod retry_stable;
mod spelling_free;
mod tenant_action_secret_split;
mod wrong;

use std::collections::{BTreeMap, BTreeSet};

use hmac::{Hmac, KeyInit as _, Mac as _};
use intentkey::check::{Report, Settings, check, names};
use intentkey::hosts::{Derived, Edge, Native, Outcome, Ring};
use intentkey_core::{Intent, Payload, Policy};
use serde_json::{Value, json};
use sha2::Sha256;

use line::Line;
use wrong::{Wrong, tweak};

/// A policy with something in it for every invariant.
const POLICY: &str = r#"{
    "name": "everything",
    "actions": ["pix.transfer", "pix.refund"],
    "bucket_seconds": 900,
    "edge_seconds": 20,
    "key": { "length": 40 },
    "identity": {
        "account": { "rule": "exact" },
        "amount": { "rule": "decimal", "scale": 2 },
        "creditor": { "rule": "pix_key" },
        "lines[].sku": { "rule": "exact" },
        "lines[].quantity": { "rule": "integer" },
        "memo": { "rule": "text", "required": false },
        "steps[]": { "rule": "identifier" },
        "when": { "rule": "timestamp", "precision": "milli", "required": false }
    },
    "checked": {
        "note": { "rule": "text", "space": "collapse", "required": false },
        "origin": { "rule": "digits" }
    },
    "ignored": { "request_id": "new on every attempt", "lines[].name": "presentation" },
    "lists": { "lines": { "order": "any" } }
}"#;

/// Cases of the invariants that must break.
const CASES: u32 = 128;

/// Cases of those that must hold all the same.
const CASES_OF_OTHERS: u32 = 32;

fn broken(wrong: &Wrong, only: Vec<String>, cases: u32) -> (BTreeSet<&'static str>, Report) {
    let policy = Policy::from_json(POLICY).unwrap();
    let report = check(&policy, wrong, &Settings { cases, only, ..alone() });
    (report.broken().map(|broken| broken.0).collect(), report)
}

/// With no other host beside: a wrong core agrees with none.
fn alone() -> Settings {
    Settings { beside: Vec::new(), ..Settings::default() }
}

/// Asserts that exactly these invariants are broken.
#[track_caller]
fn caught(wrong: &Wrong, expected: &[&str]) {
    let (breaking, holding): (Vec<_>, Vec<_>) =
        names().map(String::from).partition(|name| expected.contains(&name.as_str()));
    if !breaking.is_empty() {
        let (found, report) = broken(wrong, breaking, CASES);
        assert_eq!(found, expected.iter().copied().collect(), "{report}");
    }
    let (found, report) = broken(wrong, holding, CASES_OF_OTHERS);
    assert!(found.is_empty(), "{report}");
}

/// Asserts that this invariant is broken, whatever else is.
#[track_caller]
fn caught_at_least(wrong: &Wrong, expected: &str) {
    let (found, report) = broken(wrong, vec![String::from(expected)], CASES);
    assert!(found.contains(expected), "{report}");
}

/// The core with a mistake in its policy.
fn with_policy(pointer: &str, value: Value) -> Wrong {
    let mut policy: Value = serde_json::from_str(POLICY).unwrap();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    policy.pointer_mut(parent).unwrap()[name] = value;
    Wrong::by(&policy.to_string())
}

/// The core with a mistake in how it reads one field of a payload.
fn reading(field: &'static str, edit: impl Fn(&str) -> String + Send + Sync + 'static) -> Wrong {
    let read = move |intent: &mut Line| intent.edit_payload(|payload| payload.edit_text(field, &edit));
    Wrong { intent: Some(Box::new(read)), ..Wrong::by(POLICY) }
}

/// The core with a mistake in its answers, which may depend on the payload.
fn answering(edit: impl Fn(&Line, Derived) -> Derived + Send + Sync + 'static) -> Wrong {
    let answer = move |intent: &str, outcome: Outcome| {
        let payload = Line::parse(intent).unwrap_or_default().object("payload");
        outcome.map(|derived| edit(&payload, derived))
    };
    Wrong { outcome: Some(Box::new(answer)), ..Wrong::by(POLICY) }
}

/// The core with a mistake in its material, under a right MAC.
fn writing(edit: impl Fn(String) -> String + Send + Sync + 'static) -> Wrong {
    let policy = Policy::from_json(POLICY).unwrap();
    let key = move |ring: &Ring, text: &str| {
        let intent = Line::parse(text)?;
        let material = policy.material(&Intent {
            tenant: intent.text("tenant")?.into(),
            action: intent.text("action")?.into(),
            epoch: intent.number("intent_epoch")?.into(),
            payload: Payload::Json(intent.raw("payload")),
        });
        let material_of = material.ok()?;
        let secret = match ring {
            Ring::Bare(secret) | Ring::Tenant { secret, .. } => secret,
            Ring::Dated(secrets) => {
                &secrets.iter().rfind(|secret| secret.from_epoch <= material_of.bucket_start)?.secret
            }
        };
        let material = edit(String::from_utf8(material_of.bytes).ok()?);
        let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
        mac.update(material.as_bytes());
        Some(policy.key_from_mac(&mac.finalize().into_bytes().into()).to_string())
    };
    Wrong { key: Some(Box::new(key)), ..Wrong::by(POLICY) }
}

#[test]
fn the_right_core_holds_everything() {
    caught(&Wrong::by(POLICY), &[]);
}

#[test]
fn a_host_that_panics_is_caught_and_stops_nothing() {
    let read = |intent: &mut Line| assert!(intent.object("payload").raw("amount") != "\"0\"", "a wrong core");
    let wrong = Wrong { intent: Some(Box::new(read)), ..Wrong::by(POLICY) };
    let policy = Policy::from_json(POLICY).unwrap();
    let settings = Settings { cases: CASES, only: vec![String::from("spelling-free")], ..alone() };
    assert!(!check(&policy, &wrong, &settings).held());
}

#[test]
fn a_policy_with_less_in_it_is_vacuous_where_it_says_nothing() {
    let policy = Policy::from_json(
        r#"{ "name": "small", "actions": ["a"], "bucket_seconds": 0, "identity": { "id": { "rule": "exact" } } }"#,
    )
    .unwrap();
    let report = check(&policy, &Native::new(policy.clone()), &Settings { cases: 32, ..alone() });
    assert!(report.held(), "{report}");
    let vacuous: Vec<&str> = report
        .entries
        .iter()
        .filter(|entry| matches!(entry.verdict, intentkey::check::Verdict::Vacuous { .. }))
        .map(|entry| entry.name)
        .collect();
    assert_eq!(vacuous, ["retry-stable", "spelling-free", "checked-guard"]);
}
