//! Material: the canonical bytes that are MACed.
//!
//! A JSON array `[tenant, action, body, bucket]`, objects sorted by code point, no white space,
//! UTF-8, and only the escapes that RFC 8259, section 7 asks for. It is what Python's
//! `json.dumps` writes with sorted keys, compact separators and no ASCII escaping.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// A text as material writes it: quoted and escaped.
pub(crate) fn written(text: &str) -> Box<[u8]> {
    let mut out = Vec::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    out.into_boxed_slice()
}

/// Appends a string: quoted and escaped.
#[inline]
pub(crate) fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    if text.bytes().any(needs_escape) {
        push_escaped(out, text);
    } else {
        out.extend_from_slice(text.as_bytes());
    }
    out.push(b'"');
}

/// Appends an integer.
pub(crate) fn push_integer(out: &mut Vec<u8>, mut integer: u64) {
    // 2^64 has 20 digits.
    let mut digits = [0; 20];
    let mut start = digits.len();
    for slot in digits.iter_mut().rev() {
        *slot = b'0' + (integer % 10) as u8;
        integer /= 10;
        start -= 1;
        if integer == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(start..).unwrap_or_default());
}

/// Closes material over `[tenant,action,body` with a bucket.
pub(crate) fn close_with_bucket(out: &mut Vec<u8>, bucket: u64) {
    out.push(b',');
    push_integer(out, bucket);
    out.push(b']');
}

/// Closes material over `[tenant,action,body` with the edge at which a bucket begins.
pub(crate) fn close_with_edge(out: &mut Vec<u8>, bucket: u64) {
    out.extend_from_slice(b",\"edge\"");
    close_with_bucket(out, bucket);
}

fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn push_escaped(out: &mut Vec<u8>, text: &str) {
    for byte in text.bytes() {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => {
                let low = byte & 0x0f;
                let digit = if low < 10 { b'0' + low } else { b'a' + low - 10 };
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', b'0' + (byte >> 4), digit]);
            }
            _ => out.push(byte),
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
            assert_eq!(core::str::from_utf8(&written(text)), Ok(expected));
        }
    }

    #[test]
    fn integers_have_no_leading_zeros() {
        for (integer, expected) in
            [(0, "0"), (7, "7"), (1_893_408, "1893408"), (u64::MAX, "18446744073709551615")]
        {
            let mut out = Vec::new();
            push_integer(&mut out, integer);
            assert_eq!(core::str::from_utf8(&out), Ok(expected));
        }
    }
}
