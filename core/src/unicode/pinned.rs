//! The guard that keeps newer tables from changing keys: they only ever see code points that are
//! assigned in [`UNICODE_VERSION`](super::UNICODE_VERSION).
//!
//! Cutting the text at the unassigned code points and treating the parts one by one is exact, not
//! an approximation: such a code point has combining class 0, so no mark moves past it; it has no
//! decomposition; it composes with nothing, and as a starter it blocks composition across it
//! (definition D115 of the Unicode Standard, section 3.11). Folding looks at one code point at a
//! time.

use super::unassigned::is_unassigned;
use crate::buffer::Buffer;

/// The Unicode algorithms over some version of the data, which may be newer than the pinned one.
///
/// A seam for the tests, which put doctored newer tables here.
pub(super) trait Tables {
    /// Appends NFC(`text`).
    fn nfc(&self, text: &str, out: &mut Buffer);

    /// Appends fold(`text`): full default case folding.
    fn fold(&self, text: &str, out: &mut Buffer);

    /// Appends NFC(fold(NFD(`text`))).
    fn fold_canonical(&self, text: &str, out: &mut Buffer);
}

/// Appends NFC(`text`).
pub(super) fn nfc(tables: &impl Tables, text: &str, out: &mut Buffer) {
    by_segment(text, out, |segment, out| tables.nfc(segment, out));
}

/// Appends fold(`text`).
pub(super) fn fold(tables: &impl Tables, text: &str, out: &mut Buffer) {
    by_segment(text, out, |segment, out| tables.fold(segment, out));
}

/// Appends NFC(fold(NFD(`text`))).
pub(super) fn fold_canonical(tables: &impl Tables, text: &str, out: &mut Buffer) {
    by_segment(text, out, |segment, out| tables.fold_canonical(segment, out));
}

/// Appends `convert` of each longest part of `text` that is assigned throughout, and the unassigned
/// parts between them as they are.
fn by_segment(text: &str, out: &mut Buffer, convert: impl Fn(&str, &mut Buffer)) {
    let mut rest = text;
    while !rest.is_empty() {
        let (assigned, tail) = split_where(rest, is_unassigned);
        if !assigned.is_empty() {
            convert(assigned, out);
        }
        let (inert, next) = split_where(tail, |c| !is_unassigned(c));
        out.push_str(inert);
        rest = next;
    }
}

/// Cuts `text` before the first code point for which `ends` holds.
fn split_where(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(ends);
    end.and_then(|end| text.split_at_checked(end)).unwrap_or((text, ""))
}
