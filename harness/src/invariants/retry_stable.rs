//! retry-stable: what differs from attempt to attempt does not count.

use proptest::strategy::Strategy as _;

use super::{Bench, Verdict};
use crate::generate::intent::Frame;
use crate::generate::pair::Side;
use crate::generate::payload::Relations;

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    if bench.policy().ignored().is_empty() {
        return Verdict::Vacuous { why: String::from("the policy ignores no field") };
    }
    let relations = Relations { free_differs: true, ..Relations::SAME };
    let strategy = (bench.payloads.pairs(relations), Frame::any(bench.policy())).boxed();
    bench.run(&strategy, "no ignored field differed", |(pair, frame)| {
        let [first, retry] = [pair.side(Side::One), pair.with_free()].map(|payload| frame.around(payload));
        let derived = bench.derive_sound(&first)?;
        if bench.derive(&retry).as_ref() == Ok(&derived) {
            return Ok(first != retry);
        }
        let why = "two attempts that differ in ignored fields only do not derive alike";
        Err(bench.sides(why, ["first attempt", "retry"], [&first, &retry]).boxed())
    })
}
