//! Wrong cores that break identity-sensitive: different meanings that fall together.

use super::*;

#[test]
fn catches_exact_text_that_is_lower_cased() {
    caught(&reading("account", |text| text.to_lowercase()), &["identity-sensitive"]);
}

#[test]
fn catches_exact_text_that_is_trimmed() {
    caught(&reading("account", |text| text.trim_end_matches('\u{3000}').to_owned()), &["identity-sensitive"]);
}

#[test]
fn catches_exact_text_that_is_normalized() {
    use unicode_normalization::UnicodeNormalization as _;
    caught(&reading("account", |text| text.nfc().collect()), &["identity-sensitive"]);
}

#[test]
fn catches_compatibility_normalization() {
    use unicode_normalization::UnicodeNormalization as _;
    let wrong = reading("memo", |text| text.nfkc().collect());
    caught_at_least(&wrong, "identity-sensitive");
}

#[test]
fn catches_marks_that_are_stripped() {
    use unicode_normalization::UnicodeNormalization as _;
    let wrong = reading("memo", |text| {
        text.nfd().filter(|character| !('\u{300}'..'\u{370}').contains(character)).collect()
    });
    // Iota subscript is a mark, and equal to a letter.
    caught(&wrong, &["spelling-free", "identity-sensitive"]);
}

#[test]
fn catches_a_field_that_is_left_out_of_the_key() {
    let mut policy: Value = serde_json::from_str(POLICY).unwrap();
    let memo = policy["identity"].as_object_mut().unwrap().remove("memo").unwrap();
    policy["checked"]["memo"] = memo;
    caught(&Wrong::by(&policy.to_string()), &["identity-sensitive", "framing-safe"]);
}

#[test]
fn catches_a_smaller_scale() {
    // What has too many digits is another thing then, too.
    let wrong = with_policy("/identity/amount/scale", json!(1));
    caught(&wrong, &["spelling-free", "identity-sensitive", "fail-loud"]);
}

#[test]
fn catches_a_list_that_is_sorted_though_its_order_matters() {
    caught(&with_policy("/lists/steps", json!({ "order": "any" })), &["identity-sensitive"]);
}

#[test]
fn catches_a_list_that_is_made_a_set() {
    let read = |intent: &mut Line| {
        intent.edit_payload(|payload| {
            if let Ok(Value::Array(mut lines)) = serde_json::from_str(payload.raw("lines")) {
                lines.dedup();
                payload.set("lines", Value::Array(lines));
            }
        });
    };
    let wrong = Wrong { intent: Some(Box::new(read)), ..Wrong::by(POLICY) };
    caught_at_least(&wrong, "identity-sensitive");
}
