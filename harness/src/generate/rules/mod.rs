//! What the harness knows of each rule: spellings that are equal, meanings that differ, and
//! values that are refused.
//!
//! All of it is known by construction and none of it comes from core, which is what is tested.
//! A rule is a file here and a line in [`spellings`].

mod boolean;
mod currency;
mod date;
mod decimal;
mod digits;
pub(crate) mod distinct;
mod email;
mod enumeration;
mod exact;
mod identifier;
mod integer;
pub(crate) mod letters;
mod letters_table;
mod near_misses;
mod notation;
mod phone;
mod pix_key;
mod sweep;
mod tax_number;
mod text;
mod timestamp;
mod units;
mod uuid;
mod white_space;

pub(crate) use currency::Coin;
pub(crate) use white_space::{TRIMMED, padding};

use intentkey_core::Rule;
use proptest::strategy::{BoxedStrategy, Strategy, Union};

use super::json::Json;

/// What is known of the values of one rule.
pub(crate) struct Spellings {
    /// Two spellings of one meaning. Never empty, never absent.
    pub(crate) equal: BoxedStrategy<[Json; 2]>,
    /// Two meanings; none where the rule has only one.
    pub(crate) different: Option<BoxedStrategy<[Json; 2]>>,
    /// Values that the rule refuses, each with the code.
    pub(crate) refused: Vec<(Json, &'static str)>,
    /// Kinds of values that the rule does not take: `field_type`.
    pub(crate) other_kinds: Vec<Json>,
    /// Strings that count as empty, where the rule has any.
    pub(crate) empty: Vec<Json>,
}

/// What is known of a rule's values.
///
/// `coin` is the currency that the payload is in: of the field that holds it, and of the amounts
/// whose scale it gives. `None` for a rule that the harness has no generator for.
pub(crate) fn spellings(rule: &Rule, coin: Option<&'static Coin>) -> Option<Spellings> {
    Some(match rule {
        Rule::Text(text) => text::spellings(text),
        Rule::Exact(_) => exact::spellings(),
        Rule::Identifier(_) => identifier::spellings(),
        Rule::PixKey(pix_key) => pix_key::spellings(pix_key),
        Rule::Email(_) => email::spellings(),
        Rule::Phone(_) => phone::spellings(),
        Rule::Uuid(_) => uuid::spellings(),
        Rule::Digits(_) => digits::spellings(),
        Rule::Decimal(decimal) => decimal::spellings(decimal, coin),
        Rule::Integer(_) => integer::spellings(),
        Rule::Currency(_) => currency::spellings(coin),
        Rule::Boolean(_) => boolean::spellings(),
        Rule::Enum(listed) => enumeration::spellings(listed),
        Rule::Timestamp(timestamp) => timestamp::spellings(timestamp),
        Rule::Date(_) => date::spellings(),
        _ => return None,
    })
}

/// One of several strategies, each as often as any other; shrinks towards the first.
fn any_of<T: std::fmt::Debug + 'static>(options: Vec<BoxedStrategy<T>>) -> BoxedStrategy<T> {
    Union::new(options).boxed()
}

/// Both texts as JSON strings.
fn texts([one, other]: [String; 2]) -> [Json; 2] {
    [Json::text(one), Json::text(other)]
}

/// Both texts with white space around them that is trimmed, each with its own.
fn padded(texts: impl Strategy<Value = [String; 2]> + 'static) -> BoxedStrategy<[Json; 2]> {
    (texts, padding(), padding())
        .prop_map(|([one, other], around_one, around_other)| {
            [Json::text(around_one.around(&one)), Json::text(around_other.around(&other))]
        })
        .boxed()
}

/// Strings that are refused, under one code.
fn refused(texts: &[&str], code: &'static str) -> Vec<(Json, &'static str)> {
    texts.iter().map(|text| (Json::text(*text), code)).collect()
}

/// Values that a rule for strings does not take.
fn not_strings() -> Vec<Json> {
    ["1", "0", "1.5", "-1", "true", "false", "[]", "{}", "[\"a\"]", "{\"a\":\"b\"}", "[null]", "1e999"]
        .map(Json::literal)
        .into()
}

/// Strings that are empty once trimmed.
fn blank() -> Vec<Json> {
    let each = TRIMMED.iter().map(|character| Json::text(character.to_string()));
    std::iter::once(Json::text("")).chain([Json::text(" \t\u{a0} ")]).chain(each).collect()
}
