//! A build with the tables of a Unicode version to come.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};

use super::sequences::texts;
use super::{applied, code_points};
use crate::buffer::Buffer;
use crate::unicode::icu::Icu;
use crate::unicode::pinned::{self, Tables};
use crate::unicode::unassigned::is_unassigned;

/// Unassigned in Unicode 18.0, a mark of class 220 (below) to come.
const MARK: char = '\u{378}';
/// A mark of class 230 (above) to come, that composes with e to [`COMPOSED`].
const COMPOSING_MARK: char = '\u{379}';
/// A letter to come, e with [`COMPOSING_MARK`].
const COMPOSED: char = '\u{380}';
/// A capital to come, whose small letter is [`SMALL`].
const CAPITAL: char = '\u{381}';
/// A small letter to come.
const SMALL: char = '\u{382}';
/// A capital to come whose small letter exists.
const CAPITAL_OF_OLD: char = '\u{530}';
/// A letter to come that decomposes to what exists.
const SINGLETON: char = '\u{1FFFE}';

const TO_COME: [char; 7] = [MARK, COMPOSING_MARK, COMPOSED, CAPITAL, SMALL, CAPITAL_OF_OLD, SINGLETON];

/// The algorithms of UAX #15, step by step, over the present data and what is to come.
struct Newer;

impl Newer {
    fn class(c: char) -> u8 {
        match c {
            MARK => 220,
            COMPOSING_MARK => 230,
            _ => canonical_combining_class(c),
        }
    }

    fn compose(first: char, second: char) -> Option<char> {
        match (first, second) {
            ('e', COMPOSING_MARK) => Some(COMPOSED),
            _ => compose(first, second),
        }
    }

    fn nfd(text: &str) -> Vec<char> {
        let mut out = Vec::new();
        for c in text.chars() {
            match c {
                COMPOSED => out.extend(['e', COMPOSING_MARK]),
                SINGLETON => out.extend(['a', '\u{301}']),
                _ => decompose_canonical(c, |c| out.push(c)),
            }
        }
        // Stable sorting of each run of marks is the canonical ordering.
        for run in out.chunk_by_mut(|&a, &b| Self::class(a) != 0 && Self::class(b) != 0) {
            run.sort_by_key(|&c| Self::class(c));
        }
        out
    }

    /// The canonical composition algorithm (definition D117).
    fn composed(decomposed: &[char]) -> String {
        let mut out: Vec<char> = Vec::new();
        let mut starter = None;
        for &c in decomposed {
            let class = Self::class(c);
            if let Some(at) = starter {
                let adjacent = at + 1 == out.len();
                let blocked = !adjacent && Self::class(out[out.len() - 1]) >= class;
                if let Some(composed) = Self::compose(out[at], c).filter(|_| !blocked) {
                    out[at] = composed;
                    continue;
                }
            }
            if class == 0 {
                starter = Some(out.len());
            }
            out.push(c);
        }
        out.into_iter().collect()
    }
}

impl Tables for Newer {
    fn nfc(&self, text: &str, out: &mut Buffer) {
        out.push_str(&Self::composed(&Self::nfd(text)));
    }

    fn fold(&self, text: &str, out: &mut Buffer) {
        for c in text.chars() {
            match c {
                CAPITAL => out.push(SMALL),
                CAPITAL_OF_OLD => out.push_str("ss"),
                _ => Icu.fold(c.encode_utf8(&mut [0; 4]), out),
            }
        }
    }

    fn fold_canonical(&self, text: &str, out: &mut Buffer) {
        let decomposed: String = Self::nfd(text).into_iter().collect();
        self.nfc(&applied(|text, out| self.fold(text, out), &decomposed), out);
    }
}

/// Asserts that the two versions of the tables agree on `text`, by each function.
fn assert_inert(text: &str) {
    let (old, new) = (
        applied(|text, out| pinned::nfc(&Icu, text, out), text),
        applied(|text, out| pinned::nfc(&Newer, text, out), text),
    );
    assert_eq!(old, new, "nfc {}", code_points(text));
    let (old, new) = (
        applied(|text, out| pinned::fold(&Icu, text, out), text),
        applied(|text, out| pinned::fold(&Newer, text, out), text),
    );
    assert_eq!(old, new, "fold {}", code_points(text));
    let (old, new) = (
        applied(|text, out| pinned::fold_canonical(&Icu, text, out), text),
        applied(|text, out| pinned::fold_canonical(&Newer, text, out), text),
    );
    assert_eq!(old, new, "fold_canonical {}", code_points(text));
}

/// Texts that the newer tables would change.
const CHANGED_BY_NEWER: [&str; 6] =
    ["e\u{379}", "x\u{301}\u{378}", "e\u{378}\u{379}", "\u{381}", "Stra\u{530}e", "\u{1FFFE}\u{323}"];

#[test]
fn the_newer_tables_would_change_text() {
    assert!(TO_COME.iter().all(|&c| is_unassigned(c)));
    for text in CHANGED_BY_NEWER {
        let unguarded = applied(|text, out| Newer.fold_canonical(text, out), text);
        let pinned = applied(|text, out| pinned::fold_canonical(&Icu, text, out), text);
        assert_ne!(unguarded, pinned, "{}", code_points(text));
    }
}

#[test]
fn newer_tables_change_nothing() {
    for text in CHANGED_BY_NEWER {
        assert_inert(text);
    }
}

/// Each code point to come, put into random texts.
#[test]
fn newer_tables_change_no_random_text() {
    for (i, text) in texts(6, 30_000).enumerate() {
        assert_inert(&text);
        let to_come = TO_COME[i % TO_COME.len()];
        let middle = text.char_indices().nth(i % 5).map_or(text.len(), |(at, _)| at);
        let (head, tail) = text.split_at(middle);
        assert_inert(&format!("{head}{to_come}{tail}"));
        assert_inert(&format!("{head}e{to_come}\u{378}{tail}{to_come}\u{301}"));
    }
}

/// An unassigned code point is kept, and nothing moves or composes across it.
#[test]
fn every_unassigned_code_point_is_inert() {
    for c in ('\0'..=char::MAX).filter(|&c| is_unassigned(c)) {
        let text = ['E', c, '\u{301}', '\u{323}', c].iter().collect::<String>();
        let expected = ['e', c, '\u{323}', '\u{301}', c].iter().collect::<String>();
        assert_eq!(applied(crate::unicode::fold_canonical, &text), expected);
    }
}
