//! What stands differently in two policies.

use std::collections::BTreeSet;

use intentkey_core::{Class, Empty, Field, Path, Policy, Rule};

use super::kinds::{self, Kind};
use crate::field_path::escaped;

/// Something that stands differently in two policies.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its place.
    pub place: String,
    /// What stood and stands there, for people.
    pub what: String,
    /// The kind of change.
    pub kind: Kind,
}

/// Every difference, in the order of a policy's parts.
pub(super) fn differences(old: &Policy, new: &Policy) -> Vec<Difference> {
    let mut all = Vec::new();
    around(old, new, &mut all);
    key(old, new, &mut all);
    for path in paths(old, new) {
        of_path(old, new, &path, &mut all);
    }
    lists(old, new, &mut all);
    words(old, new, &mut all);
    all
}

fn push(all: &mut Vec<Difference>, place: impl Into<String>, what: impl Into<String>, kind: Kind) {
    all.push(Difference { place: place.into(), what: what.into(), kind });
}

fn around(old: &Policy, new: &Policy, all: &mut Vec<Difference>) {
    let actions = |policy: &Policy| policy.actions().map(String::from).collect::<BTreeSet<_>>();
    let (before, after) = (actions(old), actions(new));
    for action in after.difference(&before) {
        push(all, "actions", format!("{action} added"), kinds::ACTION_ADDED);
    }
    for action in before.difference(&after) {
        push(all, "actions", format!("{action} removed"), kinds::ACTION_REMOVED);
    }
    let (before, after) = (old.bucket_seconds(), new.bucket_seconds());
    let kind = match (before, after) {
        (0, _) => kinds::BUCKETS_BEGIN,
        (_, 0) => kinds::BUCKETS_END,
        _ if after > before => kinds::BUCKET_WIDER,
        _ => kinds::BUCKET_NARROWER,
    };
    if before != after {
        push(all, "bucket_seconds", format!("{before} to {after}"), kind);
    }
    let (before, after) = (old.edge_seconds(), new.edge_seconds());
    if before != after {
        let kind = if after > before { kinds::EDGE_WIDER } else { kinds::EDGE_NARROWER };
        push(all, "edge_seconds", format!("{before} to {after}"), kind);
    }
}

fn key(old: &Policy, new: &Policy, all: &mut Vec<Difference>) {
    let said = |policy: &Policy| {
        let shape = policy.key_shape();
        format!("{} of {} characters", shape.format().name(), shape.length())
    };
    if old.key_shape() != new.key_shape() {
        push(all, "key", format!("{} to {}", said(old), said(new)), kinds::SHAPE);
    }
    if old.scope() != new.scope() {
        push(
            all,
            "key.scope",
            format!("{:?} to {:?}", old.scope(), new.scope()).to_lowercase(),
            kinds::SCOPE,
        );
    }
}

/// Every path that either policy names.
fn paths(old: &Policy, new: &Policy) -> Vec<Path> {
    let of = |policy: &Policy| -> Vec<Path> {
        let fields = policy.fields().iter().map(|field| field.path().clone());
        fields.chain(policy.ignored().iter().map(|ignored| ignored.path().clone())).collect()
    };
    let all: BTreeSet<Path> = of(old).into_iter().chain(of(new)).collect();
    all.into_iter().collect()
}

/// What a policy says of a path.
enum Said<'p> {
    Field(&'p Field),
    Ignored,
    Nothing,
}

fn said<'p>(policy: &'p Policy, path: &Path) -> Said<'p> {
    if let Some(field) = policy.fields().iter().find(|field| field.path() == path) {
        return Said::Field(field);
    }
    if policy.ignored().iter().any(|ignored| ignored.path() == path) { Said::Ignored } else { Said::Nothing }
}

fn of_path(old: &Policy, new: &Policy, path: &Path, all: &mut Vec<Difference>) {
    let name = escaped(&path.to_string());
    let place = |table: &str| format!("{table}.{name}");
    match (said(old, path), said(new, path)) {
        (Said::Field(before), Said::Field(after)) => {
            of_field(before, after, &place(class(after)), all);
        }
        (Said::Field(before), Said::Ignored) => {
            let kind = match before.class() {
                Class::Identity => kinds::IDENTITY_TO_IGNORED,
                Class::Checked => kinds::CHECKED_TO_IGNORED,
            };
            push(all, place("ignored"), format!("was {}", class(before)), kind);
        }
        (Said::Ignored, Said::Field(after)) => {
            let kind = match after.class() {
                Class::Identity => kinds::IGNORED_TO_IDENTITY,
                Class::Checked => kinds::IGNORED_TO_CHECKED,
            };
            push(all, place(class(after)), "was ignored", kind);
        }
        (Said::Field(before), Said::Nothing) => {
            push(all, place(class(before)), "removed", kinds::FIELD_REMOVED);
        }
        (Said::Nothing, Said::Field(after)) => {
            let kind = if after.is_required() { kinds::FIELD_REQUIRED } else { kinds::FIELD_OPTIONAL };
            push(all, place(class(after)), format!("added: {}", rule(after.rule())), kind);
        }
        (Said::Ignored, Said::Nothing) => push(all, place("ignored"), "removed", kinds::IGNORED_REMOVED),
        (Said::Nothing, Said::Ignored) => push(all, place("ignored"), "added", kinds::IGNORED_ADDED),
        (Said::Ignored, Said::Ignored) | (Said::Nothing, Said::Nothing) => {}
    }
}

fn of_field(before: &Field, after: &Field, place: &str, all: &mut Vec<Difference>) {
    match (before.class(), after.class()) {
        (Class::Identity, Class::Checked) => push(all, place, "was identity", kinds::IDENTITY_TO_CHECKED),
        (Class::Checked, Class::Identity) => push(all, place, "was checked", kinds::CHECKED_TO_IDENTITY),
        _ => {}
    }
    if before.rule() != after.rule() {
        let same = before.rule().name() == after.rule().name();
        let kind = if same { kinds::PARAMETER } else { kinds::RULE };
        push(all, place, format!("{} to {}", rule(before.rule()), rule(after.rule())), kind);
    }
    match (before.is_required(), after.is_required()) {
        (true, false) => push(all, place, "required to optional", kinds::OPTIONAL),
        (false, true) => push(all, place, "optional to required", kinds::REQUIRED),
        _ => {}
    }
    match (before.null_is_absent(), after.null_is_absent()) {
        (true, false) => push(all, place, "null = \"absent\" removed", kinds::NULL_REFUSED),
        (false, true) => push(all, place, "null = \"absent\" added", kinds::NULL_ABSENT),
        _ => {}
    }
    if let (Some(was), Some(is)) = (before.empty(), after.empty())
        && was != is
    {
        let kind = match (was, is) {
            (_, Empty::Refuse) => kinds::EMPTY_REFUSED,
            (Empty::Refuse, _) => kinds::EMPTY_ACCEPTED,
            (_, Empty::Absent) => kinds::EMPTY_ABSENT,
            (_, Empty::Keep) => kinds::EMPTY_KEPT,
        };
        push(all, place, format!("empty = {was:?} to {is:?}").to_lowercase(), kind);
    }
}

fn lists(old: &Policy, new: &Policy, all: &mut Vec<Difference>) {
    for list in new.lists() {
        let before = old.lists().iter().find(|other| other.path() == list.path());
        let Some(before) = before.filter(|before| before.is_any_order() != list.is_any_order()) else {
            continue;
        };
        let kind = if before.is_any_order() { kinds::ORDER_MATTERS } else { kinds::ORDER_ANY };
        push(all, format!("lists.{}", escaped(&list.path().to_string())), kind.change, kind);
    }
}

/// What people read and no key depends on.
fn words(old: &Policy, new: &Policy, all: &mut Vec<Difference>) {
    if old.name() != new.name() {
        push(all, "name", format!("{} to {}", old.name(), new.name()), kinds::WORDS);
    }
    if old.destinations().ne(new.destinations()) {
        push(all, "key.destinations", "changed", kinds::WORDS);
    }
    if old.retention() != new.retention() {
        push(all, "retention", "changed", kinds::WORDS);
    }
    for ignored in new.ignored() {
        let before = old.ignored().iter().find(|other| other.path() == ignored.path());
        if before.is_some_and(|before| before.reason() != ignored.reason()) {
            let place = format!("ignored.{}", escaped(&ignored.path().to_string()));
            push(all, place, "another reason", kinds::WORDS);
        }
    }
}

fn class(field: &Field) -> &'static str {
    match field.class() {
        Class::Identity => "identity",
        Class::Checked => "checked",
    }
}

/// A rule with its parameters.
fn rule(rule: &Rule) -> String {
    let parameters = rule.parameters();
    if parameters.is_empty() {
        rule.name().to_owned()
    } else {
        format!("{} ({})", rule.name(), parameters.join(", "))
    }
}
