//! Pseudo-random texts: the same on every machine and in every version, because a digest over them
//! is committed.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// What the code points of a text are drawn from. Ranges are cheap to state and hold unassigned
/// code points too.
const POOLS: &[&[RangeInclusive<u32>]] = &[
    &[0x20..=0x7E],
    &[0xC0..=0x24F],
    // Combining marks of many classes, and the ypogegrammeni among them.
    &[0x300..=0x36F, 0x345..=0x345],
    &[0x5B0..=0x5C2, 0x64B..=0x658, 0x93C..=0x94D, 0xE38..=0xE4B, 0x1DC0..=0x1DFF],
    &[0x3099..=0x309A, 0x20D0..=0x20F0, 0xFE20..=0xFE2F, 0x1D165..=0x1D16D],
    // Greek, with all its precomposed letters.
    &[0x370..=0x3FF, 0x1F00..=0x1FFF],
    // Latin and Cyrillic letters with marks; ligatures; presentation forms.
    &[0x1E00..=0x1EFF, 0x400..=0x52F, 0xFB00..=0xFB4F],
    // Hangul: leading, vowel and trailing jamo, and syllables.
    &[0x1100..=0x1112, 0x1161..=0x1175, 0x11A7..=0x11C2, 0xAC00..=0xAC40],
    // Indic vowel signs that compose, with starters as second part.
    &[0x9C7..=0x9D7, 0xB47..=0xB57, 0xBC6..=0xBD7, 0xDD9..=0xDDF, 0x11347..=0x11357],
    // Compatibility ideographs, singletons, kana.
    &[0xF900..=0xFAFF, 0x2126..=0x212B, 0x3040..=0x30FF, 0x2F800..=0x2FA1D],
    // Letters new in Unicode 17 and 18, and unassigned code points between them.
    &[0xA7C0..=0xA7FF, 0x16EA0..=0x16EDF, 0x1DF00..=0x1DFFF, 0x1AC0..=0x1AFF],
    // Unassigned: single ones, whole rows, noncharacters.
    &[0x378..=0x379, 0x380..=0x383, 0x530..=0x530, 0x1FFFE..=0x1FFFF, 0x40000..=0x40010],
    // White space and its neighbours.
    &[0x8..=0xE, 0x1B..=0x21, 0x85..=0x86, 0xA0..=0xA1, 0x1FFF..=0x2030, 0x2FFF..=0x3001],
    &[0x0..=0xFFFF],
    &[0x0..=0x10FFFF],
];

/// The first `count` texts of the sequence that `seed` starts.
pub(super) fn texts(seed: u64, count: usize) -> impl Iterator<Item = String> {
    let mut random = Random(seed);
    (0..count).map(move |_| text(&mut random))
}

/// A text of at most 12 code points, from one to three pools, so that marks meet what they combine
/// with.
fn text(random: &mut Random) -> String {
    let pools: Vec<_> = (0..=random.below(3)).map(|_| POOLS[random.below(POOLS.len())]).collect();
    let length = random.below(13);
    (0..length)
        .filter_map(|_| {
            let pool = pools[random.below(pools.len())];
            let range = &pool[random.below(pool.len())];
            let span = (range.end() - range.start() + 1) as usize;
            char::from_u32(range.start() + random.below(span) as u32)
        })
        .collect()
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to `limit` - 1, slightly biased, the same whatever the width of `usize`.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}
