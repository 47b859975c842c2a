//! Wrong cores that break fixed-point: canonical forms that change once more.

use super::*;

#[test]
fn catches_a_form_that_changes_once_more() {
    caught(&with_policy("/identity/memo/form", json!("nfc_first")), &["spelling-free", "fixed-point"]);
}

#[test]
fn catches_a_canonical_form_that_is_no_spelling() {
    let explain = |mut explained: intentkey::hosts::Explained| {
        explained
            .fields
            .iter_mut()
            .filter(|field| field.0 == "amount")
            .for_each(|field| field.1 = String::from("\"1 000,00\""));
        explained
    };
    caught(&Wrong { explain: Some(Box::new(explain)), ..Wrong::by(POLICY) }, &["fixed-point"]);
}
