//! White space, case folding and normalization of text, pinned to one Unicode version.
//!
//! Everything here is a total function from text to text, and its bytes end up in keys: a change
//! of one byte of any result is `KEY-BREAKING`.
//!
//! - **Pinned.** The tables are our own, generated once from the data of [`UNICODE_VERSION`]
//!   (`tables.rs`). A code point that is unassigned there (General_Category Cn) has nothing in
//!   them: it folds to itself, has combining class 0 and never composes. No upgrade of a crate
//!   changes that. What Unicode promises never to change covers the rest (the normalization and
//!   case folding stability policies).
//! - **Small.** The tables have 20 kilobytes, and 8 in brotli.
//! - **Checked**, in the tests, against `icu_normalizer` and `icu_casemap`, and against
//!   `unicode-normalization`, two independent implementations of the same version.
//! - **Fast where payments are.** Text below U+0180 folds by [`latin`], text below U+0300 is in NFC
//!   as it is, both with the usual punctuation; neither asks the tables. Other text is passed
//!   through by [`normalize()`] as long as each code point stays what it is or folds to one other.

mod decomposition;
mod folding;
mod latin;
mod normalize;
mod property;
#[rustfmt::skip]
mod tables;
mod white_space;

#[cfg(test)]
mod tests;

use crate::buffer::Buffer;

use self::normalize::{Form, normalize};
pub(crate) use self::white_space::{collapse, is_collapsed, is_white_space, trim};

/// The version of Unicode that every rule on text follows.
///
/// Code points that it leaves unassigned are kept as they are; see the Unicode Standard 18.0,
/// chapters 3.11 (normalization) and 3.13 (case folding).
pub const UNICODE_VERSION: &str = "18.0";

/// Appends NFC(`text`): Normalization Form C of UAX #15.
pub(crate) fn nfc(text: &str, out: &mut Buffer) {
    let (done, rest) = latin::split_composed(text);
    out.push_str(done);
    normalize(Form::Composed, rest, out);
}

/// Appends fold(`text`): toCasefold, the full default case folding of section 3.13, rule R4 (the
/// mappings C and F of `CaseFolding.txt`, never T).
pub(crate) fn fold(text: &str, out: &mut Buffer) {
    let (latin, rest) = latin::split_latin(text);
    latin::fold(latin, out);
    for c in rest.chars() {
        folding::each_folded(c, &mut |c| out.push(c));
    }
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
    normalize(Form::Folded, rest, out);
}
