//! Fields of a JSON Schema: of an intent, or of its payload.

use serde_json::Value;

use super::NoSamples;
use super::fields::{Fields, Kind, MOST_WORDS, SEEN_OFTEN, Seen};
use crate::field_path::below;

/// How deep definitions may refer to one another.
const DEEPEST: usize = 16;

/// The fields of a schema; `None` where the text is none.
pub(super) fn read(text: &str) -> Option<Result<Fields, NoSamples>> {
    let schema: Value = serde_json::from_str(text).ok()?;
    let is_schema = schema.get("$schema").is_some()
        || schema.get("properties").is_some_and(Value::is_object)
        || schema.get("$ref").is_some();
    is_schema.then(|| {
        let mut reader = Reader { root: &schema, fields: Fields::default() };
        let event = reader.resolved(&schema, 0);
        let payload = event.and_then(|event| event.pointer("/properties/payload")).unwrap_or(&schema);
        if let Some(action) = event.and_then(|event| event.pointer("/properties/action")) {
            let values = action.get("enum").and_then(Value::as_array).into_iter().flatten();
            let values = values.chain(action.get("const")).filter_map(Value::as_str);
            reader.fields.actions.extend(values.map(String::from));
        }
        reader.walk("", payload, true, 0);
        if reader.fields.fields.is_empty() { Err(NoSamples::NoProperties) } else { Ok(reader.fields) }
    })
}

struct Reader<'s> {
    root: &'s Value,
    fields: Fields,
}

impl<'s> Reader<'s> {
    /// The schema that a local reference leads to; `None` for one that leads nowhere.
    fn resolved(&self, schema: &'s Value, depth: usize) -> Option<&'s Value> {
        match schema.get("$ref").and_then(Value::as_str) {
            None => Some(schema),
            Some(reference) if depth < DEEPEST => {
                self.resolved(self.root.pointer(reference.strip_prefix('#')?)?, depth + 1)
            }
            Some(_) => None,
        }
    }

    fn walk(&mut self, path: &str, schema: &'s Value, is_required: bool, depth: usize) {
        let Some(schema) = self.resolved(schema, 0).filter(|_| depth < DEEPEST) else {
            return self.leaf(path, &Value::Null, is_required);
        };
        if let Some(Value::Object(properties)) = schema.get("properties") {
            let required: Vec<&str> = schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            for (name, property) in properties {
                self.walk(
                    &below(path, name),
                    property,
                    is_required && required.contains(&name.as_str()),
                    depth + 1,
                );
            }
        } else if let Some(items) = schema.get("items").filter(|items| items.is_object()) {
            self.fields.lists.insert(path.to_owned());
            self.walk(&format!("{path}[]"), items, is_required, depth + 1);
        } else {
            self.leaf(path, schema, is_required);
        }
    }

    fn leaf(&mut self, path: &str, schema: &Value, is_required: bool) {
        if path.is_empty() {
            return;
        }
        let mut seen = Seen { of: 1, present: u64::from(is_required), ..Seen::default() };
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let is_numeric = types.iter().any(|kind| matches!(*kind, "number" | "integer"));
        for name in types {
            let kind = match name {
                "boolean" => Kind::Boolean,
                "integer" => Kind::Whole,
                "number" => Kind::Fraction,
                "string" => Kind::Text,
                "null" => {
                    seen.is_null = true;
                    continue;
                }
                _ => Kind::Empty,
            };
            seen.kinds.insert(kind, 1);
        }
        seen.decimals = u64::from(is_numeric && seen.kinds.contains_key(&Kind::Text));
        let shape = match schema.get("format").and_then(Value::as_str) {
            Some("date-time") => Some("timestamp"),
            Some("date") => Some("date"),
            Some("email" | "idn-email") => Some("e-mail"),
            Some("uuid") => Some("UUID"),
            _ => None,
        };
        seen.shapes.extend(shape.map(|shape| (shape.to_owned(), 1)));
        let values =
            schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let listed: Vec<&str> = values.chain(schema.get("const").and_then(Value::as_str)).collect();
        if !listed.is_empty() && listed.len() <= MOST_WORDS {
            seen.kinds.insert(Kind::Text, 1);
            // A schema's list is closed: as good as seen often.
            seen.words = listed.into_iter().map(|value| (value.to_owned(), SEEN_OFTEN)).collect();
        }
        self.fields.fields.insert(path.to_owned(), seen);
    }
}
