//! What must hold of the text functions, by subject. Nothing here is random from run to run.

extern crate std;

mod agreement;
mod digest;
mod newer_tables;
mod reference;
mod sequences;
mod unassigned_table;
mod white_space;

use alloc::string::String;

/// What `convert` appends to nothing.
fn applied(convert: impl Fn(&str, &mut String), text: &str) -> String {
    let mut out = String::new();
    convert(text, &mut out);
    out
}

/// `text` as code points, for messages.
fn code_points(text: &str) -> String {
    use core::fmt::Write;
    let mut out = String::new();
    for c in text.chars() {
        write!(out, "U+{:04X} ", u32::from(c)).unwrap();
    }
    out
}
