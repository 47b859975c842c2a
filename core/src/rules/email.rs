//! `email`: an e-mail address.
//!
//! Source: RFC 5321, section 2.4 (the domain ignores case; nearly every host's local part does),
//! RFC 6532 (addresses in UTF-8, normalized to NFC), RFC 5321 with erratum 1690 (254 octets; we
//! count code points, so that no accepted address depends on its encoding).

use alloc::string::String;

use super::{Canonical, Input};
use crate::error::{Code, Refusal};
use crate::policy::Table;
use crate::unicode;

/// The most code points in an address.
const LONGEST: usize = 254;

/// An e-mail address: NFC, A to Z lowered and nothing else folded, NFC again. Folding more would
/// merge different people: `ß` and `ss` are different mailboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Email;

impl Canonical for Email {
    const NAME: &'static str = "email";

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Email)
    }

    fn canonical(&self, input: Input<'_>, out: &mut String) -> Result<(), Code> {
        let start = out.len();
        if input.text.is_ascii() {
            out.extend(input.text.chars().map(|character| character.to_ascii_lowercase()));
        } else {
            let mut lowered = String::with_capacity(input.text.len());
            unicode::nfc(input.text, &mut lowered);
            lowered.make_ascii_lowercase();
            unicode::nfc(&lowered, out);
        }
        match out.get(start..) {
            Some(address) if is_address(address) => Ok(()),
            _ => Err(Code::ValueMalformed),
        }
    }
}

/// One `@`, both sides non-empty, no white space, no controls, at most 254 code points.
pub(super) fn is_address(address: &str) -> bool {
    let Some((local, domain)) = address.split_once('@') else { return false };
    !local.is_empty()
        && !domain.is_empty()
        && !domain.contains('@')
        && address.chars().count() <= LONGEST
        && !address.chars().any(|character| character.is_control() || unicode::is_white_space(character))
}
