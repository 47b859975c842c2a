//! What chunks of events have in them, counted. Tallies add up in any order.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::record::Record;
use crate::events::{Broken, Place};

/// The most entries of a list by name: names come with the events, and memory does not.
const MOST_NAMES: usize = 1000;

/// The most values that are shown of one field, where they are shown.
pub(super) const MOST_VALUES: usize = 3;

/// How often something is the case, and where first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) count: u64,
    pub(super) first: Place,
}

/// A refusal's code and field, without indexes.
pub(super) type Refusal = (&'static str, Option<String>);

/// What is known of a field that the policy does not classify.
#[derive(Clone, Debug)]
pub(super) struct Unclassified {
    pub(super) seen: Seen,
    /// How many values were looked at for their shapes.
    pub(super) sampled: u64,
    pub(super) shapes: BTreeMap<String, u64>,
    /// Values, only where asked for, each where it was found.
    pub(super) values: BTreeMap<Place, String>,
}

/// What events have in them.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Events and what stands in the place of one.
    pub(super) events: u64,
    pub(super) records: Vec<Record>,
    pub(super) broken: BTreeMap<Broken, Seen>,
    pub(super) refused: BTreeMap<Refusal, Seen>,
    pub(super) unclassified: BTreeMap<String, Unclassified>,
    /// Refusals and fields beyond those that are listed.
    pub(super) unlisted: u64,
    /// Events with a key and without a true id.
    pub(super) without_truth: u64,
}

impl Seen {
    pub(super) fn once(first: Place) -> Self {
        Seen { count: 1, first }
    }

    fn add(&mut self, other: Seen) {
        self.count += other.count;
        self.first = self.first.min(other.first);
    }
}

/// Counts under a key, or among what is not listed.
pub(super) fn count<K: Ord>(seen: &mut BTreeMap<K, Seen>, unlisted: &mut u64, key: K, new: Seen) {
    let is_full = seen.len() >= MOST_NAMES;
    match seen.entry(key) {
        Entry::Occupied(mut own) => own.get_mut().add(new),
        Entry::Vacant(_) if is_full => *unlisted += new.count,
        Entry::Vacant(room) => {
            room.insert(new);
        }
    }
}

impl Tally {
    pub(super) fn keep(&mut self, record: Record) {
        self.without_truth += u64::from(record.truth == 0);
        self.records.push(record);
    }

    pub(super) fn refuse(&mut self, code: &'static str, field: Option<&str>, place: Place) {
        let key = (code, field.map(crate::field_path::pattern));
        count(&mut self.refused, &mut self.unlisted, key, Seen::once(place));
    }

    pub(super) fn break_off(&mut self, broken: Broken, place: Place) {
        count(&mut self.broken, &mut self.unlisted, broken, Seen::once(place));
    }

    /// The entry of an unclassified field; `None` where there is no room for one more.
    pub(super) fn unclassified(&mut self, path: &str, place: Place) -> Option<&mut Unclassified> {
        if !self.unclassified.contains_key(path) {
            if self.unclassified.len() >= MOST_NAMES {
                self.unlisted += 1;
                return None;
            }
            let new = Unclassified {
                seen: Seen { count: 0, first: place },
                sampled: 0,
                shapes: BTreeMap::new(),
                values: BTreeMap::new(),
            };
            self.unclassified.insert(path.to_owned(), new);
        }
        let entry = self.unclassified.get_mut(path)?;
        entry.seen.add(Seen::once(place));
        Some(entry)
    }

    /// Adds what another chunk has.
    pub(super) fn add(&mut self, other: Tally) {
        self.events += other.events;
        self.unlisted += other.unlisted;
        self.without_truth += other.without_truth;
        self.records.extend_from_slice(&other.records);
        for (broken, seen) in other.broken {
            count(&mut self.broken, &mut self.unlisted, broken, seen);
        }
        for (refusal, seen) in other.refused {
            count(&mut self.refused, &mut self.unlisted, refusal, seen);
        }
        for (path, new) in other.unclassified {
            let is_full = self.unclassified.len() >= MOST_NAMES;
            match self.unclassified.entry(path) {
                Entry::Occupied(mut own) => own.get_mut().add(new),
                Entry::Vacant(_) if is_full => self.unlisted += new.seen.count,
                Entry::Vacant(room) => {
                    room.insert(new);
                }
            }
        }
    }
}

impl Unclassified {
    fn add(&mut self, other: Unclassified) {
        self.seen.add(other.seen);
        self.sampled += other.sampled;
        for (shape, count) in other.shapes {
            *self.shapes.entry(shape).or_default() += count;
        }
        self.values.extend(other.values);
        while self.values.len() > MOST_VALUES {
            self.values.pop_last();
        }
    }
}
