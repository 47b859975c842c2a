//! The double nearest to a decimal number: exactly, in a kilobyte of code.
//!
//! The parser of the standard library is faster for numbers of more than 15 digits, and brings a
//! table of ten kilobytes that no compression makes smaller. Numbers as payloads have them take
//! the first way here (Clinger, "How to read floating point numbers accurately", 1990): both the
//! digits and the power of ten are exact doubles, so one product or quotient rounds correctly.
//! All others are divided as integers, bit by bit.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::decimal::Digits;

/// Decimal digits that a double always holds exactly.
const EXACT_DIGITS: usize = 15;

/// The powers of ten that are exact doubles.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// More digits than any point halfway between two doubles has (767): what comes after them
/// matters only in being something or nothing.
const DECISIVE_DIGITS: usize = 800;

/// Where the decimal point stands from which on a number is less than half of the least double,
/// 4.9e-324.
const VANISHING_POINT: i64 = -330;

/// The same for numbers above the greatest double, 1.8e308.
const INFINITE_POINT: i64 = 310;

/// The exponent of the least double, 2^-1074, and of the last bit of all below 2^-1021.
const LEAST_EXPONENT: i64 = -1074;

/// The bits of a double's mantissa, the one that is not stored included.
const MANTISSA_BITS: u32 = 53;

/// The double nearest to a number; of two equally near, the one with the even mantissa.
pub(super) fn nearest_double(digits: &Digits<'_>) -> f64 {
    let magnitude = if digits.is_zero() || digits.point < VANISHING_POINT {
        0.0
    } else if digits.point > INFINITE_POINT {
        f64::INFINITY
    } else {
        by_exact_doubles(digits).unwrap_or_else(|| by_integers(digits))
    };
    if digits.negative { -magnitude } else { magnitude }
}

/// Where one operation on exact doubles gives the number.
fn by_exact_doubles(digits: &Digits<'_>) -> Option<f64> {
    let mut integer = 0_u64;
    let mut exponent = digits.point;
    for (index, digit) in digits.ascii().enumerate() {
        if index == EXACT_DIGITS {
            return None;
        }
        integer = integer * 10 + u64::from(digit - b'0');
        exponent -= 1;
    }
    let power = *EXACT_POWERS.get(usize::try_from(exponent.unsigned_abs()).ok()?)?;
    Some(if exponent < 0 { integer as f64 / power } else { integer as f64 * power })
}

/// The number as a quotient of integers, of which the bits that count are found.
fn by_integers(digits: &Digits<'_>) -> f64 {
    let (mut dividend, exponent) = decisive(digits);
    let mut divisor = Integer::from(1);
    // 10^exponent is 5^exponent here, and 2^exponent at the end.
    if exponent < 0 { &mut divisor } else { &mut dividend }.times_power_of_five(exponent.unsigned_abs());
    // So that the quotient has 63 or 64 bits.
    let shift = 63 - (dividend.bits() - divisor.bits());
    if shift < 0 { &mut divisor } else { &mut dividend }.shift(shift.unsigned_abs());
    rounded(dividend.divided_by(divisor), exponent - shift)
}

/// The digits as an integer, and the power of ten that it is to be multiplied with.
fn decisive(digits: &Digits<'_>) -> (Integer, i64) {
    let mut integer = Integer::from(0);
    let mut exponent = digits.point;
    let mut rest = digits.ascii();
    let (mut chunk, mut factor) = (0, 1);
    for digit in rest.by_ref().take(DECISIVE_DIGITS) {
        chunk = chunk * 10 + u32::from(digit - b'0');
        factor *= 10;
        exponent -= 1;
        if factor == 1_000_000_000 {
            integer.times_plus(factor, chunk);
            (chunk, factor) = (0, 1);
        }
    }
    integer.times_plus(factor, chunk);
    if rest.any(|digit| digit != b'0') {
        integer.times_plus(10, 1);
        exponent -= 1;
    }
    (integer, exponent)
}

/// The double nearest to `quotient * 2^exponent`. The quotient has 62 bits at least; its last is
/// also set where the quotient is a little less than what is meant.
fn rounded(quotient: u64, exponent: i64) -> f64 {
    let surplus = i64::from(64 - quotient.leading_zeros() - MANTISSA_BITS);
    let cut = surplus.max(LEAST_EXPONENT - exponent);
    // What is cut off goes to the lower half.
    let wide = (u128::from(quotient) << 64) >> cut.min(127);
    let (kept, lost) = ((wide >> 64) as u64, wide as u64);
    let is_up = match lost.cmp(&(1 << 63)) {
        Ordering::Greater => true,
        Ordering::Equal => kept % 2 == 1,
        Ordering::Less => false,
    };
    let mantissa = kept + u64::from(is_up);
    // The mantissa's top bit, which is not stored, adds one to the exponent where it is there.
    let biased = u64::try_from(exponent + cut - LEAST_EXPONENT).unwrap_or(0);
    // Beyond the largest double comes infinity, in bits too.
    f64::from_bits(((biased << (MANTISSA_BITS - 1)) + mantissa).min(f64::INFINITY.to_bits()))
}

/// An integer of any size, least significant word first.
struct Integer(Vec<u32>);

impl From<u32> for Integer {
    fn from(word: u32) -> Self {
        Integer(vec![word])
    }
}

impl Integer {
    fn times_plus(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn times_power_of_five(&mut self, mut power: u64) {
        /// The greatest power of five in a word.
        const STEP: u32 = 13;
        while power >= u64::from(STEP) {
            self.times_plus(5_u32.pow(STEP), 0);
            power -= u64::from(STEP);
        }
        for _ in 0..power {
            self.times_plus(5, 0);
        }
    }

    /// How many bits it has; the top word is not 0.
    fn bits(&self) -> i64 {
        let top = self.0.last().map_or(0, |word| word.leading_zeros());
        32 * self.0.len() as i64 - i64::from(top)
    }

    /// Shifts to the left.
    fn shift(&mut self, bits: u64) {
        self.times_plus(1 << (bits % 32), 0);
        let words = usize::try_from(bits / 32).unwrap_or(0);
        self.0.splice(0..0, core::iter::repeat_n(0, words));
    }

    /// The quotient, less than 2^64, and its last bit set where something is left.
    fn divided_by(mut self, mut divisor: Integer) -> u64 {
        divisor.shift(63);
        let length = self.0.len().max(divisor.0.len()) + 1;
        self.0.resize(length, 0);
        divisor.0.resize(length, 0);
        let mut quotient = 0;
        for _ in 0..64 {
            let fits = self.0.iter().rev().ge(divisor.0.iter().rev());
            quotient = quotient << 1 | u64::from(fits);
            if fits {
                self.subtract(&divisor);
            }
            self.times_plus(2, 0);
        }
        quotient | u64::from(self.0.iter().any(|&word| word != 0))
    }

    fn subtract(&mut self, other: &Integer) {
        let mut borrow = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            let (difference, first) = word.overflowing_sub(*other);
            let (difference, second) = difference.overflowing_sub(u32::from(borrow));
            (*word, borrow) = (difference, first || second);
        }
    }
}

#[cfg(test)]
mod tests;
