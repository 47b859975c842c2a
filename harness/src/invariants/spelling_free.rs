//! spelling-free: equal spellings have one key.

use proptest::strategy::Strategy as _;

use super::{Bench, Verdict};
use crate::generate::field::Relation;
use crate::generate::intent::Frame;
use crate::generate::pair::{Pair, Side};
use crate::generate::payload::Relations;

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let relations = Relations { identity: Relation::Equal, checked: Relation::Equal, free_differs: false };
    let strategy = (bench.payloads.pairs(relations), Frame::any(bench.policy())).boxed();
    bench.run(&strategy, "no field has two spellings", |(pair, frame)| {
        let [one, other] = [Side::One, Side::Other].map(|side| frame.around(pair.side(side)));
        let derived = bench.derive_sound(&one)?;
        let again = bench.derive(&other);
        if again.as_ref() == Ok(&derived) {
            return Ok(one != other);
        }
        let why = match &again {
            Err(_) => "of two equal spellings one is refused",
            Ok(again) if again.key != derived.key => "equal spellings have different keys",
            Ok(_) => "equal spellings have the same key and do not derive alike",
        };
        let field =
            bench.culprit(pair, |payload| bench.derive(&frame.around(payload)).as_ref() != Ok(&derived));
        Err(bench.sides(why, ["one spelling", "another spelling"], [&one, &other]).at(bench, field).boxed())
    })
}

impl Bench<'_> {
    /// The first leaf of the second payload that alone makes the difference.
    pub(super) fn culprit(
        &self,
        pair: &Pair,
        differs: impl Fn(crate::generate::json::Json) -> bool,
    ) -> Option<(String, usize)> {
        let leaves = pair.leaves();
        let number = (0..leaves.len()).find(|number| differs(pair.with_leaf(*number)))?;
        self.field_of(pair, number)
    }

    /// The path of a leaf's field, and the field's index.
    pub(super) fn field_of(&self, pair: &Pair, number: usize) -> Option<(String, usize)> {
        let index = pair.leaves().get(number)?.field;
        self.policy().fields().get(index).map(|field| (field.path().to_string(), index))
    }
}
