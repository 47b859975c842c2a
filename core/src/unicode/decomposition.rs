//! Canonical decomposition and composition of single code points (the Unicode Standard, sections
//! 3.7 and 3.11), and the arithmetic of Hangul syllables (section 3.12).

use core::cmp::Ordering;

use super::tables::{COMPOSITIONS, FIRST_HIGH, FIRST_LOW, KEYS, PAGES, SECOND, SECONDS};

/// Where the two places in the list of seconds stand that mean that there is none: the first is
/// alone, in the plane 0 or 2.
pub(super) const ALONE: u8 = 0;
/// See [`ALONE`].
pub(super) const ALONE_IN_PLANE_2: u8 = 1;

/// The tables have the pages of 256 code points up to this one, the last of plane 1 in which
/// something decomposes,
pub(super) const LAST_PAGE: usize = 0x1D1;
/// and go on with this one: the compatibility ideographs of plane 2.
pub(super) const NEXT_PAGE: usize = 0x2F8;

/// How many pages are left out.
const LEFT_OUT: usize = NEXT_PAGE - LAST_PAGE - 1;

/// What a code point decomposes to in one step: to one, or to two of which the second does not
/// decompose.
pub(super) fn decomposed(c: char) -> Option<(char, Option<char>)> {
    if let Some(parts) = hangul_decomposed(c) {
        return Some(parts);
    }
    Entry::of(c).map(|entry| (entry.first(), entry.second()))
}

/// What two code points compose to: the Primary Composite (definition D114).
pub(super) fn composed(first: char, second: char) -> Option<char> {
    if let Some(syllable) = hangul_composed(first, second) {
        return Some(syllable);
    }
    let wanted = (second, first);
    let compare = |&place: &u16| {
        let entry = Entry(usize::from(place));
        entry.second().map_or(Ordering::Less, |second| (second, entry.first()).cmp(&wanted))
    };
    let place = COMPOSITIONS.binary_search_by(compare).ok()?;
    COMPOSITIONS.get(place).and_then(|&place| Entry(usize::from(place)).code_point())
}

/// The place of a decomposition in the tables, which are in the order of the code points.
struct Entry(usize);

impl Entry {
    fn of(c: char) -> Option<Self> {
        let code = u32::from(c) as usize;
        let page = match code >> 8 {
            page @ ..=LAST_PAGE => page,
            page @ NEXT_PAGE.. => page - LEFT_OUT,
            _ => return None,
        };
        let start = usize::from(*PAGES.get(page)?);
        let end = usize::from(*PAGES.get(page + 1)?);
        let place = KEYS.get(start..end)?.binary_search(&(code as u8)).ok()?;
        Some(Entry(start + place))
    }

    fn code_point(&self) -> Option<char> {
        let page = PAGES.partition_point(|&start| usize::from(start) <= self.0).checked_sub(1)?;
        let page = if page <= LAST_PAGE { page } else { page + LEFT_OUT };
        char::from_u32((page as u32) << 8 | u32::from(*KEYS.get(self.0)?))
    }

    fn first(&self) -> char {
        let byte = |table: &[u8]| table.get(self.0).copied().map_or(0, u32::from);
        let plane = match SECOND.get(self.0) {
            Some(&ALONE) => 0,
            Some(&ALONE_IN_PLANE_2) => 2,
            // That of what they compose to, of which 0 and 1 have some.
            _ => u32::from(PAGES.get(0x100).is_some_and(|&start| self.0 >= usize::from(start))),
        };
        char::from_u32(plane << 16 | byte(&FIRST_HIGH) << 8 | byte(&FIRST_LOW)).unwrap_or_default()
    }

    fn second(&self) -> Option<char> {
        match SECOND.get(self.0) {
            None | Some(&(ALONE | ALONE_IN_PLANE_2)) => None,
            Some(&place) => SECONDS.get(usize::from(place)).copied(),
        }
    }
}

// The first code point of each kind, and how many there are (section 3.12).
const SYLLABLE: u32 = 0xAC00;
const LEADING: u32 = 0x1100;
const VOWEL: u32 = 0x1161;
/// The one before the first: no trailing consonant.
const TRAILING: u32 = 0x11A7;
const LEADINGS: u32 = 19;
const VOWELS: u32 = 21;
const TRAILINGS: u32 = 28;

/// A syllable without its trailing consonant, and that; or, where it has none, its two letters.
fn hangul_decomposed(c: char) -> Option<(char, Option<char>)> {
    let index = place_of(c, SYLLABLE, LEADINGS * VOWELS * TRAILINGS)?;
    let trailing = index % TRAILINGS;
    let (first, second) = if trailing != 0 {
        (SYLLABLE + index - trailing, TRAILING + trailing)
    } else {
        let pair = index / TRAILINGS;
        (LEADING + pair / VOWELS, VOWEL + pair % VOWELS)
    };
    Some((char::from_u32(first)?, char::from_u32(second)))
}

fn hangul_composed(first: char, second: char) -> Option<char> {
    let syllable = if let Some(vowel) = place_of(second, VOWEL, VOWELS) {
        (place_of(first, LEADING, LEADINGS)? * VOWELS + vowel) * TRAILINGS
    } else {
        let trailing = place_of(second, TRAILING, TRAILINGS).filter(|&trailing| trailing != 0)?;
        let index = place_of(first, SYLLABLE, LEADINGS * VOWELS * TRAILINGS)?;
        (index % TRAILINGS == 0).then_some(index + trailing)?
    };
    char::from_u32(SYLLABLE + syllable)
}

/// The place of `c` among `count` code points from `first` on.
fn place_of(c: char, first: u32, count: u32) -> Option<u32> {
    u32::from(c).checked_sub(first).filter(|&place| place < count)
}
