//! Test vectors of a policy for other implementers: what is derived, and exactly what must come of it.
//!
//! A vector is a line of JSON: `id`, `policy` (a name or the policy itself), `secret` (a name),
//! `intent` (or `intent_text`, where a parsed intent would no longer show the trouble) and `expect`:
//! `key`, `fingerprint`, `bucket`, `secret_id`, `material` and perhaps `edge`, or `error`.

mod cover;
mod verify;

use intentkey_core::{Deriver, Explanation, Keyring, Policies, Policy, Refusal, Secret};
use serde_json::{Map, Value, json};

pub use verify::{Mismatch, NotVectors, Verified, verify};

/// The secret that vectors call `default`, in hex: the one of the published vectors.
pub const DEFAULT_SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// How many vectors are made.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Pairs of spellings, and pairs of values, of each field.
    pub cases: u32,
    /// What decides all that is drawn.
    pub seed: u64,
}

impl Default for Settings {
    /// Six of each, and the seed 0.
    fn default() -> Self {
        Settings { cases: 6, seed: 0 }
    }
}

/// The vectors of a policy.
#[derive(Clone, Debug)]
pub struct Vectors {
    /// The vectors, each a line of JSON in ASCII.
    pub lines: Vec<String>,
    /// The codes that they provoke, sorted.
    pub codes: Vec<String>,
    /// The secret that vectors call `ring`, where there are any: a keyring as JSON.
    pub ring: Option<String>,
}

/// A keyring and what vectors call it.
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) keyring: Keyring,
}

/// Makes vectors that cover every rule, refusal and edge of a policy.
///
/// `named` is what vectors have as their policy: a name, or the policy itself as JSON. With
/// `rotates`, a ring of two secrets is used besides.
///
/// # Errors
///
/// Where the policy and a ring do not go together, which they always do.
pub fn vectors(
    policy: &Policy,
    named: &Value,
    rotates: bool,
    settings: &Settings,
) -> Result<Vectors, Refusal> {
    let default = Secret::from_hex(DEFAULT_SECRET)?;
    let mut secrets = vec![Named { name: "default", keyring: default.into() }];
    // One bucket for all time takes one secret.
    let ring = (rotates && policy.bucket_seconds() > 0).then(|| cover::ring(policy));
    if let Some(ring) = &ring {
        secrets.push(Named { name: "ring", keyring: Keyring::from_json(ring)? });
    }
    let mut lines = Vec::new();
    let mut codes = std::collections::BTreeSet::new();
    let drawn = cover::intents(policy, settings);
    for secret in secrets {
        let deriver = Deriver::new(Policies::from(policy.clone()), secret.keyring)?;
        for (number, case) in drawn.iter().filter(|case| case.rotates || secret.name == "default").enumerate()
        {
            let outcome = deriver.read(&case.text).and_then(|intent| deriver.explain(&intent));
            if let Err(refusal) = &outcome {
                codes.insert(refusal.code().as_str().to_owned());
            }
            let id = format!("{}-{}-{number}", case.kind, secret.name);
            lines.push(line(&id, named, secret.name, &case.text, &expected(outcome)));
        }
    }
    Ok(Vectors { lines, codes: codes.into_iter().collect(), ring })
}

/// What must come of an intent, as vectors say it.
pub(crate) fn expected(outcome: Result<Explanation, Refusal>) -> Value {
    match outcome {
        Ok(explanation) => derived(&explanation),
        Err(refusal) => {
            let mut error = json!({ "code": refusal.code().as_str(), "field": refusal.field() });
            if let (Value::Object(members), false) = (&mut error, refusal.fields().is_empty()) {
                members.insert(String::from("fields"), json!(refusal.fields()));
            }
            json!({ "error": error })
        }
    }
}

fn derived(explanation: &Explanation) -> Value {
    let derived = &explanation.derived;
    let mut value = json!({
        "key": derived.key.as_str(),
        "fingerprint": derived.fingerprint.to_hex(),
        "secret_id": &*derived.secret_id,
        "material": explanation.material,
        "bucket": derived.bucket,
    });
    if let (Value::Object(members), Some(edge)) = (&mut value, &derived.edge) {
        members.insert(
            String::from("edge"),
            json!({
                "key": edge.key.as_str(),
                "fingerprint": edge.fingerprint.to_hex(),
                "secret_id": &*edge.secret_id,
                "material": explanation.edge_material,
            }),
        );
    }
    value
}

/// A vector in ASCII, its intent as it is written: what a parsed one could not show is text.
fn line(id: &str, policy: &Value, secret: &str, text: &str, expect: &Value) -> String {
    let ascii = |text: &str| crate::generate::json::Json::literal(text).ascii();
    let is_intent = serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
        && !matches!(
            code(expect),
            Some("field_duplicate" | "intent_invalid" | "payload_too_deep" | "payload_too_large")
        );
    let (name, intent) =
        if is_intent { ("intent", text.to_owned()) } else { ("intent_text", Value::from(text).to_string()) };
    ascii(&format!(
        r#"{{"id": {}, "policy": {policy}, "secret": "{secret}", "{name}": {intent}, "expect": {expect}}}"#,
        Value::from(id)
    ))
}

fn code(expect: &Value) -> Option<&str> {
    expect.as_object().and_then(|members: &Map<String, Value>| members.get("error")?.get("code")?.as_str())
}

#[cfg(test)]
mod tests;
