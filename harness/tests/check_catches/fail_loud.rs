//! Wrong cores that break fail-loud: what is wrong and passes.

use super::*;

fn reading_payloads(edit: impl Fn(&mut Line) + Send + Sync + 'static) -> Wrong {
    let read = move |intent: &mut Line| intent.edit_payload(&edit);
    Wrong { intent: Some(Box::new(read)), ..Wrong::by(POLICY) }
}

#[test]
fn catches_unclassified_fields_that_are_dropped() {
    let known =
        ["account", "amount", "creditor", "lines", "memo", "steps", "when", "note", "origin", "request_id"];
    let wrong =
        reading_payloads(move |payload| payload.0.retain(|member| known.contains(&member.0.as_str())));
    caught(&wrong, &["fail-loud"]);
}

#[test]
fn catches_null_that_counts_as_absent() {
    caught(&with_policy("/identity/memo/null", json!("absent")), &["fail-loud"]);
}

#[test]
fn catches_required_fields_that_may_be_missing() {
    caught(&with_policy("/checked/origin/required", json!(false)), &["fail-loud"]);
}

#[test]
fn catches_lone_surrogates_that_are_replaced() {
    let text = |intent: &str| intent.replace("\\ud83d", "\\ufffd").replace("\\ud800", "\\ufffd");
    let wrong = Wrong { text: Some(Box::new(text)), ..Wrong::by(POLICY) };
    caught_at_least(&wrong, "fail-loud");
}

#[test]
fn catches_unsafe_numbers_and_other_kinds_that_are_made_strings() {
    for (field, begin) in [("amount", "9"), ("account", "t")] {
        let wrong = reading_payloads(move |payload| {
            if payload.raw(field).starts_with(begin) {
                payload.set(field, Value::from(payload.raw(field)));
            }
        });
        caught(&wrong, &["fail-loud"]);
    }
}

#[test]
fn catches_repeated_names_of_which_the_last_counts() {
    let wrong = reading_payloads(|payload| {
        let last: BTreeMap<String, String> = payload.0.drain(..).collect();
        payload.0.extend(last);
    });
    caught(&wrong, &["fail-loud"]);
}

#[test]
fn catches_check_digits_that_are_not_checked() {
    caught(&with_policy("/identity/creditor/check_digits", json!(false)), &["fail-loud"]);
}

#[test]
fn catches_a_wrong_code_a_wrong_field_and_missing_fields() {
    let answers: [fn(&mut intentkey::hosts::Refused); 3] = [
        |refused| {
            if refused.code == "field_missing" {
                refused.code = String::from("field_null");
            }
        },
        |refused| {
            if let Some(field) = &mut refused.field {
                *field = field.replace("[1]", "[0]");
            }
        },
        |refused| refused.fields.truncate(1),
    ];
    for edit in answers {
        let answer = move |_: &str, outcome: Outcome| {
            outcome.map_err(|mut refused| {
                edit(&mut refused);
                refused
            })
        };
        caught(&Wrong { outcome: Some(Box::new(answer)), ..Wrong::by(POLICY) }, &["fail-loud"]);
    }
}
