//! What is known of the fields of payloads.

use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The most different values that are counted.
const MOST_DISTINCT: usize = 10_000;

/// The most different values that a closed list has.
pub(super) const MOST_WORDS: usize = 8;

/// The most characters of a value of a closed list.
const LONGEST_WORD: usize = 24;

/// How often each of them is seen at least.
pub(super) const SEEN_OFTEN: u64 = 3;

/// What is known of payloads.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    /// By path without indexes.
    pub(super) fields: BTreeMap<String, Seen>,
    /// Paths of lists, without the final `[]`.
    pub(super) lists: BTreeSet<String>,
    pub(super) actions: BTreeSet<String>,
    /// How many samples; 0 for a schema.
    pub(super) samples: u64,
    pub(super) broken: Option<(u64, u64)>,
    /// Whether there are fields beyond those that are counted.
    pub(super) has_more: bool,
}

/// The kinds of JSON values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Boolean,
    Whole,
    Fraction,
    Text,
    Empty,
}

/// What is known of a field.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Objects that could have it, and those that do.
    pub(super) of: u64,
    pub(super) present: u64,
    pub(super) is_null: bool,
    pub(super) is_empty: bool,
    /// The kinds of its values, and how often each.
    pub(super) kinds: BTreeMap<Kind, u64>,
    /// Shapes of its texts, and how often each.
    pub(super) shapes: BTreeMap<String, u64>,
    /// How many of its texts are decimal numbers, and the most places after the point.
    pub(super) decimals: u64,
    pub(super) places: usize,
    /// How many of its texts have three letters, as codes of currencies do.
    pub(super) codes: u64,
    pub(super) distinct: HashSet<u64>,
    /// Values that may be a closed list.
    pub(super) words: BTreeMap<String, u64>,
    /// Whether they are none: too many, or no words.
    pub(super) is_open: bool,
}

impl Seen {
    /// Whether every object that could have it has it.
    pub(super) fn is_required(&self) -> bool {
        self.present >= self.of
    }

    /// Whether no two of many samples have the same value.
    pub(super) fn is_always_new(&self) -> bool {
        self.present >= 8 && self.distinct.len() as u64 == self.present
    }

    /// Whether its values have this shape, but for a few that are wrong.
    pub(super) fn is_all(&self, shape: &str) -> bool {
        self.is_most(self.shapes.get(shape).copied().unwrap_or(0))
    }

    /// Whether its values are numbers, as text or not.
    pub(super) fn is_number(&self) -> bool {
        self.is_most(self.count(Kind::Whole) + self.count(Kind::Fraction) + self.decimals)
    }

    /// Whether its values are numbers, some of them with a comma.
    pub(super) fn is_number_with_comma(&self) -> bool {
        let commas = self.shapes.get("number with a comma").copied().unwrap_or(0);
        commas > 0 && self.is_most(commas + self.decimals)
    }

    /// Whether its values are codes of three letters.
    pub(super) fn is_currency(&self) -> bool {
        self.is_most(self.codes)
    }

    pub(super) fn is_text(&self) -> bool {
        self.is_kind(Kind::Text)
    }

    /// Whether its values are of this kind, but for a few that are wrong.
    pub(super) fn is_kind(&self, kind: Kind) -> bool {
        self.is_most(self.count(kind))
    }

    /// Whether some of its texts have spaces.
    pub(super) fn is_free_text(&self) -> bool {
        self.shapes.get("free text").is_some_and(|count| count * 5 > self.count(Kind::Text))
    }

    pub(super) fn count(&self, kind: Kind) -> u64 {
        self.kinds.get(&kind).copied().unwrap_or(0)
    }

    /// Four fifths: samples of real events have wrong values among them.
    fn is_most(&self, part: u64) -> bool {
        let all: u64 = self.kinds.values().sum();
        all > 0 && part * 5 >= all * 4
    }

    /// The values of a closed list: few, short, and each seen several times.
    pub(super) fn closed(&self) -> Option<Vec<&str>> {
        let words = &self.words;
        let is_closed = self.is_text()
            && !self.is_open
            && !words.is_empty()
            && words.values().all(|count| *count >= SEEN_OFTEN)
            && words.len() <= MOST_WORDS;
        is_closed.then(|| words.keys().map(String::as_str).collect())
    }

    pub(super) fn count_text(&mut self, text: &str) {
        if text.trim().is_empty() {
            self.is_empty = true;
            return;
        }
        *self.kinds.entry(Kind::Text).or_default() += 1;
        *self.shapes.entry(crate::audit::shape::shape(&text.into())).or_default() += 1;
        self.decimals += u64::from(crate::audit::shape::is_decimal(text.trim()));
        let is_code = text.trim().len() == 3 && text.trim().bytes().all(|byte| byte.is_ascii_alphabetic());
        self.codes += u64::from(is_code);
        let places = text.trim().split_once('.').map_or(0, |(_, places)| places.len());
        self.places = self.places.max(places);
        self.count_word(text);
    }

    pub(super) fn count_distinct(&mut self, digest: u64) {
        if self.distinct.len() < MOST_DISTINCT {
            self.distinct.insert(digest);
        }
    }

    fn count_word(&mut self, text: &str) {
        let is_word = text.len() <= LONGEST_WORD
            && text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
        let is_known = self.words.contains_key(text);
        if self.is_open || !is_word || (self.words.len() >= MOST_WORDS && !is_known) {
            self.is_open = true;
            return;
        }
        *self.words.entry(text.to_owned()).or_default() += 1;
    }
}
