//! Wrong cores that break order-free: what the order of names and the escapes must not do.

use super::*;

#[test]
fn catches_unsorted_names() {
    let answer = |intent: &str, outcome: Outcome| {
        let names = ["\"account\"", "\"amount\"", "\"creditor\"", "\"origin\""];
        let places: Vec<_> = names.iter().map(|name| intent.find(name)).collect();
        outcome.map(|derived| if places.is_sorted() { derived } else { tweak(derived, "unsorted") })
    };
    caught(&Wrong { outcome: Some(Box::new(answer)), ..Wrong::by(POLICY) }, &["order-free"]);
}

#[test]
fn catches_escapes_that_are_taken_literally() {
    let text = |intent: &str| intent.replace("\\u00", "\\\\u00");
    let wrong = Wrong { text: Some(Box::new(text)), ..Wrong::by(POLICY) };
    caught_at_least(&wrong, "order-free");
}
