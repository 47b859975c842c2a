//! The committed vectors, which say themselves what must come of each.

use std::fs;

use serde_json::{Map, Value};

use super::{Case, Ring, Setup};
use crate::json::Json;
use crate::workspace;

/// Every vector.
pub(super) fn all() -> Vec<Case> {
    file("public.jsonl").lines().map(case).collect()
}

fn file(name: &str) -> String {
    let path = workspace::root().join("tests/vectors").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A vector. Its intent is taken as the text that stands there: a lone surrogate, which JSON text
/// can hold and a Rust string cannot, stays an escape.
fn case(line: &str) -> Case {
    let mut vector = Json::read(line).unwrap_or_else(|| panic!("no vector: {line}"));
    let mut text_of = |name: &str| vector.member(name).map(|value| value.compact());
    let intent = text_of("intent");
    let raw = text_of("intent_text").map(|text| string(&text));
    let policy = text_of("policy").unwrap_or_default();
    let policy =
        if policy.starts_with('"') { file(&format!("{}.policy.json", string(&policy))) } else { policy };
    let secret = text_of("secret").map(|text| string(&text)).unwrap_or_default();
    let expect: Value = serde_json::from_str(&text_of("expect").unwrap_or_default()).unwrap_or_default();
    let expect = as_runtimes_show(expect);
    let as_object =
        intent.as_deref().is_some_and(is_an_intent) && expect["error"]["code"] != "field_duplicate";
    Case {
        id: text_of("id").map(|text| string(&text)).unwrap_or_default(),
        setup: Setup { policy, as_object: true, keyring: keyring(&secret) },
        intent: intent.or(raw).unwrap_or_default(),
        as_object,
        expect,
    }
}

fn string(token: &str) -> String {
    serde_json::from_str(token).unwrap_or_default()
}

/// Whether it has exactly the members of an intent, in whatever order.
fn is_an_intent(text: &str) -> bool {
    let Some(Json::Object(members)) = Json::read(text) else { return false };
    let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names == ["\"action\"", "\"intent_epoch\"", "\"payload\"", "\"tenant\""]
}

fn keyring(name: &str) -> Ring {
    match name {
        "default" => Ring::Bare(file("secret.default.hex").trim().to_owned()),
        ring => Ring::Entries(file(&format!("secret.{ring}.json"))),
    }
}

/// Without the material, which `derive` does not give, and without members that are null.
fn as_runtimes_show(mut expect: Value) -> Value {
    fn strip(members: &mut Map<String, Value>) {
        members.remove("material");
        members.retain(|_, value| !value.is_null());
        members.values_mut().filter_map(Value::as_object_mut).for_each(strip);
    }
    expect.as_object_mut().into_iter().for_each(strip);
    expect
}
