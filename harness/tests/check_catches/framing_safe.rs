//! Wrong cores that break framing-safe: texts that run into one another.

use super::*;

#[test]
fn catches_an_unescaped_quote() {
    caught(&writing(|material| material.replace("\\\"", "\"")), &["framing-safe"]);
}

#[test]
fn catches_an_unescaped_backslash() {
    caught(&writing(|material| material.replace("\\\\", "\\")), &["framing-safe"]);
}

#[test]
fn catches_controls_that_are_left_out() {
    let wrong = writing(|material| material.replace("\\u0000", ""));
    caught_at_least(&wrong, "framing-safe");
}

#[test]
fn catches_texts_put_side_by_side() {
    for joint in ["", "|", ",", "\u{1f}", "\u{0}"] {
        let wrong = writing(move |material| {
            let material: Value = serde_json::from_str(&material).unwrap();
            wrong::texts(&material).join(joint)
        });
        caught_at_least(&wrong, "framing-safe");
    }
}
