//! Verifying vectors: whoever made them, the same bytes or the same refusal must come of them here.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use intentkey_core::{Deriver, Keyring, Policies, Secret};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{DEFAULT_SECRET, expected};

/// Why a file cannot be verified at all.
#[derive(Debug)]
pub struct NotVectors(String);

impl fmt::Display for NotVectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotVectors {}

/// What came of a file of vectors.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// How many vectors there are.
    pub vectors: usize,
    /// Those that came to something else.
    pub mismatches: Vec<Mismatch>,
}

/// A vector that came to something else.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Its line, counted from 1.
    pub line: usize,
    /// Its id.
    pub id: String,
    /// What differs: the member, what the vector says and what came here.
    pub differs: Vec<(String, String, String)>,
}

#[derive(Deserialize)]
struct Line<'l> {
    id: String,
    #[serde(borrow)]
    policy: &'l RawValue,
    secret: String,
    #[serde(borrow)]
    intent: Option<&'l RawValue>,
    intent_text: Option<String>,
    expect: Value,
}

/// Derives every vector of a file and compares. A policy may be a list of policies over time.
///
/// A policy or a secret that a vector names is looked for beside the file: `NAME.policy.json`,
/// `secret.NAME.json` (a keyring), `secret.NAME.hex`. Without a file, `default` is the secret of the
/// published vectors.
///
/// # Errors
///
/// A file that cannot be read, a line that is no vector, and a policy or secret that is not there or
/// not valid.
pub fn verify(path: &Path) -> Result<Verified, NotVectors> {
    let within = |message: String| NotVectors(format!("{}: {message}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| within(error.to_string()))?;
    let mut folder = Folder { path: path.parent().unwrap_or(Path::new("")), derivers: HashMap::new() };
    let mut verified = Verified::default();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |message: String| within(format!("line {number}: {message}"));
        let vector: Line<'_> = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let intent = match (&vector.intent, &vector.intent_text) {
            (Some(intent), None) => intent.get(),
            (None, Some(text)) => text,
            _ => return Err(wrong(String::from("a vector has either intent or intent_text"))),
        };
        let deriver = folder.deriver(vector.policy.get(), &vector.secret).map_err(wrong)?;
        let outcome = deriver.read(intent).and_then(|intent| deriver.explain(&intent));
        let differs = differences(&vector.expect, &expected(outcome));
        verified.vectors += 1;
        if !differs.is_empty() {
            verified.mismatches.push(Mismatch { line: number, id: vector.id, differs });
        }
    }
    Ok(verified)
}

/// The folder in which a file's policies and secrets stand.
struct Folder<'f> {
    path: &'f Path,
    derivers: HashMap<(String, String), Deriver>,
}

impl Folder<'_> {
    fn deriver(&mut self, policy: &str, secret: &str) -> Result<&Deriver, String> {
        let key = (policy.to_owned(), secret.to_owned());
        if !self.derivers.contains_key(&key) {
            let text = match serde_json::from_str::<String>(policy) {
                Ok(name) => self.read(&format!("{name}.policy.json"))?,
                Err(_) => policy.to_owned(),
            };
            let policies = Policies::from_json(&text).map_err(|refusal| refusal.to_string())?;
            let deriver =
                Deriver::new(policies, self.keyring(secret)?).map_err(|refusal| refusal.to_string())?;
            self.derivers.insert(key.clone(), deriver);
        }
        self.derivers.get(&key).ok_or_else(String::new)
    }

    fn keyring(&self, name: &str) -> Result<Keyring, String> {
        if let Ok(digits) = self.read(&format!("secret.{name}.hex")) {
            return secret(digits.trim());
        }
        match self.read(&format!("secret.{name}.json")) {
            Ok(ring) => Keyring::from_json(&ring).map_err(|refusal| refusal.to_string()),
            Err(_) if name == "default" => secret(DEFAULT_SECRET),
            Err(error) => Err(error),
        }
    }

    /// A file of this folder; a name is no way out of it.
    fn read(&self, name: &str) -> Result<String, String> {
        if name.contains(['/', '\\']) {
            return Err(format!("{name} is no name of a file here"));
        }
        std::fs::read_to_string(self.path.join(name)).map_err(|error| format!("{name}: {error}"))
    }
}

fn secret(digits: &str) -> Result<Keyring, String> {
    Secret::from_hex(digits).map(Keyring::from).map_err(|refusal| refusal.to_string())
}

/// The members in which two outcomes differ. One that is null is one that is not there.
fn differences(expect: &Value, given: &Value) -> Vec<(String, String, String)> {
    let mut differs = Vec::new();
    collect(expect, given, String::new(), &mut differs);
    differs
}

fn collect(expect: &Value, given: &Value, path: String, differs: &mut Vec<(String, String, String)>) {
    if let (Value::Object(one), Value::Object(other)) = (expect, given) {
        let names: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
        for name in names {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let of =
                |members: &serde_json::Map<String, Value>| members.get(name).cloned().unwrap_or_default();
            collect(&of(one), &of(other), path, differs);
        }
    } else if expect != given {
        let said = |value: &Value| if value.is_null() { String::from("-") } else { value.to_string() };
        differs.push((path, said(expect), said(given)));
    }
}
