//! Material: the canonical bytes that are MACed.
//!
//! A JSON array `[tenant, action, body, bucket]`, objects sorted by code point, no white space,
//! UTF-8, and only the escapes that RFC 8259, section 7 asks for. It is what Python's
//! `json.dumps` writes with sorted keys, compact separators and no ASCII escaping.

use alloc::boxed::Box;

use crate::buffer::Buffer;
use crate::swar;

/// A text as material writes it: quoted and escaped.
pub(crate) fn written(text: &str) -> Box<str> {
    let mut out = Buffer::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    out.into_string().into_boxed_str()
}

/// Appends a string: quoted and escaped.
pub(crate) fn push_string(out: &mut Buffer, text: &str) {
    out.push_byte(b'"');
    match swar::find_special(text.as_bytes()) {
        None => out.push_str(text),
        Some(_) => push_escaped(out, text),
    }
    out.push_byte(b'"');
}

/// Escapes what was appended from `start` on.
#[cold]
pub(crate) fn escape_from(out: &mut Buffer, start: usize) {
    let text = out.split_off(start);
    push_escaped(out, &text);
}

/// Appends an integer.
pub(crate) fn push_integer(out: &mut Buffer, integer: u64) {
    const EIGHT_DIGITS: u64 = 100_000_000;
    match (integer / EIGHT_DIGITS, (integer % EIGHT_DIGITS) as u32) {
        // Buckets of a second and more have up to eight digits for another century.
        (0, low) => {
            let leading = 7 - low.max(1).ilog10();
            out.push_ascii(&(swar::eight_digits(low) >> (8 * leading)).to_le_bytes());
            out.truncate(out.len() - leading as usize);
        }
        (high, low) => {
            push_integer(out, high);
            out.push_ascii(&swar::eight_digits(low).to_le_bytes());
        }
    }
}

/// Closes material over `[tenant,action,body` with a bucket.
pub(crate) fn close_with_bucket(out: &mut Buffer, bucket: u64) {
    out.push_byte(b',');
    push_integer(out, bucket);
    out.push_byte(b']');
}

/// Closes material over `[tenant,action,body` with the edge at which a bucket begins.
pub(crate) fn close_with_edge(out: &mut Buffer, bucket: u64) {
    out.push_str(",\"edge\"");
    close_with_bucket(out, bucket);
}

fn push_escaped(out: &mut Buffer, text: &str) {
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control @ '\0'..' ' => {
                let code = u32::from(control);
                out.push_str(if code < 0x10 { "\\u000" } else { "\\u001" });
                out.push(char::from_digit(code & 0x0f, 16).unwrap_or_default());
            }
            _ => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_pythons_json_does() {
        for (text, expected) in [
            ("", "\"\""),
            ("a\"b\\c/d", r#""a\"b\\c/d""#),
            ("\u{8}\u{c}\n\r\t", r#""\b\f\n\r\t""#),
            (
                "\0\u{1}\u{1b}\u{1f} \u{7f}\u{80}\u{2028}",
                "\"\\u0000\\u0001\\u001b\\u001f \u{7f}\u{80}\u{2028}\"",
            ),
            ("h\u{e9}\u{1f600}", "\"h\u{e9}\u{1f600}\""),
        ] {
            assert_eq!(&*written(text), expected);
        }
    }

    #[test]
    fn integers_have_no_leading_zeros() {
        for (integer, expected) in
            [(0, "0"), (7, "7"), (1_893_408, "1893408"), (u64::MAX, "18446744073709551615")]
        {
            let mut out = Buffer::default();
            push_integer(&mut out, integer);
            assert_eq!(out.text(0), expected);
        }
    }
}
