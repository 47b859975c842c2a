//! `currency`: a currency code.
//!
//! Source: ISO 4217, list one; the date of the list is [`ISO_4217_DATE`].

mod table;

pub use table::ISO_4217_DATE;
pub(super) use table::MinorUnits;

use alloc::string::String;

use super::{Canonical, Input};
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

    fn canonical(&self, input: Input<'_>, out: &mut String) -> Result<(), Code> {
        let code = upper_case(input.text).ok_or(Code::CurrencyUnknown)?;
        table::minor_units(code).ok_or(Code::CurrencyUnknown)?;
        out.extend(code.map(char::from));
        Ok(())
    }
}

/// The number of decimal places of a canonical currency code, where it has a minor unit.
pub(crate) fn minor_units(canonical: &str) -> Option<u8> {
    match table::minor_units(upper_case(canonical)?)? {
        MinorUnits::Digits(digits) => Some(digits),
        MinorUnits::NotApplicable => None,
    }
}

/// Three ASCII letters, in upper case.
fn upper_case(text: &str) -> Option<[u8; 3]> {
    let letters: [u8; 3] = text.as_bytes().try_into().ok()?;
    letters.iter().all(u8::is_ascii_alphabetic).then(|| letters.map(|letter| letter.to_ascii_uppercase()))
}
