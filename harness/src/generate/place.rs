//! The places of a payload: where they are, what they are called, and how to change them.

use super::json::{Json, Text};
use super::shape::Shape;
use crate::field_path::escaped;

/// One step from the payload down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// To a member.
    Name(String),
    /// To an element.
    Index(usize),
}

/// A place of a payload that the policy declares.
#[derive(Clone, Debug)]
pub(crate) struct Place<'s> {
    /// The way to it.
    pub(crate) steps: Vec<Step>,
    /// What the policy has there.
    pub(crate) shape: &'s Shape,
    /// Whether the payload has something there.
    pub(crate) is_present: bool,
}

/// Every declared place whose parent the payload has, in walking order; the payload itself first.
pub(crate) fn places<'s>(shape: &'s Shape, payload: &Json) -> Vec<Place<'s>> {
    let mut places = Vec::new();
    collect(shape, Some(payload), &mut Vec::new(), &mut places);
    places
}

fn collect<'s>(shape: &'s Shape, value: Option<&Json>, steps: &mut Vec<Step>, places: &mut Vec<Place<'s>>) {
    places.push(Place { steps: steps.clone(), shape, is_present: value.is_some() });
    match (shape, value) {
        (Shape::Object(members), Some(object)) => {
            for (name, member) in members {
                steps.push(Step::Name(name.clone()));
                collect(member, object.member(name), steps, places);
                steps.pop();
            }
        }
        (Shape::List { element, .. }, Some(Json::List(elements))) => {
            for (index, value) in elements.iter().enumerate() {
                steps.push(Step::Index(index));
                collect(element, Some(value), steps, places);
                steps.pop();
            }
        }
        _ => {}
    }
}

impl Json {
    /// The value at a place.
    pub(crate) fn at(&self, steps: &[Step]) -> Option<&Json> {
        let Some((step, rest)) = steps.split_first() else { return Some(self) };
        match (step, self) {
            (Step::Name(name), object) => object.member(name)?.at(rest),
            (Step::Index(index), Json::List(elements)) => elements.get(*index)?.at(rest),
            _ => None,
        }
    }
}

impl Place<'_> {
    /// The place's path, with indexes: `items[2].sku`.
    pub(crate) fn path(&self) -> String {
        path(&self.steps, true)
    }

    /// The place's path as policies write it: `items[].sku`.
    pub(crate) fn pattern(&self) -> String {
        path(&self.steps, false)
    }

    /// Whether it is an element of a list.
    pub(crate) fn is_element(&self) -> bool {
        matches!(self.steps.last(), Some(Step::Index(_)))
    }
}

fn path(steps: &[Step], indexes: bool) -> String {
    let mut out = String::new();
    for (position, step) in steps.iter().enumerate() {
        match step {
            Step::Index(index) if indexes => out.push_str(&format!("[{index}]")),
            Step::Index(_) => out.push_str("[]"),
            Step::Name(name) => {
                if position > 0 {
                    out.push('.');
                }
                out.push_str(&escaped(name));
            }
        }
    }
    out
}

/// The path of a member of a place.
pub(crate) fn child(parent: &str, is_root: bool, name: &str) -> String {
    if is_root { escaped(name) } else { format!("{parent}.{}", escaped(name)) }
}

/// The payload with the value at a place replaced, added, or taken away.
pub(crate) fn with(payload: &Json, steps: &[Step], value: Option<Json>) -> Json {
    edited(payload, steps, &|_| value.clone()).unwrap_or_else(Json::null)
}

/// The payload with what is at a place edited; `None` is absent.
pub(crate) fn edited(
    payload: &Json,
    steps: &[Step],
    edit: &dyn Fn(Option<&Json>) -> Option<Json>,
) -> Option<Json> {
    change(Some(payload), steps, edit)
}

fn change(
    value: Option<&Json>,
    steps: &[Step],
    edit: &dyn Fn(Option<&Json>) -> Option<Json>,
) -> Option<Json> {
    let Some((step, rest)) = steps.split_first() else { return edit(value) };
    match (step, value) {
        (Step::Name(name), Some(Json::Object(members))) => {
            let mut members = members.clone();
            let position = members.iter().position(|member| member.0.is(name));
            let current = position.and_then(|position| members.get(position)).map(|member| member.1.clone());
            match (position, change(current.as_ref(), rest, edit)) {
                (Some(position), Some(new)) => {
                    if let Some(member) = members.get_mut(position) {
                        member.1 = new;
                    }
                }
                (Some(position), None) => {
                    members.remove(position);
                }
                (None, Some(new)) => members.push((Text::Plain(name.clone()), new)),
                (None, None) => {}
            }
            Some(Json::Object(members))
        }
        (Step::Index(index), Some(Json::List(elements))) => {
            let mut elements = elements.clone();
            if let Some(element) = elements.get_mut(*index) {
                match change(Some(element), rest, edit) {
                    Some(new) => *element = new,
                    None => {
                        elements.remove(*index);
                    }
                }
            }
            Some(Json::List(elements))
        }
        (_, value) => value.cloned(),
    }
}
