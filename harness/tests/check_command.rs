//! The command `intentkey check`: what it prints, where, and its exit status.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Once;

use intentkey::hosts::component;
use serde_json::Value;

fn policy(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "policies", name].iter().collect()
}

/// Runs the command, with the component of this source there: else the first run builds it.
fn check(name: &str, arguments: &[&str]) -> Output {
    static COMPONENT: Once = Once::new();
    COMPONENT.call_once(|| component::bring_up_to_date(|_| {}).unwrap());
    Command::new(env!("CARGO_BIN_EXE_intentkey"))
        .arg("check")
        .arg(policy(name))
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_policy_that_keeps_its_promises_exits_with_0_and_is_quiet_in_a_pipe() {
    for name in ["pix-payment.toml", "order.toml", "agent-tool-call.toml", "webhook.toml"] {
        let output = check(name, &["--cases", "64"]);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{out}");
        assert_eq!(err, "");
        assert_eq!(out.lines().count(), 13, "{out}");
        assert!(!out.contains('\u{1b}'), "{out}");
    }
}

#[test]
fn published_fails_by_name_for_its_text_form_and_for_nothing_else() {
    let output = check("published.toml", &["--cases", "128"]);
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}");
    let broken: Vec<&str> = out
        .lines()
        .filter(|line| line.contains("BROKEN"))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(broken, ["spelling-free", "fixed-point"], "{out}");
    assert!(out.contains("field remittance (text, case=fold, form=nfc_first, space=trim)"), "{out}");
    assert!(out.contains("repeat: intentkey check") && out.contains("--cases 128 --seed 0"), "{out}");
}

#[test]
fn a_seed_repeats_a_run_exactly() {
    let run = |seed| text(&check("published.toml", &["--cases", "64", "--seed", seed]).stdout);
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
}

#[test]
fn what_nothing_exercises_is_vacuous() {
    let output = check("published.toml", &["--cases", "16", "--only", "checked-guard"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("checked-guard               vacuous  the policy checks no field"));
}

#[test]
fn the_report_is_json_where_asked() {
    let output = check("published.toml", &["--cases", "64", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["held"], false);
    assert_eq!(report["invariants"].as_array().unwrap().len(), 12);
    let spelling_free = &report["invariants"][2];
    assert_eq!(spelling_free["outcome"], "broken");
    let found = &spelling_free["counterexample"];
    assert_eq!(found["field"], "remittance");
    let [one, other] = [0, 1].map(|side| &found["sides"][side]);
    assert_ne!(one["outcome"]["key"], other["outcome"]["key"]);
    assert_ne!(one["canonical"]["remittance"], other["canonical"]["remittance"]);
}

#[test]
fn the_report_is_written_for_ci() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("junit.xml");
    let output = check("published.toml", &["--cases", "64", "--junit", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let report = std::fs::read_to_string(file).unwrap();
    assert!(report.contains(r#"tests="12""#) && report.contains(r#"failures="2""#), "{report}");
    assert!(report.contains(r#"<testcase name="checked-guard""#) && report.contains("<skipped"), "{report}");
}

#[test]
fn a_component_of_another_source_is_not_run_which_is_no_pass() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.wasm");
    std::fs::write(&file, b"\0asm\x0d\0\x01\0").unwrap();
    let named = ["--cases", "1", "--only", "hosts-agree", "--component", file.to_str().unwrap()];
    let output = check("webhook.toml", &named);
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.contains("hosts-agree                 NOT RUN") && out.contains("another source"), "{out}");
    let report = check("webhook.toml", &[&named[..], &["--json"]].concat());
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!((&report["held"], &report["invariants"][0]["outcome"]), (&false.into(), &"not run".into()));
    let junit = folder.path().join("junit.xml");
    check("webhook.toml", &[&named[..], &["--junit", junit.to_str().unwrap()]].concat());
    let junit = std::fs::read_to_string(junit).unwrap();
    assert!(junit.contains(r#"errors="1""#), "{junit}");
}

#[test]
fn somebody_elses_producer_must_agree() {
    const INTENTKEY: &str = env!("CARGO_BIN_EXE_intentkey");
    let held_against = |other: &str| {
        let producer = format!("'{INTENTKEY}' derive --policy '{}'", policy(other).display());
        let named = ["--cases", "32", "--only", "hosts-agree", "--producer", producer.as_str()];
        check("pix-payment.toml", &named)
    };
    let output = held_against("pix-payment.toml");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let output = held_against("order.toml");
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.contains("hosts-agree                 BROKEN") && out.contains(INTENTKEY), "{out}");
    let output = check("pix-payment.toml", &["--producer", "'unclosed"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn usage_and_policies_that_are_not_valid_exit_with_2() {
    assert_eq!(check("missing.toml", &[]).status.code(), Some(2));
    for arguments in [["--cases", "0"], ["--seed", "x"], ["--only", "no-such"]] {
        let output = check("webhook.toml", &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(text(&output.stdout), "");
    }
}
