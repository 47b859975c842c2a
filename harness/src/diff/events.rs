//! Two policies on real events: how many keys stay, move, merge and split.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read};

use intentkey_core::{Deriver, Policies, Refusal, Secret};

use super::Verdict;
use crate::lines::Lines;

/// What two policies make of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events read: lines that are not blank.
    pub events: u64,
    /// Those with the same key under both.
    pub keep: u64,
    /// Those with another key.
    pub move_: u64,
    /// Those that only the new policy refuses.
    pub refused: u64,
    /// Those that only the old policy refuses.
    pub accepted: u64,
    /// Those that both refuse, broken lines among them.
    pub refused_by_both: u64,
    /// Keys under the new policy in which several of the old policy's meet.
    pub merged: u64,
    /// Keys under the old policy that come apart under the new one.
    pub split: u64,
    /// The first event, or the first two, of each.
    pub first: First,
}

impl Counts {
    /// What the new policy does to the keys of these events, at worst.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.merged > 0 {
            Verdict::Merges
        } else if self.split > 0 || self.move_ > 0 {
            Verdict::SplitsInFlight
        } else {
            Verdict::SameKeys
        }
    }
}

/// The first events that show something, counted from 1, blank lines aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct First {
    /// That moves.
    pub move_: Option<u64>,
    /// That is refused.
    pub refused: Option<u64>,
    /// That is accepted.
    pub accepted: Option<u64>,
    /// Two that merge.
    pub merged: Option<[u64; 2]>,
    /// Two that split.
    pub split: Option<[u64; 2]>,
}

/// In which event a key was met first, and what was on the other side.
struct Met {
    event: u64,
    other: u64,
    /// Whether another one was met since.
    several: bool,
}

/// Derives every event, a JSON intent a line, under both policies; of policies over time under
/// the one in force.
///
/// It keeps some 50 bytes a key.
///
/// # Errors
///
/// Those of reading. A line that is no intent is counted as refused.
pub fn count(old: &Policies, new: &Policies, input: impl Read) -> io::Result<Counts> {
    let deriver = |policies: &Policies| {
        let secret = Secret::new([0x5e; 32]);
        secret.and_then(|secret| Deriver::new(policies.clone(), secret)).map_err(io::Error::other)
    };
    let (old, new) = (deriver(old)?, deriver(new)?);
    let hasher = RandomState::new();
    let key = |deriver: &Deriver, text: &str| -> Result<u64, Refusal> {
        Ok(hasher.hash_one(deriver.derive_key(&deriver.read(text)?)?.key.as_str()))
    };
    let mut counts = Counts::default();
    let mut meetings = [Meetings::default(), Meetings::default()];
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next_line(&mut io::sink())? {
        counts.events += 1;
        let number = counts.events;
        let pair = line.map(|text| (key(&old, text).ok(), key(&new, text).ok()));
        match pair.unwrap_or((None, None)) {
            (Some(before), Some(after)) => {
                if before == after {
                    counts.keep += 1;
                } else {
                    counts.move_ += 1;
                    counts.first.move_.get_or_insert(number);
                }
                let [splits, merges] = &mut meetings;
                splits.meet(before, after, number);
                merges.meet(after, before, number);
            }
            (Some(_), None) => {
                counts.refused += 1;
                counts.first.refused.get_or_insert(number);
            }
            (None, Some(_)) => {
                counts.accepted += 1;
                counts.first.accepted.get_or_insert(number);
            }
            (None, None) => counts.refused_by_both += 1,
        }
    }
    let [splits, merges] = meetings;
    (counts.split, counts.first.split) = (splits.several, splits.first);
    (counts.merged, counts.first.merged) = (merges.several, merges.first);
    Ok(counts)
}

/// Keys and what they meet on the other side.
#[derive(Default)]
struct Meetings {
    met: HashMap<u64, Met>,
    several: u64,
    first: Option<[u64; 2]>,
}

impl Meetings {
    fn meet(&mut self, key: u64, other: u64, event: u64) {
        let met = self.met.entry(key).or_insert(Met { event, other, several: false });
        if met.other != other && !met.several {
            met.several = true;
            self.several += 1;
            self.first.get_or_insert([met.event, event]);
        }
    }
}
