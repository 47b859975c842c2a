//! The fields that merged or split intents: events compared in their canonical forms.

use std::collections::{BTreeMap, BTreeSet};

use intentkey_core::{Class, Deriver, ExplainedField, Policies};
use rayon::prelude::*;
use serde_json::Value;

use super::Settings;
use super::clock::Clock;
use super::count::Pair;
use super::fetch::Fetched;
use super::likeness::likeness;
use super::report::{Cause, Causes};
use super::sift::{intent, shown};
use crate::events::{Event, Mapping, Place};
use crate::field_path::{pattern, steps, values_at};

/// The pseudo-fields: what a key has in it beside its fields.
const TENANT: &str = "(tenant)";
const ACTION: &str = "(action)";
const BUCKET: &str = "(bucket)";
const NOTHING: &str = "(nothing)";

/// In what two events differ.
struct Difference {
    field: String,
    class: &'static str,
    rule: Option<&'static str>,
    how: &'static str,
    values: [String; 2],
}

/// What is known of a field over all pairs.
#[derive(Default)]
struct Found {
    class: &'static str,
    rule: Option<&'static str>,
    groups: BTreeSet<u64>,
    how: BTreeMap<&'static str, u64>,
    example: Option<(Pair, [String; 2])>,
}

/// A field's class, its rule, and its canonical forms: several where it is in a list.
type Forms = (Option<Class>, Option<&'static str>, Vec<Option<String>>);

/// An event in its canonical forms.
struct Canonical {
    payload: Value,
    /// By path without indexes: class, rule and the forms.
    fields: BTreeMap<String, Forms>,
}

/// Compares events.
pub(super) struct Comparer<'a> {
    deriver: &'a Deriver,
    policies: &'a Policies,
    clock: &'a Clock<'a>,
    fetched: &'a Fetched,
    settings: &'a Settings,
    place: &'a (dyn Fn(Place) -> String + Sync),
}

impl<'a> Comparer<'a> {
    pub(super) fn new(
        deriver: &'a Deriver,
        policies: &'a Policies,
        clock: &'a Clock<'a>,
        fetched: &'a Fetched,
        settings: &'a Settings,
        place: &'a (dyn Fn(Place) -> String + Sync),
    ) -> Self {
        Comparer { deriver, policies, clock, fetched, settings, place }
    }

    /// The fields that split intents: those whose canonical forms differ.
    pub(super) fn splits(&self, pairs: &[Pair]) -> Causes {
        self.causes(pairs, &|one, other| self.split(one, other))
    }

    /// The checked fields that changed under one key.
    pub(super) fn conflicts(&self, pairs: &[Pair]) -> Causes {
        self.causes(pairs, &|one, other| {
            self.raw(one, other).into_iter().filter(|field| field.class == "checked").collect()
        })
    }

    /// The fields that differ in merged intents, though the key does not.
    pub(super) fn merges(&self, pairs: &[Pair], retries: &[Pair]) -> Causes {
        let varied = self.causes(retries, &|one, other| self.raw(one, other));
        let varies = |field: &str| varied.fields.iter().any(|varied| varied.field == field);
        let mut causes = self.causes(pairs, &|one, other| {
            let mut differences = self.raw(one, other);
            let how = match differences.as_slice() {
                [] => "the payloads are equal",
                differences
                    if differences.iter().all(|field| field.class == "ignored" && varies(&field.field)) =>
                {
                    "only what differs in true retries too"
                }
                _ => return differences,
            };
            differences.push(pseudo(NOTHING, "none", how, [String::new(), String::new()]));
            differences
        });
        for cause in &mut causes.fields {
            let own = varied.fields.iter().find(|field| field.field == cause.field);
            let is_field = cause.class != "none";
            cause.in_retries = is_field.then(|| [own.map_or(0, |own| own.count), varied.compared]);
        }
        causes
    }

    fn causes(
        &self,
        pairs: &[Pair],
        differences: &(dyn Fn(&Event<'_>, &Event<'_>) -> Vec<Difference> + Sync),
    ) -> Causes {
        let mut found: BTreeMap<String, Found> = BTreeMap::new();
        let mut groups = BTreeSet::new();
        let compared = pairs.par_iter().filter_map(|pair| {
            let events = (self.fetched.get(&pair.one)?, self.fetched.get(&pair.other)?);
            Some((pair, differences(events.0, events.1)))
        });
        for (pair, differences) in compared.collect::<Vec<_>>() {
            groups.insert(pair.group);
            for difference in differences {
                let entry = found.entry(difference.field).or_default();
                entry.class = difference.class;
                entry.rule = difference.rule.or(entry.rule);
                if entry.groups.insert(pair.group) {
                    *entry.how.entry(difference.how).or_default() += 1;
                }
                entry.example.get_or_insert((*pair, difference.values));
            }
        }
        let mut fields: Vec<Cause> =
            found.into_iter().map(|(field, found)| self.cause(field, found)).collect();
        fields.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.field.cmp(&other.field)));
        Causes { compared: groups.len() as u64, fields }
    }

    fn cause(&self, field: String, found: Found) -> Cause {
        let mut how: Vec<(String, u64)> =
            found.how.into_iter().map(|(how, count)| (how.to_owned(), count)).collect();
        how.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        let example = found.example.as_ref().map(|(pair, _)| [pair.one, pair.other].map(self.place));
        let values = found.example.map(|(_, values)| values).filter(|_| self.settings.show_values);
        Cause {
            field,
            class: found.class.to_owned(),
            rule: found.rule.map(String::from),
            count: found.groups.len() as u64,
            how,
            in_retries: None,
            example: example.unwrap_or_default(),
            values,
        }
    }

    fn split(&self, one: &Event<'_>, other: &Event<'_>) -> Vec<Difference> {
        let mut differences = Vec::new();
        for (field, texts) in [(TENANT, [&one.tenant, &other.tenant]), (ACTION, [&one.action, &other.action])]
        {
            let [own, its] = texts.map(|text| &**text);
            if own != its {
                let class = if field == TENANT { "tenant" } else { "action" };
                differences.push(pseudo(
                    field,
                    class,
                    likeness(Some(own), Some(its)),
                    [own, its].map(quoted),
                ));
            }
        }
        let (own, its) = (self.canonical(one), self.canonical(other));
        let paths: BTreeSet<&String> = own.fields.keys().chain(its.fields.keys()).collect();
        for path in paths {
            let forms = [&own, &its].map(|side| self.forms(side, path));
            let class = own.fields.get(path).or(its.fields.get(path)).map(|field| (field.0, field.1));
            let (Some((Some(Class::Identity), rule)), [one, other]) = (class, &forms) else { continue };
            if one != other {
                let texts = [one, other].map(|forms| first_difference(forms, one, other));
                let how = likeness(texts[0].as_deref(), texts[1].as_deref());
                let values =
                    texts.map(|text| text.map_or_else(|| String::from("absent"), |text| quoted(&text)));
                differences.push(Difference { field: path.clone(), class: "identity", rule, how, values });
            }
        }
        if differences.is_empty() {
            let width = self.clock.at(one.epoch.seconds).width;
            let apart = one.epoch.seconds.abs_diff(other.epoch.seconds);
            let how =
                if apart < width { "cut by a bucket's edge" } else { "farther apart than a bucket is long" };
            let values = [one, other].map(|event| event.epoch.seconds.to_string());
            differences.push(pseudo(BUCKET, "bucket", how, values));
        }
        differences
    }

    /// In what two events differ as they were given: fields whose raw values are not equal.
    fn raw(&self, one: &Event<'_>, other: &Event<'_>) -> Vec<Difference> {
        let (own, its) = (self.canonical(one), self.canonical(other));
        let paths: BTreeSet<&String> = own.fields.keys().chain(its.fields.keys()).collect();
        let mut differences = Vec::new();
        for path in paths {
            let Some((class, rule, _)) = own.fields.get(path).or(its.fields.get(path)) else { continue };
            if class.is_none() && self.is_truth(path) {
                // It differs by what a merge is.
                continue;
            }
            let steps = steps(path);
            let raw = [&own, &its].map(|side| values_at(&side.payload, &steps));
            let is_different = match class {
                Some(Class::Checked) => self.forms(&own, path) != self.forms(&its, path),
                _ => raw[0] != raw[1],
            };
            if is_different {
                let texts = [0, 1].map(|side: usize| {
                    raw.get(side).and_then(|values| values.first()).map(|value| text_of(value))
                });
                let class = match class {
                    Some(Class::Identity) => "identity",
                    Some(Class::Checked) => "checked",
                    None => "ignored",
                };
                let how = likeness(texts[0].as_deref(), texts[1].as_deref());
                let values =
                    texts.map(|text| text.map_or_else(|| String::from("absent"), |text| quoted(&text)));
                differences.push(Difference { field: path.clone(), class, rule: *rule, how, values });
            }
        }
        differences
    }

    /// Whether the true id stands in this field of the payload.
    fn is_truth(&self, path: &str) -> bool {
        let Mapping { truth, payload, .. } = &self.settings.mapping;
        let Some(truth) = truth.as_deref() else { return false };
        let below = truth.strip_prefix(payload.as_deref().unwrap_or("payload"));
        path == truth || below.and_then(|below| below.strip_prefix('.')) == Some(path)
    }

    fn canonical(&self, event: &Event<'_>) -> Canonical {
        let intent = intent(event);
        let explained =
            self.deriver.explain(&intent).map(|explanation| explanation.fields).unwrap_or_default();
        let mut fields: BTreeMap<String, Forms> = BTreeMap::new();
        for ExplainedField { field, class, rule, canonical, .. } in explained {
            let entry = fields.entry(pattern(&field)).or_insert((class, rule, Vec::new()));
            entry.2.push(canonical);
        }
        Canonical { payload: serde_json::from_str(&event.payload).unwrap_or_default(), fields }
    }

    /// The canonical forms at a path, sorted where the order of a list above does not count.
    fn forms(&self, side: &Canonical, path: &str) -> Vec<Option<String>> {
        let mut forms = side.fields.get(path).map(|field| field.2.clone()).unwrap_or_default();
        forms.retain(Option::is_some);
        let any_order = self.policies.iter().flat_map(|(_, policy)| policy.lists()).any(|list| {
            list.is_any_order()
                && path.strip_prefix(&list.path().to_string()).is_some_and(|rest| rest.starts_with("[]"))
        });
        if any_order {
            forms.sort();
        }
        forms
    }
}

fn pseudo(field: &str, class: &'static str, how: &'static str, values: [String; 2]) -> Difference {
    Difference { field: field.to_owned(), class, rule: None, how, values }
}

/// The first form of these that the two lists do not have in common.
fn first_difference(
    forms: &[Option<String>],
    one: &[Option<String>],
    other: &[Option<String>],
) -> Option<String> {
    let index = (0..one.len().max(other.len())).find(|&index| one.get(index) != other.get(index))?;
    forms.get(index).cloned().flatten()
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

fn quoted(text: &str) -> String {
    shown(&Value::from(text))
}
