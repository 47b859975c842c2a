//! Any policy with any payload: nothing panics, and where the fields are flat text, canonical values
//! fed back give the same key.
#![no_main]

use intentkey_core::{Deriver, Explanation, Intent, Payload, Policy, Secret, Segment, Value};
use libfuzzer_sys::fuzz_target;

// The text up to the first U+0001 is the policy, the rest the payload.
fuzz_target!(|text: &str| {
    let Some((policy_text, payload)) = text.split_once('\u{1}') else { return };
    let Ok(policy) = Policy::from_json(policy_text) else { return };
    let Some(action) = policy.actions().next().map(str::to_owned) else { return };
    let secret = Secret::new([7; 32]).expect("not weak");
    let Ok(deriver) = Deriver::new(policy.clone(), secret) else { return };
    let intent = |payload| Intent {
        tenant: "t".into(),
        action: action.as_str().into(),
        epoch: 61_u64.into(),
        payload,
    };
    let Ok(explained) = deriver.explain(&intent(Payload::Json(payload))) else { return };
    let is_stable = !policy_text.contains("nfc_first");
    if let Some(canonical) = canonical_payload(&policy, &explained).filter(|_| is_stable) {
        let again = deriver.derive(&intent(canonical.into())).expect("canonical values are accepted");
        assert_eq!(again, explained.derived);
    }
});

/// The canonical values as a payload, where every field is a text at the top level.
fn canonical_payload(policy: &Policy, explained: &Explanation) -> Option<Value<'static>> {
    let mut members = Vec::new();
    for field in policy.fields() {
        let [Segment::Name(name)] = field.path().segments() else { return None };
        let path = field.path().to_string();
        let shown = explained.fields.iter().find(|shown| shown.field == path)?;
        if shown.rule == Some("boolean") {
            return None;
        }
        members.extend(shown.canonical.clone().map(|canonical| (name.to_string(), Value::from(canonical))));
    }
    Some(Value::object(members))
}
