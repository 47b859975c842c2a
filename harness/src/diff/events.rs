//! Two policies on real events: how many keys stay, move, merge and split.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::Ordering::Relaxed;

use intentkey_core::{Code, Deriver, Intent, Payload, Policies, Refusal, Secret};

use super::Verdict;
use crate::audit::Control;
use crate::events::{Broken, Chunks, Input, Mapping, Next, Place, Raw, Reading, Unread, declares};

/// What two policies make of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The files.
    pub inputs: Vec<Input>,
    /// Why the counts are not of all events; empty where they are.
    pub partial: Vec<String>,
    /// Events, and what stands in the place of one; blank lines aside.
    pub events: u64,
    /// Those with the same key under both.
    pub keep: u64,
    /// Those with another key.
    pub move_: u64,
    /// Those that only the new policy refuses.
    pub refused: u64,
    /// Those that only the old policy refuses.
    pub accepted: u64,
    /// Those that both refuse.
    pub refused_by_both: u64,
    /// What is no event: lines that are no JSON, rows of another length.
    pub broken: u64,
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

/// The first events that show something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct First {
    /// That moves.
    pub move_: Option<Place>,
    /// That is refused, and why.
    pub refused: Option<(Place, String)>,
    /// That is refused by both, and why by the new policy.
    pub refused_by_both: Option<(Place, String)>,
    /// That is accepted.
    pub accepted: Option<Place>,
    /// That is none, and why.
    pub broken: Option<(Place, Broken)>,
    /// Two that merge.
    pub merged: Option<[Place; 2]>,
    /// Two that split.
    pub split: Option<[Place; 2]>,
}

/// Why events cannot be counted at all.
#[derive(Debug)]
pub struct NotCounted(String);

impl fmt::Display for NotCounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotCounted {}

/// In which event a key was met first, and what was on the other side.
struct Met {
    event: Place,
    other: u64,
    /// Whether another one was met since.
    several: bool,
}

/// Derives every event under both policies; of policies over time under the one in force. Events are
/// read as `audit` reads them.
///
/// It keeps some 50 bytes a key.
///
/// # Errors
///
/// Where a file cannot be opened, or a table lacks a column that the mapping names. A file that is
/// damaged later on is told in [`Counts::partial`].
pub fn count(
    old: &Policies,
    new: &Policies,
    inputs: &[Input],
    mapping: &Mapping,
    control: &Control,
) -> Result<Counts, NotCounted> {
    let declared = |name: &str| declares(old, name) || declares(new, name);
    let mut chunks = Chunks::new(inputs, mapping, &declared, &control.watch);
    let hasher = RandomState::new();
    let mut sides = [Side::new(old, mapping, &hasher)?, Side::new(new, mapping, &hasher)?];
    let mut counts = Counts { inputs: inputs.to_vec(), ..Counts::default() };
    loop {
        let next = chunks.next_chunk().map_err(NotCounted)?;
        if let Next::Chunk(chunk) = &next {
            let before = counts.events;
            chunk.each(|line, raw| counts.event(&mut sides, Place::new(chunk.file, line), raw));
            control.events.fetch_add(counts.events - before, Relaxed);
        }
        if control.watch.is_stopped() {
            counts.partial.push(String::from("it was interrupted"));
            break;
        }
        match next {
            Next::Chunk(_) => {}
            Next::Cut { file, line, error } => {
                let name = inputs.get(file).map(ToString::to_string).unwrap_or_default();
                counts.partial.push(format!("{name} cannot be read from line {line} on: {error}"));
            }
            Next::End => break,
        }
    }
    let [splits, merges] = sides.map(|side| side.meetings);
    (counts.split, counts.first.split) = (splits.several, splits.first);
    (counts.merged, counts.first.merged) = (merges.several, merges.first);
    Ok(counts)
}

impl Counts {
    fn event(&mut self, sides: &mut [Side<'_>; 2], place: Place, raw: Result<Raw<'_>, Broken>) {
        self.events += 1;
        let raw = match raw {
            Ok(raw) => raw,
            Err(broken) => return self.break_off(place, broken),
        };
        let [before, after] = match sides.each_ref().map(|side| side.key(&raw)) {
            [Err(broken), _] | [_, Err(broken)] => return self.break_off(place, broken),
            [Ok(before), Ok(after)] => [before, after],
        };
        match (before, after) {
            (Ok(before), Ok(after)) => {
                if before == after {
                    self.keep += 1;
                } else {
                    self.move_ += 1;
                    self.first.move_.get_or_insert(place);
                }
                let [splits, merges] = sides;
                splits.meetings.meet(before, after, place);
                merges.meetings.meet(after, before, place);
            }
            (Ok(_), Err(refused)) => {
                self.refused += 1;
                self.first.refused.get_or_insert_with(|| (place, refused.to_string()));
            }
            (Err(_), Ok(_)) => {
                self.accepted += 1;
                self.first.accepted.get_or_insert(place);
            }
            (Err(_), Err(refused)) => {
                self.refused_by_both += 1;
                self.first.refused_by_both.get_or_insert_with(|| (place, refused.to_string()));
            }
        }
    }

    fn break_off(&mut self, place: Place, broken: Broken) {
        self.broken += 1;
        self.first.broken.get_or_insert((place, broken));
    }
}

/// One of the two policies.
struct Side<'p> {
    reading: Reading<'p>,
    deriver: Deriver,
    hasher: RandomState,
    meetings: Meetings,
}

impl<'p> Side<'p> {
    fn new(policies: &'p Policies, mapping: &Mapping, hasher: &RandomState) -> Result<Self, NotCounted> {
        let secret = Secret::new([0x5e; 32]);
        let deriver = secret.and_then(|secret| Deriver::new(policies.clone(), secret));
        Ok(Side {
            reading: Reading::new(mapping, policies),
            deriver: deriver.map_err(|refusal| NotCounted(refusal.to_string()))?,
            hasher: hasher.clone(),
            meetings: Meetings::default(),
        })
    }

    /// A number for the key of an event, or why it is refused.
    fn key(&self, raw: &Raw<'_>) -> Result<Result<u64, Refused>, Broken> {
        let event = match self.reading.event(raw) {
            Ok(event) => event,
            Err(Unread::Broken(broken)) => return Err(broken),
            Err(Unread::Invalid(member)) => return Ok(Err(Refused::Unread(member))),
        };
        let intent = Intent {
            tenant: (&*event.tenant).into(),
            action: (&*event.action).into(),
            epoch: event.epoch.epoch,
            payload: Payload::Json(&event.payload),
        };
        let derived = self.deriver.derive_key(&intent);
        Ok(derived.map(|derived| self.hasher.hash_one(derived.key.as_str())).map_err(Refused::Refusal))
    }
}

/// Why an event has no key.
enum Refused {
    /// It is no intent: the member that is missing or unknown.
    Unread(Option<String>),
    Refusal(Refusal),
}

/// The most fields that are named.
const MOST_FIELDS: usize = 4;

/// The code and where it is: `field_unclassified: row, status`.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (code, field, fields) = match self {
            Refused::Unread(member) => (Code::IntentInvalid, member.as_deref(), &[][..]),
            Refused::Refusal(refusal) => (refusal.code(), refusal.field(), refusal.fields()),
        };
        f.write_str(code.as_str())?;
        if let Some(field) = field {
            write!(f, " at {field}")?;
        }
        for (index, field) in fields.iter().take(MOST_FIELDS).enumerate() {
            write!(f, "{}{field}", if index == 0 { ": " } else { ", " })?;
        }
        match fields.len().saturating_sub(MOST_FIELDS) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Keys and what they meet on the other side.
#[derive(Default)]
struct Meetings {
    met: HashMap<u64, Met>,
    several: u64,
    first: Option<[Place; 2]>,
}

impl Meetings {
    fn meet(&mut self, key: u64, other: u64, event: Place) {
        let met = self.met.entry(key).or_insert(Met { event, other, several: false });
        if met.other != other && !met.several {
            met.several = true;
            self.several += 1;
            self.first.get_or_insert([met.event, event]);
        }
    }
}
