//! `intentkey diff` as its users run it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn policies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("policies")
}

fn diff(arguments: &[&str], input: Stdio) -> Output {
    Command::new(env!("CARGO_BIN_EXE_intentkey"))
        .arg("diff")
        .args(arguments)
        .env_remove("GITHUB_ACTIONS")
        .current_dir(policies())
        .stdin(input)
        .output()
        .unwrap()
}

/// The Pix payment with a passage replaced, beside nothing else.
fn changed(folder: &tempfile::TempDir, from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(policies().join("pix-payment.toml")).unwrap();
    assert!(text.contains(from), "{from}");
    let path = folder.path().join("new.toml");
    std::fs::write(&path, text.replace(from, to)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_status_is_the_verdict() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to, status, verdict) in [
        ("ttl_seconds = 604800", "ttl_seconds = 604801", 0, "same keys"),
        (
            "user_agent = \"presentation\"",
            "user_agent = \"presentation\"\nlocale = \"presentation\"",
            0,
            "same keys",
        ),
        ("length = 40", "length = 39", 1, "splits in flight"),
        ("refund_of = { rule = \"exact\"", "refund_of = { rule = \"text\"", 3, "merges"),
    ] {
        let new = changed(&folder, from, to);
        let output = diff(&["pix-payment.toml", &new, "--from", "1798761600", "--json"], Stdio::null());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &report["verdict"]), (Some(status), &Value::from(verdict)), "{to}");
    }
}

#[test]
fn events_are_counted_and_a_roll_out_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let new = changed(&folder, "bucket_seconds = 900", "bucket_seconds = 600");
    let events = std::fs::File::open(policies().join("pix-payment.intents.jsonl")).unwrap();
    let output = diff(&["pix-payment.toml", &new, "-", "--from", "1798761601"], events.into());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.starts_with("pix-payment to pix-payment: merges\n"), "{text}");
    assert!(text.contains(
        "  bucket_seconds: 900 to 600\n      keys all move; splits intents that were in one bucket; merges some"
    ));
    assert!(
        text.contains(
            "from_epoch = 1798763400 (2027-01-01T00:30:00Z), a multiple of both buckets (1800 seconds)"
        ),
        "{text}"
    );
    assert!(
        text.contains("\nOn 25 events\n           0 keep their key\n          15 move  (first: line 1)\n"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_read_is_status_2() {
    for arguments in [
        vec!["nonexistent.toml", "pix-payment.toml"],
        vec!["pix-payment.toml", "pix-payment.toml", "nonexistent.jsonl"],
        vec!["pix-payment.toml"],
    ] {
        assert_eq!(diff(&arguments, Stdio::null()).status.code(), Some(2), "{arguments:?}");
    }
}

/// The table that people read is the one that the program has.
#[test]
fn the_documented_table_is_the_programs() {
    let documented =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CHANGES.md")).unwrap();
    let rows: Vec<&str> = documented
        .lines()
        .filter(|line| {
            line.starts_with("| ") && !line.starts_with("| change | |") && !line.starts_with("| ---")
        })
        .collect();
    let own: Vec<String> = intentkey::diff::KINDS
        .iter()
        .map(|kind| {
            let breaking = if kind.breaking { "breaking" } else { "safe" };
            format!("| {} | {breaking} | {} | {} |", kind.change, kind.keys, kind.besides)
        })
        .collect();
    assert_eq!(rows, own, "\n{}", own.join("\n"));
}
