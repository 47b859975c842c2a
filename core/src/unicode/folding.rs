//! Full case folding of single code points (the mappings C and F of `CaseFolding.txt`).

use super::decomposition::decomposed;
use super::property::Property;

/// Hands the folding of `c` on, one to three code points.
pub(super) fn each_folded(c: char, push: &mut impl FnMut(char)) {
    let property = Property::of(c);
    if property.is_stable() {
        return push(property.folded(c));
    }
    let special = if property.is_involved() { special(c) } else { "" };
    if !special.is_empty() {
        special.chars().for_each(push);
    } else if property.is_folded_by_parts()
        && let Some((first, second)) = decomposed(c)
    {
        each_folded(first, push);
        if let Some(second) = second {
            each_folded(second, push);
        }
    } else {
        push(c);
    }
}

/// The foldings that are neither one stable code point nor those of the parts of a decomposition.
const fn special(c: char) -> &'static str {
    match c {
        'ß' | 'ẞ' | '\u{1DF95}' => "ss",
        'ŉ' => "\u{2BC}n",
        'ẚ' => "a\u{2BE}",
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        'և' => "եւ",
        'ﬓ' => "մն",
        'ﬔ' => "մե",
        'ﬕ' => "մի",
        'ﬖ' => "վն",
        'ﬗ' => "մխ",
        // COMBINING GREEK YPOGEGRAMMENI, the one mark that folds to a letter.
        '\u{345}' => "ι",
        // Small letters that fold to all of their parts.
        '\u{390}' => "ι\u{308}\u{301}",
        '\u{3B0}' => "υ\u{308}\u{301}",
        '\u{1FD2}' => "ι\u{308}\u{300}",
        '\u{1FD7}' => "ι\u{308}\u{342}",
        '\u{1FE2}' => "υ\u{308}\u{300}",
        '\u{1FE7}' => "υ\u{308}\u{342}",
        // Capitals with oxia, to small letters that are no NFC.
        '\u{1FBB}' => "\u{1F71}",
        '\u{1FC9}' => "\u{1F73}",
        '\u{1FCB}' => "\u{1F75}",
        '\u{1FDB}' => "\u{1F77}",
        '\u{1FEB}' => "\u{1F7B}",
        '\u{1FF9}' => "\u{1F79}",
        '\u{1FFB}' => "\u{1F7D}",
        _ => "",
    }
}
