//! What the glue must know of an engine: which names there are, and where nothing is read.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use intentkey_core::{Path, Policies, Policy, Segment};

use crate::boundary::json::Json;

/// The most names that have a place: a place is a u16, and one stands for a name written out.
const MOST_NAMES: usize = 0xffff;

/// What messages and results give by its place in a list.
pub(super) struct Known {
    /// The names in the paths of the policies. One that occurs twice has two places, which mean
    /// the same.
    pub(super) names: Vec<Box<str>>,
    /// The ids of the secrets.
    pub(super) secret_ids: Vec<Box<str>>,
}

/// The names in the paths of policies.
pub(super) fn names<'p>(policies: impl IntoIterator<Item = &'p Policy>) -> Vec<Box<str>> {
    let mut names = Vec::new();
    for policy in policies {
        for path in fields(policy).chain(ignored(policy)) {
            for segment in path.segments() {
                if let Segment::Name(name) = segment
                    && names.len() < MOST_NAMES
                {
                    names.push(name.clone());
                }
            }
        }
    }
    names
}

/// The guide of a policy alone, as JSON.
pub(super) fn of_policy(policy: &Policy, known: &Known) -> String {
    let mut json = begin(known);
    json.text_member("name", policy.name());
    json.text_member("digest", &policy.digest());
    json.name("policies");
    json.begin('[');
    paths_of(&mut json, None, policy);
    end(json)
}

/// The guide of policies, as JSON: the names; the ids of the secrets; and for each policy, oldest
/// first, the epoch from which it is in force, or null, its ignored paths and its other paths,
/// each step of a path being a name or 0 for the elements of a list.
pub(super) fn of_policies(policies: &Policies, known: &Known) -> String {
    let mut json = begin(known);
    json.name("policies");
    json.begin('[');
    for (from_epoch, policy) in policies.iter() {
        paths_of(&mut json, from_epoch, policy);
    }
    end(json)
}

fn begin(known: &Known) -> Json {
    let mut json = Json::default();
    json.begin('{');
    strings(&mut json, "names", &known.names);
    strings(&mut json, "ids", &known.secret_ids);
    json
}

fn end(mut json: Json) -> String {
    json.end(']');
    json.end('}');
    json.into_text()
}

fn strings(json: &mut Json, name: &str, strings: &[Box<str>]) {
    json.name(name);
    json.begin('[');
    strings.iter().for_each(|string| json.string(string));
    json.end(']');
}

fn paths_of(json: &mut Json, from_epoch: Option<u64>, policy: &Policy) {
    json.begin('[');
    match from_epoch {
        Some(from_epoch) => json.number(from_epoch),
        None => json.word("null"),
    }
    paths(json, &mut ignored(policy));
    paths(json, &mut fields(policy));
    json.end(']');
}

fn fields(policy: &Policy) -> impl Iterator<Item = &Path> {
    policy.fields().iter().map(|field| field.path())
}

fn ignored(policy: &Policy) -> impl Iterator<Item = &Path> {
    policy.ignored().iter().map(|ignored| ignored.path())
}

fn paths(json: &mut Json, paths: &mut dyn Iterator<Item = &Path>) {
    json.begin('[');
    for path in paths {
        json.begin('[');
        for segment in path.segments() {
            match segment {
                Segment::Name(name) => json.string(name),
                Segment::Element => json.number(0),
            }
        }
        json.end(']');
    }
    json.end(']');
}
