//! The line of a TOML document on which a place of a policy stands.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// The line, counted from 1, of a place such as `identity.creditor\.key.scale`, or of the
/// nearest place above it that the document has.
pub(super) fn line_of(text: &str, place: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let mut steps = steps(place).into_iter();
    let mut span = None;
    let mut value = None;
    // A list of policies stands under a name that its places leave out.
    if place.starts_with('[') {
        value = document.get_ref().get("policies").map(|list| list.get_ref());
    } else if let Some(Step::Name(name)) = steps.next() {
        let (key, found) = document.get_ref().get_key_value(name.as_str())?;
        (span, value) = (Some(key.span()), Some(found.get_ref()));
    }
    for step in steps {
        match descend(value, &step) {
            Some((at, below)) => (span, value) = (Some(at), Some(below)),
            None => break,
        }
    }
    line_at(text, span?.start)
}

/// The line, counted from 1, of a byte.
pub(super) fn line_at(text: &str, start: usize) -> Option<usize> {
    Some(text.get(..start)?.matches('\n').count() + 1)
}

/// A line as what stands before its comment, and the comment from its `#` on. A `#` in a string on
/// the line begins none; strings of several lines are not followed.
pub(super) fn at_comment(line: &str) -> (&str, &str) {
    let mut quote = None;
    let mut escaped = false;
    for (at, character) in line.char_indices() {
        match (quote, character) {
            (None, '#') => return line.split_at(at),
            (None, '"' | '\'') => quote = Some(character),
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(open), close) if open == close && !escaped => quote = None,
            _ => {}
        }
        escaped = false;
    }
    (line, "")
}

fn descend<'d, 'i>(value: Option<&'d DeValue<'i>>, step: &Step) -> Option<(Range<usize>, &'d DeValue<'i>)> {
    match (value?, step) {
        (DeValue::Table(table), Step::Name(name)) => {
            let (key, value) = table.get_key_value(name.as_str())?;
            Some((key.span(), value.get_ref()))
        }
        (DeValue::Array(elements), Step::Index(index)) => {
            let element = elements.get(*index)?;
            Some((element.span(), element.get_ref()))
        }
        _ => None,
    }
}

/// One step of a place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// To a member.
    Name(String),
    /// To an element.
    Index(usize),
}

/// Splits a place at its dots and indexes; a backslash keeps the next character in its name.
pub(crate) fn steps(place: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut name = String::new();
    let mut characters = place.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => name.extend(characters.next()),
            '.' => steps.extend((!name.is_empty()).then(|| Step::Name(std::mem::take(&mut name)))),
            '[' => {
                steps.extend((!name.is_empty()).then(|| Step::Name(std::mem::take(&mut name))));
                let index: String = characters.by_ref().take_while(|&digit| digit != ']').collect();
                steps.extend(index.parse().ok().map(Step::Index));
            }
            _ => name.push(character),
        }
    }
    steps.extend((!name.is_empty()).then_some(Step::Name(name)));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_begins_outside_strings() {
        for (line, comment) in [
            ("a = 1 # one", "# one"),
            (r#"a = "x # y" # z"#, "# z"),
            (r#"a = "\" # y" # z"#, "# z"),
            ("a = 'x\\' # z", "# z"),
            ("# all", "# all"),
            ("a = 1", ""),
        ] {
            assert_eq!(at_comment(line).1, comment, "{line}");
        }
    }

    #[test]
    fn a_place_is_split_at_its_dots() {
        let name = |text: &str| Step::Name(text.to_owned());
        assert_eq!(
            steps(r"identity.creditor\.key.scale"),
            [name("identity"), name("creditor.key"), name("scale")]
        );
        assert_eq!(steps(r"identity.items\[\]\.sku"), [name("identity"), name("items[].sku")]);
        assert_eq!(steps("[1].policy.name"), [Step::Index(1), name("policy"), name("name")]);
    }
}
