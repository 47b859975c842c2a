//! `integer`: a whole number.

use super::decimal::{Rounding, round};
use super::{Canonical, Input, Takes};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// A whole number of at most 28 digits: [`Decimal`](super::Decimal) with scale 0 and rounding
/// refused. `4.0` and `40e-1` are 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Integer;

impl Canonical for Integer {
    const NAME: &'static str = "integer";
    const TAKES: Takes = Takes::Numbers;

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Integer)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        round(input.text, 0, Rounding::Refuse, out)
    }
}
