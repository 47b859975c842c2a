//! `currency`: a currency code.
//!
//! Source: ISO 4217, list one; the date of the list is [`ISO_4217_DATE`].

mod table;

pub use table::ISO_4217_DATE;
pub(super) use table::MinorUnits;

use super::{Canonical, Input};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;

/// An alphabetic currency code of ISO 4217, in upper case. Codes are added to the list, never
/// removed: an intent in a currency that was withdrawn keeps its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Currency;

impl Canonical for Currency {
    const NAME: &'static str = "currency";

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Currency)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        let (code, _) = look_up(input.text)?;
        out.push_ascii(&code);
        Ok(())
    }
}

/// The number of decimal places of a currency, from a code of either case.
pub(crate) fn minor_unit(text: &str) -> Result<u8, Code> {
    match look_up(text)?.1 {
        MinorUnits::Digits(digits) => Ok(digits),
        MinorUnits::NotApplicable => Err(Code::CurrencyUnknown),
    }
}

/// The code in upper case, and its minor unit.
fn look_up(text: &str) -> Result<([u8; 3], MinorUnits), Code> {
    let letters: [u8; 3] = text.as_bytes().try_into().map_err(|_| Code::CurrencyUnknown)?;
    let code = letters.map(|letter| letter.to_ascii_uppercase());
    Ok((code, table::minor_units(code).ok_or(Code::CurrencyUnknown)?))
}
