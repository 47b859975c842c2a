//! Which code points are unassigned in the pinned Unicode version.
//!
//! The table is generated from the General_Category of `icu_properties`, with 2,579 bytes in all. A
//! test builds it anew and compares; `INTENTKEY_BLESS=1 cargo test -p intentkey-core unassigned`
//! writes the file. That is for a new layout only: with other contents keys change.

#[rustfmt::skip]
mod table;

use core::ops::RangeInclusive;

use self::table::{ASSIGNED_ABOVE, BOUNDARIES, PAGES};

/// U+0378 is the first unassigned code point.
const FIRST_UNASSIGNED: u32 = 0x378;

/// The Greek small letters and the Cyrillic ones, the next that are common, assigned throughout.
const GREEK_AND_CYRILLIC: RangeInclusive<u32> = 0x3A3..=0x52F;

/// From this plane on only whole blocks are assigned: a list of ranges is shorter than pages.
pub(super) const FIRST_WITHOUT_PAGES: u32 = 0x2_0000;

/// Tells whether `c` has the General_Category Cn in Unicode 18.0.
///
/// A boundary is a code point whose assignment differs from that of the one before it, U+0000 being
/// assigned: after an odd number of boundaries a code point is unassigned. `PAGES` counts them up
/// to each page of 256, `BOUNDARIES` has their low bytes.
pub(super) fn is_unassigned(c: char) -> bool {
    let code = u32::from(c);
    if code < FIRST_UNASSIGNED || GREEK_AND_CYRILLIC.contains(&code) {
        return false;
    }
    if code >= FIRST_WITHOUT_PAGES {
        return !ASSIGNED_ABOVE.iter().any(|&(first, last)| (first..=last).contains(&code));
    }
    let page = (code >> 8) as usize;
    let low = (code & 0xFF) as u8;
    let start = PAGES.get(page).map_or(0, |&count| usize::from(count));
    let end = PAGES.get(page + 1).map_or(start, |&count| usize::from(count));
    let inside = BOUNDARIES.get(start..end).unwrap_or_default();
    let boundaries = start + inside.partition_point(|&boundary| boundary <= low);
    boundaries % 2 == 1
}
