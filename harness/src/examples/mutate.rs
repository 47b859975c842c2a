//! Mutation: which small changes of a policy no example notices.
//!
//! Coverage for policies: a change that no example notices could be made by mistake and nobody would
//! see it. For each there is a suggestion of an example to add, made by looking for an intent that
//! the changed policy treats differently.

use intentkey_core::{Policies, Policy};
use serde_json::Value;

use super::mutants::{Mutant, mutants};
use super::{Examples, Usual, newest};
use crate::diff::{Change, Search, Witness};
use crate::hosts::Native;

/// Cases that are drawn, from each policy and for each kind of pair, to find a suggestion.
const CASES: u32 = 64;

/// What mutation found.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// How many changes there were.
    pub mutants: usize,
    /// The changes that no example notices.
    pub survivors: Vec<Survivor>,
}

/// A change that no example notices.
#[derive(Clone, Debug)]
pub struct Survivor {
    /// The place that was changed.
    pub place: String,
    /// How.
    pub change: String,
    /// An example that would notice it, where one was found.
    pub suggestion: Option<Suggestion>,
}

/// An example to add.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// What the change does that the example would show.
    pub shows: Change,
    /// The table that it belongs in.
    pub kind: &'static str,
    /// Its intents, as JSON text.
    pub intents: Vec<String>,
    /// For `refused`: the code.
    pub code: Option<String>,
    /// For `same`, where only a pinned key would show it: the key.
    pub key: Option<String>,
}

impl Mutation {
    /// The share of changes that some example notices, in percent.
    #[must_use]
    pub fn score(&self) -> f64 {
        let noticed = self.mutants.saturating_sub(self.survivors.len());
        if self.mutants == 0 { 100.0 } else { 100.0 * noticed as f64 / self.mutants as f64 }
    }
}

/// Changes a policy in every sensible small way and tells what the examples do not notice.
///
/// Of policies over time the newest is changed. `document` is the policy, or the policies, as JSON
/// text. The examples should pass: those that do not would notice everything.
#[must_use]
pub fn mutate(
    examples: &Examples,
    policies: &Policies,
    document: &str,
    progress: &dyn Fn(usize, usize),
) -> Mutation {
    let Some(policy) = newest(policies) else { return Mutation { mutants: 0, survivors: Vec::new() } };
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let versions = Versions::of(document);
    let usual = Usual::of(policies);
    let all: Vec<(Mutant, Policy, Policies)> = mutants(policy, &versions.newest)
        .into_iter()
        .filter_map(|mutant| {
            let changed = Policy::from_json(&mutant.policy.to_string()).ok()?;
            let policies = Policies::from_json(&versions.with_newest(&mutant.policy).to_string()).ok()?;
            (changed.digest() != policy.digest()).then_some((mutant, changed, policies))
        })
        .collect();
    let mut survivors = Vec::new();
    for (number, (mutant, changed, policies)) in all.iter().enumerate() {
        progress(number, all.len());
        if examples.hold(&usual, &Native::new(policies.clone())) {
            survivors.push(Survivor {
                place: mutant.place.clone(),
                change: mutant.change.clone(),
                suggestion: suggestion(policy, changed),
            });
        }
    }
    Mutation { mutants: all.len(), survivors }
}

/// A policy document, and where its newest policy stands.
struct Versions {
    newest: Value,
    /// All of them, where there are several.
    all: Option<Vec<Value>>,
}

impl Versions {
    fn of(document: Value) -> Self {
        match document {
            Value::Array(mut all) => {
                all.sort_by_key(|version| version.get("from_epoch").and_then(Value::as_u64));
                let newest =
                    all.last().and_then(|version| version.get("policy")).cloned().unwrap_or_default();
                Versions { newest, all: Some(all) }
            }
            newest => Versions { newest, all: None },
        }
    }

    fn with_newest(&self, policy: &Value) -> Value {
        let Some(all) = &self.all else { return policy.clone() };
        let mut all = all.clone();
        if let Some(Value::Object(version)) = all.last_mut() {
            version.insert(String::from("policy"), policy.clone());
        }
        Value::Array(all)
    }
}

/// An example that tells a policy from a changed one.
fn suggestion(policy: &Policy, changed: &Policy) -> Option<Suggestion> {
    // Moved keys alone are seen by a pinned key only, which is the last resort.
    let asked = [
        Change::Merges,
        Change::Splits,
        Change::Refuses,
        Change::Accepts,
        Change::Conflicts,
        Change::Agrees,
        Change::RefusesOtherwise,
    ];
    let search = Search::new(policy, changed, CASES, 0);
    let by = |witness: Witness| {
        let (kind, code) = match witness.change {
            Change::Merges => ("different", None),
            Change::Splits | Change::Refuses | Change::Conflicts | Change::Moves | Change::Keeps => {
                ("same", None)
            }
            Change::Agrees => ("conflict", None),
            Change::Accepts | Change::RefusesOtherwise => ("refused", code(&witness)),
        };
        Suggestion { shows: witness.change, kind, intents: witness.intents, code, key: None }
    };
    if let Some(witness) = search.witnesses(&asked, 1).into_iter().next() {
        return Some(by(witness));
    }
    let witness = search.witnesses(&[Change::Moves], 1).into_iter().next()?;
    let key = pinned(policy, witness.intents.first()?)?;
    Some(Suggestion { key: Some(key), ..by(witness) })
}

/// The code under the old policy.
fn code(witness: &Witness) -> Option<String> {
    let [old, _] = witness.outcomes.first()?;
    old.split([' ', ':']).next().map(String::from)
}

/// The key of an intent under the secret of examples.
fn pinned(policy: &Policy, intent: &str) -> Option<String> {
    use crate::hosts::{Host as _, Ring};
    let host = Native::new(policy.clone());
    host.derive(&Ring::Bare(super::SECRET), intent).ok().map(|derived| derived.key)
}
