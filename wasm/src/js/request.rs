//! Requests: an intent and what is wanted of it.

use alloc::borrow::Cow;

use intentkey_core::{Code, Epoch, Intent, Payload, RecordedIntent, Value};

use super::Engine;
use super::exchange::Answer;
use super::results::{self, Fixed, Slot};
use crate::boundary::Refused;
use crate::wire::{Garbled, Reader};

/// What is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Key,
    Derive,
    Fingerprint,
    Explain,
    Material,
    KeyFromId,
    KeyFromMac,
}

/// How a message gives an intent: its first byte.
mod form {
    /// Tenant, action, epoch, and the payload as a value.
    pub(super) const VALUE: u8 = 0;
    /// Tenant, action, epoch, and the payload as JSON text.
    pub(super) const JSON: u8 = 1;
    /// The whole intent as JSON text.
    pub(super) const TEXT: u8 = 2;
    /// As `VALUE`, but the payload has a property whose name is no string.
    pub(super) const NAMELESS: u8 = 3;
}

pub(super) fn answer(
    engine: &Engine,
    mut message: Reader<'_>,
    verb: Verb,
    slot: &Slot,
) -> Result<Answer, Refused> {
    match verb {
        Verb::KeyFromId => slot.key(&engine.deriver()?.key_from_id(&recorded(&mut message)?)?),
        Verb::KeyFromMac => {
            let mac = <&[u8; 32]>::try_from(message.bytes()?).map_err(|_| Garbled)?;
            slot.key(&engine.policy()?.key_from_mac(mac));
        }
        _ => return answer_intent(engine, &mut message, verb, slot),
    }
    Ok(Answer::Fixed)
}

/// Answers a message of many intents, their count before them.
pub(super) fn answer_batch(
    engine: &Engine,
    mut message: Reader<'_>,
    verb: Verb,
    fixed: &Fixed,
) -> Result<Answer, Refused> {
    let count = message.count()?;
    for slot in fixed.slots().take(count) {
        if answer_intent(engine, &mut message, verb, slot).is_err() {
            slot.nothing();
        }
    }
    Ok(Answer::Fixed)
}

fn answer_intent(
    engine: &Engine,
    message: &mut Reader<'_>,
    verb: Verb,
    slot: &Slot,
) -> Result<Answer, Refused> {
    let form = message.byte()?;
    let intent = intent(engine, form, message)?;
    let answer = derive(engine, &intent, verb, slot);
    if form == form::NAMELESS { Err(nameless(answer)) } else { answer }
}

fn derive(engine: &Engine, intent: &Intent<'_>, verb: Verb, slot: &Slot) -> Result<Answer, Refused> {
    match verb {
        Verb::Key => slot.derived_key(&engine.deriver()?.derive_key(intent)?, &engine.known.secret_ids),
        Verb::Derive => slot.derived(&engine.deriver()?.derive(intent)?, &engine.known.secret_ids),
        Verb::Fingerprint => slot.fingerprint(&engine.deriver()?.fingerprint(intent)?),
        Verb::Explain => {
            return Ok(Answer::Text(results::explanation(&engine.deriver()?.explain(intent)?)));
        }
        _ => {
            let policy = engine.policy()?;
            return Ok(Answer::Text(results::material(&policy.material(intent)?)));
        }
    }
    Ok(Answer::Fixed)
}

fn intent<'m>(engine: &Engine, form: u8, message: &mut Reader<'m>) -> Result<Intent<'m>, Refused> {
    if form == form::TEXT {
        let text = message.text()?.ok_or(Garbled)?;
        return Ok(engine.deriver()?.read(text)?);
    }
    let tenant = member(message, "tenant");
    let action = member(message, "action");
    let epoch = epoch(&message.value()?);
    let payload = match form {
        form::JSON => Payload::Json(message.text()?.ok_or(Garbled)?),
        form::VALUE | form::NAMELESS => Payload::Owned(message.value()?),
        _ => return Err(Garbled.into()),
    };
    Ok(Intent { tenant: Cow::Borrowed(tenant?), action: Cow::Borrowed(action?), epoch, payload })
}

fn recorded<'m>(message: &mut Reader<'m>) -> Result<RecordedIntent<'m>, Refused> {
    let tenant = member(message, "tenant")?;
    let id = member(message, "id")?;
    Ok(RecordedIntent { tenant, id, epoch: epoch(&message.value()?) })
}

/// A member that must be text.
fn member<'m>(message: &mut Reader<'m>, name: &str) -> Result<&'m str, Refused> {
    match message.value()? {
        Value::String(Cow::Borrowed(text)) => Ok(text),
        _ => Err(Refused::new(Code::IntentInvalid).at(name)),
    }
}

fn epoch(value: &Value<'_>) -> Epoch {
    Epoch::from(match value {
        Value::Number(number) => number.as_f64(),
        _ => f64::NAN,
    })
}

/// The refusal of a payload with a property that no path can name: `field_type` at the payload
/// itself, unless something is refused before any value is judged.
fn nameless(answer: Result<Answer, Refused>) -> Refused {
    const BEFORE_VALUES: [Code; 11] = [
        Code::PayloadTooLarge,
        Code::PayloadTooDeep,
        Code::IntentInvalid,
        Code::TenantEmpty,
        Code::EpochInvalid,
        Code::EpochInMilliseconds,
        Code::PolicyMissingForEpoch,
        Code::ActionUnknown,
        Code::FieldDuplicate,
        Code::FieldUnclassified,
        Code::JsonMalformed,
    ];
    match answer {
        Err(refused) if BEFORE_VALUES.iter().any(|code| code.as_str() == refused.code) => refused,
        _ => Refused::new(Code::FieldType),
    }
}
