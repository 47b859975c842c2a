//! The generator of `unassigned/table.rs`, and the proof that the file is what it generates.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Write};

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

use super::std::{env, fs};
use crate::unicode::unassigned::{FIRST_WITHOUT_PAGES, is_unassigned};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/unicode/unassigned/table.rs");
const COMMITTED: &str = include_str!("../unassigned/table.rs");

/// Code points and surrogates alike, from the source of the table.
fn unassigned_in_source(code: u32) -> bool {
    CodePointMapData::<GeneralCategory>::new().get32(code) == GeneralCategory::Unassigned
}

fn generate() -> String {
    let (mut pages, mut boundaries) = (Vec::new(), Vec::new());
    let mut inside = false;
    for code in 0..FIRST_WITHOUT_PAGES {
        if code % 256 == 0 {
            pages.push(boundaries.len());
        }
        if unassigned_in_source(code) != inside {
            inside = !inside;
            boundaries.push(code % 256);
        }
    }
    pages.push(boundaries.len());
    let assigned = (FIRST_WITHOUT_PAGES..0x11_0000).filter(|&code| !unassigned_in_source(code));
    let assigned: Vec<u32> = assigned.collect();
    let ranges = assigned.chunk_by(|a, b| a + 1 == *b);
    let ranges = ranges.map(|range| format!("({:#x}, {:#x})", range[0], range[range.len() - 1]));
    let mut out = String::from(
        "// Generated from the General_Category of Unicode 18.0; do not edit. \
         See `../unassigned.rs`.\n",
    );
    write_array(&mut out, "PAGES", "u16", 16, &pages);
    write_array(&mut out, "BOUNDARIES", "u8", 16, &boundaries);
    write_array(&mut out, "ASSIGNED_ABOVE", "(u32, u32)", 1, &ranges.collect::<Vec<_>>());
    out
}

fn write_array(out: &mut String, name: &str, kind: &str, in_line: usize, items: &[impl Display]) {
    writeln!(out, "\npub(super) static {name}: [{kind}; {}] = [", items.len()).unwrap();
    for line in items.chunks(in_line) {
        out.push_str("   ");
        for item in line {
            write!(out, " {item},").unwrap();
        }
        out.push('\n');
    }
    out.push_str("];\n");
}

#[test]
fn unassigned_table_is_as_generated() {
    let generated = generate();
    if env::var_os("INTENTKEY_BLESS").is_some() {
        fs::write(PATH, &generated).unwrap();
    }
    assert!(
        generated == COMMITTED,
        "another Unicode version, or another layout: read the doc of `unassigned.rs`"
    );
}

#[test]
fn unassigned_is_what_the_source_says() {
    for c in '\0'..=char::MAX {
        assert_eq!(is_unassigned(c), unassigned_in_source(u32::from(c)), "U+{:04X}", u32::from(c));
    }
}
