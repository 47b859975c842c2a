//! Strings of JSON text: borrowed where nothing is escaped, lone surrogates seen as such.

use alloc::borrow::Cow;
use alloc::string::String;

use super::cursor::Cursor;
use crate::error::Code;
use crate::swar;

/// Reads a string; the cursor stands at its opening quote. `None` where an escape stands for a
/// surrogate without its other half (RFC 8259, section 8.2): that is no Unicode text.
#[inline]
pub(crate) fn read_unicode<'a>(cursor: &mut Cursor<'a>) -> Result<Option<Cow<'a, str>>, Code> {
    match cursor.plain_string() {
        Some(text) => Ok(Some(Cow::Borrowed(text))),
        None => decode(cursor),
    }
}

#[cold]
fn decode<'a>(cursor: &mut Cursor<'a>) -> Result<Option<Cow<'a, str>>, Code> {
    cursor.advance(1);
    let mut decoded = String::new();
    let mut lone = false;
    loop {
        match cursor.peek() {
            Some(b'"') => {
                cursor.advance(1);
                return Ok((!lone).then_some(Cow::Owned(decoded)));
            }
            Some(b'\\') => match escape(cursor)? {
                Some(character) => decoded.push(character),
                None => lone = true,
            },
            _ => {
                let start = cursor.position();
                plain_run(cursor)?;
                decoded.push_str(cursor.between(start, cursor.position()));
            }
        }
    }
}

/// Passes over a string without keeping it; the cursor stands at its opening quote.
pub(crate) fn skip_string(cursor: &mut Cursor<'_>) -> Result<(), Code> {
    cursor.advance(1);
    loop {
        plain_run(cursor)?;
        if cursor.peek() == Some(b'"') {
            cursor.advance(1);
            return Ok(());
        }
        escape(cursor)?;
    }
}

/// Passes over characters up to the next quote or backslash; refuses controls and the end.
#[inline]
fn plain_run(cursor: &mut Cursor<'_>) -> Result<(), Code> {
    let rest = cursor.rest();
    match swar::find_special(rest) {
        Some(length) if rest.get(length).is_some_and(|&byte| byte >= 0x20) => {
            cursor.advance(length);
            Ok(())
        }
        _ => Err(Code::JsonMalformed),
    }
}

/// Reads one escape, a surrogate pair as one; `None` is a lone surrogate.
fn escape(cursor: &mut Cursor<'_>) -> Result<Option<char>, Code> {
    let letter = cursor.rest().get(1).copied();
    cursor.advance(2);
    Ok(Some(match letter {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(cursor),
        _ => return Err(Code::JsonMalformed),
    }))
}

/// Reads the digits of `\u`, and the second escape of a pair where one follows.
fn unicode_escape(cursor: &mut Cursor<'_>) -> Result<Option<char>, Code> {
    let unit = four_digits(cursor)?;
    if !(0xd800..0xdc00).contains(&unit) {
        return Ok(char::from_u32(unit));
    }
    if !cursor.rest().starts_with(b"\\u") {
        return Ok(None);
    }
    let mut ahead = cursor.clone();
    ahead.advance(2);
    let low = four_digits(&mut ahead)?;
    if !(0xdc00..0xe000).contains(&low) {
        return Ok(None);
    }
    *cursor = ahead;
    Ok(char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00)))
}

fn four_digits(cursor: &mut Cursor<'_>) -> Result<u32, Code> {
    let digits = cursor.rest().get(..4).ok_or(Code::JsonMalformed)?;
    let mut unit = 0;
    for &digit in digits {
        let value = char::from(digit).to_digit(16).ok_or(Code::JsonMalformed)?;
        unit = unit << 4 | value;
    }
    cursor.advance(4);
    Ok(unit)
}
