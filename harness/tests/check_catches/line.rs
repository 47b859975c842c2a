//! An object of JSON text, its members kept as they were written: a repeated name, a lone
//! surrogate or a number of any size passes through.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// An object: names, and values as JSON text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line(pub(crate) Vec<(String, String)>);

impl Line {
    /// `None` for what is no object, and for a name that is no Unicode text.
    pub(crate) fn parse(text: &str) -> Option<Line> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let line = reader.deserialize_map(Members).ok()?;
        reader.end().ok().map(|()| line)
    }

    /// A member as JSON text; empty where there is none.
    pub(crate) fn raw(&self, name: &str) -> &str {
        self.0.iter().find(|member| member.0 == name).map_or("", |member| &member.1)
    }

    /// A member's text, where it is a string.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.raw(name)).ok()
    }

    /// A member's number, where it is one.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.raw(name).parse().ok()
    }

    /// A member that is an object; empty where it is none.
    pub(crate) fn object(&self, name: &str) -> Line {
        Line::parse(self.raw(name)).unwrap_or_default()
    }

    /// Replaces a member, where there is one, by JSON text.
    pub(crate) fn set(&mut self, name: &str, value: impl fmt::Display) {
        if let Some(member) = self.0.iter_mut().find(|member| member.0 == name) {
            member.1 = value.to_string();
        }
    }

    /// Changes the payload, where there is one.
    pub(crate) fn edit_payload(&mut self, edit: impl Fn(&mut Line)) {
        if let Some(mut payload) = Line::parse(self.raw("payload")) {
            edit(&mut payload);
            self.set("payload", payload);
        }
    }

    /// Changes a member's text, where it is a string.
    pub(crate) fn edit_text(&mut self, name: &str, edit: impl Fn(&str) -> String) {
        if let Some(text) = self.text(name) {
            self.set(name, serde_json::Value::from(edit(&text)));
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members =
            self.0.iter().map(|(name, value)| format!("{}:{value}", serde_json::Value::from(name.as_str())));
        write!(f, "{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Line;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Line, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            members.push((name, map.next_value::<Box<RawValue>>()?.get().to_owned()));
        }
        Ok(Line(members))
    }
}
