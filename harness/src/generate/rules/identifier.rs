//! `identifier`: digits with a mask, or text.

use intentkey_core::Space;
use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy as _, Union};

use super::digits::{digits, mask};
use super::letters::Equality;
use super::{Spellings, any_of, blank, not_strings, padded, refused, text, texts};
use crate::generate::cycle::cycle;
use crate::generate::json::Json;

/// What stands between the digits of a mask.
const MASK: &[&str] = &[".", "-", "/", "", ".-"];

pub(super) fn spellings() -> Spellings {
    let numbers = (digits(1..15), mask(MASK), mask(MASK))
        .prop_map(|(digits, one, other)| [one.over(&digits), other.over(&digits)]);
    // The letter in front makes it a text whatever follows.
    let named =
        text::equal(Equality::Caseless, Space::Trim).prop_map(|pair| pair.map(|text| format!("q{text}")));
    let mut empty = blank();
    empty.extend([".", "-", "/", " -./ "].map(Json::text));
    Spellings {
        equal: padded(any_of(vec![numbers.boxed(), named.boxed()])),
        different: Some(different()),
        refused: refused(&[], ""),
        other_kinds: not_strings(),
        empty,
    }
}

fn different() -> BoxedStrategy<[Json; 2]> {
    let pairs: &[[&str; 2]] = &[
        // Digits: each counts, zeros in front too.
        ["123", "124"],
        ["0123", "123"],
        ["1-2", "1-2-0"],
        ["12.3", "1234"],
        // Not digits alone: then separators count.
        ["ab-12", "ab12"],
        ["a.b", "ab"],
        ["12 3", "123"],
        ["12_3", "123"],
        ["12,3", "123"],
        ["+123", "123"],
        ["(12)3", "123"],
        ["12\u{2013}3", "12-3"],
        ["\u{ff11}\u{ff12}", "12"],
        ["\u{661}", "1"],
        ["1\u{b2}", "12"],
    ];
    let named = text::different(Equality::Caseless, Space::Trim).prop_map(texts);
    let listed = cycle(pairs).prop_map(|pair| pair.map(Json::text));
    let changed = (digits(1..8), vec(0_usize..10, 1..3)).prop_map(|(digits, more)| {
        let more: String = more.iter().map(usize::to_string).collect();
        texts([digits.clone(), digits + &more])
    });
    Union::new(vec![listed.boxed(), changed.boxed(), named.boxed()]).boxed()
}
