//! What normalization and folding must know of a code point at first sight.

use super::tables::{BLOCKS, CLASSES, FIRST_INVOLVED, FOLDED_BY_PARTS, MIDDLE, OFFSETS, TOP};

/// How many bits of a code point each of the two lower tables takes.
pub(super) const BLOCK_BITS: u32 = 5;

/// One of some 160 kinds of code points.
///
/// In the order of the numbers: **stable** ones, by the offset to what they fold to (0 for most);
/// **marks** that only have to be in their order, by combining class; and **involved** ones, also
/// by combining class, which must be looked at together with their neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Property(u8);

impl Property {
    /// The property of a code point. Those that Unicode 18.0 leaves unassigned have that of a
    /// letter without case.
    #[inline]
    pub(super) fn of(c: char) -> Self {
        let code = u32::from(c) as usize;
        let top = TOP.get(code >> (2 * BLOCK_BITS));
        let middle = top.and_then(|block| entry(&MIDDLE, *block, code >> BLOCK_BITS));
        Property(middle.and_then(|block| entry(&BLOCKS, block, code)).unwrap_or(0))
    }

    /// Tells whether the code point is a starter in NFC, folds to such a one, and neither composes
    /// with what is before it: text may be cut there.
    #[inline]
    pub(super) fn is_stable(self) -> bool {
        usize::from(self.0) < OFFSETS.len()
    }

    /// Tells whether a stable code point folds to another one.
    #[inline]
    pub(super) fn is_folded(self) -> bool {
        self.0 != 0
    }

    /// Tells whether the code point may decompose, compose with what is before it, or fold to
    /// more than one.
    #[inline]
    pub(super) fn is_involved(self) -> bool {
        self.0 >= FIRST_INVOLVED
    }

    /// Tells whether the code point folds as the parts do to which it decomposes.
    #[inline]
    pub(super) fn is_folded_by_parts(self) -> bool {
        self.0 == FOLDED_BY_PARTS
    }

    /// What a stable code point folds to, both alone and if it is decomposed before and composed
    /// afterwards.
    #[inline]
    pub(super) fn folded(self, c: char) -> char {
        let offset = OFFSETS.get(usize::from(self.0)).copied().unwrap_or(0);
        // Within the plane.
        let code = u32::from(c);
        let folded = (code as u16).wrapping_add(offset);
        char::from_u32(code & 0xFFFF_0000 | u32::from(folded)).unwrap_or(c)
    }

    /// The Canonical_Combining_Class (UAX #44).
    #[inline]
    pub(super) fn class(self) -> u8 {
        let place = usize::from(self.0).checked_sub(OFFSETS.len());
        place.and_then(|place| CLASSES.get(place).copied()).unwrap_or(0)
    }
}

/// A byte of a table, by its block, and its place there, which the lowest bits are.
#[inline]
fn entry(table: &[u8], block: u8, place: usize) -> Option<u8> {
    const MASK: usize = (1 << BLOCK_BITS) - 1;
    table.get(usize::from(block) << BLOCK_BITS | place & MASK).copied()
}
