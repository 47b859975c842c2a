//! Faults: intents with exactly one thing wrong, and the refusal that is documented for it.

mod identity;
mod intent;
mod payload;
mod text;
mod value;

use super::intent::Intent;
use super::json::Json;
use super::payload::Payloads;
use super::pick::Picks;

/// An intent with one thing wrong.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// What is wrong, for people.
    pub(crate) what: String,
    /// The intent as JSON text.
    pub(crate) text: String,
    /// The code that is documented for it.
    pub(crate) code: &'static str,
    /// The field that the refusal names.
    pub(crate) field: Option<String>,
    /// The fields that the refusal names.
    pub(crate) fields: Vec<String>,
}

impl Fault {
    fn of_payload(
        intent: &Intent,
        what: String,
        payload: Json,
        code: &'static str,
        field: Option<String>,
    ) -> Self {
        let text = Intent { payload, ..intent.clone() }.text();
        Fault { what, text, code, field, fields: Vec::new() }
    }

    fn of_text(what: impl Into<String>, text: String, code: &'static str) -> Self {
        Fault { what: what.into(), text, code, field: None, fields: Vec::new() }
    }

    fn at(self, field: &str) -> Self {
        Fault { field: Some(field.to_owned()), ..self }
    }
}

/// One fault of every kind that the intent gives occasion to; `picks` chooses the places.
pub(crate) fn faults(payloads: &Payloads, intent: &Intent, picks: &Picks) -> Vec<Fault> {
    picks.restart();
    let mut faults = payload::faults(payloads, intent, picks);
    faults.extend(intent::faults(payloads.policy(), intent, picks));
    faults.extend(text::faults(intent, picks));
    faults
}
