//! Values of ignored parts: whatever JSON can say, since nothing there is looked at.

use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Just, Strategy as _, Union};

use super::cycle::cycle;
use super::json::{Json, Text};

/// How deep the deepest value is: far beyond what is allowed elsewhere.
const DEPTH: usize = 200;

/// Values that are refused anywhere else.
const HARMFUL: &[&str] = &[
    "null",
    "0",
    "\"\"",
    "[]",
    "{}",
    "true",
    "\"x\"",
    "1e999999",
    "-0",
    "123456789012345678901234567890",
    "\"\\ud83d\"",
    "\"\\udc00\\ud800\"",
    "{\"a\":1,\"a\":2}",
    "{\"\\ud800\":1}",
    "{\"\":null}",
    "{\"__proto__\":{}}",
    "1.00499999999999999999999999999999",
    "\"\\u0000\"",
    "[null,[],{}]",
    "\"\u{2028}\u{feff}\"",
    "\"\\\"}\\\\\"",
    "{\"amount\":\"1\",\"tenant\":\"x\"}",
    "-1e-999999999999",
];

/// Any value; the simplest is `null`.
pub(crate) fn junk() -> BoxedStrategy<Json> {
    let deep = Just(Json::literal(format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH)))).boxed();
    let text = "[a-z\u{e0}-\u{ff}]";
    let word = vec(cycle(&text.chars().collect::<Vec<_>>()), 1..6)
        .prop_map(|word| Json::text(String::from_iter(word)));
    let harmful = cycle(HARMFUL).prop_map(Json::literal).boxed();
    let list = vec(cycle(HARMFUL).prop_map(Json::literal), 0..3).prop_map(Json::List).boxed();
    let object = vec((cycle(&["a", "b", "amount"]), cycle(HARMFUL)), 0..3)
        .prop_map(|members| {
            let member = |(name, value)| (Text::Plain(String::from(name)), Json::literal(value));
            Json::Object(members.into_iter().map(member).collect::<Vec<_>>())
        })
        .boxed();
    let number = proptest::num::i64::ANY.prop_map(|number| Json::literal(number.to_string())).boxed();
    Union::new_weighted(vec![
        (1, Just(Json::null()).boxed()),
        (6, harmful),
        (2, word.boxed()),
        (2, number),
        (1, list),
        (1, object),
        (1, deep),
    ])
    .boxed()
}
