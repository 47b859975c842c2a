//! `email`: an e-mail address.
//!
//! Source: RFC 5321, section 2.4 (the domain ignores case; nearly every host's local part does),
//! RFC 6532 (addresses in UTF-8, normalized to NFC), RFC 5321 with erratum 1690 (254 octets; we
//! count code points, so that no accepted address depends on its encoding).

use super::{Canonical, Input};
use crate::buffer::Buffer;
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
    const MAY_NEED_ESCAPES: bool = true;

    fn read(_: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Email)
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        address(input.text, out)
    }
}

/// Appends the canonical form of an address.
pub(super) fn address(text: &str, out: &mut Buffer) -> Result<(), Code> {
    let start = out.len();
    if text.is_ascii() {
        out.push_lowercase(text);
    } else {
        let mut lowered = Buffer::with_capacity(text.len());
        unicode::nfc(text, &mut lowered);
        lowered.make_ascii_lowercase(0);
        unicode::nfc(lowered.text(0), out);
    }
    if is_address(out.text(start)) { Ok(()) } else { Err(Code::ValueMalformed) }
}

/// One `@`, both sides non-empty, no white space, no controls, at most 254 code points.
fn is_address(address: &str) -> bool {
    let Some((local, domain)) = address.split_once('@') else { return false };
    !local.is_empty()
        && !domain.is_empty()
        && !domain.contains('@')
        && address.chars().nth(LONGEST).is_none()
        && !address.chars().any(|character| character.is_control() || unicode::is_white_space(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> Option<alloc::string::String> {
        let mut out = Buffer::default();
        address(text, &mut out).ok().map(|()| out.into_string())
    }

    #[test]
    fn only_ascii_letters_are_lowered() {
        for (text, expected) in [
            ("Ana.Silva@Example.COM", "ana.silva@example.com"),
            ("STRA\u{df}E@X.ORG", "stra\u{df}e@x.org"),
            ("JOS\u{c9}@x.org", "jos\u{c9}@x.org"),
            ("Jose\u{301}@x.org", "jos\u{e9}@x.org"),
            ("\u{212a}@x.org", "k@x.org"),
            ("H\u{331}@x.org", "\u{1e96}@x.org"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in
            ["", "@", "a@", "@b", "a", "a@b@c", "a b@c", "a\u{a0}b@c", "a\u{85}@b", "a\u{81}@b", "a\u{7f}@b"]
        {
            assert_eq!(canonical(text), None, "{text:?}");
        }
        let longest = alloc::format!("{}@b", "\u{e9}".repeat(252));
        assert!(canonical(&longest).is_some());
        assert_eq!(canonical(&alloc::format!("a{longest}")), None);
    }
}
