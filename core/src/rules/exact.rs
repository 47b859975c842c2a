//! `exact`: the string as it is.

use super::{Canonical, Emptiness, Input};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// The string as it is: nothing is trimmed, folded or normalized. For identifiers that another
/// system issues and compares byte by byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exact;

impl Canonical for Exact {
    const NAME: &'static str = "exact";
    const MAY_NEED_ESCAPES: bool = true;
    const EMPTINESS: Emptiness = Emptiness::Meaningful;
    const TRIMS: bool = false;

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Exact)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        out.push_str(input.text);
        Ok(())
    }
}
