//! `uuid`: a universally unique identifier.
//!
//! Source: RFC 9562, section 4 (the text form).

use super::{Canonical, Input};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// Where hyphens stand among the 36 characters.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

/// A UUID of any version: lower-case and hyphenated, from the hyphenated form or 32 plain
/// hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uuid;

impl Canonical for Uuid {
    const NAME: &'static str = "uuid";

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Uuid)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        if is_hyphenated(input.text) {
            out.push_lowercase(input.text);
            return Ok(());
        }
        if input.text.len() != 32 || !input.text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Code::ValueMalformed);
        }
        for (index, digit) in input.text.bytes().enumerate() {
            if matches!(index, 8 | 12 | 16 | 20) {
                out.push_byte(b'-');
            }
            out.push_byte(digit.to_ascii_lowercase());
        }
        Ok(())
    }
}

/// Whether the text is 8-4-4-4-12 hexadecimal digits.
pub(super) fn is_hyphenated(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| {
            if HYPHENS.contains(&index) { byte == b'-' } else { byte.is_ascii_hexdigit() }
        })
}
