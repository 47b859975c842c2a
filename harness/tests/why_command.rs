//! `intentkey why` as its users run it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn why(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_intentkey"))
        .arg("why")
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("policies"))
        .output()
        .unwrap()
}

#[test]
fn the_parts_are_shown_side_by_side() {
    let output = why(&["pix-payment.toml", "pix-payment.intents.jsonl:1", "pix-payment.intents.jsonl:3"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    let first = "same key: amount, creditor_key, currency, debtor_account, remittance came to the same";
    assert_eq!(text.lines().next(), Some(first));
    let amount = text.lines().find(|line| line.contains(" amount ")).unwrap();
    let words: Vec<&str> = amount.split_whitespace().collect();
    assert_eq!(
        words,
        ["=", "amount", "identity", "decimal", "150.00", "->", "\"150.00\"", "\"150\"", "->", "\"150.00\""]
    );
}

#[test]
fn json_and_the_status_tell_what_splits() {
    let intent = |amount: &str| {
        format!(
            r#"{{"tenant":"t","action":"pix.transfer","intent_epoch":450,"payload":{{"creditor_key":"71460238001","currency":"BRL","amount":{amount}}}}}"#
        )
    };
    let output = why(&["--json", "pix-payment.toml", &intent("1.004"), &intent("1.005")]);
    assert_eq!(output.status.code(), Some(1));
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(comparison["verdict"], "different");
    let amount = comparison["rows"].as_array().unwrap().iter().find(|row| row["name"] == "amount").unwrap();
    assert_eq!(amount["canonical"], serde_json::json!(["\"1.00\"", "\"1.01\""]));
    let refused = why(&["pix-payment.toml", &intent("1"), &intent("null")]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        String::from_utf8(refused.stdout).unwrap().starts_with("the second is refused: field_null at amount")
    );
}

#[test]
fn a_file_of_several_intents_is_one_clear_error() {
    let output = why(&["pix-payment.toml", "pix-payment.intents.jsonl", "pix-payment.intents.jsonl:1"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = "pix-payment.intents.jsonl holds more than one intent: name a line of it, as pix-payment.intents.jsonl:1";
    assert!(error.contains(expected) && error.lines().count() == 1, "{error}");
    // One intent on several lines is one.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.json");
    let text = "{\"tenant\":\"t\",\n\"action\":\"pix.transfer\",\"intent_epoch\":450,\n\"payload\":{\"creditor_key\":\"71460238001\",\"currency\":\"BRL\",\"amount\":1}}\n\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(why(&["pix-payment.toml", file, file]).status.code(), Some(0));
}

#[test]
fn what_cannot_be_read_is_status_2() {
    for arguments in [
        ["pix-payment.toml", "nonexistent.json", "{}"],
        ["pix-payment.toml", "pix-payment.intents.jsonl:9999", "{}"],
        ["nonexistent.toml", "{}", "{}"],
    ] {
        assert_eq!(why(&arguments).status.code(), Some(2), "{arguments:?}");
    }
}

/// What an audit of a table names by its lines is shown with the options of that audit.
#[test]
fn the_rows_of_a_table_are_shown_as_audit_reads_them() {
    let at = |first: &str, second: &str, more: &[&str]| {
        let mut arguments = vec!["pix-payment.toml", first, second];
        arguments.extend(["--tenant", "merchant", "--action", "=pix.transfer", "--epoch", "created_at"]);
        arguments.extend(more);
        why(&arguments)
    };
    let truth = ["--truth", "order_id"];
    let output = at("pix-payment.events.csv:8", "pix-payment.events.csv:9", &truth);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("same key"), "{text}");
    assert_eq!(output.status.code(), Some(0));
    for (line, more, expected) in [
        ("pix-payment.events.csv:99", &truth[..], "has no event on line 99"),
        ("pix-payment.events.csv:8", &["--truth", "none"], "there is no column \"none\""),
        ("pix-payment.intents.jsonl:1", &["--drop", "x"], "no intent, for its tenant"),
    ] {
        let output = at(line, "pix-payment.events.csv:9", more);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(expected), "{error}");
    }
    let output = why(&["pix-payment.toml", "pix-payment.events.csv:8", "pix-payment.events.csv:9"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("there is no column \"tenant\"") && error.contains("--tenant names another"),
        "{error}"
    );
}
