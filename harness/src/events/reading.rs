//! From an event as it stands in its file to an intent.

use std::borrow::Cow;
use std::fmt;

use intentkey_core::{Path, Policies, Rule, Segment};
use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::chunk::{Broken, Raw, RowOf};
use super::columns::{Cell, PayloadOf, push_string};
use super::epoch::{Second, of_number, of_text};
use super::mapping::{Mapping, Origin};
use crate::field_path::{Step, steps, steps_of_column};

/// An event: an intent, and the id of the true one where the export knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event<'e> {
    pub(crate) tenant: Cow<'e, str>,
    pub(crate) action: Cow<'e, str>,
    pub(crate) epoch: Second,
    /// The payload as JSON text.
    pub(crate) payload: Cow<'e, str>,
    pub(crate) truth: Option<Cow<'e, str>>,
}

/// Why there is no intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// There is no event.
    Broken(Broken),
    /// The event is refused before the core sees it: `intent_invalid`, and the member.
    Invalid(Option<String>),
}

/// A mapping, prepared.
pub(crate) struct Reading<'p> {
    tenant: From,
    action: From,
    epoch: From,
    /// Whether the mapping says where the epoch is: then text is taken for one too.
    any_epoch: bool,
    payload: Option<Vec<Step>>,
    truth: Option<Taken>,
    drop: Vec<Taken>,
    mapping: Mapping,
    policies: &'p Policies,
}

enum From {
    Path(Taken),
    Constant(String),
}

/// A place of a JSON event, and whether it is taken out of the payload.
struct Taken {
    steps: Vec<Step>,
    is_taken: bool,
}

type Members<'e> = Vec<(Cow<'e, str>, &'e RawValue)>;

impl<'p> Reading<'p> {
    /// Prepares a mapping for events under policies.
    pub(crate) fn new(mapping: &Mapping, policies: &'p Policies) -> Self {
        let taken = |name: &str| Taken { steps: steps(name), is_taken: !declares(policies, name) };
        let from = |origin: Origin| match origin {
            Origin::Column(name) => From::Path(taken(&name)),
            Origin::Constant(text) => From::Constant(text),
        };
        let [tenant, action, epoch] = mapping.origins().map(from);
        Reading {
            tenant,
            action,
            epoch,
            any_epoch: mapping.epoch.is_some(),
            payload: mapping.payload.as_deref().map(steps),
            truth: mapping.truth.as_deref().map(taken),
            drop: mapping.drop.iter().map(|name| Taken { steps: steps(name), is_taken: true }).collect(),
            mapping: mapping.clone(),
            policies,
        }
    }

    /// Reads an event.
    pub(crate) fn event<'e>(&self, raw: &Raw<'e>) -> Result<Event<'e>, Unread> {
        match raw {
            Raw::Json(text) => self.of_json(text),
            Raw::Row(row) => self.of_row(row),
        }
    }

    fn of_json<'e>(&self, text: &'e str) -> Result<Event<'e>, Unread> {
        let members = members(text).map_err(|_| match serde_json::from_str::<&RawValue>(text) {
            Ok(raw) if !raw.get().starts_with('{') => Unread::Invalid(None),
            _ => Unread::Broken(Broken::NotJson),
        })?;
        if let Some(name) = repeated(&members) {
            return Err(Unread::Invalid(Some(name.to_owned())));
        }
        let tenant = text_at(&self.tenant, &members, "tenant")?;
        let action = text_at(&self.action, &members, "action")?;
        let epoch = self.epoch_at(&members)?;
        let truth = self.truth.as_ref().and_then(|truth| {
            let payload = members.iter().find(|member| member.0 == "payload").map(|member| member.1);
            let below = || crate::events::reading::members(payload?.get()).ok();
            let found = at(&members, &truth.steps);
            found.or_else(|| at(&below()?, &truth.steps)).and_then(scalar_text)
        });
        Ok(Event { tenant, action, epoch, payload: self.payload_of(&members)?, truth })
    }

    fn payload_of<'e>(&self, members: &Members<'e>) -> Result<Cow<'e, str>, Unread> {
        if let Some(path) = &self.payload {
            let missing = || Unread::Invalid(Some(String::from("payload")));
            let payload = at(members, path).ok_or_else(missing)?;
            return self.without_taken(payload);
        }
        let own = members.iter().find(|member| member.0 == "payload");
        match own {
            Some((_, payload)) if !declares(self.policies, "payload") => {
                let known = |name: &str| name == "payload" || self.taken().any(|taken| taken.is_named(name));
                match members.iter().find(|member| !known(&member.0)) {
                    Some((name, _)) => Err(Unread::Invalid(Some(name.clone().into_owned()))),
                    None => self.without_taken(payload),
                }
            }
            _ => {
                let taken: Vec<&[Step]> =
                    self.taken().filter(|taken| taken.is_taken).map(|taken| &*taken.steps).collect();
                let mut out = String::new();
                write_without(members, &taken, &mut out);
                Ok(Cow::Owned(out))
            }
        }
    }

    /// A payload of its own without the true id, where that stands in it.
    fn without_taken<'e>(&self, payload: &'e RawValue) -> Result<Cow<'e, str>, Unread> {
        let taken = self.truth.iter().chain(&self.drop).filter(|taken| taken.is_taken);
        let taken: Vec<&[Step]> = taken.map(|taken| &*taken.steps).collect();
        let plain = Ok(Cow::Borrowed(payload.get()));
        if taken.is_empty() || !payload.get().starts_with('{') {
            return plain;
        }
        let Ok(own) = members(payload.get()) else { return plain };
        if taken.iter().all(|steps| at(&own, steps).is_none()) {
            return plain;
        }
        let mut out = String::with_capacity(payload.get().len());
        write_without(&own, &taken, &mut out);
        Ok(Cow::Owned(out))
    }

    fn taken(&self) -> impl Iterator<Item = &Taken> {
        let origins = [&self.tenant, &self.action, &self.epoch].into_iter().filter_map(|from| match from {
            From::Path(taken) => Some(taken),
            From::Constant(_) => None,
        });
        origins.chain(&self.truth).chain(&self.drop)
    }

    fn epoch_at(&self, members: &Members<'_>) -> Result<Second, Unread> {
        let value = match &self.epoch {
            From::Constant(text) => return Ok(of_text(text, &self.mapping)),
            From::Path(taken) => at(members, &taken.steps)
                .ok_or_else(|| Unread::Invalid(Some(String::from("intent_epoch"))))?,
        };
        let text = value.get();
        if text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            return Ok(of_number(text, self.mapping.epoch_unit));
        }
        let text = self.any_epoch.then(|| scalar_text(value)).flatten();
        Ok(text.map_or_else(Second::INVALID, |text| of_text(&text, &self.mapping)))
    }

    fn of_row<'e>(&self, row: &RowOf<'e>) -> Result<Event<'e>, Unread> {
        let columns = row.columns;
        let utf8 = |cell: &'e [u8]| std::str::from_utf8(cell).map_err(|_| Unread::Broken(Broken::NotUtf8));
        let text = |cell: &Cell| -> Result<Cow<'e, str>, Unread> {
            match cell {
                Cell::Constant(text) => Ok(Cow::Owned(text.clone())),
                Cell::Column(column) => row.cell(*column).map_or(Ok(""), utf8).map(Cow::Borrowed),
            }
        };
        let truth = columns.truth.and_then(|column| row.cell(column)).map(utf8).transpose()?;
        let payload = match &columns.payload {
            PayloadOf::Column(column) => Cow::Borrowed(row.cell(*column).map_or(Ok("null"), utf8)?),
            PayloadOf::Rest(node) => {
                let mut out = String::with_capacity(256);
                let is_boolean = |path: &str| self.is_boolean(path);
                match node.write(row, &mut String::new(), &is_boolean, &mut out) {
                    Ok(true) => {}
                    Ok(false) => out.push_str("{}"),
                    Err(()) => return Err(Unread::Broken(Broken::NotUtf8)),
                }
                Cow::Owned(out)
            }
        };
        Ok(Event {
            tenant: text(&columns.tenant)?,
            action: text(&columns.action)?,
            epoch: of_text(&text(&columns.epoch)?, &self.mapping),
            payload,
            truth: truth.map(Cow::Borrowed),
        })
    }

    fn is_boolean(&self, path: &str) -> bool {
        let mut fields = self.policies.iter().flat_map(|(_, policy)| policy.fields());
        fields.any(|field| matches!(field.rule(), Rule::Boolean(_)) && field.path().to_string() == path)
    }
}

impl Taken {
    /// Whether it is this member, or lies below it.
    fn is_named(&self, name: &str) -> bool {
        matches!(self.steps.first(), Some(Step::Name(own)) if own == name)
    }
}

/// Whether a policy says something of this place, of one above it or of one below.
pub(crate) fn declares(policies: &Policies, name: &str) -> bool {
    let own = steps_of_column(name);
    let meets = |path: &Path| {
        path.segments().iter().zip(&own).all(|(segment, step)| match (segment, step) {
            (Segment::Name(name), Step::Name(own)) => **name == **own,
            (Segment::Element, Step::Index(_) | Step::Each) => true,
            _ => false,
        })
    };
    policies.iter().any(|(_, policy)| {
        policy.fields().iter().any(|field| meets(field.path()))
            || policy.ignored().iter().any(|ignored| meets(ignored.path()))
    })
}

/// The members of an object, as text.
fn members(text: &str) -> serde_json::Result<Members<'_>> {
    struct Object;
    impl<'de> Visitor<'de> for Object {
        type Value = Members<'de>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::with_capacity(8);
            while let Some(Name(name)) = map.next_key()? {
                members.push((name, map.next_value()?));
            }
            Ok(members)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let members = deserializer.deserialize_map(Object)?;
    deserializer.end().map(|()| members)
}

/// A name, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Name<'n>(#[serde(borrow)] Cow<'n, str>);

fn repeated<'m>(members: &'m Members<'_>) -> Option<&'m str> {
    let is_repeated = |(index, member): (usize, &(Cow<'_, str>, _))| {
        members.iter().take(index).any(|before| before.0 == member.0)
    };
    let index = (0..members.len())
        .find(|&index| members.get(index).is_some_and(|member| is_repeated((index, member))))?;
    members.get(index).map(|member| &*member.0)
}

/// The value at a path.
fn at<'e>(members: &Members<'e>, path: &[Step]) -> Option<&'e RawValue> {
    let (Step::Name(name), rest) = path.split_first()? else { return None };
    let value = members.iter().find(|member| member.0 == *name)?.1;
    if rest.is_empty() {
        return Some(value);
    }
    at(&self::members(value.get()).ok()?, rest)
}

fn text_at<'e>(from: &From, members: &Members<'e>, member: &str) -> Result<Cow<'e, str>, Unread> {
    let invalid = || Unread::Invalid(Some(member.to_owned()));
    match from {
        From::Constant(text) => Ok(Cow::Owned(text.clone())),
        From::Path(taken) => {
            let value = at(members, &taken.steps).ok_or_else(invalid)?;
            let Name(text) = serde_json::from_str(value.get()).map_err(|_| invalid())?;
            Ok(text)
        }
    }
}

/// A string, or a number or boolean as it is written; nothing for null.
pub(crate) fn scalar_text(value: &RawValue) -> Option<Cow<'_, str>> {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'"') => serde_json::from_str::<Name<'_>>(text).ok().map(|name| name.0),
        Some(b'n') => None,
        _ => Some(Cow::Borrowed(text)),
    }
    .filter(|text| !text.is_empty())
}

/// Appends the object without what is at these paths.
fn write_without(members: &Members<'_>, taken: &[&[Step]], out: &mut String) {
    out.push('{');
    let mut is_first = true;
    for (name, value) in members {
        let below: Vec<&[Step]> = taken
            .iter()
            .filter_map(|path| match path.split_first() {
                Some((Step::Name(own), rest)) if *own == **name => Some(rest),
                _ => None,
            })
            .collect();
        if below.iter().any(|rest| rest.is_empty()) {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.push(',');
        }
        push_string(name, out);
        out.push(':');
        match self::members(value.get()) {
            Ok(own) if !below.is_empty() => write_without(&own, &below, out),
            _ => out.push_str(value.get()),
        }
    }
    out.push('}');
}
