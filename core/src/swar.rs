//! Bytes eight at a time, each in a byte of a word.
//!
//! Taking a number from a byte borrows into its top bit exactly if the byte was less, for bytes
//! below 0x80 ("Bit Twiddling Hacks", `haszero` and `hasless`). Such a borrow can mark a byte after
//! a marked one wrongly, so only the first mark counts.

const ONES: u64 = u64::from_le_bytes([1; 8]);
const TOPS: u64 = u64::from_le_bytes([0x80; 8]);

/// Marks, by their top bits, the bytes that are a control below U+0020, a quote or a backslash:
/// what JSON escapes and what ends a run of plain text. The lowest mark is right.
#[inline]
fn marks(eight: [u8; 8]) -> u64 {
    let word = u64::from_le_bytes(eight);
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let controls = word.wrapping_sub(ONES * 0x20) & !word;
    (controls | zeros(word ^ (ONES * b'"' as u64)) | zeros(word ^ (ONES * b'\\' as u64))) & TOPS
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The index of the first control below U+0020, quote or backslash.
#[inline]
pub(crate) fn find_special(bytes: &[u8]) -> Option<usize> {
    let (eights, rest) = bytes.as_chunks();
    for (index, &eight) in eights.iter().enumerate() {
        let marks = marks(eight);
        if marks != 0 {
            return Some(index * 8 + marks.trailing_zeros() as usize / 8);
        }
    }
    let in_rest = rest.iter().position(|&byte| is_special(byte))?;
    Some(eights.len() * 8 + in_rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn the_first_special_byte_is_found_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for around in [b'a', b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xff] {
                for length in 0..20 {
                    for place in 0..length {
                        let mut bytes = vec![around; length];
                        bytes[place] = byte;
                        assert_eq!(
                            find_special(&bytes),
                            is_special(byte).then_some(place),
                            "{byte} at {place}"
                        );
                        bytes[length - 1] = b'"';
                        let first = if is_special(byte) { place.min(length - 1) } else { length - 1 };
                        assert_eq!(find_special(&bytes), Some(first), "{byte} at {place}");
                    }
                }
            }
        }
        assert_eq!(find_special(&[]), None);
    }
}
