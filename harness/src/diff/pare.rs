//! Witnesses made small: what can be left out of intents without the change being lost.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use super::change::Change;
use super::search::Search;
use crate::generate::json::Json;

impl Search<'_> {
    /// Leaves out of all intents what can be left out without the change being lost.
    pub(super) fn pare(&self, intents: &mut Vec<String>, change: Change) {
        let names: BTreeSet<String> = intents.iter().flat_map(|intent| payload_names(intent)).collect();
        for name in names {
            let pared: Vec<String> = intents.iter().map(|intent| without(intent, &name)).collect();
            if self.show(&pared, change) {
                *intents = pared;
            }
        }
    }
}

type Members<'t> = BTreeMap<String, &'t RawValue>;

/// The names of a payload's members.
fn payload_names(intent: &str) -> Vec<String> {
    let members: Members<'_> = serde_json::from_str(intent).unwrap_or_default();
    let payload =
        members.get("payload").and_then(|payload| serde_json::from_str::<Members<'_>>(payload.get()).ok());
    payload.unwrap_or_default().into_keys().collect()
}

/// An intent without a member of its payload.
fn without(intent: &str, name: &str) -> String {
    let pared = || -> Option<String> {
        let members: Members<'_> = serde_json::from_str(intent).ok()?;
        let mut payload: Members<'_> = serde_json::from_str(members.get("payload")?.get()).ok()?;
        payload.remove(name)?;
        let member = |(name, value): (&str, &str)| format!("{}:{value}", Json::text(name).compact());
        let payload: Vec<String> = payload.iter().map(|(name, value)| member((name, value.get()))).collect();
        let payload = format!("{{{}}}", payload.join(","));
        let members =
            ["tenant", "action", "intent_epoch"].map(|name| Some(member((name, members.get(name)?.get()))));
        let members: Vec<String> =
            members.into_iter().flatten().chain([member(("payload", &payload))]).collect();
        Some(format!("{{{}}}", members.join(",")))
    };
    pared().unwrap_or_else(|| intent.to_owned())
}
