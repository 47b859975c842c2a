//! `boolean`: true or false.

use super::{Canonical, Emptiness, Input, Takes};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// A JSON boolean; its canonical form is the JSON boolean too. The strings `"true"` and
/// `"false"` are not booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Boolean;

impl Canonical for Boolean {
    const NAME: &'static str = "boolean";
    const TAKES: Takes = Takes::Booleans;
    const EMPTINESS: Emptiness = Emptiness::None;
    const TRIMS: bool = false;

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Boolean)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        out.push_str(input.text);
        Ok(())
    }
}
