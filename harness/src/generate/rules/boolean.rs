//! `boolean`: two values, one spelling each.

use proptest::bool::ANY;
use proptest::strategy::Strategy as _;

use super::Spellings;
use crate::generate::json::Json;

pub(super) fn spellings() -> Spellings {
    let json = |value: bool| Json::literal(if value { "true" } else { "false" });
    Spellings {
        equal: ANY.prop_map(move |value| [json(value), json(value)]).boxed(),
        different: Some(ANY.prop_map(move |value| [json(value), json(!value)]).boxed()),
        refused: Vec::new(),
        other_kinds: ["0", "1", "\"true\"", "\"false\"", "\"\"", "\"1\"", "[]", "{}", "[true]", "1e999"]
            .map(Json::literal)
            .into(),
        empty: Vec::new(),
    }
}
