//! Checking that a policy keeps its promises, whatever the payload.
//!
//! A policy becomes property tests: payloads follow from its rules, and every host is held against
//! the same invariants.
//!
//! ```
//! use intentkey::check::{Settings, check};
//! use intentkey::hosts::Native;
//! use intentkey_core::Policy;
//!
//! let policy = Policy::from_json(r#"{
//!     "name": "refund",
//!     "actions": ["refund.create"],
//!     "bucket_seconds": 900,
//!     "identity": {
//!         "order": { "rule": "exact" },
//!         "amount": { "rule": "decimal", "scale": 2 }
//!     },
//!     "ignored": { "request_id": "new on every attempt" }
//! }"#)?;
//! // No other host beside this one; as it stands by default, the component is.
//! let settings = Settings { cases: 32, beside: Vec::new(), ..Settings::default() };
//! let report = check(&policy, &Native::new(policy.clone()), &settings);
//! assert!(report.held(), "{report}");
//! # Ok::<(), intentkey_core::Refusal>(())
//! ```

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use intentkey_core::Policy;

use crate::generate::payload::Payloads;
use crate::hosts::{Beside, Host};
use crate::invariants::{ALL, Bench, HOSTS_AGREE, Invariant};

pub use crate::invariants::{Counterexample, Side, Verdict};

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Cases an invariant.
    pub cases: u32,
    /// What decides all that is drawn: the same seed repeats a run exactly.
    pub seed: u64,
    /// The names of the invariants that are tried; none means all.
    pub only: Vec<String>,
    /// The hosts that must agree with the one that is checked. With none, hosts-agree is not asked
    /// for, and not in the report.
    pub beside: Vec<Beside>,
}

impl Default for Settings {
    /// 256 cases of every invariant, with the component beside, and the seed 0: two runs are alike
    /// unless they are asked not to be.
    fn default() -> Self {
        Settings { cases: 256, seed: 0, only: Vec::new(), beside: vec![Beside::Component(None)] }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The invariant that is done.
    pub name: &'static str,
    /// How many are done.
    pub done: usize,
    /// How many there are.
    pub of: usize,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The policy's name.
    pub policy: String,
    /// The host's name.
    pub host: String,
    /// The seed that repeats the run.
    pub seed: u64,
    /// Cases an invariant.
    pub cases: u32,
    /// The invariants, in the order of the design.
    pub entries: Vec<Entry>,
}

/// What came of one invariant.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it promises.
    pub promise: &'static str,
    /// What came of it.
    pub verdict: Verdict,
}

impl Report {
    /// Whether no invariant was broken, and none that was asked for could not be run.
    #[must_use]
    pub fn held(&self) -> bool {
        self.broken().next().is_none()
            && !self.entries.iter().any(|entry| matches!(entry.verdict, Verdict::NotRun { .. }))
    }

    /// The invariants that were broken, each with its counterexample.
    pub fn broken(&self) -> impl Iterator<Item = (&'static str, &Counterexample)> {
        self.entries.iter().filter_map(|entry| match &entry.verdict {
            Verdict::Broken { counterexample, .. } => Some((entry.name, &**counterexample)),
            _ => None,
        })
    }
}

/// The names of the invariants.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|invariant| invariant.name)
}

/// Holds a host against every invariant of a policy.
#[must_use]
pub fn check(policy: &Policy, host: &dyn Host, settings: &Settings) -> Report {
    check_with(policy, host, settings, &|_| {})
}

/// As [`check`]; tells how far it has come, from whatever thread is at work.
#[must_use]
pub fn check_with(
    policy: &Policy,
    host: &dyn Host,
    settings: &Settings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Report {
    let is_asked = |invariant: &&Invariant| {
        let is_named = settings.only.is_empty() || settings.only.iter().any(|name| name == invariant.name);
        is_named && (invariant.name != HOSTS_AGREE || !settings.beside.is_empty())
    };
    let asked: Vec<&'static Invariant> = ALL.iter().filter(is_asked).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut entries = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(invariant) = asked.get(index) else { return entries };
            entries.push((index, try_one(policy, host, settings, invariant)));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(Progress { name: invariant.name, done, of: asked.len() });
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(asked.len());
    let mut entries: Vec<(usize, Entry)> = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let own = work();
        others.into_iter().flat_map(|other| other.join().unwrap_or_default()).chain(own).collect()
    });
    entries.sort_by_key(|entry| entry.0);
    Report {
        policy: policy.name().to_owned(),
        host: host.name().to_owned(),
        seed: settings.seed,
        cases: settings.cases,
        entries: entries.into_iter().map(|entry| entry.1).collect(),
    }
}

fn try_one(policy: &Policy, host: &dyn Host, settings: &Settings, invariant: &Invariant) -> Entry {
    let missing = Payloads::of(policy).without_generator();
    let verdict = match missing.first() {
        // A rule without a generator is a gap in the harness, and must not pass for a promise kept.
        Some(rule) => Verdict::Vacuous { why: format!("there is no generator for the rule {rule}") },
        None => {
            let bench = Bench::new(policy, host, settings.cases, settings.seed, invariant.name);
            (invariant.check)(&bench.with_beside(&settings.beside))
        }
    };
    Entry { name: invariant.name, promise: invariant.promise, verdict }
}
