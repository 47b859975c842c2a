//! The test vectors of an independent implementation: the same bytes, or the same refusal.
#![expect(clippy::unwrap_used, clippy::string_slice, clippy::indexing_slicing, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use intentkey_core::{Deriver, Keyring, Policies, Refusal, Secret};
use serde_json::{Map, Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors")
}

fn file(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

fn keyring(name: &str) -> Keyring {
    match name {
        "default" => Secret::from_hex(file("secret.default.hex").trim()).unwrap().into(),
        ring => Keyring::from_json(&file(&format!("secret.{ring}.json"))).unwrap(),
    }
}

fn deriver(case: &Value) -> Result<Deriver, Refusal> {
    let policy = match &case["policy"] {
        Value::String(name) => file(&format!("{name}.policy.json")),
        policy => policy.to_string(),
    };
    Deriver::new(Policies::from_json(&policy)?, keyring(case["secret"].as_str().unwrap()))
}

/// The intent's text: as it stands in the file, where lone surrogates are still escapes.
fn intent_text(line: &str, case: &Map<String, Value>) -> String {
    match case.get("intent_text") {
        Some(text) => text.as_str().unwrap().to_owned(),
        None => {
            let (_, rest) = line.split_once("\"intent\": ").unwrap();
            let end = rest.rfind(", \"expect\": ").unwrap();
            rest[..end].to_owned()
        }
    }
}

fn outcome(deriver: &Deriver, text: &str) -> Result<Value, Refusal> {
    let explanation = deriver.explain(&deriver.read(text)?)?;
    let derived = &explanation.derived;
    let mut outcome = json!({
        "key": derived.key.as_str(),
        "fingerprint": derived.fingerprint.to_hex(),
        "secret_id": &*derived.secret_id,
        "material": explanation.material,
        "bucket": derived.bucket,
    });
    if let Some(edge) = &derived.edge {
        outcome["edge"] = json!({
            "key": edge.key.as_str(),
            "fingerprint": edge.fingerprint.to_hex(),
            "secret_id": &*edge.secret_id,
            "material": explanation.edge_material,
        });
    }
    Ok(outcome)
}

fn refused(refusal: &Refusal) -> Value {
    let mut error = json!({ "code": refusal.code().as_str(), "field": refusal.field() });
    if !refusal.fields().is_empty() {
        error["fields"] = json!(refusal.fields());
    }
    json!({ "error": error })
}

/// The case as JSON; a lone surrogate, which JSON text can hold and `serde_json` cannot, reads
/// as U+FFFD here and stays what it is in the intent's text.
fn parse(line: &str) -> Map<String, Value> {
    let mut readable = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("\\u") {
        let (before, escape) = rest.split_at(at);
        readable.push_str(before);
        let unit = |text: &str| u32::from_str_radix(text.get(2..6)?, 16).ok();
        let backslashes = before.bytes().rev().take_while(|&byte| byte == b'\\').count();
        let high = unit(escape).filter(|_| backslashes % 2 == 0);
        let length = match high {
            Some(0xd800..=0xdbff)
                if unit(&escape[6..]).is_some_and(|low| (0xdc00..0xe000).contains(&low)) =>
            {
                12
            }
            Some(0xd800..=0xdfff) => {
                readable.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            Some(_) => 6,
            None => 2,
        };
        readable.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    readable.push_str(rest);
    serde_json::from_str(&readable).unwrap()
}

#[test]
fn every_vector_gives_the_same_bytes_or_the_same_refusal() {
    let mut cases = 0;
    let mut wrong = Vec::new();
    for line in file("public.jsonl").lines() {
        let case = parse(line);
        let deriver = deriver(&Value::Object(case.clone())).unwrap();
        let text = intent_text(line, &case);
        let given = outcome(&deriver, &text).unwrap_or_else(|refusal| refused(&refusal));
        let mut expected = case["expect"].clone();
        if let Some(error) = expected.get_mut("error").and_then(Value::as_object_mut) {
            error.entry("field").or_insert(Value::Null);
        }
        if given != expected {
            wrong.push(format!("{}\n  expected {expected}\n  given    {given}", case["id"]));
        }
        cases += 1;
    }
    assert_eq!(cases, 773);
    assert!(wrong.is_empty(), "{} of {cases} differ:\n{}", wrong.len(), wrong.join("\n"));
}
