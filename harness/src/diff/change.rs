//! What becomes of one intent, and of two, where another policy takes over.

use crate::hosts::Outcome;

/// What a new policy makes of intents that an old one made something else of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Two intents with two keys have one.
    Merges,
    /// Two spellings of one intent, with one key, have two.
    Splits,
    /// The key of an intent is another one.
    Moves,
    /// What was accepted is refused.
    Refuses,
    /// What was refused is accepted.
    Accepts,
    /// Two intents with one key and one fingerprint now conflict.
    Conflicts,
    /// Two intents with one key that were a conflict no longer are.
    Agrees,
    /// What was refused is refused for another reason.
    RefusesOtherwise,
    /// An intent has the same key.
    Keeps,
}

impl Change {
    /// Every change, the gravest first; `Keeps` is none.
    pub const ALL: [Change; 8] = [
        Change::Merges,
        Change::Splits,
        Change::Moves,
        Change::Refuses,
        Change::Accepts,
        Change::Conflicts,
        Change::Agrees,
        Change::RefusesOtherwise,
    ];

    /// What it comes to, in a sentence.
    #[must_use]
    pub fn says(self) -> &'static str {
        match self {
            Change::Merges => "different intents share a key",
            Change::Splits => "one intent has two keys",
            Change::Moves => "an intent has another key",
            Change::Refuses => "an intent is refused",
            Change::Accepts => "what was refused has a key",
            Change::Conflicts => "a retry conflicts",
            Change::Agrees => "a conflict passes unseen",
            Change::RefusesOtherwise => "what is refused is refused for another reason",
            Change::Keeps => "an intent has the same key",
        }
    }

    /// The change in a word or two.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Change::Merges => "merges",
            Change::Splits => "splits",
            Change::Moves => "moves",
            Change::Refuses => "refuses",
            Change::Accepts => "accepts",
            Change::Conflicts => "conflicts",
            Change::Agrees => "no longer conflicts",
            Change::RefusesOtherwise => "refuses otherwise",
            Change::Keeps => "keeps",
        }
    }
}

/// One or two intents that two policies treat differently.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What the new policy makes of them.
    pub change: Change,
    /// The intents as JSON text: one, or two where it is about a pair.
    pub intents: Vec<String>,
    /// What came of each under the old policy and under the new one: a key's first characters, or a
    /// code.
    pub outcomes: Vec<[String; 2]>,
    /// The place of the difference that it was made for; `None` where it was drawn.
    pub place: Option<String>,
}

/// What one policy makes of two intents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pairing {
    Refused,
    Same,
    Conflict,
    Different,
}

/// What becomes of an intent, if anything.
pub(super) fn of_one(old: &Outcome, new: &Outcome) -> Option<Change> {
    match (old, new) {
        (Ok(old), Ok(new)) => (old.key != new.key).then_some(Change::Moves),
        (Ok(_), Err(_)) => Some(Change::Refuses),
        (Err(_), Ok(_)) => Some(Change::Accepts),
        (Err(old), Err(new)) => {
            let other = old.code != new.code || old.field != new.field || old.fields != new.fields;
            other.then_some(Change::RefusesOtherwise)
        }
    }
}

/// What becomes of two intents, if anything.
pub(super) fn of_two(one: &[Outcome; 2], other: &[Outcome; 2]) -> Option<Change> {
    match (pairing(&one[0], &other[0]), pairing(&one[1], &other[1])) {
        (Pairing::Different, Pairing::Same | Pairing::Conflict) => Some(Change::Merges),
        (Pairing::Same | Pairing::Conflict, Pairing::Different) => Some(Change::Splits),
        (Pairing::Same, Pairing::Conflict) => Some(Change::Conflicts),
        (Pairing::Conflict, Pairing::Same) => Some(Change::Agrees),
        _ => None,
    }
}

/// A claim takes the key and the edge key together, so that either makes one intent of two.
fn pairing(one: &Outcome, other: &Outcome) -> Pairing {
    let (Ok(one), Ok(other)) = (one, other) else { return Pairing::Refused };
    let fingerprints = match (&one.edge, &other.edge) {
        _ if one.key == other.key => [&one.fingerprint, &other.fingerprint],
        (Some(one), Some(other)) if one.key == other.key => [&one.fingerprint, &other.fingerprint],
        _ => return Pairing::Different,
    };
    if fingerprints[0] == fingerprints[1] { Pairing::Same } else { Pairing::Conflict }
}

/// The first characters of a key, or a code with its field.
pub(super) fn said(outcome: &Outcome) -> String {
    match outcome {
        Ok(derived) => derived.key.chars().take(8).collect(),
        Err(refused) => match &refused.field {
            Some(field) => format!("{} at {field}", refused.code),
            None if refused.fields.is_empty() => refused.code.clone(),
            None => format!("{}: {}", refused.code, refused.fields.join(", ")),
        },
    }
}
