//! White space: what is trimmed, and what only looks as if it were.
//!
//! Source: Python's `str.strip()`, which removes White_Space (Unicode, PropList.txt) and U+001C to
//! U+001F.

use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy as _};

use crate::generate::cycle::cycle;

/// Every character that is trimmed.
pub(crate) const TRIMMED: [char; 29] = [
    ' ', '\t', '\n', '\u{b}', '\u{c}', '\r', '\u{1c}', '\u{1d}', '\u{1e}', '\u{1f}', '\u{85}', '\u{a0}',
    '\u{1680}', '\u{2000}', '\u{2001}', '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}',
    '\u{2007}', '\u{2008}', '\u{2009}', '\u{200a}', '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}',
    '\u{3000}',
];

/// Characters that are not trimmed, though some trim them.
pub(crate) const KEPT: [char; 12] = [
    '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{180e}', '\u{ad}', '\u{0}', '\u{1b}',
    '\u{7f}', '\u{2800}', '\u{3164}',
];

/// White space around a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Padding {
    before: Vec<char>,
    after: Vec<char>,
}

impl Padding {
    /// The text with white space around it.
    pub(crate) fn around(&self, text: &str) -> String {
        self.before.iter().copied().chain(text.chars()).chain(self.after.iter().copied()).collect()
    }
}

/// Any white space around a text: over a run, each character on each side.
pub(crate) fn padding() -> BoxedStrategy<Padding> {
    let side = || vec(cycle(&TRIMMED), 0..3);
    (side(), side()).prop_map(|(before, after)| Padding { before, after }).boxed()
}

/// A run of white space inside a text, as `collapse` treats it: at least one character.
pub(crate) fn run() -> BoxedStrategy<String> {
    (cycle(&TRIMMED), vec(cycle(&TRIMMED), 0..3))
        .prop_map(|(first, more)| std::iter::once(first).chain(more).collect())
        .boxed()
}
