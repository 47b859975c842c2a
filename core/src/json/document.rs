//! From JSON text to a [`Value`], guided by the places of a policy.

use alloc::vec::Vec;

use super::cursor::Cursor;
use super::limits::Meter;
use super::skip::skip_value;
use super::string::read_unicode;
use crate::error::Code;
use crate::policy::Place;
use crate::value::{Name, Number, Value};

/// Reads one value at a place of a policy.
///
/// What lies at an ignored place becomes `Null`: it is passed over, only its form is judged.
/// `level` is the level that an object or list here would have.
pub(crate) fn read_value<'a>(
    cursor: &mut Cursor<'a>,
    place: Place<'_>,
    level: usize,
    meter: &mut Meter,
) -> Result<Value<'a>, Code> {
    if place.is_ignored() {
        skip_value(cursor)?;
        return Ok(Value::Null);
    }
    meter.value()?;
    Ok(match cursor.next_token() {
        Some(b'"') => match read_unicode(cursor)? {
            Some(text) => {
                meter.text(text.len())?;
                Value::String(text)
            }
            None => Value::NotUnicode,
        },
        Some(b'{') => Value::Object(read_members(cursor, place, level, meter)?),
        Some(b'[') => Value::List(read_elements(cursor, place, level, meter)?),
        Some(b't') => cursor.word("true").map(|()| Value::Boolean(true))?,
        Some(b'f') => cursor.word("false").map(|()| Value::Boolean(false))?,
        Some(b'n') => cursor.word("null").map(|()| Value::Null)?,
        Some(b'-' | b'0'..=b'9') => Value::Number(Number::from_literal(cursor.number()?)),
        _ => return Err(Code::JsonMalformed),
    })
}

fn read_members<'a>(
    cursor: &mut Cursor<'a>,
    place: Place<'_>,
    level: usize,
    meter: &mut Meter,
) -> Result<Vec<(Name<'a>, Value<'a>)>, Code> {
    Meter::level(level)?;
    // Most objects have a handful of members: one allocation for them, not three.
    let mut members = Vec::with_capacity(8);
    for_each_member(cursor, |cursor, name| {
        let inner = match &name {
            Name::Unicode(name) => {
                meter.text(name.len())?;
                place.member(name)
            }
            Name::NotUnicode => Place::UNDECLARED,
        };
        let value = read_value(cursor, inner, level + 1, meter)?;
        members.push((name, value));
        Ok(())
    })?;
    Ok(members)
}

/// Calls `read` for each member of an object, at its value; the cursor stands at the `{`.
pub(crate) fn for_each_member<'a>(
    cursor: &mut Cursor<'a>,
    mut read: impl FnMut(&mut Cursor<'a>, Name<'a>) -> Result<(), Code>,
) -> Result<(), Code> {
    cursor.advance(1);
    if cursor.take(b'}') {
        return Ok(());
    }
    loop {
        let name = read_name(cursor)?;
        read(cursor, name)?;
        if !cursor.another(b'}')? {
            return Ok(());
        }
    }
}

/// Reads a name and the colon after it.
#[inline]
fn read_name<'a>(cursor: &mut Cursor<'a>) -> Result<Name<'a>, Code> {
    if cursor.next_token() != Some(b'"') {
        return Err(Code::JsonMalformed);
    }
    let name = read_unicode(cursor)?.map_or(Name::NotUnicode, Name::Unicode);
    cursor.expect(b':')?;
    Ok(name)
}

fn read_elements<'a>(
    cursor: &mut Cursor<'a>,
    place: Place<'_>,
    level: usize,
    meter: &mut Meter,
) -> Result<Vec<Value<'a>>, Code> {
    Meter::level(level)?;
    cursor.advance(1);
    let mut elements = Vec::new();
    if cursor.take(b']') {
        return Ok(elements);
    }
    loop {
        elements.push(read_value(cursor, place.element(), level + 1, meter)?);
        if !cursor.another(b']')? {
            return Ok(elements);
        }
    }
}
