//! What counts as white space, and the two ways to take it away.

use crate::buffer::Buffer;

/// Tells whether `c` is white space: what Python's `str.strip()` removes.
///
/// These are the code points with the property White_Space (`PropList.txt`), and the separators
/// U+001C to U+001F, which Python adds for their bidirectional class B or S. The list is written
/// out because neither another Unicode version nor another Rust may change it.
pub(crate) const fn is_white_space(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{D}'
            | '\u{1C}'..='\u{20}'
            | '\u{85}'
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
    )
}

/// `text` without the white space at its start and end.
#[inline]
pub(crate) fn trim(text: &str) -> &str {
    // Most text starts and ends with a visible ASCII character, and then there is nothing to do.
    match text.as_bytes() {
        [0x21..=0x7F, .., 0x21..=0x7F] | [0x21..=0x7F] => text,
        _ => trim_ends(text),
    }
}

#[inline(never)]
fn trim_ends(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

/// Appends `text`, trimmed, with each run of white space in it as one U+0020.
pub(crate) fn collapse(text: &str, out: &mut Buffer) {
    let text = trim(text);
    if is_collapsed(text.as_bytes()) {
        out.push_str(text);
        return;
    }
    let mut words = text.split(is_white_space).filter(|word| !word.is_empty());
    if let Some(first) = words.next() {
        out.push_str(first);
    }
    for word in words {
        out.push(' ');
        out.push_str(word);
    }
}

/// Tells, sometimes too cautiously, whether trimmed text has no white space but single U+0020.
pub(crate) fn is_collapsed(text: &[u8]) -> bool {
    let mut previous = 0;
    for &byte in text {
        // White space beyond ASCII starts with one of these bytes in UTF-8.
        let suspicious = byte < 0x20 || matches!(byte, 0xC2 | 0xE1..=0xE3);
        if suspicious || (byte == 0x20 && previous == 0x20) {
            return false;
        }
        previous = byte;
    }
    true
}
