//! Diff: which intents keep their key under a new policy, which move, merge or split, and which are
//! refused or accepted.
//!
//! ```
//! use intentkey::diff::{Change, Settings, Verdict, diff};
//! use intentkey_core::Policies;
//!
//! let policy = |bucket: u32| Policies::from_json(&format!(r#"{{"name": "refund", "actions": ["refund.create"],
//!     "bucket_seconds": {bucket}, "identity": {{"order": {{"rule": "exact"}}}}}}"#));
//! let report = diff(&policy(900)?, &policy(600)?, &Settings { not_before: 1_767_225_700, ..Settings::default() });
//! assert_eq!(report.verdict, Verdict::Merges);
//! assert!(report.witnesses.iter().any(|witness| witness.change == Change::Moves));
//! // The first multiple of 900 and of 600: no bucket is cut.
//! assert_eq!(report.roll_out.unwrap()?.from_epoch, 1_767_227_400);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod around;
mod change;
mod directed;
mod drawn;
mod edge_values;
pub mod events;
mod exhaust;
mod kinds;
mod may;
mod pare;
pub mod report;
mod roll_out;
mod search;
mod structure;

use std::fmt;

use intentkey_core::{Policies, Policy};

pub use change::{Change, Witness};
pub use kinds::{KINDS, Kind};
pub use may::May;
pub use roll_out::{NoRollOut, RollOut};
pub use structure::Difference;

pub(crate) use search::Search;

/// How much is tried, and when a new policy may begin.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Cases that are drawn from each policy for each kind of pair.
    pub cases: u32,
    /// What decides all that is drawn.
    pub seed: u64,
    /// The first second at which the new policy may begin.
    pub not_before: u64,
}

impl Default for Settings {
    /// 256 cases, the seed 0, and any epoch.
    fn default() -> Self {
        Settings { cases: 256, seed: 0, not_before: 0 }
    }
}

/// What a new policy does to keys, at worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// What both accept has the same key.
    SameKeys,
    /// Some intents have another key: put in place at once, it splits what is in flight.
    SplitsInFlight,
    /// Different intents share a key: the second of them is never executed.
    Merges,
}

impl Verdict {
    /// The verdict in words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::SameKeys => "same keys",
            Verdict::SplitsInFlight => "splits in flight",
            Verdict::Merges => "merges",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a new policy makes of intents that an old one made something else of.
#[derive(Clone, Debug)]
pub struct Report {
    /// The names of the two policies.
    pub names: [String; 2],
    /// Whether both derive alike for certain: their digests are equal.
    pub is_same: bool,
    /// What it does to keys, at worst: by what stands in the two, whether or not a witness was found.
    pub verdict: Verdict,
    /// What stands differently in the two.
    pub differences: Vec<Difference>,
    /// For each change of keys or refusals the smallest intents that were found, of each difference
    /// that can bring it about.
    pub witnesses: Vec<Witness>,
    /// An intent that keeps its key, where the policies differ and one was found.
    pub kept: Option<Witness>,
    /// How to begin with the new policy without a split; `None` where nothing need be done.
    pub roll_out: Option<Result<RollOut, NoRollOut>>,
}

impl Report {
    /// The worse of what was generated and what was counted on events.
    #[must_use]
    pub fn verdict_with(&self, counts: Option<&events::Counts>) -> Verdict {
        self.verdict.max(counts.map_or(Verdict::SameKeys, events::Counts::verdict))
    }
}

/// Compares two policies; of policies over time, the newest.
#[must_use]
pub fn diff(old: &Policies, new: &Policies, settings: &Settings) -> Report {
    let newest = |policies: &'_ Policies| policies.iter().last().map(|(_, policy)| policy.clone());
    match (newest(old), newest(new)) {
        (Some(one), Some(other)) => compare(old, &one, &other, settings),
        // Policies hold at least one.
        _ => Report {
            names: [String::new(), String::new()],
            is_same: true,
            verdict: Verdict::SameKeys,
            differences: Vec::new(),
            witnesses: Vec::new(),
            kept: None,
            roll_out: None,
        },
    }
}

fn compare(before: &Policies, old: &Policy, new: &Policy, settings: &Settings) -> Report {
    let is_same = old.digest() == new.digest();
    let mut differences = structure::differences(old, new);
    let (mut witnesses, mut kept) = (Vec::new(), None);
    if !is_same {
        let search = Search::new(old, new, settings.cases, settings.seed);
        witnesses = search.of_differences(&mut differences);
        let shown = |change: &Change| witnesses.iter().any(|witness| witness.change == *change);
        let asked: Vec<Change> = Change::ALL.into_iter().filter(|change| !shown(change)).collect();
        witnesses.extend(search.witnesses(&asked, asked.len()));
        witnesses.sort_by_key(|witness| witness.change);
        kept = search.kept();
    }
    let by_structure = differences.iter().map(|difference| difference.may.verdict()).max();
    let found = witnesses.iter().map(|witness| weigh(witness.change)).max();
    let verdict = by_structure.max(found).unwrap_or(Verdict::SameKeys);
    let roll_out = (verdict != Verdict::SameKeys)
        .then(|| roll_out::roll_out(before, new, settings.not_before, &witnesses));
    Report {
        names: [old.name().to_owned(), new.name().to_owned()],
        is_same,
        verdict,
        differences,
        witnesses,
        kept,
        roll_out,
    }
}

fn weigh(change: Change) -> Verdict {
    match change {
        Change::Merges => Verdict::Merges,
        Change::Splits | Change::Moves => Verdict::SplitsInFlight,
        Change::Refuses
        | Change::Accepts
        | Change::Conflicts
        | Change::Agrees
        | Change::RefusesOtherwise
        | Change::Keeps => Verdict::SameKeys,
    }
}

#[cfg(test)]
mod tests;
