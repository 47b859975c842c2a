//! Cases: intents, and text that is to be refused.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::generate::intent::Intent;
use crate::generate::json::{Json, Text};

/// What a producer is given.
#[derive(Clone, Debug)]
pub(super) enum Case {
    /// An intent that has all its members.
    Intent(Intent),
    /// Any other text.
    Text(String),
}

impl Case {
    /// The case of a text: an intent where it is one.
    pub(super) fn of_text(text: String) -> Self {
        match intent(&text) {
            Some(intent) => Case::Intent(intent),
            None => Case::Text(text),
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Case::Intent(intent) => intent.text(),
            Case::Text(text) => text.clone(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text().len()
    }

    pub(super) fn intent(&self) -> Option<&Intent> {
        match self {
            Case::Intent(intent) => Some(intent),
            Case::Text(_) => None,
        }
    }

    /// Whether it is one line, which is not blank.
    pub(super) fn is_line(&self) -> bool {
        let text = self.text();
        !text.trim().is_empty() && !text.contains(['\n', '\r'])
    }
}

fn intent(text: &str) -> Option<Intent> {
    let Json::Object(members) = json(text)? else { return None };
    let [tenant, action, epoch, payload] = ["tenant", "action", "intent_epoch", "payload"].map(|name| {
        let mut own = members.iter().filter(|member| member.0.is(name));
        own.next().filter(|_| own.next().is_none()).map(|member| member.1.clone())
    });
    let plain = |text: Option<Json>| match text? {
        Json::Text(Text::Plain(text)) => Some(text),
        _ => None,
    };
    let epoch = match epoch? {
        Json::Literal(epoch) => epoch.parse().ok()?,
        _ => return None,
    };
    let intent = Intent { tenant: plain(tenant)?, action: plain(action)?, epoch, payload: payload? };
    // What has more, or is written otherwise, stays as it is.
    (intent.text().len() == text.len()).then_some(intent)
}

/// The value of a JSON text, escapes kept where they say what Unicode text cannot.
fn json(text: &str) -> Option<Json> {
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    let text = raw.get();
    match text.as_bytes().first()? {
        b'"' => Some(match serde_json::from_str::<String>(text) {
            Ok(plain) => Json::text(plain),
            Err(_) => Json::Text(Text::Escaped(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())),
        }),
        b'[' => {
            let elements: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            elements.into_iter().map(|element| json(element.get())).collect::<Option<_>>().map(Json::List)
        }
        b'{' => {
            let members = serde_json::Deserializer::from_str(text).deserialize_map(Members).ok()?;
            let members = members
                .into_iter()
                .map(|(name, value)| Some((Text::Plain(name.into_owned()), json(value.get())?)));
            members.collect::<Option<_>>().map(Json::Object)
        }
        _ => Some(Json::literal(text)),
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry::<String, &RawValue>()? {
            members.push((Cow::Owned(member.0), member.1));
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_intent_is_read_as_it_is_written() {
        let text = "{\"tenant\":\"a\",\"action\":\"b\",\"intent_epoch\":1,\"payload\":{\"x\":[1e3,\"\\ud800\",{\"é\":null}]}}";
        let case = Case::of_text(text.to_owned());
        assert!(case.intent().is_some());
        assert_eq!(case.text(), text);
    }

    #[test]
    fn what_is_no_intent_stays_text() {
        for text in ["", "[", "{}", "{\"tenant\":\"a\",\"action\":\"b\",\"intent_epoch\":-1,\"payload\":{}}"]
        {
            assert!(Case::of_text(text.to_owned()).intent().is_none(), "{text}");
        }
    }
}
