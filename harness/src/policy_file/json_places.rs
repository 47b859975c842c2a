//! The line and the column of a JSON document at which a place of a policy stands.

use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::field_path::{Step, steps};

/// A line and a column, counted from 1; columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// The position of a place such as `identity.creditor\.key.scale`, or of the nearest place above it
/// that the document has.
pub(super) fn position_of(text: &str, place: &str) -> Option<Position> {
    let mut found: &RawValue = serde_json::from_str(text).ok()?;
    // A document has no every element.
    for step in steps(place).into_iter().filter(|step| *step != Step::Each) {
        match below(found, &step) {
            Some(value) => found = value,
            None => break,
        }
    }
    // What was found is a part of the text.
    let start = (found.get().as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let before = text.get(..start)?;
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Some(Position {
        line: before.matches('\n').count() + 1,
        column: before.get(line_start..)?.chars().count() + 1,
    })
}

/// Where a text is no JSON.
pub(super) fn malformed_at(text: &str) -> Option<Position> {
    let error = serde_json::from_str::<serde::de::IgnoredAny>(text).err()?;
    Some(Position { line: error.line(), column: error.column() })
}

fn below<'t>(value: &'t RawValue, step: &Step) -> Option<&'t RawValue> {
    match step {
        Step::Name(name) => {
            serde_json::from_str::<HashMap<String, &RawValue>>(value.get()).ok()?.get(name).copied()
        }
        Step::Index(index) => serde_json::from_str::<Vec<&RawValue>>(value.get()).ok()?.get(*index).copied(),
        Step::Each => None,
    }
}
