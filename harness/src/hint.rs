//! What a person may have meant: a name that a policy does not know, and one that it does.
//!
//! Names are shown, as refusals show them in `fields`; values never are.

use intentkey_core::{Code, Policies, Refusal};
use serde_json::value::RawValue;

use crate::field_path::pattern;

/// The members of an intent.
const MEMBERS: [&str; 4] = ["tenant", "action", "intent_epoch", "payload"];

/// How alike two names are at least, from 0 to 1.
const ALIKE: f64 = 0.75;

/// The declared path that is nearest to one that is not, where one is near.
pub(crate) fn nearest_path(policies: &Policies, path: &str) -> Option<String> {
    let path = pattern(path);
    let declared = policies.iter().flat_map(|(_, policy)| {
        let fields = policy.fields().iter().map(|field| field.path().to_string());
        fields.chain(policy.ignored().iter().map(|ignored| ignored.path().to_string()))
    });
    nearest(&path, declared)
}

/// For a refusal, what was written and what may have been meant; empty where nothing is near.
///
/// `intent` is the text that was refused.
pub(crate) fn hint(policies: &Policies, refusal: &Refusal, intent: &str) -> Option<String> {
    match refusal.code() {
        Code::FieldUnclassified => {
            let meant =
                refusal.fields().iter().filter_map(|field| Some((field, nearest_path(policies, field)?)));
            let said: Vec<String> =
                meant.map(|(field, meant)| format!("{field}: did you mean {meant}?")).collect();
            (!said.is_empty()).then(|| said.join(" "))
        }
        Code::IntentInvalid => {
            let missing = refusal.field()?;
            let members: std::collections::BTreeMap<String, &RawValue> = serde_json::from_str(intent).ok()?;
            let unknown = members.into_keys().filter(|name| !MEMBERS.contains(&name.as_str()));
            let written = nearest(missing, unknown)?;
            Some(format!("{written}: did you mean {missing}?"))
        }
        _ => None,
    }
}

fn nearest(name: &str, of: impl Iterator<Item = String>) -> Option<String> {
    let likeness = |other: &String| {
        let plain = |name: &str| name.to_lowercase().replace(['_', '-'], "");
        strsim::normalized_damerau_levenshtein(&plain(name), &plain(other))
    };
    let all = of.filter(|other| other != name).map(|other| (likeness(&other), other));
    let best = all.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (best.0 >= ALIKE).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use intentkey_core::{Deriver, Secret};

    use super::*;

    #[test]
    fn a_misspelled_name_is_said_beside_the_one_that_is_missing() {
        let policies = Policies::from_json(
            r#"{"name": "p", "actions": ["a"], "bucket_seconds": 60, "identity": {"amount": {"rule": "decimal"},
                "creditor.key": {"rule": "exact"}, "items[].sku": {"rule": "exact", "required": false}}}"#,
        )
        .unwrap();
        let deriver = Deriver::new(policies.clone(), Secret::new([1; 32]).unwrap()).unwrap();
        let hint = |text: &str| {
            let refusal = deriver.read(text).and_then(|intent| deriver.derive(&intent)).unwrap_err();
            hint(&policies, &refusal, text)
        };
        let intent =
            |payload: &str| format!(r#"{{"tenant":"t","action":"a","intent_epoch":0,"payload":{payload}}}"#);
        for (payload, says) in [
            (r#"{"amuont":1,"creditor":{"key":"x"}}"#, Some("amuont: did you mean amount?")),
            (r#"{"amount":1,"creditor":{"Key":"x"}}"#, Some("creditor.Key: did you mean creditor.key?")),
            (r#"{"items":[{"skuu":"planted"}]}"#, Some("items[].skuu: did you mean items[].sku?")),
            (r#"{"colour":"planted"}"#, None),
        ] {
            assert_eq!(hint(&intent(payload)).as_deref(), says, "{payload}");
        }
        let text = r#"{"tenat":"planted","action":"a","intent_epoch":0,"payload":{}}"#;
        assert_eq!(hint(text).as_deref(), Some("tenat: did you mean tenant?"));
    }
}
