//! The line of a TOML document on which a place of a policy stands.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::field_path::{Step, steps};

/// The line, counted from 1, of a place such as `identity.creditor\.key.scale`, or of the
/// nearest place above it that the document has.
pub(super) fn line_of(text: &str, place: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    // A document has no every element.
    let mut steps = steps(place).into_iter().filter(|step| *step != Step::Each);
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
}
