//! Raw text: what is wrong with it as JSON, and what is merely large.

use serde_json::Value;

use super::{Case, Ring, Setup};
use crate::random::Random;

/// What is put somewhere into a text, and what hardly any reader takes.
const INTRUDERS: [&str; 26] = [
    ",",
    "\"",
    "\\",
    "}",
    "]",
    "{",
    "[",
    ":",
    "\u{0}",
    "\u{b}",
    "\u{a0}",
    "\u{feff}",
    "/* */",
    "// x\n",
    "'",
    "NaN",
    "Infinity",
    "+1",
    "01",
    "1.",
    ".5",
    "1e",
    "\\x41",
    "\\u12",
    "undefined",
    "\u{2028}",
];

/// The text with one thing wrong, by and large.
pub(super) fn broken(text: &str, random: &mut Random) -> String {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let (before, after) = text.split_at(at);
    match random.below(5) {
        0 => before.to_owned(),
        1 => format!("{text}{}", random.pick(&INTRUDERS)),
        2 => format!("{}{text}", random.pick(&INTRUDERS)),
        _ => format!("{before}{}{after}", random.pick(&INTRUDERS)),
    }
}

const POLICY: &str = r#"{"name":"raw","actions":["a"],"bucket_seconds":900,
    "identity":{"id":{"rule":"exact"},"list[]":{"rule":"exact","required":true}},"ignored":{"junk":"a test"}}"#;

/// Texts by hand: no object at all, and limits passed or just not.
pub(super) fn all(_: &[Case]) -> Vec<Case> {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let items = |count: usize| vec!["\"\""; count].join(",");
    let intent = |payload: &str| {
        format!(r#"{{"tenant":"t","action":"a","intent_epoch":1767225700,"payload":{payload}}}"#)
    };
    let with = |id: &str, list: &str| intent(&format!(r#"{{"id":"{id}","list":[{list}]}}"#));
    let junk = |junk: &str| intent(&format!(r#"{{"id":"x","list":[],"junk":{junk}}}"#));
    let texts = [
        (false, String::new()),
        (false, " ".to_owned()),
        (false, "null".to_owned()),
        (false, "[]".to_owned()),
        (false, "\"x\"".to_owned()),
        (false, "{}".to_owned()),
        (false, with("x", "") + " x"),
        (true, with("x", "")),
        (true, with(&"x".repeat(70_000), "")),
        // 1 MiB of names and strings, and one byte more: "id", "list", and the value.
        (true, with(&"x".repeat((1 << 20) - 6), "")),
        (true, with(&"x".repeat((1 << 20) - 5), "")),
        // 65,536 values: the payload, the id, the list, and its elements.
        (true, with("x", &items(65_533))),
        (true, with("x", &items(65_534))),
        // 64 levels, the payload being the first.
        (true, with("x", &deep(61))),
        (true, with("x", &deep(62))),
        (true, with("x", &deep(63))),
        (true, with("x", &deep(5_000))),
        (true, junk(&deep(5_000))),
        (false, junk(&deep(500_000))),
        (true, junk(&format!("[{}]", items(70_000)))),
        (false, junk(&format!("\"{}\"", "x".repeat(4 << 20)))),
        (true, junk(r#"["\ud800",1e999,{"\udc00":1},null]"#)),
        (false, junk(r#"{"a":1,"a":2}"#)),
        (false, junk("[1,]")),
        (false, junk("tru")),
    ];
    let setup = Setup { policy: POLICY.to_owned(), as_object: true, keyring: Ring::Bare("5a".repeat(32)) };
    let case = |(number, (as_object, intent)): (usize, (bool, String))| Case {
        id: format!("text-{number}"),
        setup: setup.clone(),
        intent,
        as_object,
        expect: Value::Null,
    };
    texts.into_iter().enumerate().map(case).collect()
}
