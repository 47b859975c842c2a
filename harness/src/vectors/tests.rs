use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;

fn published() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors")
}

fn of(name: &str, rotates: bool) -> (Vectors, tempfile::TempDir) {
    let text = std::fs::read_to_string(published().join(format!("{name}.policy.json"))).unwrap();
    let policy = Policy::from_json(&text).unwrap();
    let vectors = vectors(&policy, &Value::from(name), rotates, &Settings { cases: 3, seed: 0 }).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("vectors.jsonl"), vectors.lines.join("\n")).unwrap();
    std::fs::write(folder.path().join(format!("{name}.policy.json")), text).unwrap();
    for (name, keyring) in &vectors.keyrings {
        std::fs::write(folder.path().join(format!("secret.{name}.json")), keyring).unwrap();
    }
    (vectors, folder)
}

#[test]
fn the_published_vectors_verify() {
    let verified = verify(&published().join("public.jsonl")).unwrap();
    assert_eq!(verified.vectors, 773);
    assert!(verified.mismatches.is_empty(), "{:?}", verified.mismatches.first());
}

#[test]
fn what_is_made_verifies_and_covers_codes_and_edges() {
    let common = [
        "action_unknown",
        "epoch_in_milliseconds",
        "epoch_invalid",
        "field_duplicate",
        "field_null",
        "field_type",
        "field_unclassified",
        "identity_empty",
        "intent_invalid",
        "json_malformed",
        "payload_not_object",
        "payload_too_deep",
        "payload_too_large",
        "tenant_empty",
        "text_not_unicode",
    ];
    for (name, more) in [
        (
            "pix",
            &[
                "currency_unknown",
                "decimal_malformed",
                "decimal_out_of_range",
                "field_empty",
                "field_missing",
                "number_unsafe",
                "pix_key_unrecognized",
                "secret_missing_for_epoch",
            ][..],
        ),
        (
            "order",
            &[
                "decimal_malformed",
                "decimal_out_of_range",
                "field_empty",
                "field_missing",
                "number_unsafe",
                "secret_missing_for_epoch",
                "value_malformed",
                "value_not_listed",
                "decimal_inexact",
            ],
        ),
        (
            "agent",
            &[
                "decimal_inexact",
                "decimal_malformed",
                "decimal_out_of_range",
                "field_empty",
                "field_missing",
                "number_unsafe",
                "value_malformed",
            ],
        ),
        (
            "published",
            &[
                "currency_unknown",
                "decimal_malformed",
                "decimal_out_of_range",
                "field_empty",
                "number_unsafe",
                "secret_missing_for_epoch",
            ],
        ),
    ] {
        let (vectors, folder) = of(name, true);
        let codes: BTreeSet<&str> = vectors.codes.iter().map(String::as_str).collect();
        // A policy whose fields are required all is never without identity.
        let wanted: BTreeSet<&str> = common
            .iter()
            .chain(more)
            .copied()
            .filter(|code| *code != "identity_empty" || codes.contains(code))
            .collect();
        assert!(
            codes.is_superset(&wanted),
            "{name}: missing {:?}",
            wanted.difference(&codes).collect::<Vec<_>>()
        );
        let verified = verify(&folder.path().join("vectors.jsonl")).unwrap();
        assert_eq!(verified.vectors, vectors.lines.len());
        assert!(verified.mismatches.is_empty(), "{name}: {:?}", verified.mismatches.first());
        assert!(vectors.lines.iter().all(|line| line.is_ascii()), "{name}");
    }
    let edged = Policy::from_json(r#"{"name": "e", "actions": ["a"], "bucket_seconds": 900, "edge_seconds": 20, "identity": {"x": {"rule": "exact"}}}"#).unwrap();
    let made = vectors(&edged, &Value::from("e"), false, &Settings::default()).unwrap();
    let with_edge = made.lines.iter().filter(|line| line.contains("\"edge\":")).count();
    let buckets = made.lines.iter().filter(|line| line.contains("\"bucket-default-")).count();
    assert!(with_edge >= 4 && buckets >= 12, "{with_edge} {buckets}");
}

/// Of all codes of the core, each is provoked under some policy, or is of no intent.
#[test]
fn every_code_of_an_intent_is_provoked() {
    let mut not_provoked: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    for name in ["pix", "order", "agent", "published"] {
        let (vectors, _folder) = of(name, true);
        let own: BTreeSet<&str> = vectors.not_provoked().chain(OF_NO_INTENT.map(Code::as_str)).collect();
        for code in &vectors.codes {
            assert!(!own.contains(code.as_str()), "{code}");
        }
        not_provoked.retain(|code| own.contains(code));
    }
    assert_eq!(
        not_provoked.into_iter().collect::<Vec<_>>(),
        ["keyring_invalid", "policy_invalid", "secret_weak"]
    );
    let (order, _folder) = of("order", true);
    for code in ["policy_missing_for_epoch", "tenant_not_held", "secret_missing_for_epoch"] {
        assert!(order.codes.iter().any(|own| own == code), "{code}");
    }
}

#[test]
fn a_changed_byte_is_told() {
    let (vectors, folder) = of("pix", false);
    let file = folder.path().join("vectors.jsonl");
    let line = vectors.lines.iter().position(|line| line.contains("\"key\":")).unwrap();
    let mut lines = vectors.lines.clone();
    let at = lines[line].find("\"fingerprint\":\"").unwrap() + 15;
    let digit = if lines[line].as_bytes()[at] == b'0' { "1" } else { "0" };
    lines[line].replace_range(at..=at, digit);
    std::fs::write(&file, lines.join("\n")).unwrap();
    let verified = verify(&file).unwrap();
    assert_eq!(verified.mismatches.len(), 1);
    assert_eq!(
        (verified.mismatches[0].line, verified.mismatches[0].differs[0].0.as_str()),
        (line + 1, "fingerprint")
    );
}

#[test]
fn what_is_no_vector_is_an_error_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v.jsonl");
    let policy = r#"{"name":"p","actions":["a"],"bucket_seconds":0,"identity":{"x":{"rule":"exact"}}}"#;
    for (text, says) in [
        ("{}", "line 1: missing field `id`"),
        ("\nnonsense", "line 2: "),
        (
            &format!(r#"{{"id":"1","policy":{policy},"secret":"default","expect":{{}}}}"#),
            "either intent or intent_text",
        ),
        (
            r#"{"id":"1","policy":"../x","secret":"default","intent":{},"expect":{}}"#,
            "no name of a file here",
        ),
        (
            &format!(r#"{{"id":"1","policy":{policy},"secret":"none","intent":{{}},"expect":{{}}}}"#),
            "secret.none.json",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = verify(&file).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}
