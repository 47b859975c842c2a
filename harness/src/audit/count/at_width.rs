//! What falls together and apart at one width of the buckets.

use crate::audit::record::Record;

/// The widths of the sweep, in seconds: from a minute to a day.
pub(super) const WIDTHS: [u64; 12] =
    [60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/// What falls together and apart at one width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::audit) struct AtWidth {
    pub(in crate::audit) keys: u64,
    /// Keys with more than one true intent, and how many intents are lost in them.
    pub(in crate::audit) merged_keys: u64,
    pub(in crate::audit) lost_intents: u64,
    /// True intents with more than one key, and how many keys they have too many.
    pub(in crate::audit) split_intents: u64,
    pub(in crate::audit) extra_keys: u64,
}

impl AtWidth {
    pub(super) fn key(&mut self, run: &[Record], truths: &mut Vec<u64>) {
        self.keys += 1;
        let intents = distinct(run, truths);
        if intents > 1 {
            self.merged_keys += 1;
            self.lost_intents += intents - 1;
        }
    }

    pub(super) fn split(&mut self, keys: u64) {
        self.split_intents += u64::from(keys > 1);
        self.extra_keys += keys.saturating_sub(1);
    }

    pub(super) fn add(&mut self, other: AtWidth) {
        self.keys += other.keys;
        self.merged_keys += other.merged_keys;
        self.lost_intents += other.lost_intents;
        self.split_intents += other.split_intents;
        self.extra_keys += other.extra_keys;
    }
}

/// How many true intents there are among these; `truths` is room that is used again.
pub(super) fn distinct(run: &[Record], truths: &mut Vec<u64>) -> u64 {
    let [first, others @ ..] = run else { return 0 };
    if others.iter().all(|other| other.truth == first.truth) {
        return u64::from(first.truth != 0);
    }
    truths.clear();
    truths.extend(run.iter().map(|record| record.truth).filter(|&truth| truth != 0));
    truths.sort_unstable();
    truths.dedup();
    truths.len() as u64
}
