use super::*;

fn rounded(text: &str, scale: u8, rounding: Rounding) -> Result<String, Code> {
    let mut out = Buffer::default();
    round(text, scale, rounding, &mut out).map(|()| out.into_string())
}

#[test]
fn an_amount_is_rounded_once() {
    for (text, scale, half_up, half_even) in [
        ("1.00499999999999999999999999999999", 2, "1.00", "1.00"),
        ("1.005", 2, "1.01", "1.00"),
        ("1.015", 2, "1.02", "1.02"),
        ("-1.005", 2, "-1.01", "-1.00"),
        ("2.675", 2, "2.68", "2.68"),
        ("0.5", 0, "1", "0"),
        ("1.5", 0, "2", "2"),
        ("0.05", 0, "0", "0"),
        ("0.004", 2, "0.00", "0.00"),
        ("-0.004", 2, "0.00", "0.00"),
        ("-0", 2, "0.00", "0.00"),
        ("+007.50", 2, "7.50", "7.50"),
        (".5", 2, "0.50", "0.50"),
        ("5.", 2, "5.00", "5.00"),
        ("1e2", 2, "100.00", "100.00"),
        ("12.5E-1", 2, "1.25", "1.25"),
        ("0e1000000000000000000000000", 2, "0.00", "0.00"),
        ("1e-1000000000000000000000000", 2, "0.00", "0.00"),
        ("99.995", 2, "100.00", "100.00"),
        ("0.000000000000000001", 18, "0.000000000000000001", "0.000000000000000001"),
        (
            "99999999999999999999999999.99",
            2,
            "99999999999999999999999999.99",
            "99999999999999999999999999.99",
        ),
        (
            "99999999999999999999999999.994",
            2,
            "99999999999999999999999999.99",
            "99999999999999999999999999.99",
        ),
    ] {
        assert_eq!(rounded(text, scale, Rounding::HalfUp).as_deref(), Ok(half_up), "{text}");
        assert_eq!(rounded(text, scale, Rounding::HalfEven).as_deref(), Ok(half_even), "{text}");
    }
}

#[test]
fn more_than_28_digits_are_refused() {
    for (text, scale) in [
        ("100000000000000000000000000", 2),
        ("1e27", 2),
        ("1e1000000000", 2),
        ("99999999999999999999999999.995", 2),
        ("10000000000", 18),
    ] {
        for rounding in [Rounding::HalfUp, Rounding::Refuse] {
            if (rounding, text) != (Rounding::Refuse, "99999999999999999999999999.995") {
                assert_eq!(rounded(text, scale, rounding), Err(Code::DecimalOutOfRange), "{text}");
            }
        }
    }
    assert_eq!(rounded("9999999999.5", 18, Rounding::HalfUp).as_deref(), Ok("9999999999.500000000000000000"));
}

#[test]
fn digits_are_not_lost_where_that_is_refused() {
    assert_eq!(rounded("1.50", 1, Rounding::Refuse).as_deref(), Ok("1.5"));
    assert_eq!(rounded("1.51", 1, Rounding::Refuse), Err(Code::DecimalInexact));
    assert_eq!(rounded("1e-30", 18, Rounding::Refuse), Err(Code::DecimalInexact));
}

#[test]
fn what_is_no_decimal_number_is_malformed() {
    for text in [
        "", "+", ".", "e5", "1e", "1e+", "1_000", "1,5", "NaN", "inf", "0x10", "--1", "1.2.3", " 1",
        "\u{ff11}", "1e1.5",
    ] {
        assert_eq!(rounded(text, 2, Rounding::HalfUp), Err(Code::DecimalMalformed), "{text:?}");
    }
}
