//! `text`: free text, compared as people read it.
//!
//! Source: The Unicode Standard, section 3.13, D145 (canonical caseless match); UAX #15
//! (normalization); CaseFolding.txt, statuses C and F (full case folding).

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{Canonical, Emptiness, Input, parameter};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;
use crate::unicode;

/// Free text. Two texts have the same canonical form exactly if they are a canonical caseless
/// match (Unicode, D145), white space at both ends aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Text {
    /// The order of normalization and folding.
    pub form: Form,
    /// Whether case is folded.
    pub case: Case,
    /// What happens to white space.
    pub space: Space,
}

/// The order of normalization and folding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// NFC(fold(NFD(x))): a fixed point.
    Canonical,
    /// fold(trim(NFC(x))): the form of existing Python producers, byte for byte. Not a fixed
    /// point: canonically equivalent texts can fold to different bytes.
    NfcFirst,
}

/// Whether case is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Case {
    /// Full default case folding, never a locale's and never lower-casing.
    Fold,
    /// Case matters.
    Keep,
}

/// What happens to white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Space {
    /// Removed at both ends.
    Trim,
    /// Trimmed, and each run of white space becomes one U+0020.
    Collapse,
    /// Kept.
    Keep,
}

const FORMS: &[(&str, Form)] = &[("canonical", Form::Canonical), ("nfc_first", Form::NfcFirst)];

pub(super) const CASES: &[(&str, Case)] = &[("fold", Case::Fold), ("keep", Case::Keep)];

const SPACES: &[(&str, Space)] =
    &[("trim", Space::Trim), ("collapse", Space::Collapse), ("keep", Space::Keep)];

impl Canonical for Text {
    const NAME: &'static str = "text";
    const MAY_NEED_ESCAPES: bool = true;
    const EMPTINESS: Emptiness = Emptiness::Meaningful;
    // Trimmed after normalization: see `canonical`.
    const TRIMS: bool = false;

    fn read(parameters: &mut Table<'_>) -> Result<Self, Refusal> {
        Ok(Text {
            form: parameters.word("form", FORMS)?.unwrap_or(Form::Canonical),
            case: parameters.word("case", CASES)?.unwrap_or(Case::Fold),
            space: parameters.word("space", SPACES)?.unwrap_or(Space::Trim),
        })
    }

    fn parameters(&self) -> Vec<String> {
        vec![
            parameter("case", CASES, &self.case),
            parameter("form", FORMS, &self.form),
            parameter("space", SPACES, &self.space),
        ]
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        // Trimming first gives what trimming last gives: no character becomes white space or
        // stops being it by normalization or folding, and white space composes with nothing.
        let text = if self.space == Space::Keep { input.text } else { unicode::trim(input.text) };
        let start = out.len();
        match (self.form, self.case) {
            (Form::Canonical, Case::Fold) => unicode::fold_canonical(text, out),
            (_, Case::Keep) => unicode::nfc(text, out),
            (Form::NfcFirst, Case::Fold) => {
                let mut normalized = Buffer::with_capacity(text.len());
                unicode::nfc(text, &mut normalized);
                unicode::fold(normalized.text(0), out);
            }
        }
        if self.space == Space::Collapse {
            collapse_from(start, out);
        }
        Ok(())
    }
}

/// Collapses white space in what was appended from `start` on.
fn collapse_from(start: usize, out: &mut Buffer) {
    if !unicode::is_collapsed(out.tail(start)) {
        let appended = out.split_off(start);
        unicode::collapse(&appended, out);
    }
}
