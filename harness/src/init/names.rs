//! What a field's name says.

/// The words of a name, in lower case: `creditorKey`, `creditor_key` and `creditor-key` are alike.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        let is_split = !character.is_alphanumeric();
        if is_split || (was_lower && character.is_uppercase()) {
            words.push(String::new());
        }
        was_lower = character.is_lowercase() || character.is_ascii_digit();
        if !is_split && let Some(word) = words.last_mut() {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The last name of a path.
pub(super) fn last(path: &str) -> &str {
    let path = path.trim_end_matches("[]");
    path.rsplit('.').next().unwrap_or(path)
}

/// Whether one of these stands among the words, in its order: `"request id"`.
pub(super) fn says(words: &[String], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.windows(phrase.len()).any(|window| window.iter().eq(phrase.iter()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        for name in ["creditor_key", "creditorKey", "creditor-key", "CreditorKey"] {
            assert_eq!(words(name), ["creditor", "key"], "{name}");
        }
        assert!(says(&words("httpRequestId"), &["request id"]));
        assert!(!says(&words("requestedIdea"), &["request id"]));
        assert_eq!(last("items[].unit.price"), "price");
        assert_eq!(last("to[]"), "to");
    }
}
