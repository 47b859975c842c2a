//! `exact`: the string as it is.

use alloc::string::String;

use super::{Canonical, Emptiness, Input};
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// The string as it is: nothing is trimmed, folded or normalized. For identifiers that another
/// system issues and compares byte by byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exact;

impl Canonical for Exact {
    const NAME: &'static str = "exact";
    const EMPTINESS: Emptiness = Emptiness::Meaningful;
    const TRIMS: bool = false;

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Exact)
    }

    fn canonical(&self, input: Input<'_>, out: &mut String) -> Result<(), Code> {
        out.push_str(input.text);
        Ok(())
    }
}
