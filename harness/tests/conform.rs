//! Somebody else's producers held against a policy: a careful one in Python that follows the
//! published recipe, and others with planted faults.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), name].iter().collect()
}

fn conform(policy: &str, arguments: &[&str], producer: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_intentkey"))
        .arg("conform")
        .arg(file(policy))
        .args(arguments)
        .arg("--")
        .args(producer)
        .output()
        .unwrap()
}

fn four_field(policy: &str, arguments: &[&str]) -> Output {
    let producer = file("tests/producers/four_field.py");
    conform(policy, arguments, &["python3", producer.to_str().unwrap()])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The findings of a JSON report.
fn findings(output: &Output) -> Vec<Value> {
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["findings"].as_array().unwrap().clone()
}

/// The finding of a field with this symptom.
fn find<'f>(findings: &'f [Value], field: &str, symptom: &str) -> &'f Value {
    let own = |finding: &&Value| finding["field"] == field && finding["symptom"] == symptom;
    findings.iter().find(own).unwrap_or_else(|| panic!("{field}: {symptom}"))
}

/// The payload of a finding's intent.
fn payload(finding: &Value) -> Value {
    let intent: Value = serde_json::from_str(finding["intent"].as_str().unwrap()).unwrap();
    intent["payload"].clone()
}

#[test]
fn the_four_field_recipe_is_found_wanting_by_name() {
    let output = four_field("tests/producers/payment.toml", &["--all", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let findings = findings(&output);

    let folded = find(&findings, "remittance", "text that is not NFC after folding");
    assert_eq!(folded["what"], "another key");
    assert_eq!(folded["rule"], "text, case=fold, form=canonical, space=trim");
    assert!(payload(folded)["remittance"].as_str().unwrap().chars().count() <= 2, "{folded}");

    let zero = find(&findings, "amount", "minus zero");
    assert_eq!((&zero["what"], &zero["canonical"]), (&Value::from("another key"), &Value::from("\"0.00\"")));

    let nan = find(&findings, "amount", "NaN");
    assert_eq!(nan["what"], "a key for what is to be refused (decimal_malformed)");
    assert_eq!(nan["expected"], "refused: decimal_malformed at amount");
    assert_eq!(payload(nan)["amount"], "NaN");

    let cnpj = find(&findings, "creditor_key", "a masked CNPJ with letters");
    assert_eq!(cnpj["what"], "another key");
    assert!(cnpj["rule"].as_str().unwrap().starts_with("pix_key"));
    let canonical = cnpj["canonical"].as_str().unwrap().trim_matches('"');
    assert!(canonical.len() == 14 && canonical.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{cnpj}");

    let unclassified = findings
        .iter()
        .find(|finding| finding["what"] == "a key for what is to be refused (field_unclassified)")
        .unwrap();
    assert_eq!(payload(unclassified).as_object().unwrap().len(), 1, "{unclassified}");
}

#[test]
fn the_first_disagreement_is_shrunk_and_a_seed_repeats_it() {
    let run =
        |seed| text(&four_field("tests/producers/payment.toml", &["--cases", "32", "--seed", seed]).stdout);
    let first = run("3");
    assert_eq!(first, run("3"));
    assert_ne!(first, run("4"));
    assert_eq!(first.matches("  intent ").count(), 1, "{first}");
    assert!(first.contains("--all shows one disagreement of each kind"), "{first}");
}

#[test]
fn under_its_own_policy_the_recipe_agrees_on_sound_text() {
    let output = four_field("policies/published.toml", &["--all", "--json"]);
    let findings = findings(&output);
    // The text form is that of these producers, byte for byte, but for letters that are newer than
    // the Unicode tables of the Python at hand.
    let texts = findings
        .iter()
        .filter(|finding| finding["field"] == "remittance" && finding["what"] == "another key");
    let symptoms: Vec<&Value> = texts.map(|finding| &finding["symptom"]).collect();
    assert!(
        symptoms.iter().all(|symptom| *symptom == "letters that older Unicode tables lack"),
        "{symptoms:?}"
    );
    find(&findings, "amount", "minus zero");
    find(&findings, "amount", "NaN");
}

#[test]
fn the_command_itself_agrees_with_every_policy() {
    for policy in ["policies/pix-payment.toml", "policies/order.toml", "policies/agent-tool-call.toml"] {
        let path = file(policy);
        let command = [env!("CARGO_BIN_EXE_intentkey"), "derive", "--policy", path.to_str().unwrap()];
        let output = conform(policy, &["--cases", "64"], &command);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
        assert!(text(&output.stdout).contains("the producer agrees on all of them"));
    }
}

/// A fault that is planted in a producer with the standard library alone is the first thing that is
/// shown, in a small payload, with the rule that it breaks.
#[test]
fn faults_of_producers_written_by_hand_are_named() {
    let producer = file("tests/producers/transfer.py");
    let transfer = |arguments: &[&str], fault: &[&str]| {
        let command = [&["python3", producer.to_str().unwrap()], fault].concat();
        let arguments = [arguments, &["--json"]].concat();
        findings(&conform("tests/producers/transfer.toml", &arguments, &command))
    };
    for (fault, field, symptoms, longest) in [
        ("lower", "note", &["letters that fold to something else than their lower case"][..], 60),
        ("no-nfc", "note", &["text that is not NFC", "text that is not NFC after folding"], 60),
        ("float", "amount", &["a number of many digits", "a number of many places", "NaN"], 60),
        ("half-even", "amount", &["a number of many digits", "a number of many places"], 60),
        ("list-order", "tags[]", &["a list"], 60),
        ("local-time", "intent_epoch", &[""], 40),
        ("drop-unclassified", "", &[""], 60),
    ] {
        let found = transfer(&[], &[fault]);
        assert_eq!(found.len(), 1, "{fault}: {found:?}");
        let finding = &found[0];
        assert_eq!(finding["field"].as_str().unwrap_or_default(), field, "{fault}: {finding}");
        assert!(symptoms.contains(&finding["symptom"].as_str().unwrap_or_default()), "{fault}: {finding}");
        assert!(payload(finding).to_string().len() <= longest, "{fault}: {finding}");
        if !matches!(fault, "local-time" | "drop-unclassified") {
            assert!(finding["rule"].is_string(), "{fault}: {finding}");
        }
    }
    // Without a fault, what is left is letters that are newer than the Python at hand.
    let sound = transfer(&["--all"], &[]);
    let text = |finding: &Value| finding["field"] == "note" && finding["what"] == "another key";
    assert!(sound.iter().all(text), "{sound:?}");
}

/// The command through a filter that spoils its answers.
fn spoiled(filter: &str, arguments: &[&str]) -> Output {
    let policy = file("policies/pix-payment.toml");
    let derive = format!(
        "'{}' derive --policy '{}' | {filter}",
        env!("CARGO_BIN_EXE_intentkey"),
        policy.to_str().unwrap()
    );
    conform("policies/pix-payment.toml", arguments, &["sh", "-c", &derive])
}

#[test]
fn planted_faults_are_found() {
    // Without edge keys.
    let output = spoiled(r#"sed 's/,"edge":.*/}/'"#, &["--all", "--json"]);
    assert_eq!(findings(&output)[0]["what"], "no edge key in the answer");
    // Another code.
    let output = spoiled("sed 's/decimal_malformed/value_malformed/'", &["--all", "--json"]);
    let found = findings(&output);
    let what = "refused under another code than decimal_malformed";
    assert!(!found.is_empty() && found.iter().all(|finding| finding["what"] == what), "{found:?}");
    assert_eq!(found[0]["field"], "amount");
    // Every fingerprint is wrong: no sound intent to start from.
    let output = spoiled(r#"sed 's/"fingerprint":"./"fingerprint":"x/'"#, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("It agrees on no sound intent"), "{}", text(&output.stdout));
}

#[test]
fn a_producer_that_does_not_answer_is_an_error_or_a_finding() {
    for producer in [&["no-such-program"][..], &["true"], &["sh", "-c", "cat > /dev/null"]] {
        let output = conform("policies/pix-payment.toml", &["--cases", "8"], producer);
        assert_eq!(output.status.code(), Some(2), "{producer:?}");
        assert_eq!(text(&output.stdout), "");
        assert!(text(&output.stderr).contains("intentkey: "), "{}", text(&output.stderr));
    }
    // One that dies of an amount that is no number.
    let output = spoiled("sed '/decimal_malformed/Q'", &["--cases", "64", "--all", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found = findings(&output);
    assert!(found.iter().any(|finding| finding["answered"] == "no answer"), "{found:?}");
    // One that prints something else.
    let output = spoiled("sed 's/.*/Traceback/'", &["--cases", "8"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("a line that cannot be read"), "{}", text(&output.stdout));
}
