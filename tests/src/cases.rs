//! The cases: every vector, and a few thousand made from them, each with what must come of it.
//!
//! The file has one JSON object a line, of two kinds. A deriver: `{"deriver": number, "policy":
//! JSON text, "as_object": whether a runtime that parsed the policy sees the same, "keyring"}`.
//! A case: `{"id", "deriver": number, "intent": JSON text, "as_object", "expect"}`, where `expect`
//! is `{"bucket", "edge"?, "fingerprint", "key", "secret_id"}` or `{"error": {"code", "field"?,
//! "fields"?}}`, with members in the order of their names. Where the deriver itself is refused,
//! that is the expected error.

mod mutate;
mod raw;
mod setups;
mod spellings;
mod vectors;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::json::Json;
use crate::native;
use crate::random::Random;

/// What a deriver is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup {
    /// The policy, or policies over time, as JSON text.
    pub policy: String,
    /// Whether the policy means the same as an object that was parsed from the text.
    pub as_object: bool,
    /// The secrets.
    pub keyring: Ring,
}

/// The secrets of a deriver.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ring {
    /// One secret, in hex.
    Bare(String),
    /// Secrets over time, or of tenants: JSON text as `tests/vectors/secret.ring.json` has it.
    Entries(String),
}

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is called.
    pub id: String,
    /// What derives it.
    pub setup: Setup,
    /// The intent as JSON text.
    pub intent: String,
    /// Whether a runtime that parsed the text sees all that matters: no name twice, nothing
    /// malformed, and the members of an intent.
    pub as_object: bool,
    /// What must come of it.
    pub expect: Value,
}

/// A seed for everything that is drawn; another one gives other cases.
const SEED: u64 = 0x1d3a_11ce;
/// How many cases are made from vectors.
const MUTATED: usize = 4_200;

/// All cases: the vectors, and those that core itself says what must come of.
#[must_use]
pub fn all() -> Vec<Case> {
    let mut cases = vectors::all();
    let mut random = Random::new(SEED);
    let mut made = mutated(&cases, &mut random);
    made.extend(raw::all(&cases));
    made.extend(setups::all());
    let mut derivers = native::Derivers::default();
    for case in &mut made {
        case.expect = derivers.outcome(&case.setup, &case.intent);
    }
    cases.extend(made);
    cases
}

fn mutated(vectors: &[Case], random: &mut Random) -> Vec<Case> {
    let bases: Vec<(&Case, Json)> = vectors.iter().filter_map(|case| Some((case, base(case)?))).collect();
    let mut pools: BTreeMap<&Setup, mutate::Pool> = BTreeMap::new();
    for (case, intent) in &bases {
        pools.entry(&case.setup).or_default().add(intent);
    }
    let make = |number| {
        let (case, intent) = &bases[random.below(bases.len())];
        let draft = mutate::draft(intent, &pools[&case.setup], random);
        Case {
            id: format!("made-{number}-{}-from-{}", draft.how, case.id),
            setup: case.setup.clone(),
            intent: draft.text,
            as_object: draft.as_object,
            expect: Value::Null,
        }
    };
    (0..MUTATED).map(make).collect()
}

/// The intent of a vector that others can be made from.
fn base(case: &Case) -> Option<Json> {
    let is_small = case.intent.len() < 4_000;
    (case.as_object && is_small && case.expect["error"].is_null()).then(|| Json::read(&case.intent))?
}

/// The codes that the cases provoke.
#[must_use]
pub fn codes(cases: &[Case]) -> BTreeSet<String> {
    cases.iter().filter_map(|case| Some(case.expect["error"]["code"].as_str()?.to_owned())).collect()
}

/// The file that runtimes read.
#[must_use]
pub fn file(cases: &[Case]) -> String {
    let mut numbers: BTreeMap<&Setup, usize> = BTreeMap::new();
    let mut lines = String::new();
    for case in cases {
        let next = numbers.len();
        let number = *numbers.entry(&case.setup).or_insert_with(|| {
            push_line(&mut lines, &deriver_line(next, &case.setup));
            next
        });
        let line = json!({
            "id": case.id, "deriver": number, "intent": case.intent,
            "as_object": case.as_object, "expect": case.expect,
        });
        push_line(&mut lines, &line);
    }
    lines
}

fn deriver_line(number: usize, setup: &Setup) -> Value {
    let keyring = match &setup.keyring {
        Ring::Bare(hex) => json!({ "bare": hex }),
        Ring::Entries(text) => json!({ "entries": serde_json::from_str::<Value>(text).unwrap_or_default() }),
    };
    json!({ "deriver": number, "policy": setup.policy, "as_object": setup.as_object, "keyring": keyring })
}

fn push_line(lines: &mut String, line: &Value) {
    lines.push_str(&line.to_string());
    lines.push('\n');
}
