//! `identifier`: an identifier of existing producers, masks dropped.

use super::{Canonical, Input};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;
use crate::unicode;

/// For existing producers: a value of ASCII digits and `.` `-` `/` alone becomes its digits,
/// anything else is folded as [`Text`](super::Text) is. It merges `2024-1-12` with `2024-11-2`;
/// a new policy says [`Digits`](super::Digits), [`Exact`](super::Exact) or
/// [`PixKey`](super::PixKey).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identifier;

impl Canonical for Identifier {
    const NAME: &'static str = "identifier";
    const MAY_NEED_ESCAPES: bool = true;

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Identifier)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        let masked = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'/');
        if input.text.bytes().all(masked) {
            input.text.bytes().filter(u8::is_ascii_digit).for_each(|digit| out.push_byte(digit));
        } else {
            unicode::fold_canonical(input.text, out);
        }
        Ok(())
    }
}
