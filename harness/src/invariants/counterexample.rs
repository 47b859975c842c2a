//! Counterexamples: two intents side by side.

use intentkey_core::{Form, Rule};

use super::Bench;
use crate::generate::intent::Intent;
use crate::generate::json::{Json, Text};
use crate::hosts::{Explained, Outcome, Ring};

/// The smallest case that was found to break an invariant.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What is wrong with the two.
    pub why: String,
    /// The field in which they differ, where it is one.
    pub field: Option<String>,
    /// The field's rule with its parameters.
    pub rule: Option<String>,
    /// What else there is to say.
    pub note: Option<String>,
    /// The two.
    pub sides: [Side; 2],
}

/// One of the two intents of a counterexample.
#[derive(Clone, Debug)]
pub struct Side {
    /// What it is.
    pub label: String,
    /// The intent as JSON text.
    pub text: String,
    /// Its parts: a name and JSON in ASCII.
    pub parts: Vec<(String, String)>,
    /// How the host came to the key, where it tells.
    pub explained: Option<Explained>,
    /// What came of it.
    pub outcome: Outcome,
}

impl Counterexample {
    /// Two intents and what is wrong with them.
    pub(super) fn new(why: impl Into<String>, one: Side, other: Side) -> Self {
        Counterexample { why: why.into(), field: None, rule: None, note: None, sides: [one, other] }
    }

    /// The field in which they differ.
    pub(super) fn at(mut self, bench: &Bench<'_>, path: Option<(String, usize)>) -> Self {
        let Some((path, index)) = path else { return self };
        self.field = Some(path);
        if let Some(field) = bench.policy().fields().get(index) {
            let parameters: Vec<String> =
                std::iter::once(field.rule().name().to_owned()).chain(field.rule().parameters()).collect();
            self.rule = Some(parameters.join(", "));
            if let Rule::Text(text) = field.rule()
                && text.form == Form::NfcFirst
            {
                self.note = Some(String::from(
                    "form = \"nfc_first\" is the form of existing producers and no fixed point: equal texts can get two \
                     keys. Use form = \"canonical\" unless keys are out already.",
                ));
            }
        }
        self
    }

    /// With something else to say.
    pub(super) fn noting(self, note: impl Into<String>) -> Self {
        Counterexample { note: Some(note.into()), ..self }
    }

    pub(super) fn boxed(self) -> Box<Self> {
        Box::new(self)
    }
}

impl Bench<'_> {
    /// One side of a counterexample.
    pub(super) fn side(&self, label: &str, ring: &Ring, intent: &Intent) -> Side {
        let mut parts = Vec::new();
        for (name, value) in intent.members() {
            match (&name, value) {
                (Text::Plain(name), Json::Object(members)) if name == "payload" => {
                    parts.extend(
                        members
                            .iter()
                            .map(|(name, value)| (format!("payload {}", ascii_name(name)), value.ascii())),
                    );
                }
                (name, value) => parts.push((ascii_name(name), value.ascii())),
            }
        }
        Side { parts, ..self.side_of_text(label, ring, &intent.text()) }
    }

    /// One side of a counterexample whose text is all that counts.
    pub(super) fn side_of_text(&self, label: &str, ring: &Ring, text: &str) -> Side {
        Side {
            label: label.to_owned(),
            text: text.to_owned(),
            parts: vec![(String::from("text"), ascii(text))],
            explained: self.explain(ring, text),
            outcome: self.derive_text(ring, text),
        }
    }

    /// Two intents under the usual secret.
    pub(super) fn sides(&self, why: &str, labels: [&str; 2], intents: [&Intent; 2]) -> Counterexample {
        let [one, other] = labels;
        let [intent_one, intent_other] = intents;
        Counterexample::new(
            why,
            self.side(one, &self.ring, intent_one),
            self.side(other, &self.ring, intent_other),
        )
    }

    /// How the host came to the key; a host that panics does not tell.
    pub(super) fn explain(&self, ring: &Ring, text: &str) -> Option<Explained> {
        let explain = std::panic::AssertUnwindSafe(|| self.host().explain(ring, text));
        std::panic::catch_unwind(explain).unwrap_or_default()
    }
}

fn ascii_name(name: &Text) -> String {
    let quoted = Json::Text(name.clone()).ascii();
    quoted.trim_matches('"').to_owned()
}

/// The text with what is not ASCII as escapes.
pub(super) fn ascii(text: &str) -> String {
    Json::literal(text).ascii()
}
