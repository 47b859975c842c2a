//! Against the parser of the standard library, which rounds correctly.

use alloc::format;
use alloc::string::{String, ToString as _};

use super::*;

fn nearest(literal: &str) -> f64 {
    nearest_double(&Digits::parse(literal).unwrap())
}

fn agrees(literal: &str) {
    let expected: f64 = literal.parse().unwrap();
    let given = nearest(literal);
    assert_eq!(given.to_bits(), expected.to_bits(), "{literal}: {given:e}, {expected:e}");
}

/// Xorshift64 (Marsaglia, 2003).
fn random_numbers() -> impl FnMut() -> u64 {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

#[test]
fn halves_go_to_even() {
    // 2^53 + 1 and 2^53 + 3 lie halfway between doubles.
    for (literal, expected) in [
        ("9007199254740993", 9_007_199_254_740_992.0),
        ("9007199254740995", 9_007_199_254_740_996.0),
        ("-9007199254740993", -9_007_199_254_740_992.0),
        ("9007199254740993.000000000000000000000000000000000000001", 9_007_199_254_740_994.0),
        ("9007199254740992.999999999999999999999999999999999999999", 9_007_199_254_740_992.0),
    ] {
        assert_eq!(nearest(literal), expected, "{literal}");
    }
}

#[test]
fn digits_that_no_half_has_decide_only_by_being_there() {
    let zeros = "0".repeat(5000);
    assert_eq!(nearest(&format!("9007199254740993.{zeros}")), 9_007_199_254_740_992.0);
    assert_eq!(nearest(&format!("9007199254740993.{zeros}1")), 9_007_199_254_740_994.0);
    assert_eq!(nearest(&format!("1.{zeros}1")), 1.0);
}

#[test]
fn the_ends_of_the_range_are_right() {
    for literal in [
        "0",
        "-0",
        "0.0",
        "-0.0e5",
        "0e400",
        "1e-323",
        "1e-324",
        "5e-324",
        "4.9e-324",
        "2.5e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "7.4e-324",
        "7.5e-324",
        "1e-325",
        "1e-330",
        "9.9e-332",
        "1e-400",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.225073858507201e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.797693134862315807e308",
        "1.7976931348623159e308",
        "1.8e308",
        "9.9e308",
        "1e309",
        "1e310",
        "1e400",
        "1e22",
        "1e23",
        "8.5e22",
        "123456789012345e22",
        "1234567890123456e22",
        "1e-22",
        "1e-23",
        "123456789012345e-22",
    ] {
        agrees(literal);
    }
    assert_eq!(nearest("1e309"), f64::INFINITY);
    assert_eq!(nearest("-1e309"), f64::NEG_INFINITY);
    assert!(nearest("-1e-400").is_sign_negative());
}

#[test]
fn printed_doubles_come_back() {
    let mut random = random_numbers();
    for _ in 0..100_000 {
        let double = f64::from_bits(random());
        if double.is_finite() {
            assert_eq!(nearest(&format!("{double:e}")), double);
            assert_eq!(nearest(&format!("{double:.30e}")), double);
        }
    }
}

#[test]
fn random_literals_agree() {
    let mut random = random_numbers();
    for _ in 0..300_000 {
        let length = random() % 25 + 1;
        let mut literal: String = (0..length).map(|_| char::from(b'0' + (random() % 10) as u8)).collect();
        literal.insert((random() % length) as usize, '.');
        agrees(&literal);
        agrees(&format!("{literal}e{}", (random() % 700) as i64 - 350));
    }
}

/// The point halfway between a random double and the next, and its nearest neighbours.
#[test]
fn random_halves_agree() {
    let mut random = random_numbers();
    for round in 0..3000 {
        // Each third one is subnormal.
        let bits = random() >> if round % 3 == 0 { 12 } else { 1 };
        let (double, next) = (f64::from_bits(bits), f64::from_bits(bits + 1));
        if !next.is_finite() {
            continue;
        }
        let half = halfway(double, next);
        agrees(&half);
        agrees(&format!("{half}1"));
        agrees(&format!("{half}{}1", "0".repeat(900)));
        if let Some(above) = half.strip_suffix('5') {
            agrees(&format!("{above}4{}", "9".repeat(900)));
        }
    }
}

/// The exact decimal number between two neighbours: without exponent, it ends in a point or in 5.
fn halfway(double: f64, next: f64) -> String {
    // All digits of both; the lesser may have one fewer before the point.
    let (double, next) = (format!("{double:.1080}"), format!("{next:.1080}"));
    let mut lesser = double.bytes().rev();
    let mut sum: Vec<u8> = Vec::new();
    let mut carry = 0;
    for one in next.bytes().rev() {
        let other = lesser.next().unwrap_or(b'0');
        if one == b'.' {
            sum.push(one);
            continue;
        }
        let digit = one - b'0' + other - b'0' + carry;
        sum.push(b'0' + digit % 10);
        carry = digit / 10;
    }
    sum.push(b'0' + carry);
    sum.reverse();
    let mut half = String::new();
    let mut rest = 0;
    for digit in sum {
        if digit == b'.' {
            half.push('.');
            continue;
        }
        let value = rest * 10 + (digit - b'0');
        half.push(char::from(b'0' + value / 2));
        rest = value % 2;
    }
    half.trim_end_matches('0').to_string()
}
