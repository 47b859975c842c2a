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

/// The decimal digits of a number below 10^8 in ASCII, leading zeros included, the first in the
/// lowest byte.
///
/// The number is halved three times, all parts at once: into two of four digits, four of two, and
/// eight of one. 10486 / 2^20 is a hundredth and 103 / 2^10 a tenth, near enough for so few digits.
#[inline]
pub(crate) fn eight_digits(number: u32) -> u64 {
    let number = u64::from(number);
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
    let twos = hundreds | ((fours - hundreds * 100) << 16);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    let ones = tens | ((twos - tens * 10) << 8);
    ones | (ONES * b'0' as u64)
}

/// Lower-cases the ASCII letters among eight bytes.
#[inline]
pub(crate) fn lowercase(eight: [u8; 8]) -> [u8; 8] {
    let word = u64::from_le_bytes(eight);
    // Added to a byte without its top bit, each number sets that bit from the letter on.
    let low_bits = word & !TOPS;
    let from_a = low_bits + ONES * (0x80 - b'A') as u64;
    let past_z = low_bits + ONES * (0x7f - b'Z') as u64;
    let capitals = (from_a & !past_z) & !word & TOPS;
    (word | capitals >> 2).to_le_bytes()
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
    // The last eight bytes, some of them a second time, rather than what is left one by one.
    if let Some(&last) = bytes.last_chunk()
        && !rest.is_empty()
    {
        let marks = marks(last);
        return (marks != 0).then(|| bytes.len() - 8 + marks.trailing_zeros() as usize / 8);
    }
    rest.iter().position(|&byte| is_special(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn digits_are_those_of_the_number() {
        let digits = |number: u32| alloc::format!("{number:08}").into_bytes();
        let all_fours = (0..10_000).flat_map(|four| [four, four * 10_000, four * 10_001]);
        for number in all_fours.chain((0..100_000_000).step_by(7_919)) {
            assert_eq!(eight_digits(number).to_le_bytes().as_slice(), digits(number), "{number}");
        }
    }

    #[test]
    fn only_ascii_letters_are_lowered() {
        for byte in 0..=u8::MAX {
            for around in [0, b'@', b'A', b'Z', b'[', b'z', 0x7f, 0x80, 0xff] {
                let mut eight = [around; 8];
                eight[3] = byte;
                assert_eq!(lowercase(eight), eight.map(|byte| byte.to_ascii_lowercase()), "{eight:?}");
            }
        }
    }

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
