//! `intentkey lint` as its users run it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const PLANTED: &str = "name = \"p\"\nactions = [\"pay\"]\nbucket_seconds = 900\n\n[identity]\nto = { rule = \"email\" }\n\
                       nonce = { rule = \"exact\" }\nbranch = { rule = \"identifier\" }\n";

fn policies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("policies")
}

fn lint(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_intentkey"))
        .arg("lint")
        .args(arguments)
        .env_remove("GITHUB_ACTIONS")
        .envs(environment.iter().copied())
        .current_dir(policies())
        .output()
        .unwrap()
}

fn planted(folder: &tempfile::TempDir) -> String {
    let path = folder.path().join("p.toml");
    std::fs::write(&path, PLANTED).unwrap();
    path.to_str().unwrap().to_owned()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

#[test]
fn findings_are_told_with_their_place_and_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let file = planted(&folder);
    let output = lint(&[&file], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stdout(&output),
        format!(
            "error[attempt-field-in-identity]\n  at {file}:7 identity.nonce\n  nonce is made anew for every attempt: \
             every attempt gets a key of its own, and nothing is ever\n  recognized\n  do: move nonce to [ignored], with \
             the reason\n\nnote[compat-identifier]\n  at {file}:8 identity.branch\n  branch has the rule identifier, \
             which is there for existing producers: it merges 2024-1-12 and\n  2024-11-2\n  do: take exact for ids of \
             your own, pix_key for Pix keys, digits for numbers with a mask\n\np: 1 error, 0 warnings, 1 note\n"
        )
    );
    assert!(output.stderr.is_empty());
}

#[test]
fn json_has_what_the_text_has() {
    let folder = tempfile::tempdir().unwrap();
    let output = lint(&["--json", &planted(&folder)], &[]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    let finding = &report["findings"][0];
    assert_eq!(finding["id"], "attempt-field-in-identity");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["place"], "identity.nonce");
    assert_eq!(finding["line"], 7);
    assert_eq!(finding["advice"], "move nonce to [ignored], with the reason");
    assert_eq!((&report["errors"], &report["notes"]), (&Value::from(1), &Value::from(1)));
}

/// The log is read by an implementation whose types follow from the schema of SARIF 2.1.0.
#[test]
fn sarif_is_read_by_another_implementation() {
    let folder = tempfile::tempdir().unwrap();
    let accepted = policies().join("agent-tool-call.toml");
    let output = lint(&["--sarif", &planted(&folder), accepted.to_str().unwrap()], &[]);
    assert_eq!(output.status.code(), Some(1));
    let log: serde_sarif::sarif::Sarif = serde_json::from_str(stdout(&output)).unwrap();
    let run = &log.runs[0];
    assert_eq!(run.tool.driver.name, "intentkey lint");
    let rules = run.tool.driver.rules.as_ref().unwrap();
    let results = run.results.as_ref().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let index = usize::try_from(result.rule_index.unwrap()).unwrap();
        assert_eq!(Some(&rules[index].id), result.rule_id.as_ref());
        let location = &result.locations.as_ref().unwrap()[0];
        let physical = location.physical_location.as_ref().unwrap();
        assert!(physical.region.as_ref().unwrap().start_line.unwrap() >= 7);
        assert!(physical.artifact_location.as_ref().unwrap().uri.as_ref().unwrap().ends_with(".toml"));
    }
    let suppressed = results.iter().filter(|result| result.suppressions.is_some()).count();
    assert_eq!(suppressed, 1, "what the owner accepts is told as suppressed");
}

#[test]
fn notes_and_accepted_findings_fail_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = planted(&folder);
    assert_eq!(lint(&["--allow", "attempt-field-in-identity", &file], &[]).status.code(), Some(0));
    assert_eq!(lint(&["--allow", "nothing-required", &file], &[]).status.code(), Some(1));
    let output = lint(&["agent-tool-call.toml"], &[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "agent-tool-call: 0 errors, 0 warnings, 0 notes; 1 accepted in the policy\n");
}

#[test]
fn a_workflow_gets_annotations_beside_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let file = planted(&folder);
    let output = lint(&[&file], &[("GITHUB_ACTIONS", "true")]);
    let annotations = std::str::from_utf8(&output.stderr).unwrap();
    assert!(
        annotations
            .starts_with(&format!("::error file={file},line=7,title=attempt-field-in-identity::nonce is"))
    );
    assert!(annotations.contains("%0Amove nonce to [ignored]"));
    assert_eq!(stdout(&output), stdout(&lint(&[&file], &[])));
}

#[test]
fn lints_explain_themselves() {
    let output = lint(&["--explain", "key-in-payload"], &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stdout(&output).starts_with("key-in-payload (warning): a field looks like an idempotency key\n\n")
    );
    let list = lint(&["--list"], &[]);
    assert!(stdout(&list).lines().count() >= 20);
    let unknown = lint(&["--explain", "nonsense"], &[]);
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn what_cannot_be_read_is_status_2_and_what_does_not_load_is_a_finding() {
    assert_eq!(lint(&["/nonexistent.toml"], &[]).status.code(), Some(2));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.json");
    std::fs::write(&path, r#"{"name": "p", "actions": ["a"], "bucket_seconds": 1, "identity": {}}"#).unwrap();
    let output = lint(&["--json", path.to_str().unwrap()], &[]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(
        (&report["findings"][0]["id"], &report["findings"][0]["place"]),
        (&"policy_invalid".into(), &"identity".into())
    );
}

#[test]
fn shells_complete_the_verbs() {
    for (shell, verb) in
        [("bash", "lint"), ("zsh", "lint"), ("fish", "lint"), ("powershell", "lint"), ("elvish", "lint")]
    {
        let output =
            Command::new(env!("CARGO_BIN_EXE_intentkey")).args(["completions", shell]).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains(verb) && stdout(&output).contains("explain"), "{shell}");
    }
}
