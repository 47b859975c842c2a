//! What an audit found: for people, for programs, and as a page.

mod html;
mod plots;
mod text;
mod words;

pub use html::to_html;
pub use text::write_text;

use serde::Serialize;

use crate::events::Broken;

/// What an audit found.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The policy's name.
    pub policy: String,
    /// The width of its buckets in seconds; 0 is one bucket for all time.
    pub bucket_seconds: u64,
    /// Its protection at the edges of buckets, in seconds to each side.
    pub edge_seconds: u64,
    /// The files.
    pub inputs: Vec<String>,
    /// Why the report does not cover all events; empty where it does.
    pub partial: Vec<String>,
    /// How many events there are, of which kind.
    pub events: Events,
    /// The first and the last second at which an event was decided.
    pub span: Option<[u64; 2]>,
    /// Whether all were decided at a midnight (UTC): then the export has days and no times, and buckets
    /// narrower than a day, edges and times between repeats show nothing.
    pub days_only: bool,
    /// Keys and their repeats.
    pub keys: Keys,
    /// What the true ids show, where the events have them.
    pub truth: Option<Truth>,
    /// Keys, merges and splits by the width of the buckets.
    pub sweep: Vec<Width>,
    /// What falls at the edges of buckets, by the protection there; empty without buckets.
    pub edges: Vec<Edge>,
    /// Repeats of one identity by the time since the one before.
    pub gaps: Vec<Bin>,
    /// Events and repeats over time.
    pub timeline: Timeline,
    /// Refused events by code and field.
    pub refused: Vec<Refused>,
    /// Fields that the policy does not classify.
    pub unclassified: Vec<Unclassified>,
    /// Lines and rows that are no events.
    pub broken: Vec<BrokenLines>,
    /// Refusals and unclassified fields beyond those that are listed.
    pub unlisted: u64,
}

/// How many events there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Events {
    /// Lines and rows that are not blank.
    pub read: u64,
    /// Events that have a key.
    pub keyed: u64,
    /// Events that are refused.
    pub refused: u64,
    /// Lines and rows that are no events.
    pub broken: u64,
}

/// Keys and their repeats.
#[derive(Clone, Debug, Serialize)]
pub struct Keys {
    /// How many there are.
    pub count: u64,
    /// Events whose key was there before.
    pub repeats: u64,
    /// Keys, edge keys counted, that occur with several fingerprints: a checked field changed.
    pub conflicts: u64,
    /// Where the first conflicts stand: an event, and the first with another fingerprint.
    pub conflicting: Vec<[String; 2]>,
    /// The checked fields that changed; `None` where the events could not be read a second time.
    pub conflict_fields: Option<Causes>,
    /// Keys by the number of their events.
    pub sizes: Vec<Size>,
    /// The keys with the most events.
    pub largest: Vec<Large>,
}

/// Keys with so many events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// The most events of such a key; `None` where there is no most.
    pub up_to: Option<u64>,
    /// How many keys.
    pub keys: u64,
    /// Their events.
    pub events: u64,
}

/// A key with many events.
#[derive(Clone, Debug, Serialize)]
pub struct Large {
    /// How many.
    pub events: u64,
    /// The first and the last second.
    pub span: [u64; 2],
    /// Where the first of them in the files stands.
    pub first: String,
}

/// What the true ids show.
#[derive(Clone, Debug, Serialize)]
pub struct Truth {
    /// The column or path of the id.
    pub field: String,
    /// True intents.
    pub intents: u64,
    /// Events with a key and without an id.
    pub without: u64,
    /// Keys that different intents share, edge keys counted.
    pub merged_keys: u64,
    /// Intents that are lost in them: all but one of each.
    pub lost_intents: u64,
    /// Intents with several keys and no edge key in common.
    pub split_intents: u64,
    /// Keys that they have too many: all but one of each.
    pub extra_keys: u64,
    /// Intents with several keys that edge protection joins: they are not among the split.
    pub joined_intents: u64,
    /// Split intents whose events differ in their bucket alone.
    pub split_by_bucket: u64,
    /// What merged; `None` where the events could not be read a second time.
    pub merges: Option<Causes>,
    /// What split; `None` where the events could not be read a second time.
    pub splits: Option<Causes>,
}

/// The fields that merged or split intents, or made keys conflict.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Causes {
    /// How many merged keys, split intents or conflicting keys were compared: all, or a sample.
    pub compared: u64,
    /// The fields, the most frequent first.
    pub fields: Vec<Cause>,
}

/// A field that merged or split intents, or made keys conflict.
#[derive(Clone, Debug, Serialize)]
pub struct Cause {
    /// Its path without indexes; `(tenant)`, `(action)`, `(bucket)` or `(nothing)` where it is no
    /// field.
    pub field: String,
    /// `identity`, `checked`, `ignored`; else `tenant`, `action`, `bucket`, `none`.
    pub class: String,
    /// Its rule.
    pub rule: Option<String>,
    /// In how many merged keys, split intents or conflicting keys it differs.
    pub count: u64,
    /// In what the values differ, and how often.
    pub how: Vec<(String, u64)>,
    /// In how many true retries it differs too, and of how many.
    pub in_retries: Option<[u64; 2]>,
    /// Where two events stand that differ in it.
    pub example: [String; 2],
    /// Their values, only where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<[String; 2]>,
}

/// Keys, merges and splits at one width of the buckets, without protection at their edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Width {
    /// The width in seconds; 0 is one bucket for all time.
    pub bucket_seconds: u64,
    /// Whether it is the policy's.
    pub is_policy: bool,
    /// Keys.
    pub keys: u64,
    /// Events whose key was there before.
    pub repeats: u64,
    /// Keys that different intents share.
    pub merged_keys: u64,
    /// Intents that are lost in them.
    pub lost_intents: u64,
    /// Intents with several keys.
    pub split_intents: u64,
    /// Keys that they have too many.
    pub extra_keys: u64,
}

/// What falls at the edges of buckets, with one protection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Edge {
    /// The protection, in seconds to each side; 0 is none.
    pub edge_seconds: u64,
    /// Whether it is the policy's.
    pub is_policy: bool,
    /// Events so near an edge that they have an edge key.
    pub near: u64,
    /// Repeats of one identity that the edge between two buckets parts.
    pub parted: u64,
    /// Those of them that an edge key joins.
    pub joined: u64,
    /// Keys that different intents share, edge keys counted.
    pub merged_keys: u64,
    /// Intents that are lost in them.
    pub lost_intents: u64,
    /// Intents with several keys and no edge key in common.
    pub split_intents: u64,
    /// Keys that they have too many.
    pub extra_keys: u64,
}

/// How many, up to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Up to so many seconds; `None` where there is no most.
    pub up_to_seconds: Option<u64>,
    /// How many.
    pub count: u64,
}

/// Events and repeats over time.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Timeline {
    /// The length of a slot in seconds.
    pub slot_seconds: u64,
    /// The slots, without gaps.
    pub slots: Vec<Slot>,
}

/// A slot of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Slot {
    /// Its first second.
    pub from: u64,
    /// Events.
    pub events: u64,
    /// Those of them whose key was there before.
    pub repeats: u64,
}

/// Refused events of one code and field.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    /// The code.
    pub code: &'static str,
    /// The field without indexes.
    pub field: Option<String>,
    /// How many.
    pub count: u64,
    /// Where the first stands.
    pub first: String,
    /// What in the mapping may be wrong, where it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// A field that the policy does not classify.
#[derive(Clone, Debug, Serialize)]
pub struct Unclassified {
    /// Its path.
    pub field: String,
    /// The path that may have been meant: the policy's nearest, where one is near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meant: Option<String>,
    /// In how many events.
    pub count: u64,
    /// Where the first stands.
    pub first: String,
    /// The shapes of a sample of its values, and how often each.
    pub shapes: Vec<(String, u64)>,
    /// Some of its values, only where asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// Lines and rows that are no events.
#[derive(Clone, Debug, Serialize)]
pub struct BrokenLines {
    /// What they are.
    pub what: Broken,
    /// How many.
    pub count: u64,
    /// Where the first stands.
    pub first: String,
}

impl Report {
    /// Whether all events are covered, all have keys, and no key is false.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let is_true =
            self.truth.as_ref().is_none_or(|truth| truth.merged_keys == 0 && truth.split_intents == 0);
        self.is_whole() && self.events.refused == 0 && self.events.broken == 0 && is_true
    }

    /// Whether it covers all events.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.partial.is_empty()
    }
}
