//! The short way for events that are intents as `derive` takes them, with a true id before or
//! after their members: the core reads them, and nothing is looked at twice.
//!
//! Where anything is otherwise the long way is taken, which says what it is.

use std::borrow::Cow;

use intentkey_core::{Deriver, Epoch, Intent};
use memchr::memmem::{Finder, FinderRev};
use serde_json::value::RawValue;

use crate::events::{Mapping, Second, scalar_text};

/// Reads events the short way.
pub(super) struct Quick {
    reader: Deriver,
    /// The name of the true id as JSON, where there is one.
    truth: Option<(String, FinderRev<'static>)>,
    epoch: Finder<'static>,
}

/// The name of the epoch as JSON.
const EPOCH: &str = "\"intent_epoch\"";

/// An event that was read the short way.
pub(super) struct QuickEvent<'l> {
    pub(super) intent: Intent<'l>,
    pub(super) epoch: u64,
    pub(super) truth: Option<Cow<'l, str>>,
}

impl Quick {
    /// `None` for a mapping that asks for the long way.
    pub(super) fn new(reader: &Deriver, mapping: &Mapping) -> Option<Self> {
        let plain = Mapping {
            format: mapping.format,
            delimiter: mapping.delimiter,
            encoding: mapping.encoding,
            truth: mapping.truth.clone(),
            ..Mapping::default()
        };
        let is_name = |name: &String| !name.contains(['.', '[', '\\', '"']);
        let is_short = *mapping == plain && mapping.truth.as_ref().is_none_or(is_name);
        let truth = mapping.truth.as_ref().map(|name| {
            let name = format!("\"{name}\"");
            let finder = FinderRev::new(&name).into_owned();
            (name, finder)
        });
        is_short.then(|| Quick { reader: reader.clone(), truth, epoch: Finder::new(EPOCH) })
    }

    /// Reads a line; `room` holds it without the true id.
    pub(super) fn read<'l>(&self, line: &'l str, room: &'l mut String) -> Option<QuickEvent<'l>> {
        let line = line.trim_ascii();
        let epoch = self.epoch(line)?;
        let (text, truth) = match &self.truth {
            None => (line, None),
            Some((name, finder)) => {
                let (before, value, after) = last(line, name, finder).or_else(|| first(line, name))?;
                room.clear();
                room.push_str(before);
                room.push_str(after);
                (room.as_str(), scalar_text(value))
            }
        };
        // That the core reads what is left shows that the id stood where it seemed to.
        let intent = self.reader.read(text).ok()?;
        (intent.epoch == Epoch::from(epoch)).then_some(QuickEvent { intent, epoch, truth })
    }

    /// The epoch, if it is the first that is written so; the core's must be the same.
    fn epoch(&self, line: &str) -> Option<u64> {
        let at = self.epoch.find(line.as_bytes())?;
        let rest = line.get(at + EPOCH.len()..)?.trim_ascii_start().strip_prefix(':')?.trim_ascii_start();
        let end = rest.bytes().position(|byte| !byte.is_ascii_digit())?;
        rest.get(..end)?.parse().ok().filter(|&epoch| Second::from(epoch).is_sound())
    }
}

/// The id as the last member: what stands before it, its value, and the brace.
fn last<'l>(
    line: &'l str,
    name: &str,
    finder: &FinderRev<'_>,
) -> Option<(&'l str, &'l RawValue, &'static str)> {
    let at = finder.rfind(line.as_bytes())?;
    let before = line.get(..at)?.trim_ascii_end().strip_suffix(',')?;
    let value = line.get(at + name.len()..)?.trim_ascii_start().strip_prefix(':')?.strip_suffix('}')?;
    Some((before, serde_json::from_str(value).ok()?, "}"))
}

/// The id as the first member: the brace, its value, and what stands after it.
fn first<'l>(line: &'l str, name: &str) -> Option<(&'static str, &'l RawValue, &'l str)> {
    let rest = line.strip_prefix('{')?.trim_ascii_start().strip_prefix(name)?;
    let rest = rest.trim_ascii_start().strip_prefix(':')?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
    let value = values.next()?.ok()?;
    let after = rest.get(values.byte_offset()..)?.trim_ascii_start().strip_prefix(',')?;
    Some(("{", value, after))
}

#[cfg(test)]
mod tests {
    use intentkey_core::{Policy, Secret};

    use super::*;

    fn quick() -> Quick {
        let policy = r#"{"name":"p","actions":["b"],"bucket_seconds":60,"identity":{"x":{"rule":"exact"}},"ignored":{"y":"any"}}"#;
        let reader = Deriver::new(Policy::from_json(policy).unwrap(), Secret::new([7; 32]).unwrap()).unwrap();
        Quick::new(&reader, &Mapping { truth: Some("id".into()), ..Mapping::default() }).unwrap()
    }

    #[test]
    fn an_id_before_or_after_the_members_is_taken_out() {
        for line in [
            r#"{"tenant":"a","action":"b","intent_epoch":7,"payload":{"x":"1"},"id":"i"}"#,
            r#" { "id" : "i" , "tenant":"a","action":"b", "intent_epoch" : 7 ,"payload":{"x":"1"} } "#,
            r#"{"tenant":"a","action":"b","payload":{"x":"1","y":"\"id\":1}"},"intent_epoch":7, "id": "i" }"#,
        ] {
            let mut room = String::new();
            let event = quick().read(line, &mut room).unwrap();
            assert_eq!((event.epoch, event.truth.as_deref()), (7, Some("i")), "{line}");
            assert_eq!(event.intent.tenant, "a");
        }
    }

    #[test]
    fn all_else_takes_the_long_way() {
        for line in [
            r#"{"tenant":"a","id":"i","action":"b","intent_epoch":7,"payload":{"x":"1"}}"#,
            r#"{"tenant":"a","action":"b","intent_epoch":7,"payload":{"x":"1","id":"i"}}"#,
            r#"{"tenant":"a","action":"b","intent_epoch":7,"payload":{"x":"1"}}"#,
            r#"{"id":"j","tenant":"a","action":"b","intent_epoch":7,"payload":{"x":"1"},"id":"i"}"#,
            r#"{"tenant":"\"intent_epoch\":8,","action":"b","intent_epoch":"7","payload":{"x":"1"},"id":"i"}"#,
            r#"{"tenant":"\"intent_epoch\":8,","action":"b","payload":{"y":{"intent_epoch":8},"x":"1"},"intent_epoch":7,"id":"i"}"#,
            r#"{"tenant":"a","action":"b","intent_epoch":7,"payload":{"x":"1"},"id":"i"}}"#,
            r#"{"tenant":"a","action":"b","intent_epoch":7,"payload":{"x":"1"},"id":i}"#,
            r#"["id":1}"#,
            "",
        ] {
            assert!(quick().read(line, &mut String::new()).is_none(), "{line}");
        }
    }
}
