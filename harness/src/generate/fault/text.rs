//! Faults of JSON text.

use super::Fault;
use crate::generate::intent::Intent;
use crate::generate::json::{Json, Text};
use crate::generate::pick::Picks;

/// What is no JSON value, though some readers take it.
const NO_VALUES: &[&str] = &[
    "01",
    "+1",
    "1.",
    ".5",
    "NaN",
    "Infinity",
    "-",
    "1e",
    "0x1",
    "'x'",
    "undefined",
    "True",
    "nul",
    "[1,]",
    "{\"a\":1,}",
    "{a:1}",
    "\"\n\"",
    "\"\\x41\"",
    "\"\\u12g4\"",
    "\"\\ud83\"",
    "[1 2]",
    "{\"a\" 1}",
    "/**/1",
    "[",
    "\"",
    "\u{a0}1",
    "1 // x",
    "{\"a\":}",
    "[,]",
    "-01",
    "1__0",
    "\"\t\"",
    "\u{2028}1",
];

/// One level more than there may be.
const DEEP: usize = 65;

pub(super) fn faults(intent: &Intent, picks: &Picks) -> Vec<Fault> {
    let text = intent.text();
    let mut faults = Vec::new();
    faults.extend(cut(&text, picks));
    faults.extend(more(&text, picks));
    faults.extend(no_value(intent, picks));
    faults.push(deep(intent));
    faults
}

/// Any beginning of an object is none.
fn cut(text: &str, picks: &Picks) -> Option<Fault> {
    let characters = text.chars().count();
    let beginning: String = text.chars().take(picks.below(characters)).collect();
    (characters > 0).then(|| Fault::of_text("text that was cut", beginning, "json_malformed"))
}

fn more(text: &str, picks: &Picks) -> Option<Fault> {
    let more = *picks.among(&["x", "}", ",", "{}", "null", " 1", "\u{0}", "//"])?;
    Some(Fault::of_text("text after the value", format!("{text}{more}"), "json_malformed"))
}

fn no_value(intent: &Intent, picks: &Picks) -> Option<Fault> {
    let value = Json::literal(*picks.among(NO_VALUES)?);
    let payload = with_member(&intent.payload, value);
    Some(Fault::of_payload(intent, String::from("a value that is not JSON"), payload, "json_malformed", None))
}

fn deep(intent: &Intent) -> Fault {
    let value = Json::literal(format!("{}{}", "[".repeat(DEEP), "]".repeat(DEEP)));
    let payload = with_member(&intent.payload, value);
    Fault::of_payload(intent, String::from("too many levels"), payload, "payload_too_deep", None)
}

fn with_member(payload: &Json, value: Json) -> Json {
    let Json::Object(members) = payload else { return payload.clone() };
    let undeclared = Text::Plain(String::from("undeclared level"));
    Json::Object(members.iter().cloned().chain([(undeclared, value)]).collect())
}
