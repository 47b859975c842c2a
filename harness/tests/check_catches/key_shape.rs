//! Wrong cores that break key-shape: keys of another shape, and what must not show.

use super::*;

#[test]
fn catches_a_key_of_another_length_or_alphabet() {
    caught(&with_policy("/key/length", json!(39)), &["key-shape"]);
    caught(&with_policy("/key", json!({ "format": "base64url", "length": 40 })), &["key-shape"]);
    caught(&with_policy("/key", json!({ "format": "uuid" })), &["key-shape"]);
    let upper = answering(|_, derived| Derived { key: derived.key.to_uppercase(), ..derived });
    caught(&upper, &["key-shape"]);
    let fingerprint =
        answering(|_, derived| Derived { fingerprint: derived.fingerprint.to_uppercase(), ..derived });
    // The one beside the edge key then differs, too.
    caught(&fingerprint, &["bucket-split", "key-shape"]);
}

#[test]
fn catches_a_message_that_shows_a_value() {
    let answer = |intent: &str, outcome: Outcome| {
        outcome.map_err(|mut refused| {
            refused.message.push_str(intent);
            refused
        })
    };
    caught(&Wrong { outcome: Some(Box::new(answer)), ..Wrong::by(POLICY) }, &["key-shape"]);
}

#[test]
fn catches_debug_output_that_shows_the_secret() {
    let says = |ring: &Ring| match ring {
        Ring::Bare(secret) => format!("{secret:?}"),
        _ => String::new(),
    };
    caught(&Wrong { says: Some(Box::new(says)), ..Wrong::by(POLICY) }, &["key-shape"]);
}

#[test]
fn catches_a_key_that_shows_a_text() {
    let wrong = answering(|payload, derived| {
        let text = payload.text("account").unwrap_or_default();
        let hexadecimal =
            text.len() >= 20 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !hexadecimal {
            return derived;
        }
        Derived { key: text.chars().chain(derived.key.chars()).take(40).collect(), ..derived }
    });
    caught(&wrong, &["key-shape"]);
}
