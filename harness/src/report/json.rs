//! A report for programs.

use serde_json::{Value, json};

use crate::check::{Counterexample, Report, Side, Verdict};
use crate::hosts::Outcome;

/// The report as JSON.
#[must_use]
pub fn to_json(report: &Report) -> Value {
    let invariants: Vec<Value> = report
        .entries
        .iter()
        .map(|entry| match &entry.verdict {
            Verdict::Held { cases } => json!({ "name": entry.name, "outcome": "held", "cases": cases }),
            Verdict::Broken { cases, counterexample } => json!({
                "name": entry.name,
                "outcome": "broken",
                "cases": cases,
                "counterexample": of_counterexample(counterexample),
            }),
            Verdict::Vacuous { why } => json!({ "name": entry.name, "outcome": "vacuous", "why": why }),
            Verdict::NotRun { why } => json!({ "name": entry.name, "outcome": "not run", "why": why }),
        })
        .collect();
    json!({
        "policy": report.policy,
        "host": report.host,
        "seed": report.seed,
        "cases": report.cases,
        "held": report.held(),
        "invariants": invariants,
    })
}

fn of_counterexample(found: &Counterexample) -> Value {
    let mut value = json!({ "why": found.why, "sides": found.sides.iter().map(of_side).collect::<Vec<_>>() });
    if let Value::Object(members) = &mut value {
        for (name, text) in [("field", &found.field), ("rule", &found.rule), ("note", &found.note)] {
            if let Some(text) = text {
                members.insert(name.to_owned(), text.clone().into());
            }
        }
    }
    value
}

fn of_side(side: &Side) -> Value {
    let canonical = side.explained.as_ref().map(|explained| {
        let fields = explained.fields.iter().map(|(field, form)| {
            (field.clone(), serde_json::from_str(form).unwrap_or_else(|_| Value::from(form.clone())))
        });
        json!({ "material": explained.material, "canonical": fields.collect::<serde_json::Map<_, _>>() })
    });
    // The text may hold what a parsed value cannot, a lone surrogate or a repeated name.
    let mut value = json!({ "label": side.label, "intent": side.text, "outcome": of_outcome(&side.outcome) });
    if let (Value::Object(members), Some(Value::Object(explained))) = (&mut value, canonical) {
        members.extend(explained);
    }
    value
}

fn of_outcome(outcome: &Outcome) -> Value {
    match outcome {
        Ok(derived) => {
            let edge = derived.edge.as_ref().map(|edge| {
                json!({ "key": edge.key, "fingerprint": edge.fingerprint, "secret_id": edge.secret_id })
            });
            let mut value = json!({
                "key": derived.key,
                "fingerprint": derived.fingerprint,
                "bucket": derived.bucket,
                "secret_id": derived.secret_id,
            });
            if let (Value::Object(members), Some(edge)) = (&mut value, edge) {
                members.insert("edge".to_owned(), edge);
            }
            value
        }
        Err(refused) => {
            let mut error = json!({ "code": refused.code, "message": refused.message });
            if let Value::Object(members) = &mut error {
                if let Some(field) = &refused.field {
                    members.insert("field".to_owned(), field.clone().into());
                }
                if !refused.fields.is_empty() {
                    members.insert("fields".to_owned(), refused.fields.clone().into());
                }
            }
            json!({ "error": error })
        }
    }
}
