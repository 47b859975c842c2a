//! Plain text, for which no table is needed: up to U+017F for folding and U+02FF for NFC, and the
//! punctuation that keyboards put between such letters (dashes, curly quotes, the ellipsis, the euro
//! sign).
//!
//! Every plain code point is a starter, is its own NFC, and never composes with a code point before
//! it. So text may be cut before any of them: NFC(fold(NFD(ab))) is that of `a` followed by that of
//! `b` if `b` starts with one. A code point *after* one may be a mark that composes with it, which
//! is why the cut is before the last one and not behind it.

use crate::buffer::Buffer;

/// The first lead byte in UTF-8 of code points above U+017F.
const LEAD_ABOVE_LATIN: u8 = 0xC6;

/// The first lead byte in UTF-8 of code points from U+0300 on, where the combining marks start.
const LEAD_FROM_MARKS: u8 = 0xCC;

/// Cuts `text` where plain text ends that [`fold`] knows.
pub(super) fn split_latin(text: &str) -> (&str, &str) {
    split_plain(text, LEAD_ABOVE_LATIN)
}

/// Cuts `text` such that [`fold`] knows the first part, and what that gives does not interact with
/// the second.
pub(super) fn split_before_last_latin(text: &str) -> (&str, &str) {
    keep_last_for_rest(text, split_latin(text))
}

/// Cuts `text` such that the first part is its own NFC and does not interact with the second.
pub(super) fn split_composed(text: &str) -> (&str, &str) {
    keep_last_for_rest(text, split_plain(text, LEAD_FROM_MARKS))
}

/// Appends the full case folding of plain text. It is in NFC, and the same whether or not the text
/// is decomposed first.
pub(super) fn fold(plain: &str, out: &mut Buffer) {
    if plain.is_ascii() {
        return out.push_lowercase(plain);
    }
    let start = out.len();
    let mut rest = plain;
    while let Some((at, c, folded)) = first_changed(rest) {
        let (same, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(same);
        out.push_str(folded.encode_utf8(&mut [0; 4]));
        out.push_str(second_of_fold(c));
        rest = tail.get(c.len_utf8()..).unwrap_or_default();
    }
    out.push_str(rest);
    // At once and last: many bytes a step, and no folding above leaves ASCII upper case.
    out.make_ascii_lowercase(start);
}

/// The first code point from U+0080 on that folding changes: where, which, and to what (the first
/// code point of it).
fn first_changed(plain: &str) -> Option<(usize, char, char)> {
    plain.char_indices().find_map(|(at, c)| {
        let folded = first_of_fold(c);
        (folded != c).then_some((at, c, folded))
    })
}

/// The first code point of the folding of `c`, U+0080 to U+017F; ASCII as it is.
///
/// `CaseFolding.txt`, status C and F.
const fn first_of_fold(c: char) -> char {
    match c {
        // ASCII, by far the most common, is lowered afterwards.
        '\u{0}'..='\u{7F}' => c,
        // MICRO SIGN, to GREEK SMALL LETTER MU.
        'µ' => 'μ',
        'À'..='Ö' | 'Ø'..='Þ' => offset(c, 0x20),
        'ß' | 'ſ' => 's',
        'İ' => 'i',
        // Capitals at even code points; U+0130 and U+0131, dotted and dotless i, are no pair.
        'Ā'..='į' | 'Ĳ'..='ķ' | 'Ŋ'..='ŷ' => even_to_next(c),
        // LATIN SMALL LETTER N PRECEDED BY APOSTROPHE, to U+02BC and n.
        'ŉ' => '\u{2BC}',
        // Capitals at odd code points.
        'Ĺ'..='ň' | 'Ź'..='ž' => odd_to_next(c),
        'Ÿ' => 'ÿ',
        _ => c,
    }
}

/// What follows the first code point in the folding of `c`, for the three that fold to two.
const fn second_of_fold(c: char) -> &'static str {
    match c {
        'ß' => "s",
        'İ' => "\u{307}",
        'ŉ' => "n",
        _ => "",
    }
}

const fn even_to_next(c: char) -> char {
    offset(c, (c as u32 + 1) % 2)
}

const fn odd_to_next(c: char) -> char {
    offset(c, c as u32 % 2)
}

/// The code point `by` further. All that is asked for exist.
const fn offset(c: char, by: u32) -> char {
    match char::from_u32(c as u32 + by) {
        Some(moved) => moved,
        None => c,
    }
}

/// Cuts `text` before the first code point whose UTF-8 starts with `lead` or above, plain
/// punctuation aside. Continuation bytes are below 0xC0 and stop nothing.
fn split_plain(text: &str, lead: u8) -> (&str, &str) {
    let mut end = 0;
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|&byte| byte >= lead) {
        rest = rest.get(at..).unwrap_or_default();
        end += at;
        match rest {
            // U+2010 to U+203F, and U+20AC.
            [0xE2, 0x80, 0x90..=0xBF, after @ ..] | [0xE2, 0x82, 0xAC, after @ ..] => {
                rest = after;
                end += 3;
            }
            _ => return text.split_at_checked(end).unwrap_or(("", text)),
        }
    }
    (text, "")
}

/// Moves the cut one code point back, unless the second part is empty.
fn keep_last_for_rest<'a>(text: &'a str, (done, rest): (&'a str, &'a str)) -> (&'a str, &'a str) {
    if rest.is_empty() {
        return (done, rest);
    }
    let last = done.char_indices().next_back();
    last.and_then(|(at, _)| text.split_at_checked(at)).unwrap_or(("", text))
}
