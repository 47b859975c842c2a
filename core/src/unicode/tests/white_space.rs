//! Trimming and collapsing.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::applied;
use crate::unicode::{collapse, is_white_space, trim};

/// `[c for c in range(0x110000) if not chr(c).strip()]` in Python 3.11.
const STRIPPED_BY_PYTHON: [u32; 29] = [
    0x9, 0xA, 0xB, 0xC, 0xD, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x85, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002,
    0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
];

#[test]
fn white_space_is_what_python_strips() {
    let all = ('\0'..=char::MAX).filter(|&c| is_white_space(c)).map(u32::from);
    assert_eq!(all.collect::<Vec<_>>(), STRIPPED_BY_PYTHON);
}

#[test]
fn white_space_is_the_property_and_four_separators() {
    for c in '\0'..=char::MAX {
        let expected = c.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&c);
        assert_eq!(is_white_space(c), expected, "U+{:04X}", u32::from(c));
    }
}

#[test]
fn trims_each_scalar_value_exactly_if_it_is_white_space() {
    for c in '\0'..=char::MAX {
        let kept = if is_white_space(c) { String::new() } else { String::from(c) };
        for text in [String::from(c), format!("{c} "), format!("\u{1C}{c}")] {
            assert_eq!(trim(&text), kept);
        }
        let text = format!("{c}a{c}");
        assert_eq!(trim(&text), if is_white_space(c) { "a" } else { &text });
    }
}

#[test]
fn collapses_runs() {
    for (text, expected) in [
        ("", ""),
        (" \t\u{3000}", ""),
        ("a", "a"),
        ("a b", "a b"),
        ("  a  b ", "a b"),
        ("a\tb", "a b"),
        ("a\u{A0}b", "a b"),
        ("a\u{1F} \u{2028}b\u{85}c", "a b c"),
        ("Joa\u{303}o  da\u{200B} Silva", "Joa\u{303}o da\u{200B} Silva"),
        ("東京\u{3000}都", "東京 都"),
    ] {
        assert_eq!(applied(collapse, text), expected);
        assert_eq!(applied(collapse, expected), expected);
    }
}

#[test]
fn collapses_each_scalar_value_exactly_if_it_is_white_space() {
    for c in '\0'..=char::MAX {
        let text = format!("a{c}{c}b");
        let expected = if is_white_space(c) { "a b" } else { &text };
        assert_eq!(applied(collapse, &text), expected);
    }
}
