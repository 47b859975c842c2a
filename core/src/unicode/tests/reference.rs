//! Against a second, independent implementation: `unicode-normalization`, and the mappings of
//! `CaseFolding.txt` itself.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use unicode_normalization::UnicodeNormalization;

use super::sequences::texts;
use super::{applied, code_points};
use crate::unicode::{UNICODE_VERSION, fold, fold_canonical, nfc};

const CASE_FOLDING: &str = include_str!("../../../tests/unicode/case_folding_18.0.txt");

/// How many random texts are compared.
const TEXTS: usize = 150_000;

/// The mappings of status C and F.
struct CaseFolding(BTreeMap<char, String>);

impl CaseFolding {
    fn read() -> Self {
        let lines = CASE_FOLDING.lines().filter(|line| !line.starts_with('#'));
        let mappings = lines.map(|line| {
            let (from, to) = line.split_once("; ").unwrap();
            (code_point(from), to.split(' ').map(code_point).collect())
        });
        Self(mappings.collect())
    }

    fn fold(&self, text: impl Iterator<Item = char>) -> String {
        let mut out = String::new();
        for c in text {
            match self.0.get(&c) {
                Some(folded) => out.push_str(folded),
                None => out.push(c),
            }
        }
        out
    }

    fn fold_canonical(&self, text: &str) -> String {
        self.fold(text.nfd()).nfc().collect()
    }
}

fn code_point(hex: &str) -> char {
    char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap()
}

fn compare(folding: &CaseFolding, text: &str) {
    assert_eq!(applied(nfc, text), text.nfc().collect::<String>(), "nfc {}", code_points(text));
    assert_eq!(applied(fold, text), folding.fold(text.chars()), "fold {}", code_points(text));
    let expected = folding.fold_canonical(text);
    assert_eq!(applied(fold_canonical, text), expected, "fold_canonical {}", code_points(text));
}

#[test]
fn the_reference_has_the_pinned_version() {
    let (major, minor, _) = unicode_normalization::UNICODE_VERSION;
    assert_eq!(format!("{major}.{minor}"), UNICODE_VERSION);
    assert_eq!(CaseFolding::read().0.len(), 1606);
}

#[test]
fn every_scalar_value_agrees_with_the_reference() {
    let folding = CaseFolding::read();
    for c in '\0'..=char::MAX {
        compare(&folding, c.encode_utf8(&mut [0; 4]));
    }
}

/// Between a base with a mark and marks of a lower and a higher class.
#[test]
fn every_scalar_value_in_context_agrees_with_the_reference() {
    let folding = CaseFolding::read();
    for c in '\0'..=char::MAX {
        let text = ['A', '\u{301}', c, '\u{345}', '\u{323}'];
        compare(&folding, &text.iter().collect::<String>());
    }
}

#[test]
fn random_texts_agree_with_the_reference() {
    let folding = CaseFolding::read();
    for text in texts(1, TEXTS) {
        compare(&folding, &text);
    }
}
