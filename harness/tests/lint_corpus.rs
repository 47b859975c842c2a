//! Policies as people write them, in several languages and ways of naming: in each planted one the lint
//! that it was written for fires and no other warns; nothing warns in a sound one.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use intentkey::lint::{Severity, lint_file};

/// The policies of a file: what stands behind `#=`, and the policy.
fn corpus(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("#= ").skip(1).map(|policy| policy.split_once('\n').unwrap())
}

/// The ids of what is no note.
fn warned(policy: &str) -> Vec<&'static str> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, policy).unwrap();
    let findings = lint_file(&path).unwrap().findings;
    findings.iter().filter(|finding| finding.severity > Severity::Note).map(|finding| finding.id).collect()
}

#[test]
fn each_planted_mistake_is_named() {
    let mut wrong = Vec::new();
    for (id, policy) in corpus(include_str!("lint_corpus/planted.toml")) {
        let warned = warned(policy);
        // `ignored-without-reason` and its like may be notes.
        if warned != [id] {
            wrong.push(format!("{id}: {warned:?}\n{policy}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sound_policies_stay_quiet() {
    let mut wrong = Vec::new();
    for (name, policy) in corpus(include_str!("lint_corpus/sound.toml")) {
        let warned = warned(policy);
        if !warned.is_empty() {
            wrong.push(format!("{name}: {warned:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
