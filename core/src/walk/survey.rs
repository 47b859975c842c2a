//! What is refused before any value is judged: limits, names, unclassified leaves.
//!
//! In this order, each over the whole payload:
//!
//! 1. too many levels, values or bytes outside ignored paths;
//! 2. a name that is no Unicode text, then a name that occurs twice, first in walking order; an
//!    object's own names come before those below it;
//! 3. leaves that the policy does not classify, all of them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Code, Refusal};
use crate::json::Meter;
use crate::policy::{Node, Place, Trail};
use crate::sorted::{find_equal, sorted_by};
use crate::value::{Name, Value};

/// The most paths that a refusal lists.
const MOST_PATHS: usize = 16;

/// The most characters of a path that a refusal lists.
const LONGEST_PATH: usize = 64;

/// Judges all of it.
pub(crate) fn all(payload: &Value<'_>, place: Place<'_>) -> Result<(), Refusal> {
    limits(payload, place)?;
    names(payload, place, &Trail::Root, &without_unicode)?;
    names(payload, place, &Trail::Root, &repeated)?;
    let mut paths = Vec::new();
    collect_unclassified(payload, place, &Trail::Root, &mut paths);
    if paths.is_empty() {
        return Ok(());
    }
    Err(Refusal::among(Code::FieldUnclassified, paths))
}

/// Judges the size of a payload.
pub(crate) fn limits(payload: &Value<'_>, place: Place<'_>) -> Result<(), Refusal> {
    measure(payload, place, 1, &mut Meter::default()).map_err(Refusal::new)
}

fn measure(value: &Value<'_>, place: Place<'_>, level: usize, meter: &mut Meter) -> Result<(), Code> {
    if place.is_ignored() {
        return Ok(());
    }
    meter.value()?;
    match value {
        Value::String(text) | Value::BigInteger(text) => meter.text(text.len()),
        Value::List(elements) => {
            Meter::level(level)?;
            elements.iter().try_for_each(|element| measure(element, place.element(), level + 1, meter))
        }
        Value::Object(members) => {
            Meter::level(level)?;
            members.iter().try_for_each(|(name, value)| {
                meter.text(name.as_str().map_or(0, str::len))?;
                measure(value, member(place, name), level + 1, meter)
            })
        }
        _ => Ok(()),
    }
}

/// Judges the names of one object, given in walking order.
type JudgeNames<'j> = &'j dyn Fn(&[&(Name<'_>, Value<'_>)], &Trail<'_>) -> Result<(), Refusal>;

/// Judges the names of every object outside ignored paths.
fn names(
    value: &Value<'_>,
    place: Place<'_>,
    trail: &Trail<'_>,
    judge: JudgeNames<'_>,
) -> Result<(), Refusal> {
    if place.is_ignored() {
        return Ok(());
    }
    match value {
        Value::List(elements) => elements.iter().enumerate().try_for_each(|(index, element)| {
            names(element, place.element(), &Trail::Index(trail, index), judge)
        }),
        Value::Object(members) => {
            // In walking order; UTF-8 sorts as code points do.
            let sorted =
                sorted_by(members.iter().collect(), |one, other| one.0.as_str().cmp(&other.0.as_str()));
            judge(&sorted, trail)?;
            sorted.into_iter().try_for_each(|(name, value)| match name.as_str() {
                Some(text) => names(value, place.member(text), &Trail::Name(trail, text), judge),
                None => Ok(()),
            })
        }
        _ => Ok(()),
    }
}

fn without_unicode(members: &[&(Name<'_>, Value<'_>)], trail: &Trail<'_>) -> Result<(), Refusal> {
    if members.iter().all(|member| member.0.as_str().is_some()) {
        return Ok(());
    }
    Err(match trail {
        Trail::Root => Refusal::new(Code::TextNotUnicode),
        parent => Refusal::at(Code::TextNotUnicode, parent.to_field()),
    })
}

fn repeated(members: &[&(Name<'_>, Value<'_>)], trail: &Trail<'_>) -> Result<(), Refusal> {
    match find_equal(members, |one, other| one.0 == other.0) {
        Some((Name::Unicode(name), _)) => {
            Err(Refusal::at(Code::FieldDuplicate, Trail::Name(trail, name).to_field()))
        }
        _ => Ok(()),
    }
}

/// Collects the paths of the leaves that the policy does not classify. What a rule or a list
/// meets in the wrong kind is not looked into: the values are judged later.
fn collect_unclassified(value: &Value<'_>, place: Place<'_>, trail: &Trail<'_>, paths: &mut Vec<String>) {
    match (place.node(), value) {
        (None | Some(Node::Object(_)), Value::Object(members))
            if place.node().is_some() || !members.is_empty() =>
        {
            for (name, value) in members {
                if let Some(text) = name.as_str() {
                    collect_unclassified(value, place.member(text), &Trail::Name(trail, text), paths);
                }
            }
        }
        (None | Some(Node::List(_)), Value::List(elements))
            if place.node().is_some() || !elements.is_empty() =>
        {
            for (index, element) in elements.iter().enumerate() {
                collect_unclassified(element, place.element(), &Trail::Index(trail, index), paths);
            }
        }
        (None, _) => {
            let path = trail.to_path(LONGEST_PATH);
            if let Err(index) = paths.binary_search(&path) {
                paths.insert(index, path);
                paths.truncate(MOST_PATHS);
            }
        }
        (Some(_), _) => {}
    }
}

fn member<'p>(place: Place<'p>, name: &Name<'_>) -> Place<'p> {
    name.as_str().map_or(Place::UNDECLARED, |name| place.member(name))
}
