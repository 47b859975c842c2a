//! White space, case folding and normalization of text, pinned to one Unicode version.
//!
//! Everything here is a total function from text to text, and its bytes end up in keys: a change
//! of one byte of any result is `KEY-BREAKING`.
//!
//! - The data come from `icu_normalizer` and `icu_casemap`, one generation of tables.
//!   `unicode-normalization`, a second implementation of the same version, is about twice as large
//!   in Wasm and checks them in the tests.
//! - **Pinned.** A code point unassigned (General_Category Cn) in [`UNICODE_VERSION`] is inert: it
//!   folds to itself, has combining class 0 and never composes. Newer tables give it properties,
//!   but never see it: [`pinned`] cuts the text there. What Unicode promises never to change covers
//!   the rest (the normalization and case folding stability policies).
//! - **Fast where payments are.** Text below U+0180 folds by [`latin`], text below U+0300 is in NFC
//!   as it is, both with the usual punctuation; neither asks the tables. Of other text only the
//!   part from the last such character on is handed to them.

mod icu;
mod latin;
mod pinned;
mod unassigned;
mod white_space;

#[cfg(test)]
mod tests;

use crate::buffer::Buffer;

use self::icu::Icu;
pub(crate) use self::white_space::{collapse, is_collapsed, is_white_space, trim};

/// The version of Unicode that every rule on text follows, whatever the version of the tables that
/// this was built with.
///
/// Code points that it leaves unassigned are kept as they are; see the Unicode Standard 18.0,
/// chapters 3.11 (normalization) and 3.13 (case folding).
pub const UNICODE_VERSION: &str = "18.0";

/// Appends NFC(`text`): Normalization Form C of UAX #15.
pub(crate) fn nfc(text: &str, out: &mut Buffer) {
    let (done, rest) = latin::split_composed(text);
    out.push_str(done);
    pinned::nfc(&Icu, rest, out);
}

/// Appends fold(`text`): toCasefold, the full default case folding of section 3.13, rule R4 (the
/// mappings C and F of `CaseFolding.txt`, never T).
pub(crate) fn fold(text: &str, out: &mut Buffer) {
    let (latin, rest) = latin::split_latin(text);
    latin::fold(latin, out);
    pinned::fold(&Icu, rest, out);
}

/// Appends NFC(fold(NFD(`text`))): equal for two texts exactly if they are canonical caseless
/// matches by definition D145 of section 3.13.
///
/// It is a fixed point: given its own result it changes nothing.
pub(crate) fn fold_canonical(text: &str, out: &mut Buffer) {
    if text.is_ascii() {
        return out.push_lowercase(text);
    }
    let (latin, rest) = latin::split_before_last_latin(text);
    latin::fold(latin, out);
    pinned::fold_canonical(&Icu, rest, out);
}
