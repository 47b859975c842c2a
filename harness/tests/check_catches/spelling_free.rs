//! Wrong cores that break spelling-free: equal spellings that come apart.

use super::*;

#[test]
fn catches_lower_casing_for_folding() {
    let mut wrong = reading("memo", |text| text.to_lowercase());
    wrong.native = with_policy("/identity/memo/case", json!("keep")).native;
    caught(&wrong, &["spelling-free"]);
}

#[test]
fn catches_trimming_of_ascii_white_space_alone() {
    let mut wrong =
        reading("memo", |text| text.trim_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']).to_owned());
    wrong.native = with_policy("/identity/memo/space", json!("keep")).native;
    caught(&wrong, &["spelling-free"]);
}

#[test]
fn catches_white_space_that_is_not_what_python_strips() {
    let mut wrong = reading("memo", |text| text.trim().to_owned());
    wrong.native = with_policy("/identity/memo/space", json!("keep")).native;
    caught(&wrong, &["spelling-free"]);
}

#[test]
fn catches_case_that_is_kept() {
    caught(&with_policy("/identity/memo/case", json!("keep")), &["spelling-free"]);
}

#[test]
fn catches_white_space_that_is_not_collapsed() {
    caught(&with_policy("/checked/note/space", json!("trim")), &["spelling-free"]);
}

#[test]
fn catches_a_list_that_is_not_sorted() {
    caught(&with_policy("/lists/lines/order", json!("matters")), &["spelling-free"]);
}

#[test]
fn catches_minus_zero() {
    let wrong = answering(|payload, derived| {
        let text = payload.text("amount").unwrap_or_else(|| payload.raw("amount").to_owned());
        let is_zero =
            text.trim().parse::<f64>().is_ok_and(|number| number == 0.0 && number.is_sign_negative());
        if is_zero { tweak(derived, "-0") } else { derived }
    });
    caught(&wrong, &["spelling-free", "fixed-point"]);
}

#[test]
fn catches_numbers_that_are_not_strings() {
    let wrong =
        answering(
            |payload, derived| {
                if payload.raw("amount").starts_with('"') { derived } else { tweak(derived, "number") }
            },
        );
    caught(&wrong, &["spelling-free", "fixed-point"]);
}

#[test]
fn catches_rounding_to_even() {
    let wrong = with_policy("/identity/amount/rounding", json!("half_even"));
    caught(&wrong, &["spelling-free", "identity-sensitive"]);
}

#[test]
fn catches_rounding_twice() {
    let wrong = reading("amount", |text| {
        text.parse::<rust_decimal::Decimal>().map_or_else(|_| text.to_owned(), |number| number.to_string())
    });
    caught_at_least(&wrong, "spelling-free");
    caught_at_least(&wrong, "identity-sensitive");
}

#[test]
fn catches_a_mask_that_counts() {
    let wrong = answering(|payload, derived| {
        let masked = payload.text("creditor").is_some_and(|key| key.contains('/'));
        if masked { tweak(derived, "masked") } else { derived }
    });
    caught(&wrong, &["spelling-free", "fixed-point"]);
}

#[test]
fn catches_offsets_that_are_not_taken_to_utc() {
    let wrong = reading("when", |text| match text.trim().split_at_checked(19) {
        Some((local, _)) => format!("{local}Z"),
        None => text.to_owned(),
    });
    caught_at_least(&wrong, "spelling-free");
}
