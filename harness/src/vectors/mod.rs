//! Test vectors of a policy for other implementers: what is derived, and exactly what must come of it.
//!
//! A vector is a line of JSON: `id`, `policy` (a name or the policy itself), `secret` (a name),
//! `intent` (or `intent_text`, where a parsed intent would no longer show the trouble) and `expect`:
//! `key`, `fingerprint`, `bucket`, `secret_id`, `material` and perhaps `edge`, or `error`. A policy may be
//! a list of policies over time.
//!
//! ```
//! use intentkey::vectors::{Settings, vectors, verify};
//! use intentkey_core::Policy;
//!
//! let policy = Policy::from_json(r#"{"name": "note", "actions": ["note.add"], "bucket_seconds": 60,
//!     "identity": {"id": {"rule": "exact"}}}"#)?;
//! let made = vectors(&policy, &intentkey::policy_json::write(&policy), false, &Settings::default())?;
//! # let folder = tempfile::tempdir()?;
//! let file = folder.path().join("note.vectors.jsonl");
//! std::fs::write(&file, made.lines.join("\n"))?;
//! assert!(verify(&file)?.mismatches.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cover;
mod verify;

use intentkey_core::{Code, Deriver, Explanation, Keyring, Policies, Policy, Refusal, Secret};
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
    /// The keyrings that vectors call by these names beside `default`, each as JSON.
    pub keyrings: Vec<(&'static str, String)>,
}

impl Vectors {
    /// The codes of intents that no vector provokes: what the policy cannot refuse so, or what takes
    /// a keyring of which there is none.
    pub fn not_provoked(&self) -> impl Iterator<Item = &'static str> {
        let of_intents = Code::ALL.iter().filter(|code| !OF_NO_INTENT.contains(code));
        of_intents.map(|code| code.as_str()).filter(|code| !self.codes.iter().any(|own| own == code))
    }
}

/// The codes that no vector can have, since they are not of intents: they refuse a policy or a secret.
pub const OF_NO_INTENT: [Code; 3] = [Code::PolicyInvalid, Code::KeyringInvalid, Code::SecretWeak];

/// What vectors are derived with.
struct With {
    /// What their ids have in them, so that each is another.
    name: &'static str,
    /// What they have as their policy.
    policy: Value,
    policies: Policies,
    /// What they call the secret.
    secret: &'static str,
    keyring: Keyring,
}

/// Makes vectors that cover every rule, refusal and edge of a policy.
///
/// `named` is what vectors have as their policy: a name, or the policy itself as JSON. Besides, they
/// have it as policies over time; and with `rotates` there are keyrings: of two secrets, and of one
/// tenant where the policy has its scope.
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
    let keyrings = if rotates { cover::keyrings(policy) } else { Vec::new() };
    let (mut lines, mut codes) = (Vec::new(), std::collections::BTreeSet::new());
    let drawn = cover::intents(policy, settings);
    for with in all_with(policy, named, &keyrings)? {
        let deriver = Deriver::new(with.policies, with.keyring)?;
        let cases = drawn.iter().filter(|case| case.rotates || with.name == "default");
        for (number, case) in cases.enumerate() {
            let outcome = deriver.read(&case.text).and_then(|intent| deriver.explain(&intent));
            if let Err(refusal) = &outcome {
                codes.insert(refusal.code().as_str().to_owned());
            }
            let id = format!("{}-{}-{number}", case.kind, with.name);
            lines.push(line(&id, &with.policy, with.secret, &case.text, &expected(outcome)));
        }
    }
    Ok(Vectors { lines, codes: codes.into_iter().collect(), keyrings })
}

fn all_with(
    policy: &Policy,
    named: &Value,
    keyrings: &[(&'static str, String)],
) -> Result<Vec<With>, Refusal> {
    let default = || Secret::from_hex(DEFAULT_SECRET).map(Keyring::from);
    let alone = |name: &'static str, keyring: Keyring| With {
        name,
        policy: named.clone(),
        policies: policy.clone().into(),
        secret: name,
        keyring,
    };
    let mut all = vec![alone("default", default()?)];
    if let Some(dated) = cover::over_time(policy) {
        let policies = Policies::from_json(&dated.to_string())?;
        all.push(With { name: "dated", policy: dated, policies, secret: "default", keyring: default()? });
    }
    for (name, keyring) in keyrings {
        all.push(alone(name, Keyring::from_json(keyring)?));
    }
    Ok(all)
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
