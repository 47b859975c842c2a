//! Making an engine of policies and secrets, and what the glue itself refuses.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use intentkey_core::{Code, Deriver, Keyring, Policies, Secret, Value};
use zeroize::Zeroizing;

use super::guide::{self, Known};
use super::{Engine, Held};
use crate::boundary::{self, Dated, HeldSecret, PolicySource, Refused};
use crate::wire::{Garbled, Reader};

/// The count that stands for one policy in force at all epochs, or one bare secret.
const ALONE: usize = 0xffff_ffff;

/// Makes an engine of a message: whether there is a keyring, the policies, the keyring. Gives it
/// with its guide.
pub(super) fn open(message: &[u8]) -> Result<(Engine, String), Refused> {
    let mut message = Reader::new(message, &[]);
    if message.byte()? == 0 {
        let policy = policy_source(&mut message)?.read()?;
        let known = Known { names: guide::names([&policy]), secret_ids: Vec::new() };
        let guide = guide::of_policy(&policy, &known);
        return Ok((Engine { held: Held::Policy(policy), known }, guide));
    }
    let policies = policies(&mut message)?;
    let names = guide::names(policies.iter().map(|(_, policy)| policy));
    let mut known = Known { names, secret_ids: Vec::new() };
    let keyring = keyring(&mut message, &mut known.secret_ids)?;
    let guide = guide::of_policies(&policies, &known);
    Ok((Engine { held: Held::Deriver(Deriver::new(policies, keyring)?), known }, guide))
}

/// One policy for all epochs, or policies over time. JSON text may hold either.
fn policies(message: &mut Reader<'_>) -> Result<Policies, Refused> {
    let count = message.count()?;
    if count == ALONE {
        return Ok(match policy_source(message)? {
            PolicySource::Json(text) => Policies::from_json(text)?,
            PolicySource::Value(value) => Policies::from_value(&value)?,
        });
    }
    let mut dated = Vec::new();
    for _ in 0..count {
        let from_epoch = seconds(&message.value()?);
        dated.push(Dated { from_epoch, policy: policy_source(message)? });
    }
    boundary::policies(&dated)
}

fn policy_source<'m>(message: &mut Reader<'m>) -> Result<PolicySource<'m>, Refused> {
    Ok(match message.value()? {
        Value::String(alloc::borrow::Cow::Borrowed(text)) => PolicySource::Json(text),
        value => PolicySource::Value(value),
    })
}

/// The keyring; takes down the ids of its secrets.
fn keyring(message: &mut Reader<'_>, ids: &mut Vec<Box<str>>) -> Result<Keyring, Refused> {
    let count = message.count()?;
    if count == ALONE {
        ids.push("default".into());
        return Ok(Secret::new(message.bytes()?)?.into());
    }
    let mut held = Vec::new();
    for _ in 0..count {
        let id = text(&message.value()?, "the id of a secret is a string")?;
        if !ids.iter().any(|known| **known == *id) {
            ids.push(id.as_str().into());
        }
        held.push(HeldSecret {
            id,
            from_epoch: seconds(&message.value()?),
            tenant: match message.value()? {
                Value::Null => None,
                tenant => Some(text(&tenant, "the tenant of a secret is a string")?),
            },
            secret: Zeroizing::new(message.bytes()?.to_vec()),
        });
    }
    boundary::keyring(held)
}

fn text(value: &Value<'_>, message: &'static str) -> Result<String, Refused> {
    match value {
        Value::String(text) => Ok(String::from(&**text)),
        _ => Err(Refused::new(Code::KeyringInvalid).because(message)),
    }
}

fn seconds(value: &Value<'_>) -> Option<u64> {
    match value {
        Value::Number(number) => boundary::seconds(number.as_f64()),
        _ => None,
    }
}

/// What the glue itself refuses: a code, a field or null, and a message of its own or null.
pub(super) fn refusal(message: &[u8]) -> Refused {
    read_refusal(message).unwrap_or_else(Refused::from)
}

fn read_refusal(message: &[u8]) -> Result<Refused, Garbled> {
    let mut message = Reader::new(message, &[]);
    let code = message.text()?.ok_or(Garbled)?;
    let code = Code::ALL.iter().find(|known| known.as_str() == code).ok_or(Garbled)?;
    let mut refused = Refused::new(*code);
    if let Value::String(field) = message.value()? {
        refused = refused.at(&field);
    }
    if let Value::String(own) = message.value()? {
        refused.message = own.into_owned();
    }
    Ok(refused)
}
