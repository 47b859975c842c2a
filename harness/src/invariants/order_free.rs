//! order-free: the order of names, the spacing and the escapes do not count.

use proptest::strategy::Strategy as _;

use super::counterexample::Counterexample;
use super::{Bench, Verdict};
use crate::generate::intent::Frame;
use crate::generate::pair::Side;
use crate::generate::payload::Relations;
use crate::generate::style::Style;

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let strategy = (bench.payloads.pairs(Relations::SAME), Frame::any(bench.policy()), Style::any()).boxed();
    bench.run(&strategy, "nothing was written otherwise", |(pair, frame, style)| {
        let intent = frame.around(pair.side(Side::One));
        let (text, rewritten) = (intent.text(), intent.styled(style));
        let derived = bench.derive_sound(&intent)?;
        if bench.derive_text(&bench.ring, &rewritten).as_ref() == Ok(&derived) {
            return Ok(text != rewritten);
        }
        let side = |label, text: &str| bench.side_of_text(label, &bench.ring, text);
        let why = "one intent written in two ways does not derive alike";
        Err(Counterexample::new(why, side("as written", &text), side("rewritten", &rewritten)).boxed())
    })
}
