//! Proposing a policy from sample events or a JSON Schema.
//!
//! Rules are guessed from names and values, each with its reason beside it. What is doubtful is left
//! out, commented, for a person to decide: a policy that guesses wrongly merges two payments.
//!
//! ```
//! let samples = r#"{"tenant": "acme", "action": "refund.create", "intent_epoch": 0,
//!     "payload": {"amount": "10.50", "currency": "EUR", "request_id": "5f0a", "note": "thanks"}}"#;
//! let proposal = intentkey::init::propose("refunds", &samples.replace('\n', " "))?;
//! assert_eq!(proposal.undecided, ["note"]);
//! assert!(proposal.text.contains(r#"amount = { rule = "decimal", scale = "currency" }"#));
//! # Ok::<(), intentkey::init::NoSamples>(())
//! ```

mod fields;
mod guess;
mod names;
mod samples;
mod schema;
mod write;

use std::fmt;

use intentkey_core::Refusal;

use fields::Fields;

/// A proposed policy.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The policy as TOML, with the reasons as comments.
    pub text: String,
    /// The fields that are classified.
    pub decided: Vec<String>,
    /// The fields that are left to decide.
    pub undecided: Vec<String>,
    /// Why the policy does not load yet; `None` where it does.
    pub refusal: Option<Refusal>,
    /// How many samples were looked at; 0 for a schema.
    pub samples: u64,
    /// Lines that are no JSON objects, by the number of the first and how many there are.
    pub broken: Option<(u64, u64)>,
}

/// The most samples that are looked at.
pub const MOST_SAMPLES: usize = 20_000;

/// Why nothing can be proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSamples {
    /// There is neither an event nor a schema.
    Empty,
    /// The schema has no properties.
    NoProperties,
}

impl fmt::Display for NoSamples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoSamples::Empty => {
                "there is no sample: give JSON lines of events, a JSON Schema, or a table and --format csv"
            }
            NoSamples::NoProperties => "the schema has no properties to classify",
        })
    }
}

impl std::error::Error for NoSamples {}

/// Proposes a policy of this name from JSON lines or a JSON array (of intents as for `derive`, or of their
/// payloads) or from a JSON Schema (of either).
///
/// # Errors
///
/// Where the text is neither.
pub fn propose(name: &str, text: &str) -> Result<Proposal, NoSamples> {
    let fields = match schema::read(text) {
        Some(fields) => fields?,
        None => samples::read(text)?,
    };
    Ok(write::proposal(name, &fields))
}

/// Whether two fields have one path, or one lies below the other: then they cannot both stand in a
/// policy.
fn overlap(one: &str, other: &str) -> bool {
    let below = |path: &str, above: &str| {
        path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    below(one, other) || below(other, one)
}

/// The paths that stand in each other's way.
fn contradictions(fields: &Fields) -> Vec<String> {
    let paths: Vec<&String> = fields.fields.keys().collect();
    let clashes = |path: &&&String| paths.iter().any(|other| *other != **path && overlap(path, other));
    paths.iter().filter(clashes).map(|path| (*path).clone()).collect()
}
