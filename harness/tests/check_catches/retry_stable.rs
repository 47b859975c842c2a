//! Wrong cores that break retry-stable: what an ignored field must not do.

use super::*;

#[test]
fn catches_an_ignored_field_in_the_key() {
    let wrong =
        answering(|payload, derived| tweak(derived, payload.raw("request_id").get(..1).unwrap_or_default()));
    caught(&wrong, &["retry-stable"]);
}

#[test]
fn catches_an_ignored_field_of_a_list_in_the_fingerprint() {
    let wrong = answering(|payload, derived| {
        let count = payload.raw("lines").matches("\"name\"").count();
        let tweaked = tweak(derived.clone(), &count.to_string());
        let edge =
            derived.edge.clone().zip(tweaked.edge).map(|(edge, tweaked)| Edge { key: edge.key, ..tweaked });
        Derived { fingerprint: tweaked.fingerprint, edge, ..derived }
    });
    // It does not know an escaped name.
    caught(&wrong, &["retry-stable", "order-free"]);
}

#[test]
fn catches_an_ignored_part_that_is_looked_at() {
    let refuse = |intent: &mut Line| {
        intent.edit_payload(|payload| {
            if payload.raw("request_id").starts_with("[[") {
                payload.0.push((String::from("undeclared"), String::from("1")));
            }
        });
    };
    let wrong = Wrong { intent: Some(Box::new(refuse)), ..Wrong::by(POLICY) };
    caught_at_least(&wrong, "retry-stable");
}
