//! The tables of ICU4X, as built into this crate.

use icu_casemap::CaseMapperBorrowed;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

use super::pinned::Tables;
use crate::buffer::Buffer;

const NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();
const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
const CASE: CaseMapperBorrowed<'static> = CaseMapperBorrowed::new();

/// The compiled data of `icu_normalizer` and `icu_casemap`, of their Unicode version.
pub(super) struct Icu;

impl Tables for Icu {
    fn nfc(&self, text: &str, out: &mut Buffer) {
        // Writing to a string cannot fail.
        let _ = NFC.normalize_to(text, out);
    }

    fn fold(&self, text: &str, out: &mut Buffer) {
        for c in text.chars() {
            if may_fold_to_many(c) {
                out.push_str(&CASE.fold_string(c.encode_utf8(&mut [0; 4])));
            } else {
                out.push(CASE.simple_fold(c));
            }
        }
    }

    fn fold_canonical(&self, text: &str, out: &mut Buffer) {
        let mut folded = Buffer::with_capacity(text.len());
        if text.contains(is_decomposed_before_folding) {
            self.fold(&NFD.normalize(text), &mut folded);
        } else {
            self.fold(text, &mut folded);
        }
        self.nfc(folded.text(0), out);
    }
}

/// Tells whether the folding of `c` may be more than one code point: where the mappings of status F
/// in `CaseFolding.txt` are. For all else full folding is simple folding, which `icu_casemap` does
/// faster.
const fn may_fold_to_many(c: char) -> bool {
    matches!(
        c,
        '\u{DF}'
            | '\u{130}'
            | '\u{149}'
            | '\u{1F0}'
            | '\u{390}'
            | '\u{3B0}'
            | '\u{587}'
            | '\u{1E96}'..='\u{1E9E}'
            | '\u{1F50}'..='\u{1FFF}'
            | '\u{FB00}'..='\u{FB17}'
            | '\u{1DF95}'
    )
}

/// Tells whether it matters that `c` is decomposed before it is folded.
///
/// Only for COMBINING GREEK YPOGEGRAMMENI, a mark that folds to a letter, and for what decomposes
/// to it (Unicode Standard, section 3.13, after D145): marks would be reordered across it. The rest
/// of the range is harmless. A test asks all scalar values.
const fn is_decomposed_before_folding(c: char) -> bool {
    matches!(c, '\u{345}' | '\u{1F80}'..='\u{1FFF}')
}
