//! The right core with a mistake in front of it or behind it.

use intentkey::hosts::{Derived, Explained, Host, Native, Outcome, Ring};
use intentkey_core::Policy;
use serde_json::Value;

use crate::line::Line;

/// A mistake, where there is one.
type Mistake<F> = Option<Box<F>>;

type InSecrets = dyn Fn(&Ring, &str) -> Ring + Sync;
type InKey = dyn Fn(&Ring, &str) -> Option<String> + Sync;
type InOutcome = dyn Fn(&str, Outcome) -> Outcome + Sync;

/// A wrong core. Each member is a place where a mistake can be.
pub(crate) struct Wrong {
    /// The right core, by whatever policy.
    pub(crate) native: Native,
    /// What it takes the text of an intent for.
    pub(crate) text: Mistake<dyn Fn(&str) -> String + Sync>,
    /// What it takes an intent for.
    pub(crate) intent: Mistake<dyn Fn(&mut Line) + Sync>,
    /// The secrets that it takes.
    pub(crate) ring: Mistake<InSecrets>,
    /// Its key.
    pub(crate) key: Mistake<InKey>,
    /// Its answer.
    pub(crate) outcome: Mistake<InOutcome>,
    /// How it says that it came to the key.
    pub(crate) explain: Mistake<dyn Fn(Explained) -> Explained + Sync>,
    /// What else it says.
    pub(crate) says: Mistake<dyn Fn(&Ring) -> String + Sync>,
}

impl Wrong {
    /// The right core by this policy, which may be the mistake.
    pub(crate) fn by(policy: &str) -> Self {
        Wrong {
            native: Native::new(Policy::from_json(policy).unwrap()),
            text: None,
            intent: None,
            ring: None,
            key: None,
            outcome: None,
            explain: None,
            says: None,
        }
    }

    fn read(&self, text: &str) -> String {
        let text = self.text.as_ref().map_or_else(|| text.to_owned(), |edit| edit(text));
        match (&self.intent, Line::parse(&text)) {
            (Some(edit), Some(mut intent)) => {
                edit(&mut intent);
                intent.to_string()
            }
            _ => text,
        }
    }

    fn hold(&self, ring: &Ring, text: &str) -> Ring {
        self.ring.as_ref().map_or_else(|| ring.clone(), |edit| edit(ring, text))
    }
}

impl Host for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn derive(&self, ring: &Ring, intent: &str) -> Outcome {
        let outcome = self.native.derive(&self.hold(ring, intent), &self.read(intent));
        let outcome = match (&self.key, outcome) {
            (Some(key), Ok(derived)) => {
                let key = key(ring, intent).unwrap_or_else(|| derived.key.clone());
                Ok(Derived { key, ..derived })
            }
            (_, outcome) => outcome,
        };
        match &self.outcome {
            Some(edit) => edit(intent, outcome),
            None => outcome,
        }
    }

    fn explain(&self, ring: &Ring, intent: &str) -> Option<Explained> {
        let explained = self.native.explain(&self.hold(ring, intent), &self.read(intent))?;
        Some(match &self.explain {
            Some(edit) => edit(explained),
            None => explained,
        })
    }

    fn says(&self, ring: &Ring, intent: &str) -> String {
        let said = self.native.says(&self.hold(ring, intent), &self.read(intent));
        said + &self.says.as_ref().map_or_else(String::new, |says| says(ring))
    }
}

/// Another key and another fingerprint that depend on a text, in the alphabet of hexadecimal
/// digits.
pub(crate) fn tweak(mut derived: Derived, by: &str) -> Derived {
    let by = by.bytes().fold(7_u64, |hash, byte| hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte));
    let tweaked = |text: &str| {
        let front = u64::from_str_radix(&text[..16], 16).unwrap_or_default();
        format!("{:016x}{}", front ^ by, &text[16..])
    };
    derived.key = tweaked(&derived.key);
    derived.fingerprint = tweaked(&derived.fingerprint);
    if let Some(edge) = &mut derived.edge {
        edge.key = tweaked(&edge.key);
        edge.fingerprint = tweaked(&edge.fingerprint);
    }
    derived
}

/// The strings and numbers of a value, without their names.
pub(crate) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(elements) => elements.iter().flat_map(texts).collect(),
        Value::Object(members) => members.values().flat_map(texts).collect(),
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}
