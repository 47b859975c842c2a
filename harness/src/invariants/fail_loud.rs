//! fail-loud: one thing wrong, one documented refusal.

use proptest::strategy::Strategy as _;

use super::counterexample::Counterexample;
use super::{Bench, Verdict};
use crate::generate::fault::{Fault, faults};
use crate::generate::intent::Frame;
use crate::generate::pair::Side;
use crate::generate::payload::Relations;
use crate::generate::pick::Picks;
use crate::hosts::Outcome;

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let strategy = (bench.payloads.pairs(Relations::SAME), Frame::any(bench.policy()), Picks::any()).boxed();
    bench.run(&strategy, "nothing can be wrong", |(pair, frame, picks)| {
        let sound = frame.around(pair.side(Side::One));
        bench.derive_sound(&sound)?;
        for fault in faults(&bench.payloads, &sound, picks) {
            let outcome = bench.derive_text(&bench.ring, &fault.text);
            if is_documented(&outcome, &fault) {
                continue;
            }
            let why = match &outcome {
                Ok(_) => format!("a fault is not refused ({})", super::counterexample::ascii(&fault.what)),
                Err(_) => format!(
                    "a fault is refused in another way ({})",
                    super::counterexample::ascii(&fault.what)
                ),
            };
            let faulty = bench.side_of_text("the same with a fault", &bench.ring, &fault.text);
            let sound = bench.side_of_text("a sound intent", &bench.ring, &sound.text());
            let found =
                Counterexample { field: fault.field.clone(), ..Counterexample::new(why, sound, faulty) };
            return Err(found.noting(format!("documented is {}", documented(&fault))).boxed());
        }
        Ok(true)
    })
}

fn is_documented(outcome: &Outcome, fault: &Fault) -> bool {
    outcome.as_ref().is_err_and(|refused| {
        refused.code == fault.code && refused.field == fault.field && refused.fields == fault.fields
    })
}

fn documented(fault: &Fault) -> String {
    let field = fault.field.iter().map(|field| format!(" at {field:?}"));
    let fields = (!fault.fields.is_empty()).then(|| format!(" for {:?}", fault.fields));
    std::iter::once(fault.code.to_owned()).chain(field).chain(fields).collect()
}
