//! What comes of an example.

use intentkey_core::Policies;

use super::{Example, Expectation, Usual};
use crate::hosts::{Derived, Host, Outcome, Refused, Ring};
use crate::why::why;

/// What is wrong with an example, where something is.
pub(super) fn failure(
    example: &Example,
    usual: &Usual,
    host: &dyn Host,
    ring: &Ring,
    policies: &Policies,
) -> Option<String> {
    let texts: Vec<String> = example.intents.iter().map(|intent| intent.text(usual)).collect();
    let outcomes: Vec<Outcome> = texts.iter().map(|text| host.derive(ring, text)).collect();
    match wrong(&example.expectation, &outcomes)? {
        Wrong::One(index, what) => Some(format!("intent {}: {what}", index + 1)),
        Wrong::Two(one, other, what) => {
            let of = |index: usize| texts.get(index).map_or("", String::as_str);
            let comparison = why(policies, [of(one), of(other)]);
            Some(format!("intents {} and {} {what}: {}", one + 1, other + 1, comparison.summary()))
        }
    }
}

/// Whether a host treats an example as it should.
pub(super) fn holds(example: &Example, usual: &Usual, host: &dyn Host, ring: &Ring) -> bool {
    let outcomes: Vec<Outcome> =
        example.intents.iter().map(|intent| host.derive(ring, &intent.text(usual))).collect();
    wrong(&example.expectation, &outcomes).is_none()
}

/// What is wrong, by the indexes of the intents concerned.
enum Wrong {
    One(usize, String),
    Two(usize, usize, &'static str),
}

fn wrong(expectation: &Expectation, outcomes: &[Outcome]) -> Option<Wrong> {
    if let Expectation::Refused { code, field } = expectation {
        return outcomes.iter().enumerate().find_map(|(index, outcome)| {
            Some(Wrong::One(index, not_refused(outcome, code, field.as_deref())?))
        });
    }
    let refused =
        outcomes.iter().enumerate().find_map(|(index, outcome)| Some((index, outcome.as_ref().err()?)));
    if let Some((index, refused)) = refused {
        return Some(Wrong::One(index, format!("is refused: {}", said(refused))));
    }
    let derived: Vec<&Derived> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
    if let Expectation::Same { key: Some(key) } = expectation
        && let Some((index, other)) = derived.iter().enumerate().find(|(_, derived)| derived.key != *key)
    {
        return Some(Wrong::One(index, format!("has the key {}, and not the one that is pinned", other.key)));
    }
    let pairs = (0..derived.len()).flat_map(|one| (one + 1..derived.len()).map(move |other| (one, other)));
    pairs.into_iter().find_map(|(one, other)| {
        let pairing = pairing(derived.get(one)?, derived.get(other)?);
        Some(Wrong::Two(one, other, not_as_wanted(expectation, pairing)?))
    })
}

/// What two intents with keys are to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pairing {
    Same,
    Conflict,
    Different,
}

/// A claim takes the key and the edge key together, so that either makes one intent of two.
fn pairing(one: &Derived, other: &Derived) -> Pairing {
    if one.key == other.key {
        return if one.fingerprint == other.fingerprint { Pairing::Same } else { Pairing::Conflict };
    }
    match (&one.edge, &other.edge) {
        (Some(one), Some(other)) if one.key == other.key => {
            if one.fingerprint == other.fingerprint {
                Pairing::Same
            } else {
                Pairing::Conflict
            }
        }
        _ => Pairing::Different,
    }
}

fn not_as_wanted(expectation: &Expectation, pairing: Pairing) -> Option<&'static str> {
    match (expectation, pairing) {
        (Expectation::Same { .. }, Pairing::Different) => Some("should share a key"),
        (Expectation::Same { .. }, Pairing::Conflict) => Some("should not conflict"),
        (Expectation::Different, Pairing::Same | Pairing::Conflict) => Some("should not share a key"),
        (Expectation::Conflict, Pairing::Different) => Some("should share a key"),
        (Expectation::Conflict, Pairing::Same) => Some("should conflict"),
        _ => None,
    }
}

fn not_refused(outcome: &Outcome, code: &str, field: Option<&str>) -> Option<String> {
    match outcome {
        Ok(_) => Some(format!("should be refused as {code}, and has a key")),
        Err(refused) if refused.code != code => {
            Some(format!("should be refused as {code}, and is as {}", said(refused)))
        }
        Err(refused) => match field {
            Some(field) if refused.field.as_deref() != Some(field) => {
                Some(format!("should be refused at {field}, and is as {}", said(refused)))
            }
            _ => None,
        },
    }
}

fn said(refused: &Refused) -> String {
    let field = refused.field.iter().map(|field| format!(" at {field}"));
    let fields = (!refused.fields.is_empty()).then(|| format!(" for {}", refused.fields.join(", ")));
    std::iter::once(refused.code.clone()).chain(field).chain(fields).collect()
}
