//! Fields of sample events.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};

use serde_json::{Map, Value};

use super::fields::{Fields, Kind};
use super::{MOST_SAMPLES, NoSamples, overlap};
use crate::field_path::below;

/// The most different actions that are taken for a closed list.
const MOST_ACTIONS: usize = 32;

/// The most fields of a policy that is proposed.
const MOST_FIELDS: usize = 2_000;

pub(super) fn read(text: &str) -> Result<Fields, NoSamples> {
    let mut reader =
        Reader { fields: Fields::default(), elements: BTreeMap::new(), digests: RandomState::new() };
    if let Ok(events) = serde_json::from_str::<Vec<Map<String, Value>>>(text.trim_start_matches('\u{feff}')) {
        events.into_iter().take(MOST_SAMPLES).for_each(|event| reader.event(Value::Object(event)));
        return if reader.fields.samples == 0 { Err(NoSamples::Empty) } else { Ok(reader.settled()) };
    }
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        if reader.fields.samples >= MOST_SAMPLES as u64 {
            break;
        }
        match serde_json::from_str::<Value>(line.trim_start_matches('\u{feff}')) {
            Ok(Value::Object(event)) => reader.event(Value::Object(event)),
            _ => {
                let (first, count) = reader.fields.broken.unwrap_or((number, 0));
                reader.fields.broken = Some((first, count + 1));
            }
        }
    }
    if reader.fields.samples == 0 { Err(NoSamples::Empty) } else { Ok(reader.settled()) }
}

struct Reader {
    fields: Fields,
    /// By the path of a list: how many samples have it, and how many elements there are.
    elements: BTreeMap<String, (u64, u64)>,
    digests: RandomState,
}

impl Reader {
    fn event(&mut self, event: Value) {
        self.fields.samples += 1;
        let is_intent = event.get("payload").is_some_and(Value::is_object);
        if let Some(action) = event.get("action").and_then(Value::as_str).filter(|_| is_intent)
            && self.fields.actions.len() < MOST_ACTIONS
        {
            self.fields.actions.insert(action.to_owned());
        }
        let payload = if is_intent { event.get("payload").unwrap_or(&event) } else { &event };
        self.walk("", payload);
    }

    /// The fields, with how often each could have been there.
    fn settled(mut self) -> Fields {
        let samples = self.fields.samples;
        for (path, seen) in &mut self.fields.fields {
            seen.of = match path.rsplit_once("[]") {
                None => samples,
                Some((list, _)) => {
                    let (having, elements) = self.elements.get(list).copied().unwrap_or_default();
                    // Where a list itself may be absent, what is in it is not required.
                    elements + u64::from(having < samples)
                }
            };
        }
        // What is empty here, or seldom something else, and has something in it elsewhere is no leaf.
        let paths: Vec<String> = self.fields.fields.keys().cloned().collect();
        let is_above = |path: &str| {
            paths.iter().any(|other| other != path && overlap(other, path) && other.len() > path.len())
        };
        self.fields.fields.retain(|path, seen| {
            !(is_above(path) && (seen.present * 5 <= samples || seen.is_kind(Kind::Empty)))
        });
        self.fields
    }

    fn walk(&mut self, path: &str, value: &Value) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                for (name, member) in members {
                    self.walk(&below(path, name), member);
                }
            }
            Value::Array(elements) if !elements.is_empty() => {
                self.fields.lists.insert(path.to_owned());
                let (having, count) = self.elements.entry(path.to_owned()).or_default();
                *having += 1;
                *count += elements.len() as u64;
                for element in elements {
                    self.walk(&format!("{path}[]"), element);
                }
            }
            _ if path.is_empty() => {}
            leaf => self.leaf(path, leaf),
        }
    }

    fn leaf(&mut self, path: &str, value: &Value) {
        let is_new = !self.fields.fields.contains_key(path);
        if is_new && self.fields.fields.len() >= MOST_FIELDS {
            self.fields.has_more = true;
            return;
        }
        let digest = self.digests.hash_one(value.to_string());
        let seen = self.fields.fields.entry(path.to_owned()).or_default();
        seen.present += 1;
        match value {
            Value::Null => {
                seen.is_null = true;
                return;
            }
            Value::Bool(_) => {
                *seen.kinds.entry(Kind::Boolean).or_default() += 1;
            }
            Value::Number(number) => {
                let kind = if number.is_f64() { Kind::Fraction } else { Kind::Whole };
                *seen.kinds.entry(kind).or_default() += 1;
                let text = number.to_string();
                seen.places = seen.places.max(text.split_once('.').map_or(0, |(_, places)| places.len()));
            }
            Value::String(text) => seen.count_text(text),
            Value::Array(_) | Value::Object(_) => {
                *seen.kinds.entry(Kind::Empty).or_default() += 1;
            }
        }
        seen.count_distinct(digest);
    }
}
