//! JSON text under full control: the order of names, the spacing and the escapes.
//!
//! What a host reads is text, and part of what is proved is that the text's form does not count.
//! So payloads are kept in a form that can say what a parsed value cannot: a lone surrogate, a
//! number of a thousand digits, a name that occurs twice.

use super::style::Style;

/// A JSON value as it is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    /// Written as it is: `null`, `true`, a number, or any text that is a JSON value by itself.
    Literal(String),
    /// A string.
    Text(Text),
    /// Elements in order.
    List(Vec<Json>),
    /// Members in order; a name may occur twice.
    Object(Vec<(Text, Json)>),
}

/// A string or a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// Unicode text, escaped when it is written.
    Plain(String),
    /// What stands between the quotes, escapes included: the way to a lone surrogate.
    Escaped(String),
}

impl Json {
    /// A string.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Json::Text(Text::Plain(text.into()))
    }

    /// A literal.
    pub(crate) fn literal(text: impl Into<String>) -> Self {
        Json::Literal(text.into())
    }

    /// `null`.
    pub(crate) fn null() -> Self {
        Json::literal("null")
    }

    /// The member of an object.
    pub(crate) fn member(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().find(|member| member.0.is(name)).map(|member| &member.1)
    }

    /// The value at a path without lists.
    pub(crate) fn named(&self, path: &intentkey_core::Path) -> Option<&Json> {
        path.segments().iter().try_fold(self, |value, segment| match segment {
            intentkey_core::Segment::Name(name) => value.member(name),
            intentkey_core::Segment::Element => None,
        })
    }

    /// The value written compactly, with no escape that is not needed.
    pub(crate) fn compact(&self) -> String {
        let mut out = String::new();
        self.write(&mut Style::default(), &mut out);
        out
    }

    /// The value in ASCII: what two texts that look alike differ in is then seen.
    pub(crate) fn ascii(&self) -> String {
        let mut out = String::new();
        for unit in self.compact().encode_utf16() {
            match u8::try_from(unit) {
                Ok(byte) if byte.is_ascii() => out.push(char::from(byte)),
                _ => push_unit(unit, false, &mut out),
            }
        }
        out
    }

    /// Appends the value in a style.
    pub(crate) fn write(&self, style: &mut Style, out: &mut String) {
        match self {
            Json::Literal(literal) => out.push_str(literal),
            Json::Text(text) => text.write(style, out),
            Json::List(elements) => {
                out.push('[');
                write_each(elements.iter(), style, out, |element, style, out| element.write(style, out));
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                let members = style.reorder(members);
                write_each(members.into_iter(), style, out, |(name, value), style, out| {
                    name.write(style, out);
                    style.space(out);
                    out.push(':');
                    style.space(out);
                    value.write(style, out);
                });
                out.push('}');
            }
        }
    }
}

fn write_each<T>(
    items: impl Iterator<Item = T>,
    style: &mut Style,
    out: &mut String,
    write: impl Fn(T, &mut Style, &mut String),
) {
    style.space(out);
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
            style.space(out);
        }
        write(item, style, out);
        style.space(out);
    }
}

impl Text {
    /// Whether it is this Unicode text.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self, Text::Plain(own) if own == text)
    }

    fn write(&self, style: &mut Style, out: &mut String) {
        out.push('"');
        match self {
            Text::Escaped(escaped) => out.push_str(escaped),
            Text::Plain(text) => {
                let escapes = style.escapes();
                for (index, character) in text.chars().enumerate() {
                    if escapes.touch(index) {
                        push_escaped(character, escapes.upper, out);
                    } else {
                        push_needed(character, out);
                    }
                }
            }
        }
        out.push('"');
    }
}

/// Appends a character, escaped only where RFC 8259, section 7, asks for it.
fn push_needed(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{0}'..='\u{1f}' => push_units(character, false, out),
        _ => out.push(character),
    }
}

/// Appends a character escaped in one of the ways there are.
fn push_escaped(character: char, upper: bool, out: &mut String) {
    let short = match character {
        '"' => "\\\"",
        '\\' => "\\\\",
        '/' => "\\/",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        _ => return push_units(character, upper, out),
    };
    if upper { push_units(character, upper, out) } else { out.push_str(short) }
}

fn push_units(character: char, upper: bool, out: &mut String) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        push_unit(*unit, upper, out);
    }
}

fn push_unit(unit: u16, upper: bool, out: &mut String) {
    let written = if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
    out.push_str(&written);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_compactly() {
        let value = Json::Object(vec![
            (Text::Plain("b".into()), Json::List(vec![Json::null(), Json::literal("1e3")])),
            (Text::Plain("a\"".into()), Json::text("é\n\u{1}")),
            (Text::Escaped("\\ud800".into()), Json::Text(Text::Escaped("a\\ud83db".into()))),
        ]);
        assert_eq!(
            value.compact(),
            "{\"b\":[null,1e3],\"a\\\"\":\"é\\u000a\\u0001\",\"\\ud800\":\"a\\ud83db\"}"
        );
        assert_eq!(Json::text("é😀").ascii(), "\"\\u00e9\\ud83d\\ude00\"");
    }

    #[test]
    fn a_style_changes_the_text_and_not_the_value() {
        let members = ["one", "two/", "drei", "\u{1f600}"];
        let value = Json::Object(members.map(|name| (Text::Plain(name.into()), Json::text(name))).into());
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        for tape in [vec![1, 2, 3, 4, 5, 6, 7], vec![255, 128, 77], vec![9, 0, 0, 200]] {
            let mut text = String::new();
            value.write(&mut Style::new(tape), &mut text);
            assert_ne!(text, value.compact());
            assert_eq!(read(&text), read(&value.compact()), "{text}");
        }
    }
}
