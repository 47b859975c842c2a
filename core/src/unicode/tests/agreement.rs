//! Against `icu_normalizer` and `icu_casemap`, and the shortcuts against the steps that they save.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use icu_casemap::CaseMapperBorrowed;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

use super::sequences::texts;
use super::{applied, code_points};
use crate::buffer::Buffer;
use crate::unicode::{fold, fold_canonical, latin, nfc};

const CASE: CaseMapperBorrowed<'static> = CaseMapperBorrowed::new();
const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
const NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();

fn compare(text: &str) {
    assert_eq!(applied(nfc, text), NFC.normalize(text), "nfc {}", code_points(text));
    assert_eq!(applied(fold, text), CASE.fold_string(text), "fold {}", code_points(text));
    let expected = NFC.normalize(&CASE.fold_string(&NFD.normalize(text))).into_owned();
    assert_eq!(applied(fold_canonical, text), expected, "fold_canonical {}", code_points(text));
}

/// The code points that are taken for plain, when followed by nothing.
fn plain() -> Vec<char> {
    let plain = |c: &char| latin::split_latin(c.encode_utf8(&mut [0; 4])).1.is_empty();
    ('\0'..=char::MAX).filter(plain).collect()
}

#[test]
fn plain_is_latin_and_some_punctuation() {
    let expected = ('\0'..='\u{17F}').chain('\u{2010}'..='\u{203F}').chain(['€']);
    assert_eq!(plain(), expected.collect::<Vec<_>>());
}

#[test]
fn every_pair_of_plain_code_points_agrees_with_the_tables() {
    let plain = plain();
    let mut text = String::new();
    for &first in &plain {
        compare(first.encode_utf8(&mut [0; 4]));
        for &second in &plain {
            text.clear();
            text.extend([first, second]);
            compare(&text);
        }
    }
}

#[test]
fn every_scalar_value_after_plain_text_agrees_with_the_tables() {
    for c in '\0'..=char::MAX {
        let text = ['É', 'S', c, '\u{307}', '\u{323}', 'A', '\u{308}'];
        compare(&text.iter().collect::<String>());
    }
}

#[test]
fn every_scalar_value_between_marks_agrees_with_the_tables() {
    for c in '\0'..=char::MAX {
        compare(&format!("x\u{301}{c}\u{323}"));
        compare(&format!("\u{1100}{c}\u{11A8}{c}\u{300}"));
    }
}

#[test]
fn random_texts_agree_with_the_tables() {
    texts(3, 200_000).for_each(|text| compare(&text));
}

/// A million marks are put in order in no more time than it takes to sort them.
#[test]
fn long_runs_of_marks_agree_with_the_tables() {
    let marks: Vec<char> = "\u{301}\u{323}\u{345}\u{334}\u{31B}\u{3099}".chars().collect();
    for length in [2, 3, 17, 1000, 400_000] {
        let run = (0..length).map(|place| marks[place * place % 31 % marks.len()]);
        compare(
            &['Ậ', 'ά']
                .into_iter()
                .flat_map(|base| [base].into_iter().chain(run.clone()))
                .collect::<String>(),
        );
    }
}

#[test]
fn canonical_forms_are_fixed_points() {
    let singles = ('\0'..=char::MAX).map(String::from);
    for text in singles.chain(texts(4, 50_000)) {
        for form in [nfc, fold_canonical] {
            let once = applied(form, &text);
            assert_eq!(applied(form, &once), once, "{}", code_points(&text));
        }
    }
}

/// Canonically equivalent texts are one: what NFC does first changes nothing.
#[test]
fn composed_and_decomposed_text_fold_alike() {
    for text in texts(5, 50_000) {
        let folded = applied(fold_canonical, &text);
        assert_eq!(applied(fold_canonical, &applied(nfc, &text)), folded);
        assert_eq!(applied(fold_canonical, &NFD.normalize(&text)), folded);
    }
}

/// Why a text is asked before it is folded whether its canonical form needs escapes.
#[test]
fn only_what_material_escapes_becomes_what_it_escapes() {
    let is_escaped = |c: char| c < ' ' || c == '"' || c == '\\';
    for c in '\0'..=char::MAX {
        let text = String::from(c);
        for form in [nfc, fold, fold_canonical] {
            let result = applied(form, &text);
            assert_eq!(result.contains(is_escaped), is_escaped(c), "{}", code_points(&text));
        }
    }
}

#[test]
fn results_are_appended() {
    for text in ["ABC", "ÀB", "Ω\u{345}", "\u{378}"] {
        for form in [nfc, fold, fold_canonical] {
            let mut out = Buffer::from("È\u{1F88}Z");
            form(text, &mut out);
            assert_eq!(out.into_string(), format!("È\u{1F88}Z{}", applied(form, text)));
        }
    }
}

#[test]
fn known_examples() {
    for (text, expected) in [
        ("Payment 42", "payment 42"),
        ("Açaí do João & Cia", "açaí do joão & cia"),
        ("AC\u{327}AI\u{301} – “D’ÁGUA” €", "açaí – “d’água” €"),
        ("Straße, STRASSE, STRAẞE", "strasse, strasse, strasse"),
        ("İ I ı ŉ ſ µ K Å Ω", "i\u{307} i ı ʼn s μ k å ω"),
        ("ΜΆΪΟΣ Μάϊος", "μάϊοσ μάϊοσ"),
        ("\u{3B1}\u{345}\u{301} ᾴ Ά\u{345}", "άι άι άι"),
        ("ﬁ \u{1DF95}", "fi ss"),
        ("\u{1100}\u{1161}\u{11A8}", "각"),
    ] {
        assert_eq!(applied(fold_canonical, text), expected);
    }
}
