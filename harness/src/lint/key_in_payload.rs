//! Fields that look like idempotency keys that somebody has made already.

use intentkey_core::{Class, Policy};

use super::names::Name;
use super::{Finding, Severity, place_of};

/// `key-in-payload`
pub(super) fn key_in_payload(policy: &Policy, findings: &mut Vec<Finding>) {
    let advice = "if the key is recorded before the first attempt, send it as it is and derive nothing; if not, \
                  move the field to [ignored], with the reason";
    for field in policy.fields().iter().filter(|field| is_key(&Name::of(field.path()))) {
        let path = field.path();
        let harm = match field.class() {
            Class::Identity => "made in the attempt, it gives every attempt a key of its own",
            Class::Checked => "made in the attempt, it makes every retry a conflict (422)",
        };
        findings.push(Finding::new(
            "key-in-payload",
            Severity::Warning,
            place_of(field),
            format!("{path} looks like an idempotency key that somebody has made already: {harm}"),
            advice,
        ));
    }
    for ignored in policy.ignored().iter().filter(|ignored| is_key(&Name::of(ignored.path()))) {
        let path = ignored.path();
        findings.push(Finding::new(
            "key-in-payload",
            Severity::Note,
            format!("ignored.{}", crate::field_path::escaped(&path.to_string())),
            format!(
                "{path} looks like an idempotency key that somebody has made already, and it is not used"
            ),
            "if it is recorded before the first attempt, send it as it is and derive nothing",
        ));
    }
}

/// Whether a name is that of an idempotency key.
pub(super) fn is_key(name: &Name) -> bool {
    let begins = |word: &String| ["idempot", "dedup"].iter().any(|start| word.starts_with(start));
    name.words.iter().any(begins)
        || name.is(&["idem", "key"])
        || name.is(&["idem"])
        || name.ends_with(&["client", "token"])
        || name.ends_with(&["client", "request", "token"])
        || name.ends_with(&["paypal", "request", "id"])
        || name.ends_with(&["pay", "pal", "request", "id"])
}
