//! Values at the edges of a rule: near each other, and told apart or not by a word in the policy.

use intentkey_core::{Decimal, Enum, Rule, Scale};

use crate::generate::json::Json;

/// Texts that differ in case, white space, composition or folding alone, or hardly.
const TEXTS: [&str; 28] = [
    "a",
    "A",
    " a",
    "a ",
    "\u{1f}a",
    "a b",
    "a  b",
    "a\tb",
    "A B",
    "ss",
    "\u{df}",
    "SS",
    "\u{e9}",
    "e\u{301}",
    "\u{c9}",
    "\u{17f}",
    "s",
    "\u{fb01}",
    "fi",
    "\u{1fb3}",
    "\u{3b1}\u{345}",
    "\u{3b1}\u{3b9}",
    "\u{345}\u{301}",
    "\u{212b}",
    "\u{e5}",
    "\u{130}",
    "i\u{307}",
    " ",
];

/// Identifiers with and without their mask.
const IDENTIFIERS: [&str; 8] = ["11", "1-1", "1.1", "1/1", "12", "1-2", "01", "a-1"];

const EMAILS: [&str; 8] =
    ["a@b.c", "A@b.c", " a@b.c", "a@B.C", "\u{e9}@b.c", "e\u{301}@b.c", "ss@b.c", "\u{df}@b.c"];

const PHONES: [&str; 5] =
    ["+5511987654321", "+55 (11) 98765-4321", "+55.11.98765.4321", "+12345678", " +12345678"];

const PIX_KEYS: [&str; 7] = [
    "52998224725",
    "529.982.247-25",
    "a@b.c",
    "A@B.C",
    "+5511987654321",
    "123e4567-e89b-42d3-a456-426614174000",
    "123E4567-E89B-42D3-A456-426614174000",
];

const UUIDS: [&str; 4] = [
    "123e4567-e89b-42d3-a456-426614174000",
    "123E4567-E89B-42D3-A456-426614174000",
    "123e4567e89b42d3a456426614174000",
    "123e4567-e89b-42d3-a456-426614174001",
];

const TIMESTAMPS: [&str; 9] = [
    "2026-01-01T00:00:00Z",
    "2026-01-01t00:00:00z",
    "2026-01-01T01:00:00+01:00",
    "2026-01-01T00:00:00.5Z",
    "2026-01-01T00:00:00.50Z",
    "2026-01-01T00:00:00.0005Z",
    "2026-01-01T00:00:00.500001Z",
    "2026-01-01T00:00:00.0000001Z",
    "2026-01-01T00:00:01Z",
];

const DATES: [&str; 3] = ["2026-01-01", " 2026-01-01", "2026-01-02"];

const CURRENCIES: [&str; 7] = ["BRL", "brl", "USD", "JPY", "jpy", "KWD", "CLF"];

/// The places around which amounts are rounded, beside those of the rule itself: of the yen, the dong,
/// the dollar, the dinar and the unidad de fomento.
const PLACES: [u8; 5] = [0, 1, 2, 3, 4];

/// Values that tell a rule from one that is nearly the same.
pub(super) fn edge_values(rule: &Rule) -> Vec<Json> {
    let mut values = match rule {
        Rule::Text(_) | Rule::Exact(_) | Rule::Identifier(_) => [texts(&TEXTS), texts(&IDENTIFIERS)].concat(),
        Rule::PixKey(_) => texts(&PIX_KEYS),
        Rule::Email(_) => texts(&EMAILS),
        Rule::Phone(_) => texts(&PHONES),
        Rule::Uuid(_) => texts(&UUIDS),
        Rule::Digits(_) => texts(&IDENTIFIERS),
        Rule::Decimal(decimal) => amounts(decimal),
        Rule::Integer(_) => numbers(&["0", "1", "2", "1.0", "1e1", "10", "-0", "-1"]),
        Rule::Currency(_) => texts(&CURRENCIES),
        Rule::Boolean(_) => vec![Json::literal("true"), Json::literal("false")],
        Rule::Enum(values) => listed(values),
        Rule::Timestamp(_) => texts(&TIMESTAMPS),
        Rule::Date(_) => texts(&DATES),
        _ => Vec::new(),
    };
    values.extend([Json::text(""), Json::null()]);
    values
}

fn texts(texts: &[&str]) -> Vec<Json> {
    texts.iter().map(|text| Json::text(*text)).collect()
}

/// Numbers, and the same as strings.
fn numbers(literals: &[&str]) -> Vec<Json> {
    literals.iter().flat_map(|literal| [Json::literal(*literal), Json::text(*literal)]).collect()
}

/// Halves of the last place, after an even and an odd digit, and what lies on both sides of them.
fn amounts(decimal: &Decimal) -> Vec<Json> {
    let mut places: Vec<u8> = PLACES.into();
    if let Scale::Fixed(scale) = decimal.scale {
        places.insert(0, scale);
    }
    let mut values = numbers(&["1", "1.0", "2", "0", "-0"]);
    for scale in places {
        for (sign, digit) in [("", 0), ("", 1), ("", 2), ("-", 2)] {
            for end in ["5", "49", "51"] {
                let last = match scale {
                    0 => format!("{digit}.{end}"),
                    _ => format!("0.{}{digit}{end}", "0".repeat(usize::from(scale) - 1)),
                };
                values.push(Json::text(format!("{sign}{last}")));
            }
        }
    }
    values
}

/// The values, and each in another case.
fn listed(values: &Enum) -> Vec<Json> {
    let cases = |value: &str| [value.to_owned(), value.to_uppercase(), value.to_lowercase()];
    values.values.iter().flat_map(|value| cases(value)).map(Json::text).collect()
}
