//! What the pinned version leaves unassigned, and that it is inert.

use alloc::string::String;

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

use super::{applied, code_points};
use crate::unicode::{fold, fold_canonical, nfc};

/// The code points with General_Category Cn in Unicode 18.0, as ranges. It is a file, not a question to
/// a crate, so that it stays what it is when the crate goes on.
const RANGES: &str = include_str!("../../../tests/unicode/unassigned_18.0.txt");

/// Every unassigned code point.
pub(super) fn unassigned() -> impl Iterator<Item = char> {
    let code = |digits| u32::from_str_radix(digits, 16).unwrap();
    let ranges = RANGES.lines().filter(|line| !line.starts_with('#')).map(move |line| {
        let (first, last) = line.split_once("..").unwrap_or((line, line));
        code(first)..=code(last)
    });
    ranges.flatten().map(|code| char::from_u32(code).unwrap())
}

#[test]
fn unassigned_is_what_the_properties_say() {
    let category = CodePointMapData::<GeneralCategory>::new();
    let by_properties = ('\0'..=char::MAX).filter(|&c| category.get(c) == GeneralCategory::Unassigned);
    assert_eq!(unassigned().count(), 801_723);
    assert!(by_properties.eq(unassigned()), "another version of Unicode: the list stays as it is");
}

/// An unassigned code point is kept, and nothing moves or composes across it.
#[test]
fn every_unassigned_code_point_is_inert() {
    for c in unassigned() {
        let text: String = ['E', c, '\u{301}', '\u{323}', c, '\u{1100}', c, '\u{1161}'].iter().collect();
        let ordered: String = ['E', c, '\u{323}', '\u{301}', c, '\u{1100}', c, '\u{1161}'].iter().collect();
        assert_eq!(applied(nfc, &text), ordered, "{}", code_points(&text));
        assert_eq!(applied(fold, &text), text.to_ascii_lowercase(), "{}", code_points(&text));
        assert_eq!(applied(fold_canonical, &text), ordered.to_ascii_lowercase(), "{}", code_points(&text));
    }
}
