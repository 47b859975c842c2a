//! Sound policies pass, whatever is in them.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use intentkey::check::{Report, Settings, check};
use intentkey::hosts::Native;
use intentkey::policy_json;
use intentkey_core::Policy;
use serde::Deserialize;
use serde_json::value::RawValue;

fn vectors() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors"))
}

/// A vector, of whose payload some is no text that a JSON parser gives.
#[derive(Deserialize)]
struct Vector<'v> {
    #[serde(borrow)]
    policy: &'v RawValue,
}

fn run(policy: &str, cases: u32, seed: u64) -> Report {
    let policy = Policy::from_json(policy).unwrap();
    let settings = Settings { cases, seed, beside: Vec::new(), ..Settings::default() };
    check(&policy, &Native::new(policy.clone()), &settings)
}

fn broken(report: &Report) -> Vec<&'static str> {
    report.broken().map(|broken| broken.0).collect()
}

fn policies() -> BTreeSet<String> {
    let text = fs::read_to_string(vectors().join("public.jsonl")).unwrap();
    let policies: BTreeSet<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Vector<'_>>(line).unwrap().policy.get().to_owned())
        .filter(|policy| policy.starts_with('{'))
        .collect();
    assert!(policies.len() > 20, "{}", policies.len());
    policies
}

#[test]
fn every_policy_of_the_vectors_holds() {
    for (seed, policy) in (0..).zip(&policies()) {
        let report = run(policy, 48, seed);
        assert!(report.held(), "{policy}\n{report}");
    }
}

#[test]
fn every_named_policy_of_the_vectors_holds_but_for_its_text_form() {
    for (name, expected) in [
        ("agent", [].as_slice()),
        ("order", &[]),
        ("pix", &[]),
        ("published", &["spelling-free", "fixed-point"]),
    ] {
        let policy = fs::read_to_string(vectors().join(format!("{name}.policy.json"))).unwrap();
        let report = run(&policy, 128, 0);
        assert_eq!(broken(&report), expected, "{report}");
    }
}

/// Each is written for other hosts as it was read.
#[test]
fn every_policy_of_the_vectors_is_written_as_it_was_read() {
    for policy in policies() {
        let policy = Policy::from_json(&policy).unwrap();
        let written = policy_json::write(&policy).to_string();
        let again = Policy::from_json(&written).unwrap_or_else(|refusal| panic!("{refusal}: {written}"));
        assert_eq!(again.digest(), policy.digest(), "{written}");
    }
}

/// Policies on which a generator went wrong once: each is sound.
#[test]
fn policies_that_were_once_taken_for_broken_hold() {
    for policy in [
        // 2^53 - 1 has too many digits at a large scale.
        r#"{"name": "scale", "actions": ["a"], "bucket_seconds": 1,
            "identity": {"a": {"rule": "decimal", "scale": 18}}}"#,
        // Two elements of a list in any order that change places are the same list.
        r#"{"name": "any", "actions": ["a"], "bucket_seconds": 60, "lists": {"a": {"order": "any"}},
            "identity": {"a[].b": {"rule": "identifier", "required": false}, "c": {"rule": "exact"}}}"#,
        // An amount without its currency is refused for that, whatever its value.
        r#"{"name": "currency", "actions": ["a"], "bucket_seconds": 900, "edge_seconds": 20,
            "identity": {"n": {"rule": "decimal", "scale": "currency", "currency_field": "m.cur", "required": false},
                "m.cur": {"rule": "currency", "required": false}, "e": {"rule": "exact", "required": false}}}"#,
        // A bucket width that looks like a secret of zeros.
        r#"{"name": "wide", "actions": ["a"], "bucket_seconds": 10000000000,
            "identity": {"a": {"rule": "boolean"}}}"#,
        // Amounts that are checked only, of a currency that may be absent.
        r#"{"name": "checked", "actions": ["a"], "bucket_seconds": 900,
            "identity": {"currency": {"rule": "currency", "required": false, "empty": "absent"}, "e": {"rule": "exact"}},
            "checked": {"a[].n": {"rule": "decimal", "scale": "currency", "rounding": "refuse", "required": false}}}"#,
    ] {
        let report = run(policy, 128, 0);
        assert!(report.held(), "{policy}\n{report}");
    }
}
