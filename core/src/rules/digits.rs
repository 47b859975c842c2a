//! `digits`: a number of digits that people write with separators.

use super::{Canonical, Input, digits_without};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// ASCII digits; U+0020 `.` `-` `/` `(` `)` are dropped, anything else is refused. Leading
/// zeros matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Digits;

impl Canonical for Digits {
    const NAME: &'static str = "digits";

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Digits)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        digits_without(input.text, b" .-/()", out)
    }
}
