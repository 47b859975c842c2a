//! Keys, repeats, merges and splits, at every width of the buckets at once.

mod at_edge;
mod at_width;
mod slots;

use std::cmp::Reverse;

use rayon::slice::ParallelSliceMut as _;

pub(super) use at_edge::AtEdge;
pub(super) use at_width::AtWidth;
pub(super) use slots::Slots;

use at_edge::{EDGES, shares_key};
use at_width::{WIDTHS, distinct};

use super::clock::Clock;
use super::groups::fold_groups;
use super::record::Record;
use crate::events::Place;

/// Repeats are counted by the time since the one before, up to these seconds.
pub(super) const GAPS: [u64; 12] = [0, 1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 604_800, u64::MAX];

/// Keys are counted by their events, up to these.
pub(super) const SIZES: [u64; 8] = [1, 2, 3, 5, 10, 100, 1000, u64::MAX];

/// How many of the largest keys are shown.
const LARGEST: usize = 5;

/// The most merges and splits whose fields are compared.
const COMPARED: usize = 10_000;

/// The most true retries whose fields are compared.
const RETRIES: usize = 1_000;

/// The most pairs of one merge or split that are compared.
const PAIRS_EACH: usize = 8;

/// Two events that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// Which merge or split it belongs to.
    pub(super) group: u64,
    pub(super) one: Place,
    pub(super) other: Place,
}

/// A key with many events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Large {
    pub(super) events: Reverse<u64>,
    pub(super) first: Place,
    pub(super) from: u64,
    pub(super) to: u64,
}

/// All that is counted.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    pub(super) widths: Vec<(u64, AtWidth)>,
    /// Keys at the policy's own buckets.
    pub(super) keys: u64,
    /// At the policy's own buckets and with its own protection at their edges.
    pub(super) own: AtEdge,
    /// Intents with several keys that the policy's protection joins.
    pub(super) joined_intents: u64,
    /// By seconds of protection; the first is none.
    pub(super) edges: Vec<(u64, AtEdge)>,
    pub(super) intents: u64,
    /// Of the splits those of intents whose identity is the same in all events.
    pub(super) split_by_bucket: u64,
    /// Keys, edge keys counted, that occur with several fingerprints.
    pub(super) conflicts: u64,
    pub(super) gaps: [u64; GAPS.len()],
    /// Keys and their events.
    pub(super) sizes: [(u64, u64); SIZES.len()],
    pub(super) largest: Vec<Large>,
    pub(super) slots: Slots,
    pub(super) merges: Vec<Pair>,
    pub(super) splits: Vec<Pair>,
    pub(super) conflicting: Vec<Pair>,
    pub(super) retries: Vec<Pair>,
}

/// Counts; the records are put in another order.
pub(super) fn count(records: &mut [Record], clock: &Clock<'_>) -> Counts {
    let slots = Slots::over(records);
    records.par_sort_unstable_by_key(|record| (record.identity, record.epoch, record.place));
    let mut counts = fold_groups(
        records,
        |one, other| one.identity == other.identity,
        || Counts::new(clock, &slots),
        |counts, group| counts.identity(group, clock),
        Counts::add,
    );
    records.par_sort_unstable_by_key(|record| (record.truth, record.identity, record.epoch, record.place));
    let known = records.partition_point(|record| record.truth == 0);
    let by_truth = fold_groups(
        records.get(known..).unwrap_or_default(),
        |one, other| one.truth == other.truth,
        || Counts::new(clock, &slots),
        |counts, group| counts.intent(group, clock),
        Counts::add,
    );
    counts = counts.add(by_truth);
    counts.conflicting.sort_unstable_by_key(|pair| (pair.one, pair.other));
    counts
}

impl Counts {
    fn new(clock: &Clock<'_>, slots: &Slots) -> Self {
        let newest = clock.newest();
        let own = newest.map_or(0, |policy| policy.bucket_seconds());
        let mut widths = Vec::from(WIDTHS);
        widths.extend((own > 0).then_some(own));
        widths.sort_unstable();
        widths.dedup();
        // One bucket for all time comes last.
        widths.push(0);
        let mut edges = Vec::from(EDGES);
        edges.push(newest.map_or(0, |policy| policy.edge_seconds()));
        edges.retain(|edge| edge * 2 <= own);
        edges.push(0);
        edges.sort_unstable();
        edges.dedup();
        Counts {
            widths: widths.into_iter().map(|width| (width, AtWidth::default())).collect(),
            keys: 0,
            own: AtEdge::default(),
            joined_intents: 0,
            edges: edges.into_iter().map(|edge| (edge, AtEdge::default())).collect(),
            intents: 0,
            split_by_bucket: 0,
            conflicts: 0,
            gaps: [0; GAPS.len()],
            sizes: [(0, 0); SIZES.len()],
            largest: Vec::new(),
            slots: slots.clone(),
            merges: Vec::new(),
            splits: Vec::new(),
            conflicting: Vec::new(),
            retries: Vec::new(),
        }
    }

    /// Counts the events of one identity, in the order of their epochs.
    fn identity(&mut self, group: &[Record], clock: &Clock<'_>) {
        let mut truths = Vec::new();
        for (width, at) in &mut self.widths {
            let bucket = |record: &Record| record.epoch.checked_div(*width).unwrap_or(0);
            for run in group.chunk_by(|one, other| bucket(one) == bucket(other)) {
                at.key(run, &mut truths);
            }
        }
        let buckets = |record: &Record| clock.at(record.epoch);
        let bucket = |record: &Record| buckets(record).of(record.epoch);
        for run in group.chunk_by(|one, other| bucket(one) == bucket(other)) {
            self.key(run);
        }
        let own_edge = |record: &Record| buckets(record).edge;
        for run in group.chunk_by(|one, other| shares_key(one, other, own_edge(other), &buckets)) {
            self.shared(run, &mut truths);
        }
        for pair in group.windows(2) {
            let [one, other] = pair else { continue };
            let gap = other.epoch - one.epoch;
            let bin = GAPS.iter().position(|&most| gap <= most);
            if let Some(count) = bin.and_then(|bin| self.gaps.get_mut(bin)) {
                *count += 1;
            }
        }
        for (edge, at) in &mut self.edges {
            at.identity(&|_| *edge, group, &buckets, &mut truths);
        }
        self.own.identity(&own_edge, group, &buckets, &mut truths);
    }

    /// Counts the events of one key.
    fn key(&mut self, run: &[Record]) {
        self.keys += 1;
        let count = run.len() as u64;
        let bin = SIZES.iter().position(|&most| count <= most);
        if let Some(size) = bin.and_then(|bin| self.sizes.get_mut(bin)) {
            size.0 += 1;
            size.1 += count;
        }
        for (index, record) in run.iter().enumerate() {
            self.slots.count(record.epoch, index > 0);
        }
        let [first, others @ ..] = run else { return };
        if others.is_empty() {
            return;
        }
        let place = run.iter().map(|record| record.place).min().unwrap_or(first.place);
        let to = run.last().map_or(first.epoch, |record| record.epoch);
        self.large(Large { events: Reverse(count), first: place, from: first.epoch, to });
    }

    /// Looks at the events that share a key or an edge key.
    fn shared(&mut self, run: &[Record], truths: &mut Vec<u64>) {
        let [first, others @ ..] = run else { return };
        if others.is_empty() {
            return;
        }
        self.conflict(run);
        if distinct(run, truths) > 1 {
            self.merge(run);
        } else if first.truth != 0 && self.retries.len() < RETRIES {
            let other = others.iter().find(|other| other.truth == first.truth);
            let group = first.truth;
            self.retries.extend(other.map(|other| Pair { group, one: first.place, other: other.place }));
        }
    }

    /// Counts a key with several fingerprints, and keeps the first two places that differ.
    fn conflict(&mut self, run: &[Record]) {
        let Some(first) = run.iter().min_by_key(|record| record.place) else { return };
        let differs = run.iter().filter(|other| other.fingerprint != first.fingerprint);
        let Some(other) = differs.map(|other| other.place).min() else { return };
        self.conflicts += 1;
        if self.conflicting.len() < COMPARED {
            self.conflicting.push(Pair { group: first.identity[0] ^ first.epoch, one: first.place, other });
        }
    }

    /// Keeps a pair of places for each intent that a key has too many.
    fn merge(&mut self, run: &[Record]) {
        if self.merges.len() >= COMPARED {
            return;
        }
        let Some(first) = run.iter().find(|record| record.truth != 0) else { return };
        let mut seen = vec![first.truth];
        for other in run {
            if other.truth != 0 && !seen.contains(&other.truth) {
                seen.push(other.truth);
                self.merges.push(Pair {
                    group: first.identity[0] ^ first.epoch,
                    one: first.place,
                    other: other.place,
                });
            }
            if seen.len() > PAIRS_EACH {
                break;
            }
        }
    }

    fn large(&mut self, large: Large) {
        if self.largest.len() < LARGEST || self.largest.last().is_some_and(|least| large < *least) {
            let at = self.largest.partition_point(|other| *other < large);
            self.largest.insert(at, large);
            self.largest.truncate(LARGEST);
        }
    }

    /// Counts the events of one true intent, by identity and in the order of their epochs.
    fn intent(&mut self, group: &[Record], clock: &Clock<'_>) {
        self.intents += 1;
        let [first, ..] = group else { return };
        let same = |one: &Record, other: &Record| one.identity == other.identity;
        for (width, at) in &mut self.widths {
            let bucket = |record: &Record| record.epoch.checked_div(*width).unwrap_or(0);
            at.split(runs(group, |one, other| same(one, other) && bucket(one) == bucket(other)));
        }
        let buckets = |record: &Record| clock.at(record.epoch);
        let shared_at = |one: &Record, other: &Record, edge: u64| {
            same(one, other) && shares_key(one, other, edge, &buckets)
        };
        for (edge, at) in &mut self.edges {
            at.split(runs(group, |one, other| shared_at(one, other, *edge)));
        }
        let shared = |one: &Record, other: &Record| shared_at(one, other, buckets(other).edge);
        let keys = runs(group, shared);
        self.own.split(keys);
        if keys < 2 {
            self.joined_intents += u64::from(runs(group, |one, other| shared_at(one, other, 0)) > 1);
            return;
        }
        self.split_by_bucket += u64::from(group.iter().all(|other| same(first, other)));
        if self.splits.len() < COMPARED {
            let others = group.chunk_by(shared).skip(1).take(PAIRS_EACH).filter_map(|run| run.first());
            self.splits.extend(others.map(|other| Pair {
                group: first.truth,
                one: first.place,
                other: other.place,
            }));
        }
    }

    /// Adds what other records come to, which are later in the order.
    fn add(mut self, other: Counts) -> Counts {
        for (own, other) in self.widths.iter_mut().zip(&other.widths) {
            own.1.add(other.1);
        }
        for (own, other) in self.edges.iter_mut().zip(&other.edges) {
            own.1.add(other.1);
        }
        self.keys += other.keys;
        self.own.add(other.own);
        self.joined_intents += other.joined_intents;
        self.intents += other.intents;
        self.split_by_bucket += other.split_by_bucket;
        self.conflicts += other.conflicts;
        self.gaps.iter_mut().zip(other.gaps).for_each(|(own, other)| *own += other);
        for (own, other) in self.sizes.iter_mut().zip(other.sizes) {
            own.0 += other.0;
            own.1 += other.1;
        }
        other.largest.into_iter().for_each(|large| self.large(large));
        for (own, other) in self.slots.counts.iter_mut().zip(other.slots.counts) {
            own.0 += other.0;
            own.1 += other.1;
        }
        let pairs = [
            (&mut self.merges, other.merges, COMPARED),
            (&mut self.splits, other.splits, COMPARED),
            (&mut self.conflicting, other.conflicting, COMPARED),
            (&mut self.retries, other.retries, RETRIES),
        ];
        for (own, other, most) in pairs {
            let room = most.saturating_sub(own.len());
            own.extend(other.into_iter().take(room));
        }
        self
    }
}

fn runs(group: &[Record], belong: impl Fn(&Record, &Record) -> bool) -> u64 {
    group.chunk_by(belong).count() as u64
}
