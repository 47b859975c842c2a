//! Rules that take finitely many values, compared on all of them.

use intentkey_core::{Case, Enum, Intent, Payload, Policy, Rule};
use serde_json::json;

use super::may::May;
use crate::policy_json;

/// What can become of the values that both rules take, where all of them can be tried.
pub(super) fn exhaust(old: &Rule, new: &Rule) -> Option<May> {
    let values = all_values(old, new)?;
    let (old, new) = (alone(old)?, alone(new)?);
    let forms: Vec<[Vec<u8>; 2]> =
        values.iter().filter_map(|value| Some([form(&old, value)?, form(&new, value)?])).collect();
    let mut may = May::STAY;
    for (index, [before, after]) in forms.iter().enumerate() {
        may.move_ |= before != after;
        for [other_before, other_after] in forms.iter().skip(index + 1) {
            may.merge |= before != other_before && after == other_after;
            may.split |= before == other_before && after != other_after;
        }
    }
    Some(may)
}

/// Values of which every one that both rules take is one, or is taken for one by both.
fn all_values(old: &Rule, new: &Rule) -> Option<Vec<String>> {
    let of = |values: &Enum| values.values.iter().map(|value| value.to_string()).collect::<Vec<_>>();
    let closed = |rule: &Rule| match rule {
        Rule::Enum(values) if values.case == Case::Keep => Some(of(values)),
        _ => None,
    };
    match (old, new) {
        (Rule::Enum(old), Rule::Enum(new)) => Some([of(old), of(new)].concat()),
        _ => closed(old).or_else(|| closed(new)),
    }
    // What is empty is judged by more than the rule.
    .filter(|values| values.iter().all(|value| !value.is_empty()))
}

/// A policy of a field with this rule alone; `None` where the rule needs another field.
fn alone(rule: &Rule) -> Option<Policy> {
    let policy = json!({
        "name": "alone",
        "actions": ["alone"],
        "bucket_seconds": 0,
        "identity": { "value": policy_json::of_rule(rule) },
    });
    Policy::from_json(&policy.to_string()).ok()
}

fn form(policy: &Policy, value: &str) -> Option<Vec<u8>> {
    let payload = json!({ "value": value }).to_string();
    let intent = Intent {
        tenant: "alone".into(),
        action: "alone".into(),
        epoch: 0_u64.into(),
        payload: Payload::Json(&payload),
    };
    policy.material(&intent).ok().map(|material| material.bytes)
}
