//! What stands differently in two policies.

use std::collections::BTreeSet;

use intentkey_core::{Class, Empty, Field, Path, Policy, Rule};

use super::change::Change;
use super::kinds::{self, Kind};
use super::may::{self, May};
use crate::field_path::{escaped, in_toml};

/// Something that stands differently in two policies.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its place, as the policy has it: `identity."items[].sku"`.
    pub place: String,
    /// What stood and stands there, for people.
    pub what: String,
    /// The kind of change.
    pub kind: Kind,
    /// What it can do to keys at worst.
    pub may: May,
    /// The changes of keys that it can do and that no witness was found for.
    pub unshown: Vec<Change>,
    /// Where in payloads it is.
    pub(super) at: At,
}

/// Where in intents something stands differently.
#[derive(Clone, Debug)]
pub(super) enum At {
    /// Around payloads.
    Around,
    /// At a path that is a field of one policy at least.
    Field(Path),
    /// In the order of a list.
    List(Path),
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

impl Difference {
    fn new(at: At, place: impl Into<String>, what: impl Into<String>, kind: Kind) -> Self {
        let (place, what) = (place.into(), what.into());
        Difference { place, what, kind, may: kind.may, unshown: Vec::new(), at }
    }

    fn may(self, may: May) -> Self {
        Difference { may, ..self }
    }
}

fn push(all: &mut Vec<Difference>, place: impl Into<String>, what: impl Into<String>, kind: Kind) {
    all.push(Difference::new(At::Around, place, what, kind));
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
        let difference = Difference::new(At::Around, "bucket_seconds", format!("{before} to {after}"), kind);
        all.push(difference.may(may::of_buckets(before, after)));
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
    // An ignored path covers all below it.
    let covers = |ignored: &Path| path.segments().starts_with(ignored.segments());
    if policy.ignored().iter().any(|ignored| covers(ignored.path())) { Said::Ignored } else { Said::Nothing }
}

fn of_path(old: &Policy, new: &Policy, path: &Path, all: &mut Vec<Difference>) {
    let place = |table: &str| place(table, path);
    let mut push = |place: String, what: &str, kind: Kind, may: May| {
        all.push(Difference::new(At::Field(path.clone()), place, what, kind).may(may));
    };
    match (said(old, path), said(new, path)) {
        (Said::Field(before), Said::Field(after)) => {
            of_field(before, after, &place(class(after)), &mut push);
        }
        (Said::Field(before), Said::Ignored) => {
            let kind = match before.class() {
                Class::Identity => kinds::IDENTITY_TO_IGNORED,
                Class::Checked => kinds::CHECKED_TO_IGNORED,
            };
            push(place("ignored"), &format!("was {}", class(before)), kind, kind.may);
        }
        (Said::Ignored, Said::Field(after)) => {
            let kind = match after.class() {
                Class::Identity => kinds::IGNORED_TO_IDENTITY,
                Class::Checked => kinds::IGNORED_TO_CHECKED,
            };
            push(place(class(after)), "was ignored", kind, kind.may);
        }
        (Said::Field(before), Said::Nothing) => {
            let may = if may::brings_list(before, new) { May::MERGE } else { May::STAY };
            push(place(class(before)), "removed", kinds::FIELD_REMOVED, may);
        }
        (Said::Nothing, Said::Field(after)) => {
            let kind = if after.is_required() { kinds::FIELD_REQUIRED } else { kinds::FIELD_OPTIONAL };
            let may = if may::brings_list(after, old) { May::SPLIT } else { May::STAY };
            push(place(class(after)), &format!("added: {}", rule(after.rule())), kind, may);
        }
        (Said::Ignored, Said::Nothing) => {
            push(place("ignored"), "removed", kinds::IGNORED_REMOVED, May::STAY);
        }
        (Said::Nothing, Said::Ignored) => push(place("ignored"), "added", kinds::IGNORED_ADDED, May::STAY),
        (Said::Ignored, Said::Ignored) | (Said::Nothing, Said::Nothing) => {}
    }
}

fn of_field(before: &Field, after: &Field, place: &str, push: &mut impl FnMut(String, &str, Kind, May)) {
    let moved = match (before.class(), after.class()) {
        (Class::Identity, Class::Checked) => Some(("was identity", kinds::IDENTITY_TO_CHECKED)),
        (Class::Checked, Class::Identity) => Some(("was checked", kinds::CHECKED_TO_IDENTITY)),
        _ => None,
    };
    if let Some((what, kind)) = moved {
        push(place.to_owned(), what, kind, kind.may);
    }
    // What is not in the keys of both can do no more to them.
    let in_both = before.class() == Class::Identity && after.class() == Class::Identity;
    let mut push = |what: &str, kind: Kind, may: May| {
        push(place.to_owned(), what, kind, if in_both { may } else { May::STAY });
    };
    if before.rule() != after.rule() {
        let same = before.rule().name() == after.rule().name();
        let kind = if same { kinds::PARAMETER } else { kinds::RULE };
        let what = format!("{} to {}", rule(before.rule()), rule(after.rule()));
        push(&what, kind, may::of_rules(before.rule(), after.rule()));
    }
    match (before.is_required(), after.is_required()) {
        (true, false) => push("required to optional", kinds::OPTIONAL, May::STAY),
        (false, true) => push("optional to required", kinds::REQUIRED, May::STAY),
        _ => {}
    }
    match (before.null_is_absent(), after.null_is_absent()) {
        (true, false) => push("null = \"absent\" removed", kinds::NULL_REFUSED, May::STAY),
        (false, true) => push("null = \"absent\" added", kinds::NULL_ABSENT, May::STAY),
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
        // What must be there is refused where empty is absent.
        let is_refused = before.is_required() || after.is_required();
        let may = if is_refused { May::STAY } else { kind.may };
        push(&format!("empty = {was:?} to {is:?}").to_lowercase(), kind, may);
    }
}

fn lists(old: &Policy, new: &Policy, all: &mut Vec<Difference>) {
    for list in new.lists() {
        let before = old.lists().iter().find(|other| other.path() == list.path());
        let Some(before) = before.filter(|before| before.is_any_order() != list.is_any_order()) else {
            continue;
        };
        let kind = if before.is_any_order() { kinds::ORDER_MATTERS } else { kinds::ORDER_ANY };
        let place = place("lists", list.path());
        let difference = Difference::new(At::List(list.path().clone()), place, kind.change, kind);
        all.push(difference.may(may::of_order([old, new], list.path(), kind.may)));
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
            push(all, place("ignored", ignored.path()), "another reason", kinds::WORDS);
        }
    }
}

/// A place as the policy has it.
fn place(table: &str, path: &Path) -> String {
    in_toml(&format!("{table}.{}", escaped(&path.to_string())))
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
