//! Lint: what in a policy will merge different intents, split equal ones, or be refused by the
//! destination, found by reading the policy alone.
//!
//! ```
//! use intentkey::lint::{Severity, lint};
//! use intentkey_core::Policy;
//!
//! let policy = Policy::from_json(r#"{
//!     "name": "refund",
//!     "actions": ["refund.create"],
//!     "bucket_seconds": 900,
//!     "identity": { "order": { "rule": "exact" }, "requestId": { "rule": "uuid" } }
//! }"#)?;
//! let findings = lint(&policy);
//! assert_eq!(findings.len(), 1);
//! assert_eq!((findings[0].id, findings[0].severity), ("attempt-field-in-identity", Severity::Error));
//! assert_eq!(findings[0].place, "identity.requestId");
//! # Ok::<(), intentkey_core::Refusal>(())
//! ```

mod accepted;
mod attempt;
mod catalogue;
mod destinations;
mod foreign;
mod identity;
mod key_in_payload;
mod names;
mod retention;
mod table;
mod values;

pub mod report;

use std::fmt;
use std::path::Path;

use intentkey_core::{Class, Field, Policy};

pub use catalogue::{ALL, Lint};
pub use table::{Alphabet, Caller, Destination, Table};

use crate::field_path::escaped;
use crate::policy_file::{Document, LoadError};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing need be done.
    Note,
    /// Intents will be merged or split, or nobody can say that they will not be.
    Warning,
    /// The key does not do its work.
    Error,
}

impl Severity {
    /// The severity in lower case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Something that a lint found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The lint's id; ids only ever get added.
    pub id: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// The place in the policy, written as in `policy_invalid`: `identity.items\[\]\.sku`.
    pub place: String,
    /// The line of that place, counted from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub why: String,
    /// What to do.
    pub advice: String,
    /// The reason for which the policy's owner accepts it: a comment beside the place.
    pub accepted: Option<String>,
}

impl Finding {
    fn new(
        id: &'static str,
        severity: Severity,
        place: String,
        why: String,
        advice: impl Into<String>,
    ) -> Self {
        Finding { id, severity, place, line: None, why, advice: advice.into(), accepted: None }
    }

    /// Whether it should fail a build: a warning or an error that nobody has accepted.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.accepted.is_none() && self.severity >= Severity::Warning
    }
}

/// What was found in a file.
#[derive(Clone, Debug)]
pub struct Report {
    /// The file, as it was named.
    pub file: String,
    /// The policy's name; empty where the file holds no valid policy.
    pub policy: String,
    /// The findings, by line and place.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether a finding should fail a build.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.findings.iter().any(Finding::fails)
    }

    /// How many findings of a severity there are that nobody has accepted.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        let counts = |finding: &&Finding| finding.severity == severity && finding.accepted.is_none();
        self.findings.iter().filter(counts).count()
    }
}

/// Lints a policy.
#[must_use]
pub fn lint(policy: &Policy) -> Vec<Finding> {
    let mut findings = Vec::new();
    for lint in ALL {
        if let Some(find) = lint.find {
            find(policy, &mut findings);
        }
    }
    findings
}

/// Lints a file that holds a policy or policies over time.
///
/// A policy that does not load is the finding `policy_invalid`. A comment
/// `# lint: allow ID: reason` on the line of a finding or above it accepts that finding.
///
/// # Errors
///
/// A file that cannot be read.
pub fn lint_file(path: &Path) -> Result<Report, LoadError> {
    let file = path.display().to_string();
    let loaded = Document::read(path).and_then(|document| Ok((document.policies()?, document)));
    let (policies, document) = match loaded {
        Ok(loaded) => loaded,
        Err(error) if error.is_unreadable() => return Err(error),
        Err(error) => {
            return Ok(Report { file, policy: String::new(), findings: vec![invalid(&error)] });
        }
    };
    let several = policies.iter().any(|(from, _)| from.is_some());
    let mut findings = Vec::new();
    for (index, (_, policy)) in policies.iter().enumerate() {
        findings.extend(lint(policy).into_iter().map(|mut finding| {
            if several {
                finding.place = format!("[{index}].policy.{}", finding.place);
            }
            finding.line = document.line_of(&finding.place);
            finding
        }));
    }
    accepted::mark(document.comments(), &mut findings);
    findings.sort_by(|one, other| (one.line, &one.place).cmp(&(other.line, &other.place)));
    let policy = policies.iter().last().map_or("", |(_, policy)| policy.name()).to_owned();
    Ok(Report { file, policy, findings })
}

fn invalid(error: &LoadError) -> Finding {
    let place = error.refusal().and_then(intentkey_core::Refusal::field).unwrap_or_default();
    let advice = "mend the policy at this place: no other finding can be made before it loads";
    let mut finding =
        Finding::new("policy_invalid", Severity::Error, place.to_owned(), error.reason(), advice);
    finding.line = error.line();
    finding
}

/// The place of a field in its policy.
fn place_of(field: &Field) -> String {
    let class = match field.class() {
        Class::Identity => "identity",
        Class::Checked => "checked",
    };
    format!("{class}.{}", escaped(&field.path().to_string()))
}

/// The identity fields.
fn identity_of(policy: &Policy) -> impl Iterator<Item = &Field> {
    policy.fields().iter().filter(|field| field.class() == Class::Identity)
}

#[cfg(test)]
mod tests;
