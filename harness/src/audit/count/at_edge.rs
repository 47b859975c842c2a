//! What falls at the edges of buckets, with and without their protection.

use super::at_width::distinct;
use crate::audit::clock::Buckets;
use crate::audit::record::Record;

/// The protections that are tried at the edges, in seconds to each side.
pub(super) const EDGES: [u64; 9] = [1, 2, 5, 10, 20, 30, 60, 120, 300];

/// What falls at edges, with one protection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::audit) struct AtEdge {
    /// Events near an edge.
    pub(in crate::audit) near: u64,
    /// Repeats in the next bucket, and those of them that have an edge key in common.
    pub(in crate::audit) cut: u64,
    pub(in crate::audit) joined: u64,
    pub(in crate::audit) merged_keys: u64,
    pub(in crate::audit) lost_intents: u64,
    pub(in crate::audit) split_intents: u64,
    pub(in crate::audit) extra_keys: u64,
}

impl AtEdge {
    /// Counts the events of one identity, where keys that share an edge key are one. `edge` is the
    /// protection at a record, in seconds.
    pub(super) fn identity(
        &mut self,
        edge: &impl Fn(&Record) -> u64,
        group: &[Record],
        buckets: &impl Fn(&Record) -> Buckets,
        truths: &mut Vec<u64>,
    ) {
        for record in group {
            let (buckets, edge) = (buckets(record), edge(record));
            let offset = record.epoch.checked_rem(buckets.width).unwrap_or(0);
            let begins = buckets.of(record.epoch) > 0 && offset < edge;
            self.near +=
                u64::from(buckets.width > 0 && (begins || offset + edge >= buckets.width) && edge > 0);
        }
        for pair in group.windows(2) {
            let [one, other] = pair else { continue };
            self.cut += u64::from(neighbours(one, other, buckets));
            self.joined += u64::from(meet(one, other, edge(other), buckets));
        }
        for run in group.chunk_by(|one, other| shares_key(one, other, edge(other), buckets)) {
            let intents = distinct(run, truths);
            if intents > 1 {
                self.merged_keys += 1;
                self.lost_intents += intents - 1;
            }
        }
    }

    /// Counts a true intent that has so many keys.
    pub(super) fn split(&mut self, keys: u64) {
        self.split_intents += u64::from(keys > 1);
        self.extra_keys += keys.saturating_sub(1);
    }

    pub(super) fn add(&mut self, other: AtEdge) {
        self.near += other.near;
        self.cut += other.cut;
        self.joined += other.joined;
        self.merged_keys += other.merged_keys;
        self.lost_intents += other.lost_intents;
        self.split_intents += other.split_intents;
        self.extra_keys += other.extra_keys;
    }
}

/// Whether the later event is in the bucket after the earlier one's.
fn neighbours(one: &Record, other: &Record, buckets: &impl Fn(&Record) -> Buckets) -> bool {
    let (before, after) = (buckets(one), buckets(other));
    before == after && before.width > 0 && before.of(one.epoch) + 1 == after.of(other.epoch)
}

/// Whether two events of one identity, the earlier first, have a key or an edge key in common.
pub(super) fn shares_key(
    one: &Record,
    other: &Record,
    edge: u64,
    buckets: &impl Fn(&Record) -> Buckets,
) -> bool {
    let (before, after) = (buckets(one), buckets(other));
    before == after && before.of(one.epoch) == after.of(other.epoch) || meet(one, other, edge, buckets)
}

/// Whether two events on the two sides of an edge have an edge key in common.
fn meet(one: &Record, other: &Record, edge: u64, buckets: &impl Fn(&Record) -> Buckets) -> bool {
    let begins = || {
        let after = buckets(other);
        after.of(other.epoch) * after.width
    };
    edge > 0
        && neighbours(one, other, buckets)
        && one.epoch + edge >= begins()
        && other.epoch < begins() + edge
}
