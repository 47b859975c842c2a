//! What two values that differ have in common: a hint at why they do.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// In what two texts differ, for people. `None` is an absent value.
pub(super) fn likeness(one: Option<&str>, other: Option<&str>) -> &'static str {
    let (Some(one), Some(other)) = (one, other) else { return "absent in one" };
    if one.is_empty() || other.is_empty() {
        return "empty in one";
    }
    let same = |form: &dyn Fn(&str) -> String| form(one) == form(other);
    let lower = |text: &str| text.to_lowercase();
    let without_space = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    let unmarked = |text: &str| {
        text.nfkd().filter(|character| !is_combining_mark(*character)).collect::<String>().to_lowercase()
    };
    let alphanumeric = |text: &str| {
        unmarked(text).chars().filter(|character| character.is_alphanumeric()).collect::<String>()
    };
    if same(&|text: &str| text.nfc().collect()) {
        return "Unicode normalization";
    }
    if same(&lower) {
        return "letter case";
    }
    if same(&without_space) {
        return "white space";
    }
    if same(&unmarked) {
        return "accents or compatibility forms";
    }
    if let (Ok(one), Ok(other)) = (one.parse::<f64>(), other.parse::<f64>()) {
        return if one.total_cmp(&other).is_eq() { "the same number" } else { "another number" };
    }
    if !alphanumeric(one).is_empty() && same(&alphanumeric) {
        return "punctuation or a mask";
    }
    let (one, other) = (alphanumeric(one), alphanumeric(other));
    if one.contains(&other) || other.contains(&one) {
        return "one has more than the other";
    }
    "another value"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_values_have_in_common_is_named() {
        for (one, other, expected) in [
            ("caf\u{e9}", "cafe\u{301}", "Unicode normalization"),
            ("Ana", "ANA", "letter case"),
            ("a b", "A  b", "white space"),
            ("caf\u{e9}", "cafe", "accents or compatibility forms"),
            ("10.50", "10.5", "the same number"),
            ("10.50", "10.51", "another number"),
            ("2024-1-12", "2024-11-2", "punctuation or a mask"),
            ("Rent", "Rent November", "one has more than the other"),
            ("Rent", "Lunch", "another value"),
            ("", "x", "empty in one"),
        ] {
            assert_eq!(likeness(Some(one), Some(other)), expected, "{one} {other}");
        }
        assert_eq!(likeness(None, Some("x")), "absent in one");
    }
}
