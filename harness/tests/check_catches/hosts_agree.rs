//! Wrong cores that break hosts-agree: whatever differs from what the component says.

use std::path::PathBuf;
use std::sync::Arc;

use intentkey::check::Verdict;
use intentkey::hosts::{Beside, Host, Process, Refused, component};

use super::*;

/// The component of this source, built where it is not there.
fn component() -> Vec<Beside> {
    component::bring_up_to_date(|_| {}).unwrap();
    vec![Beside::Component(None)]
}

fn hosts_agree(policy: &str, host: &dyn Host, beside: Vec<Beside>, cases: u32) -> Report {
    let only = vec![String::from("hosts-agree")];
    let policy = Policy::from_json(policy).unwrap();
    check(&policy, host, &Settings { cases, only, beside, ..Settings::default() })
}

/// Asserts that the component and a wrong core are found to disagree, for this reason.
#[track_caller]
fn disagrees(wrong: &Wrong, why: &str) {
    let report = hosts_agree(POLICY, wrong, component(), CASES);
    let found: Vec<_> = report.broken().map(|(name, found)| (name, found.why.as_str())).collect();
    assert_eq!(found, [("hosts-agree", why)], "{report}");
    let sides = report.broken().next().unwrap().1.sides.each_ref();
    assert_eq!(sides.map(|side| side.label.as_str()), ["wrong", "component"]);
    assert_eq!(sides[0].text, sides[1].text);
    assert!(!report.held());
}

/// A refusal with a mistake in it.
fn refusing(edit: impl Fn(&mut Refused) + Send + Sync + 'static) -> Wrong {
    let answer = move |_: &str, outcome: Outcome| {
        outcome.map_err(|mut refused| {
            edit(&mut refused);
            refused
        })
    };
    Wrong { outcome: Some(Box::new(answer)), ..Wrong::by(POLICY) }
}

#[test]
fn the_right_core_agrees_with_the_component_under_every_ready_policy() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/policies"));
    let mut tried = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let policies = intentkey::policy_file::load(&path).unwrap();
        for (_, policy) in policies.iter() {
            let text = intentkey::policy_json::write(policy).to_string();
            let report = hosts_agree(&text, &Native::new(policy.clone()), component(), 256);
            let held = matches!(report.entries[0].verdict, Verdict::Held { cases: 256 });
            assert!(held && report.held(), "{report}");
            tried += 1;
        }
    }
    assert_eq!(tried, 5);
    assert!(hosts_agree(POLICY, &Wrong::by(POLICY), component(), CASES).held());
}

#[test]
fn catches_another_key() {
    let key = |payload: &Line, derived: Derived| {
        if payload.raw("amount").contains('e') { tweak(derived, "another") } else { derived }
    };
    disagrees(&answering(key), "two hosts give two keys");
    disagrees(&with_policy("/identity/amount/scale", json!(3)), "two hosts give two keys");
}

#[test]
fn catches_another_fingerprint_bucket_or_secret() {
    let fingerprint = |_: &Line, derived: Derived| {
        let fingerprint = tweak(derived.clone(), "another").fingerprint;
        Derived { fingerprint, ..derived }
    };
    disagrees(&answering(fingerprint), "two hosts give two fingerprints");
    let bucket = |_: &Line, derived: Derived| Derived { bucket: derived.bucket + 1, ..derived };
    disagrees(&answering(bucket), "two hosts name two buckets or secrets");
    let secret = |_: &Line, derived: Derived| Derived { secret_id: String::from("other"), ..derived };
    disagrees(&answering(secret), "two hosts name two buckets or secrets");
}

#[test]
fn catches_an_edge_that_is_missing_or_another() {
    const WHY: &str = "two hosts give two edge keys, or one of them none";
    disagrees(&answering(|_, derived| Derived { edge: None, ..derived }), WHY);
    let other = |_: &Line, mut derived: Derived| {
        if let Some(edge) = &mut derived.edge {
            edge.key.replace_range(0..1, if edge.key.starts_with('0') { "1" } else { "0" });
        }
        derived
    };
    disagrees(&answering(other), WHY);
    disagrees(&with_policy("/edge_seconds", json!(19)), WHY);
}

#[test]
fn catches_another_code_or_another_place() {
    let code = |refused: &mut Refused| {
        if refused.code == "field_null" {
            refused.code = String::from("field_type");
        }
    };
    disagrees(&refusing(code), "two hosts refuse an intent for two reasons");
    let place = |refused: &mut Refused| {
        refused.field =
            refused.field.take().map(|field| field.replace("[1]", "[0]").replace("creditor", "Creditor"));
    };
    disagrees(&refusing(place), "two hosts refuse an intent at two places");
    let fields = |refused: &mut Refused| refused.fields.truncate(0);
    disagrees(&refusing(fields), "two hosts refuse an intent at two places");
}

#[test]
fn catches_a_host_that_refuses_what_the_other_derives() {
    disagrees(&with_policy("/identity/memo/required", json!(true)), "one host refuses what another derives");
    let guesses = Wrong {
        text: Some(Box::new(|text: &str| text.replace("\"amount\":null", "\"amount\":\"0\""))),
        ..Wrong::by(POLICY)
    };
    disagrees(&guesses, "one host refuses what another derives");
}

/// The other host may be the wrong one.
#[test]
fn catches_a_wrong_host_beside_the_right_one() {
    let [right, wrong] = [POLICY.to_owned(), POLICY.replace("900", "901")];
    let [right, wrong] = [right, wrong].map(|policy| Native::new(Policy::from_json(&policy).unwrap()));
    let report = hosts_agree(POLICY, &right, vec![Beside::Host(Arc::new(wrong))], CASES);
    assert!(!report.held(), "{report}");
}

#[cfg(unix)]
#[test]
fn holds_somebody_elses_producer_to_the_same_keys_and_codes() {
    let command = env!("CARGO_BIN_EXE_intentkey");
    let folder = tempfile::tempdir().unwrap();
    let producer = |policy: &str| {
        let file = folder.path().join("policy.json");
        std::fs::write(&file, policy).unwrap();
        let words = [command, "derive", "--policy", file.to_str().unwrap()];
        vec![Beside::Host(Arc::new(Process::new(words).unwrap()))]
    };
    let native = Native::new(Policy::from_json(POLICY).unwrap());
    let report = hosts_agree(POLICY, &native, producer(POLICY), CASES);
    assert!(report.held(), "{report}");
    let report = hosts_agree(POLICY, &native, producer(&POLICY.replace("900", "600")), CASES);
    assert!(!report.held(), "{report}");
    // Beside the component, the one that does not agree is the one that is shown.
    let both = component().into_iter().chain(producer(&POLICY.replace("milli", "micro"))).collect();
    let report = hosts_agree(POLICY, &native, both, CASES);
    let labels = report.broken().next().unwrap().1.sides.each_ref().map(|side| side.label.as_str());
    assert_eq!(labels, ["native", command]);
}

#[test]
fn a_component_that_is_not_there_or_not_this_one_is_no_pass() {
    let native = Native::new(Policy::from_json(POLICY).unwrap());
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, says) in [
        ("none", None, "cannot be read"),
        ("old", Some(&b"\0asm\x0d\0\x01\0"[..]), "was built from another source"),
    ] {
        let file = folder.path().join(name);
        if let Some(bytes) = bytes {
            std::fs::write(&file, bytes).unwrap();
        }
        let report = hosts_agree(POLICY, &native, vec![Beside::Component(Some(file))], 1);
        let Verdict::NotRun { why } = &report.entries[0].verdict else { panic!("{report}") };
        assert!(why.contains(says), "{why}");
        assert!(!report.held());
        assert!(report.to_string().contains("hosts-agree                 NOT RUN"), "{report}");
    }
}

/// Without another host it is not asked for.
#[test]
fn alone_there_is_nothing_to_agree_with() {
    let native = Native::new(Policy::from_json(POLICY).unwrap());
    assert!(hosts_agree(POLICY, &native, Vec::new(), 1).entries.is_empty());
}
