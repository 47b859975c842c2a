//! What was sent, as the JSON text that it is.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::field_path::{Step, below, steps};

type Members<'t> = BTreeMap<String, &'t RawValue>;

/// The members of an object, each as it is written; none where it is no object that can be read.
pub(super) fn members(text: &str) -> Vec<(String, String)> {
    let members: Members<'_> = serde_json::from_str(text).unwrap_or_default();
    members.into_iter().map(|(name, value)| (name, value.get().to_owned())).collect()
}

/// The leaves of a payload: their paths with indexes, and what is written there.
pub(super) fn leaves(text: &str) -> Vec<(String, String)> {
    let mut leaves = Vec::new();
    collect(text.trim(), String::new(), &mut leaves, 64);
    leaves
}

fn collect(text: &str, path: String, leaves: &mut Vec<(String, String)>, levels: usize) {
    if let (Some(levels), Ok(members)) = (levels.checked_sub(1), serde_json::from_str::<Members<'_>>(text))
        && !members.is_empty()
    {
        for (name, value) in members {
            collect(value.get(), below(&path, &name), leaves, levels);
        }
    } else if let (Some(levels), Ok(elements)) =
        (levels.checked_sub(1), serde_json::from_str::<Vec<&RawValue>>(text))
        && !elements.is_empty()
    {
        for (index, value) in elements.into_iter().enumerate() {
            collect(value.get(), format!("{path}[{index}]"), leaves, levels);
        }
    } else {
        leaves.push((path, text.to_owned()));
    }
}

/// What is written at a path with indexes.
pub(super) fn at(payload: &str, path: &str) -> Option<String> {
    let mut text = payload.to_owned();
    for step in steps(path) {
        text = match step {
            Step::Name(name) => serde_json::from_str::<Members<'_>>(&text).ok()?.get(&name)?.get().to_owned(),
            Step::Index(index) => {
                serde_json::from_str::<Vec<&RawValue>>(&text).ok()?.get(index)?.get().to_owned()
            }
            // A path with indexes has none.
            Step::Each => return None,
        };
    }
    Some(text)
}
