//! `phone`: an international telephone number.
//!
//! Source: ITU-T E.164 (at most 15 digits, a country code that does not begin with 0).

use super::{Canonical, Input, digits_without};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// A telephone number in E.164 form: `+` and 7 to 15 digits, the first not 0. U+0020 `.` `-`
/// `(` `)` are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Phone;

impl Canonical for Phone {
    const NAME: &'static str = "phone";

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Phone)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        e164(input.text, out)
    }
}

/// Appends the E.164 form of a telephone number.
pub(super) fn e164(text: &str, out: &mut Buffer) -> Result<(), Code> {
    // A separator may stand before the plus, as in `(+55) 11 …`.
    let number = text.trim_start_matches([' ', '.', '-', '(', ')']);
    let number = number.strip_prefix('+').ok_or(Code::ValueMalformed)?;
    out.push_byte(b'+');
    let start = out.len();
    digits_without(number, b" .-()", out)?;
    let digits = out.tail(start);
    if !(7..=15).contains(&digits.len()) || digits.first() == Some(&b'0') {
        return Err(Code::ValueMalformed);
    }
    Ok(())
}
