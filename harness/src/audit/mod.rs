//! Auditing a policy on real events: what it merges, what it splits, what it refuses.
//!
//! Events are streamed; of each, 48 bytes are kept. No secret is needed: two events have one key
//! exactly where they have one material.
//!
//! ```
//! use intentkey::audit::{Settings, audit};
//! use intentkey::events::{Input, Mapping};
//! use intentkey_core::Policy;
//!
//! let policy = Policy::from_json(r#"{
//!     "name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
//!     "identity": { "order": { "rule": "text" } }
//! }"#)?;
//! # let file = tempfile::NamedTempFile::new()?;
//! # std::fs::write(file.path(), r#"{"tenant":"acme","action":"refund.create","intent_epoch":0,"payload":{"order":"A-1"},"id":1}
//! # {"tenant":"acme","action":"refund.create","intent_epoch":1,"payload":{"order":"a-1"},"id":2}"#)?;
//! let mapping = Mapping { truth: Some("id".into()), ..Mapping::default() };
//! let events = [Input::from(file.path())];
//! let report = audit(&policy.into(), &events, &Settings { mapping, ..Settings::default() })?;
//! assert_eq!(report.truth.map(|truth| truth.merged_keys), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cause;
mod clock;
mod count;
mod fetch;
mod groups;
mod likeness;
mod quick;
mod record;
pub mod report;
pub(crate) mod shape;
mod sift;
mod stream;
mod summary;
mod tally;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use intentkey_core::{Policies, Refusal};

pub use report::Report;

use crate::events::{Input, Mapping, Watch};

/// How events are audited.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How events are mapped to intents, and where their true ids are.
    pub mapping: Mapping,
    /// Whether a true id is one intent of its tenant; else it is one of all.
    pub truth_per_tenant: bool,
    /// Whether the report shows values of payloads.
    pub show_values: bool,
    /// How many threads work; 0 is one for each core.
    pub threads: usize,
}

/// How far an audit has come; it can be asked and stopped from another thread.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// The bytes that were read. Stopped, the report covers what was read until then, and says so.
    pub watch: Watch,
    /// Events that were read.
    pub events: Arc<AtomicU64>,
}

/// Why there is no report.
#[derive(Debug)]
pub enum AuditError {
    /// The policies are no policies to derive with.
    Policy(Refusal),
    /// A file cannot be opened, or is not what it should be.
    Input(String),
    /// The machine gives no threads.
    Threads(String),
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Policy(refusal) => write!(f, "{refusal}"),
            AuditError::Input(error) | AuditError::Threads(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for AuditError {}

/// Audits policies on events.
///
/// # Errors
///
/// Where a file cannot be opened, or a table lacks a column that the mapping names. What is wrong
/// with single events, or with the end of a file, is in the report.
pub fn audit(policies: &Policies, inputs: &[Input], settings: &Settings) -> Result<Report, AuditError> {
    audit_with(policies, inputs, settings, &Control::default())
}

/// As [`audit`]; can be watched and stopped.
///
/// # Errors
///
/// As [`audit`].
pub fn audit_with(
    policies: &Policies,
    inputs: &[Input],
    settings: &Settings,
    control: &Control,
) -> Result<Report, AuditError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .build()
        .map_err(|error| AuditError::Threads(error.to_string()))?;
    let streamed = stream::stream(policies, inputs, settings, control, pool.current_num_threads())?;
    Ok(pool.install(|| summary::summarize(streamed, policies, inputs, settings, control)))
}
