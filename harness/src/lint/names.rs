//! Names of fields, taken apart into words: `x-request-id`, `requestID`, `id_requisicao` and
//! `request_id` are one.

use intentkey_core::{Path, Segment};

use super::foreign::in_english;

/// The words of a field's name, in lower case, and those of the names above it.
pub(super) struct Name {
    /// The words of the last name of the path.
    pub(super) words: Vec<String>,
    /// The words of the name above it.
    pub(super) parent: Vec<String>,
}

/// Names that are often written as one word, with the words that they are.
const RUN_TOGETHER: &[(&str, &[&str])] = &[
    ("requestid", &["request", "id"]),
    ("requestids", &["request", "id"]),
    ("reqid", &["request", "id"]),
    ("requestuuid", &["request", "uuid"]),
    ("correlationid", &["correlation", "id"]),
    ("corrid", &["correlation", "id"]),
    ("traceid", &["trace", "id"]),
    ("spanid", &["span", "id"]),
    ("attemptid", &["attempt", "id"]),
    ("attemptno", &["attempt", "no"]),
    ("attemptnumber", &["attempt", "number"]),
    ("attemptcount", &["attempt", "count"]),
    ("retrycount", &["retry", "count"]),
    ("retryno", &["retry", "no"]),
    ("trycount", &["try", "count"]),
    ("createdat", &["created", "at"]),
    ("createdon", &["created", "on"]),
    ("updatedat", &["updated", "at"]),
    ("sentat", &["sent", "at"]),
    ("submittedat", &["submitted", "at"]),
    ("receivedat", &["received", "at"]),
    ("requestedat", &["requested", "at"]),
    ("useragent", &["user", "agent"]),
    ("ipaddress", &["ip", "address"]),
    ("clientip", &["client", "ip"]),
    ("clienttoken", &["client", "token"]),
    ("intentid", &["intent", "id"]),
    ("eventid", &["event", "id"]),
    ("messageid", &["message", "id"]),
    ("operationid", &["operation", "id"]),
    ("transactionid", &["transaction", "id"]),
    ("paymentid", &["payment", "id"]),
    ("transferid", &["transfer", "id"]),
    ("orderid", &["order", "id"]),
    ("jobid", &["job", "id"]),
    ("runid", &["run", "id"]),
    ("endtoendid", &["end", "to", "end", "id"]),
];

impl Name {
    pub(super) fn of(path: &Path) -> Self {
        let mut names = path.segments().iter().rev().filter_map(|segment| match segment {
            Segment::Name(name) => Some(&**name),
            Segment::Element => None,
        });
        let mut next = || names.next().map(words).unwrap_or_default();
        Name { words: next(), parent: next() }
    }

    /// Whether one of these is among the words.
    pub(super) fn has(&self, any_of: &[&str]) -> bool {
        self.words.iter().any(|word| any_of.contains(&word.as_str()))
    }

    /// Whether these are the words, one after the other and no others.
    pub(super) fn is(&self, words: &[&str]) -> bool {
        self.words == words
    }

    /// Whether these are the last words.
    pub(super) fn ends_with(&self, words: &[&str]) -> bool {
        let start = self.words.len().checked_sub(words.len());
        start.and_then(|start| self.words.get(start..)).is_some_and(|end| end == words)
    }

    /// The last word, and the words before it.
    pub(super) fn split_last(&self) -> Option<(&str, &[String])> {
        self.words.split_last().map(|(last, before)| (last.as_str(), before))
    }
}

/// The words of a name: split at what is neither letter nor digit and where capitals begin; a
/// leading `x` of header names is left out.
pub(super) fn words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = vec![String::new()];
    for (index, &character) in characters.iter().enumerate() {
        if !character.is_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let before = index.checked_sub(1).and_then(|before| characters.get(before));
        let after = characters.get(index + 1);
        let begins = character.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_ascii_digit()
                    || before.is_uppercase() && after.is_some_and(|after| after.is_lowercase())
            });
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    if words.len() > 1 && words.first().is_some_and(|first| first == "x") {
        words.remove(0);
    }
    in_english(words.iter().flat_map(|word| apart(word)).collect())
}

fn apart(word: &str) -> Vec<String> {
    match RUN_TOGETHER.iter().find(|known| known.0 == word) {
        Some((_, words)) => words.iter().map(|word| String::from(*word)).collect(),
        None => vec![word.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn spellings_of_one_name_have_the_same_words() {
        for name in [
            "request_id",
            "requestId",
            "RequestID",
            "x-request-id",
            "X-Request-Id",
            "REQUEST_ID",
            "requestid",
        ] {
            assert_eq!(words(name), ["request", "id"], "{name}");
        }
        assert_eq!(words("HTTPStatus2Code"), ["http", "status2", "code"]);
        assert_eq!(words("endToEndId"), ["end", "to", "end", "id"]);
        assert_eq!(words("x"), ["x"]);
        assert_eq!(words("..."), Vec::<String>::new());
    }
}
