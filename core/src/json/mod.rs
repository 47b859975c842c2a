//! A reader of JSON text (RFC 8259) that sees what derivation must see.
//!
//! It is our own because no well-kept crate shows all that is needed here at once: duplicate
//! names, lone surrogates as such, limits that hold outside ignored paths only, and subtrees
//! that are checked for well-formedness and otherwise not looked at, at any depth and in
//! constant stack. Its bytes depend on no feature of another crate.

mod cursor;
mod document;
mod limits;
mod skip;
mod string;

pub(crate) use cursor::Cursor;
pub(crate) use document::{for_each_member, read_value};
pub(crate) use limits::{LEVELS, Meter};
pub(crate) use skip::skip_value;
pub(crate) use string::read_unicode;

use crate::error::{Code, Refusal};
use crate::policy::Place;
use crate::value::Value;

/// The most bytes of JSON text that are read (4 MiB).
pub(crate) const TEXT_BYTES: usize = 4 << 20;

/// Refuses text that is larger than any that is read.
pub(crate) fn check_size(text: &str) -> Result<(), Refusal> {
    if text.len() > TEXT_BYTES {
        return Err(Refusal::new(Code::PayloadTooLarge));
    }
    Ok(())
}

/// Reads one JSON value that is the whole text, every part of it looked at.
pub(crate) fn read_document(text: &str) -> Result<Value<'_>, Refusal> {
    read_payload(text, Place::UNDECLARED)
}

/// Reads one JSON value that is the whole text, at a place of a policy.
pub(crate) fn read_payload<'a>(text: &'a str, place: Place<'_>) -> Result<Value<'a>, Refusal> {
    check_size(text)?;
    let mut cursor = Cursor::new(text);
    let read = read_value(&mut cursor, place, 1, &mut Meter::default())
        .and_then(|value| cursor.finish().map(|()| value));
    read.map_err(Refusal::new)
}
