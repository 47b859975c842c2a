//! What must hold of the text functions, by subject. Nothing here is random from run to run.

extern crate std;

mod agreement;
mod digest;
mod generated;
mod reference;
mod sequences;
mod unassigned;
mod white_space;

use alloc::string::String;

use crate::buffer::Buffer;

/// What `convert` appends to nothing.
fn applied(convert: impl Fn(&str, &mut Buffer), text: &str) -> String {
    let mut out = Buffer::default();
    convert(text, &mut out);
    out.into_string()
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
