//! What a producer answers, and whether that is what the core says.

use serde::Deserialize;
use serde_json::Value;

use crate::hosts::Outcome;

/// What a producer answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A key, and what else it tells.
    Derived(Derived),
    /// A refusal, with its code and field where it tells them.
    Refused { code: Option<String>, field: Option<String> },
    /// A line that is neither.
    Garbled,
    /// It ended, or was silent for too long.
    None,
}

/// A derivation, as far as the producer tells it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Derived {
    pub(super) key: String,
    #[serde(default)]
    pub(super) fingerprint: Option<String>,
    #[serde(default)]
    pub(super) bucket: Option<u64>,
    #[serde(default)]
    pub(super) edge: Option<EdgeKey>,
}

/// The key near a bucket's edge.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct EdgeKey {
    pub(super) key: String,
}

/// In what a producer differs from the core.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Difference {
    /// Another key.
    Key,
    /// The key, and another fingerprint.
    Fingerprint,
    /// The key, and another bucket.
    Bucket,
    /// Another edge key.
    Edge,
    /// No edge key where there is one.
    NoEdge,
    /// An edge key where there is none.
    EdgeTooMany,
    /// A refusal of what is sound.
    Refused,
    /// A key for what is to be refused, under this code.
    Accepted(String),
    /// A refusal under another code than this one.
    Code(String),
    /// A refusal at another field.
    Field(String),
    /// A line that is no answer.
    Garbled,
    /// No answer.
    NoAnswer,
}

impl Answer {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Self {
        let Ok(value) = serde_json::from_str::<Value>(line) else { return Answer::Garbled };
        if let Some(error) = value.get("error") {
            let text = |name: &str| error.get(name).and_then(Value::as_str).map(String::from);
            return Answer::Refused { code: text("code"), field: text("field") };
        }
        serde_json::from_value(value).map_or(Answer::Garbled, Answer::Derived)
    }

    /// The answer, for people.
    pub(super) fn told(&self) -> String {
        match self {
            Answer::Derived(derived) => {
                keys(&derived.key, derived.edge.as_ref().map(|edge| edge.key.as_str()))
            }
            Answer::Refused { code: Some(code), field: Some(field) } => format!("refused: {code} at {field}"),
            Answer::Refused { code: Some(code), field: None } => format!("refused: {code}"),
            Answer::Refused { code: None, .. } => String::from("refused"),
            Answer::Garbled => String::from("a line that cannot be read: neither {\"key\"} nor {\"error\"}"),
            Answer::None => String::from("no answer"),
        }
    }
}

/// A key, and the edge key beside it, for people.
pub(super) fn keys(key: &str, edge: Option<&str>) -> String {
    edge.map_or_else(|| format!("key {key}"), |edge| format!("key {key}, edge key {edge}"))
}

/// In what an answer differs; what a producer does not tell does not count.
pub(super) fn compare(expected: &Outcome, answer: &Answer) -> Option<Difference> {
    let differs = |own: &Option<String>, expected: &str| own.as_deref().is_some_and(|own| own != expected);
    match (expected, answer) {
        (_, Answer::Garbled) => Some(Difference::Garbled),
        (_, Answer::None) => Some(Difference::NoAnswer),
        (Ok(_), Answer::Refused { .. }) => Some(Difference::Refused),
        (Ok(expected), Answer::Derived(derived)) => {
            if derived.key != expected.key {
                Some(Difference::Key)
            } else if differs(&derived.fingerprint, &expected.fingerprint) {
                Some(Difference::Fingerprint)
            } else if derived.bucket.is_some_and(|bucket| bucket != expected.bucket) {
                Some(Difference::Bucket)
            } else {
                match (&expected.edge, &derived.edge) {
                    (Some(_), None) => Some(Difference::NoEdge),
                    (None, Some(_)) => Some(Difference::EdgeTooMany),
                    (Some(expected), Some(own)) if expected.key != own.key => Some(Difference::Edge),
                    _ => None,
                }
            }
        }
        (Err(refused), Answer::Derived(_)) => Some(Difference::Accepted(refused.code.clone())),
        (Err(refused), Answer::Refused { code, field }) => {
            if differs(code, &refused.code) {
                return Some(Difference::Code(refused.code.clone()));
            }
            let other_field = field.is_some() && *field != refused.field;
            other_field.then(|| Difference::Field(refused.code.clone()))
        }
    }
}

impl Difference {
    /// What it is, for people.
    pub(super) fn what(&self) -> String {
        match self {
            Difference::Key => String::from("another key"),
            Difference::Fingerprint => String::from("another fingerprint"),
            Difference::Bucket => String::from("another bucket"),
            Difference::Edge => String::from("another edge key"),
            Difference::NoEdge => String::from("no edge key in the answer"),
            Difference::EdgeTooMany => String::from("an edge key where there is none"),
            Difference::Refused => String::from("a sound intent is refused"),
            Difference::Accepted(code) => format!("a key for what is to be refused ({code})"),
            Difference::Code(code) => format!("refused under another code than {code}"),
            Difference::Field(code) => format!("{code} at another field"),
            Difference::Garbled => String::from("a line that cannot be read"),
            Difference::NoAnswer => String::from("no answer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::{Derived as Expected, Refused};

    fn sound() -> Outcome {
        let text = |text: &str| text.to_owned();
        Ok(Expected { key: text("k"), fingerprint: text("f"), bucket: 1, secret_id: text("s"), edge: None })
    }

    #[test]
    fn what_is_not_told_does_not_count() {
        let compared = |line: &str| compare(&sound(), &Answer::read(line));
        assert_eq!(compared(r#"{"key":"k"}"#), None);
        assert_eq!(compared(r#"{"key":"k","fingerprint":"f","bucket":1,"other":[]}"#), None);
        assert_eq!(compared(r#"{"key":"x"}"#), Some(Difference::Key));
        assert_eq!(compared(r#"{"key":"k","fingerprint":"x"}"#), Some(Difference::Fingerprint));
        assert_eq!(compared(r#"{"key":"k","bucket":2}"#), Some(Difference::Bucket));
        assert_eq!(compared(r#"{"key":"k","edge":{"key":"e"}}"#), Some(Difference::EdgeTooMany));
        assert_eq!(compared(r#"{"error":"no"}"#), Some(Difference::Refused));
        assert_eq!(compared("Traceback"), Some(Difference::Garbled));
        assert_eq!(compare(&sound(), &Answer::None), Some(Difference::NoAnswer));
    }

    #[test]
    fn an_edge_key_that_is_missing_is_not_another_one() {
        let near_an_edge = sound().map(|sound| {
            let edge = crate::hosts::Edge { key: "e".into(), fingerprint: "f".into(), secret_id: "s".into() };
            Expected { edge: Some(edge), ..sound }
        });
        let compared = |line: &str| compare(&near_an_edge, &Answer::read(line));
        assert_eq!(compared(r#"{"key":"k","edge":{"key":"e"}}"#), None);
        assert_eq!(compared(r#"{"key":"k","edge":{"key":"x"}}"#), Some(Difference::Edge));
        assert_eq!(compared(r#"{"key":"k"}"#), Some(Difference::NoEdge));
        assert_eq!(Answer::read(r#"{"key":"k","edge":{"key":"x"}}"#).told(), "key k, edge key x");
    }

    #[test]
    fn refusals_agree_by_code_and_field_where_they_have_them() {
        let refused = Refused { code: "c".into(), field: Some("f".into()), ..Refused::default() };
        let compared = |line: &str| compare(&Err(refused.clone()), &Answer::read(line));
        assert_eq!(compared(r#"{"error":{}}"#), None);
        assert_eq!(compared(r#"{"error":{"code":"c"}}"#), None);
        assert_eq!(compared(r#"{"error":{"code":"c","field":"f"}}"#), None);
        assert_eq!(compared(r#"{"error":{"code":"d"}}"#), Some(Difference::Code("c".into())));
        assert_eq!(compared(r#"{"error":{"code":"c","field":"g"}}"#), Some(Difference::Field("c".into())));
        assert_eq!(compared(r#"{"key":"k"}"#), Some(Difference::Accepted("c".into())));
    }
}
