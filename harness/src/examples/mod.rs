//! The owner's own examples of a policy: what must share a key, what must not, what conflicts, and
//! what is refused.
//!
//! ```
//! use intentkey::examples::Examples;
//! use intentkey_core::Policies;
//!
//! let policies = Policies::from_json(r#"{"name": "refund", "actions": ["refund.create"],
//!     "bucket_seconds": 900, "identity": {"order": {"rule": "exact"}, "amount": {"rule": "decimal"}}}"#)?;
//! let examples = Examples::from_toml(r#"
//!     [[same]]
//!     name = "an amount is a number or text"
//!     payloads = [{ order = "A-1", amount = 10 }, { order = "A-1", amount = "10.00" }]
//!
//!     [[refused]]
//!     name = "an order is needed"
//!     code = "field_missing"
//!     payloads = [{ amount = 10 }]
//! "#)?;
//! let report = examples.test(&policies);
//! assert!(report.passed(), "{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file;
mod judge;
pub(crate) mod mutants;
pub mod mutate;
pub mod report;

use std::fmt;

use intentkey_core::{Policies, Policy};

pub use file::Unusable;

use crate::hosts::{Host, Native, Ring};

/// The secret of examples that name none: 32 bytes, 00 to 1f.
pub const SECRET: [u8; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
    29, 30, 31,
];

/// A second of today: examples that name none are decided in the middle of its bucket.
const TODAY: u64 = 1_767_225_600;

/// The examples of a file.
#[derive(Clone, Debug)]
pub struct Examples {
    examples: Vec<Example>,
    secret: [u8; 32],
}

/// One example.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// What must come of its intents.
    pub expectation: Expectation,
    intents: Vec<Sketch>,
}

/// What must come of an example's intents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// They share a key, this one if it is given, and do not conflict.
    Same {
        /// The key, under the secret of the examples.
        key: Option<String>,
    },
    /// No two of them share a key.
    Different,
    /// They share a key, and any two of them conflict.
    Conflict,
    /// Each is refused.
    Refused {
        /// The code.
        code: String,
        /// The field that the refusal names, where the example says so.
        field: Option<String>,
    },
}

impl Expectation {
    /// The table of the file that such examples stand in.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Expectation::Same { .. } => "same",
            Expectation::Different => "different",
            Expectation::Conflict => "conflict",
            Expectation::Refused { .. } => "refused",
        }
    }
}

/// An intent as a file gives it: what it leaves out is filled in from the policy.
#[derive(Clone, Debug)]
struct Sketch {
    tenant: Option<String>,
    action: Option<String>,
    epoch: Option<u64>,
    payload: String,
}

/// What is filled in where an example leaves something out.
#[derive(Clone, Debug)]
struct Usual {
    action: String,
    epoch: u64,
}

/// What came of the examples of a file.
#[derive(Clone, Debug)]
pub struct Report {
    /// The policy's name.
    pub policy: String,
    /// What came of each, in the order of the file's tables.
    pub results: Vec<Tested>,
}

/// What came of one example.
#[derive(Clone, Debug)]
pub struct Tested {
    /// Its name.
    pub name: String,
    /// The table that it stands in.
    pub kind: &'static str,
    /// What is wrong, where something is.
    pub failure: Option<String>,
}

impl Report {
    /// Whether all of them came out as they should.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.results.iter().all(|tested| tested.failure.is_none())
    }
}

impl Examples {
    /// Leaves out the examples whose names do not hold the text.
    pub fn retain(&mut self, text: &str) {
        self.examples.retain(|example| example.name.contains(text));
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// Tries the examples on a policy, or on policies over time.
    #[must_use]
    pub fn test(&self, policies: &Policies) -> Report {
        let usual = Usual::of(policies);
        let host = Native::new(policies.clone());
        let results = self.examples.iter().map(|example| Tested {
            name: example.name.clone(),
            kind: example.expectation.kind(),
            failure: judge::failure(example, &usual, &host, &self.ring(), policies),
        });
        Report { policy: newest(policies).map_or("", Policy::name).to_owned(), results: results.collect() }
    }

    /// Whether a host treats every example as it should, with what is left out filled in as for
    /// these policies.
    fn hold(&self, usual: &Usual, host: &dyn Host) -> bool {
        self.examples.iter().all(|example| judge::holds(example, usual, host, &self.ring()))
    }

    fn ring(&self) -> Ring {
        Ring::Bare(self.secret)
    }
}

impl Usual {
    fn of(policies: &Policies) -> Self {
        let Some((from, policy)) = policies.iter().last() else {
            return Usual { action: String::new(), epoch: TODAY };
        };
        let after = from.unwrap_or(0).max(TODAY);
        let width = policy.bucket_seconds().max(1);
        let epoch = after.div_ceil(width).saturating_mul(width).saturating_add(width / 2);
        Usual { action: policy.actions().next().unwrap_or_default().to_owned(), epoch }
    }
}

/// The policy that is in force last.
fn newest(policies: &Policies) -> Option<&Policy> {
    policies.iter().last().map(|(_, policy)| policy)
}

impl Sketch {
    /// The intent as JSON text.
    fn text(&self, usual: &Usual) -> String {
        let string = |text: &str| crate::generate::json::Json::text(text).compact();
        format!(
            r#"{{"tenant":{},"action":{},"intent_epoch":{},"payload":{}}}"#,
            string(self.tenant.as_deref().unwrap_or("example")),
            string(self.action.as_deref().unwrap_or(&usual.action)),
            self.epoch.unwrap_or(usual.epoch),
            self.payload
        )
    }
}

/// As in a pipe: no colours.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        report::write_text(self, false, f)
    }
}

#[cfg(test)]
mod tests;
