//! An intent from JSON text.

use alloc::borrow::{Cow, ToOwned as _};
use alloc::string::String;
use alloc::vec::Vec;

use super::{Epoch, Intent, Payload};
use crate::error::{Code, Refusal};
use crate::json::{self, Cursor, Meter};
use crate::policy::Place;
use crate::value::{Name, Number, Value};

/// The members of an intent, in the order in which they are judged.
const MEMBERS: [&str; 4] = ["tenant", "action", "intent_epoch", "payload"];

/// What tells a reader which parts of a payload are not looked at.
pub(crate) enum Guide<'p> {
    /// One place for all epochs.
    Always(Place<'p>),
    /// A place that the epoch decides: the text is read twice.
    ByEpoch(&'p dyn Fn(Epoch) -> Place<'p>),
}

/// Reads `{"tenant", "action", "intent_epoch", "payload"}`.
pub(crate) fn read<'a>(text: &'a str, guide: &Guide<'_>) -> Result<Intent<'a>, Refusal> {
    json::check_size(text)?;
    let place = match guide {
        Guide::Always(place) => *place,
        Guide::ByEpoch(place_at) => place_at(epoch_ahead(text)),
    };
    read_members(text, place).map_err(Refusal::new)?.into_intent()
}

/// What the text of an intent holds.
#[derive(Default)]
struct Members<'a> {
    tenant: Option<Option<Cow<'a, str>>>,
    action: Option<Option<Cow<'a, str>>>,
    epoch: Option<Epoch>,
    payload: Option<Value<'a>>,
    is_object: bool,
    repeated: Option<&'static str>,
    /// The first name that is no member of an intent, where it is Unicode text.
    unknown: Option<Option<String>>,
}

fn read_members<'a>(text: &'a str, place: Place<'_>) -> Result<Members<'a>, Code> {
    let mut cursor = Cursor::new(text);
    let mut members = Members::default();
    if cursor.next_token() == Some(b'{') {
        members.is_object = true;
        json::for_each_member(&mut cursor, |cursor, name| members.read(cursor, &name, place))?;
    } else {
        json::skip_value(&mut cursor)?;
    }
    cursor.finish()?;
    Ok(members)
}

/// The epoch of an intent, from text that may be malformed later on.
fn epoch_ahead(text: &str) -> Epoch {
    let mut epoch = Epoch::INVALID;
    let mut cursor = Cursor::new(text);
    if cursor.next_token() == Some(b'{') {
        // Where the text is malformed, the reading that follows says so.
        let _ = json::for_each_member(&mut cursor, |cursor, name| {
            if name.as_str() == Some("intent_epoch") {
                epoch = read_epoch(cursor)?;
                return Ok(());
            }
            json::skip_value(cursor)
        });
    }
    epoch
}

impl<'a> Members<'a> {
    fn read(&mut self, cursor: &mut Cursor<'a>, name: &Name<'a>, place: Place<'_>) -> Result<(), Code> {
        let (member, again) = match name.as_str() {
            Some("tenant") => ("tenant", self.tenant.replace(read_text(cursor)?).is_some()),
            Some("action") => ("action", self.action.replace(read_text(cursor)?).is_some()),
            Some("intent_epoch") => ("intent_epoch", self.epoch.replace(read_epoch(cursor)?).is_some()),
            Some("payload") => {
                let payload = json::read_value(cursor, place, 1, &mut Meter::default())?;
                ("payload", self.payload.replace(payload).is_some())
            }
            unknown => {
                self.unknown.get_or_insert_with(|| unknown.map(|name| name.to_owned()));
                return json::skip_value(cursor);
            }
        };
        if again {
            self.repeated.get_or_insert(member);
        }
        Ok(())
    }

    /// Judges the members: missing, repeated, unknown, then those that must be text.
    fn into_intent(self) -> Result<Intent<'a>, Refusal> {
        let invalid = |field: &str| Refusal::at(Code::IntentInvalid, field.to_owned());
        if !self.is_object {
            return Err(Refusal::new(Code::IntentInvalid));
        }
        let [tenant, action, epoch, payload] = MEMBERS;
        let missing: Vec<&str> = [
            (tenant, self.tenant.is_none()),
            (action, self.action.is_none()),
            (epoch, self.epoch.is_none()),
            (payload, self.payload.is_none()),
        ]
        .into_iter()
        .filter_map(|(name, is_missing)| is_missing.then_some(name))
        .collect();
        if let Some(name) = missing.first().or(self.repeated.as_ref()) {
            return Err(invalid(name));
        }
        match self.unknown {
            Some(Some(name)) => return Err(invalid(&name)),
            Some(None) => return Err(Refusal::new(Code::IntentInvalid)),
            None => {}
        }
        Ok(Intent {
            tenant: self.tenant.flatten().ok_or_else(|| invalid(tenant))?,
            action: self.action.flatten().ok_or_else(|| invalid(action))?,
            epoch: self.epoch.unwrap_or(Epoch::INVALID),
            payload: Payload::Owned(self.payload.unwrap_or(Value::Null)),
        })
    }
}

/// A string that is Unicode text, or `None` for anything else.
fn read_text<'a>(cursor: &mut Cursor<'a>) -> Result<Option<Cow<'a, str>>, Code> {
    match cursor.next_token() {
        Some(b'"') => json::read_unicode(cursor),
        _ => json::skip_value(cursor).map(|()| None),
    }
}

fn read_epoch(cursor: &mut Cursor<'_>) -> Result<Epoch, Code> {
    match cursor.next_token() {
        Some(b'-' | b'0'..=b'9') => {
            let literal = cursor.number()?;
            Ok(match literal.parse::<u64>() {
                Ok(seconds) => Epoch::from(seconds),
                Err(_) => Epoch::from(Number::from_literal(literal).as_f64()),
            })
        }
        _ => json::skip_value(cursor).map(|()| Epoch::INVALID),
    }
}
