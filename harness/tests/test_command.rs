//! `intentkey test` as its users run it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn policies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("policies")
}

fn test(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_intentkey"))
        .arg("test")
        .args(arguments)
        .env_remove("GITHUB_ACTIONS")
        .current_dir(policies())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

#[test]
fn the_ready_examples_pass_and_notice_nearly_every_change() {
    let output = test(&["pix-payment.toml", "cases/pix-payment.toml", "--mutate", "--min-score", "95"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn a_failure_is_told_by_name_and_fails_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("cases.json");
    std::fs::write(
        &cases,
        r#"{"same": [{"name": "one payment", "payloads": [
            {"creditor_key": "71460238001", "amount": 1, "currency": "BRL"},
            {"creditor_key": "71460238001", "amount": 2, "currency": "BRL"}]}],
            "refused": [{"name": "no currency", "code": "currency_unknown", "field": "currency", "payloads": [
            {"creditor_key": "71460238001", "amount": 1, "currency": "XXQ"}]}]}"#,
    )
    .unwrap();
    let junit = folder.path().join("report.xml");
    let (cases, report) = (cases.to_str().unwrap(), junit.to_str().unwrap());
    let output = test(&["pix-payment.toml", cases, "--junit", report]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stdout(&output),
        "FAILED  same       one payment\n        intents 1 and 2 should share a key: different keys: they differ in \
         amount\nok      refused    no currency\npix-payment: 1 passed, 1 failed\n"
    );
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(
        xml.contains(r#"<testsuite name="pix-payment" tests="2" skipped="0" errors="0" failures="1">"#),
        "{xml}"
    );
    let filtered = test(&["pix-payment.toml", cases, "--filter", "currency", "--json"]);
    assert_eq!(filtered.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&filtered.stdout).unwrap();
    assert_eq!((&report["passed"], report["examples"].as_array().unwrap().len()), (&Value::Bool(true), 1));
    let not_tried = test(&["pix-payment.toml", cases, "--mutate"]);
    assert!(stdout(&not_tried).ends_with("mutation: not tried before all examples pass\n"));
}

#[test]
fn unnoticed_changes_lower_the_score() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let policy = file(
        "p.json",
        r#"{"name": "p", "actions": ["a"], "bucket_seconds": 0, "identity": {"x": {"rule": "exact", "empty": "refuse"}}}"#,
    );
    let cases = file("c.toml", "[[different]]\nname = \"d\"\npayloads = [{ x = \"a\" }, { x = \"A\" }]\n");
    let output = test(&[&policy, &cases, "--mutate", "--json", "--min-score", "60"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let survivors = report["mutation"]["survivors"].as_array().unwrap();
    let changes: Vec<&str> = survivors.iter().map(|survivor| survivor["change"].as_str().unwrap()).collect();
    assert_eq!(
        changes,
        [
            "cut by a character",
            "\"tenant\"",
            "required = false",
            "null = \"absent\"",
            "empty = \"keep\"",
            "empty = \"absent\""
        ]
    );
    assert_eq!(report["mutation"]["mutants"], 8);
    assert!(survivors.iter().all(|survivor| survivor["suggestion"]["toml"].is_string()));
    assert_eq!(test(&[&policy, &cases, "--mutate", "--min-score", "20"]).status.code(), Some(0));
}

#[test]
fn what_cannot_be_used_is_status_2() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.toml");
    std::fs::write(&bad, "[[same]]\nname = \"x\"\npayload = [{}]\n").unwrap();
    for arguments in [
        vec!["pix-payment.toml", "nonexistent.toml"],
        vec!["pix-payment.toml", bad.to_str().unwrap()],
        vec!["pix-payment.toml", "cases/pix-payment.toml", "--filter", "no such name"],
    ] {
        let output = test(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
    let output = test(&["pix-payment.toml", bad.to_str().unwrap()]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("unknown field `payload`") && error.contains("line 3"), "{error}");
}
