//! `intentkey vectors` as its users run it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn policies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("policies")
}

fn vectors(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_intentkey"))
        .arg("vectors")
        .args(arguments)
        .current_dir(policies())
        .output()
        .unwrap()
}

#[test]
fn vectors_verify_wherever_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("alone.jsonl");
    let made = vectors(&["pix-payment.toml", "--cases", "2"]);
    assert_eq!(made.status.code(), Some(0));
    std::fs::write(&alone, &made.stdout).unwrap();
    let verified = vectors(&["--verify", alone.to_str().unwrap()]);
    assert_eq!(verified.status.code(), Some(0), "{}", String::from_utf8_lossy(&verified.stdout));
    let dir = folder.path().join("folder");
    let dir = dir.to_str().unwrap();
    assert_eq!(vectors(&["order.toml", "--cases", "2", "--dir", dir]).status.code(), Some(0));
    let verified = vectors(&["--verify", &format!("{dir}/vectors.jsonl")]);
    assert!(String::from_utf8(verified.stdout).unwrap().ends_with(" vectors, 0 differ\n"));
    for name in ["order.policy.json", "secret.default.hex", "secret.ring.json", "secret.tenant.json"] {
        assert!(Path::new(dir).join(name).exists(), "{name}");
    }
    // The same seed, the same vectors.
    assert_eq!(vectors(&["pix-payment.toml", "--cases", "2"]).stdout, made.stdout);
}

#[test]
fn a_vector_has_the_members_of_the_published_ones() {
    let made = vectors(&["webhook.toml", "--cases", "1"]);
    let text = String::from_utf8(made.stdout).unwrap();
    let (mut derived, mut refused) = (0, 0);
    for line in text.lines() {
        let vector: std::collections::BTreeMap<String, Box<serde_json::value::RawValue>> =
            serde_json::from_str(line).unwrap();
        let names: Vec<&str> = vector.keys().map(String::as_str).collect();
        assert!(
            names == ["expect", "id", "intent", "policy", "secret"]
                || names == ["expect", "id", "intent_text", "policy", "secret"]
        );
        let expect: Value = serde_json::from_str(vector.get("expect").unwrap().get()).unwrap();
        match expect.get("error") {
            Some(error) => {
                assert!(error.get("code").is_some() && error.get("field").is_some());
                refused += 1;
            }
            None => {
                assert_eq!(expect["key"].as_str().unwrap().len(), 64);
                assert!(expect["material"].as_str().unwrap().starts_with('['));
                derived += 1;
            }
        }
    }
    assert!(derived >= 15 && refused > 60, "{derived} {refused}");
}

#[test]
fn a_mismatch_fails_and_what_is_no_vector_is_status_2() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v.jsonl");
    let made = vectors(&["webhook.toml", "--cases", "1"]);
    let text = String::from_utf8(made.stdout).unwrap().replacen("\"code\":\"", "\"code\":\"x", 1);
    std::fs::write(&file, text).unwrap();
    let verified = vectors(&["--verify", file.to_str().unwrap()]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(String::from_utf8(verified.stdout).unwrap().contains("error.code"));
    std::fs::write(&file, "nonsense").unwrap();
    assert_eq!(vectors(&["--verify", file.to_str().unwrap()]).status.code(), Some(2));
    assert_eq!(vectors(&["--verify", "nonexistent"]).status.code(), Some(2));
    assert_eq!(vectors(&[]).status.code(), Some(2));
}
