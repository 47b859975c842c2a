//! Passing over a value that nobody looks at: well-formed, at any depth, in constant stack.

use alloc::vec::Vec;

use super::cursor::Cursor;
use super::string::skip_string;
use crate::error::Code;

/// Passes over one value. The open objects and lists are kept as one bit each, so that four
/// million brackets cost half a megabyte and no stack.
pub(crate) fn skip_value(cursor: &mut Cursor<'_>) -> Result<(), Code> {
    let mut open = Nesting::default();
    loop {
        let opened = match cursor.next_token() {
            Some(b'{') => {
                cursor.advance(1);
                if cursor.take(b'}') {
                    false
                } else {
                    open.push(true);
                    skip_name(cursor)?;
                    true
                }
            }
            Some(b'[') => {
                cursor.advance(1);
                if cursor.take(b']') {
                    false
                } else {
                    open.push(false);
                    true
                }
            }
            _ => {
                skip_scalar(cursor)?;
                false
            }
        };
        if !opened && !next_element(cursor, &mut open)? {
            return Ok(());
        }
    }
}

/// After a value: closes what ends here; false once the outermost value is over.
fn next_element(cursor: &mut Cursor<'_>, open: &mut Nesting) -> Result<bool, Code> {
    while let Some(is_object) = open.last() {
        if !cursor.another(if is_object { b'}' } else { b']' })? {
            open.pop();
            continue;
        }
        if is_object {
            skip_name(cursor)?;
        }
        return Ok(true);
    }
    Ok(false)
}

fn skip_name(cursor: &mut Cursor<'_>) -> Result<(), Code> {
    if cursor.next_token() != Some(b'"') {
        return Err(Code::JsonMalformed);
    }
    skip_string(cursor)?;
    cursor.expect(b':')
}

fn skip_scalar(cursor: &mut Cursor<'_>) -> Result<(), Code> {
    match cursor.next_token() {
        Some(b'"') => skip_string(cursor),
        Some(b't') => cursor.word("true"),
        Some(b'f') => cursor.word("false"),
        Some(b'n') => cursor.word("null"),
        Some(b'-' | b'0'..=b'9') => cursor.number().map(drop),
        _ => Err(Code::JsonMalformed),
    }
}

/// A stack of bits: true for an object, false for a list.
#[derive(Default)]
struct Nesting {
    bits: Vec<u64>,
    depth: usize,
}

impl Nesting {
    fn push(&mut self, is_object: bool) {
        if self.depth.is_multiple_of(64) {
            self.bits.push(0);
        }
        if let Some(word) = self.bits.last_mut() {
            *word = *word << 1 | u64::from(is_object);
        }
        self.depth += 1;
    }

    fn last(&self) -> Option<bool> {
        self.bits.last().map(|word| word & 1 == 1)
    }

    fn pop(&mut self) {
        self.depth -= 1;
        if self.depth.is_multiple_of(64) {
            self.bits.pop();
        } else if let Some(word) = self.bits.last_mut() {
            *word >>= 1;
        }
    }
}
