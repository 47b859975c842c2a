//! checked-guard: a checked field that changes keeps the key and changes the fingerprint.

use proptest::strategy::Strategy as _;

use intentkey_core::Class;

use super::{Bench, Verdict};
use crate::generate::field::Relation;
use crate::generate::intent::{Frame, Intent};
use crate::generate::pair::{Pair, Side};
use crate::generate::payload::Relations;
use crate::hosts::Derived;

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    if bench.policy().fields().iter().all(|field| field.class() != Class::Checked) {
        return Verdict::Vacuous { why: String::from("the policy checks no field") };
    }
    let relations = Relations { checked: Relation::Different, ..Relations::SAME };
    let strategy = (bench.payloads.pairs(relations), Frame::any(bench.policy())).boxed();
    bench.run(&strategy, "no checked field has two meanings", |(pair, frame)| {
        let one = frame.around(pair.side(Side::One));
        let derived = bench.derive_sound(&one)?;
        let mut any = false;
        for (number, leaf) in pair.leaves().iter().enumerate() {
            let [value, meaning] = &leaf.values;
            if leaf.identity || value == meaning {
                continue;
            }
            any = true;
            let other = frame.around(pair.with_leaf(number));
            if let Err(why) = guards(bench, &other, &derived) {
                let field = bench.field_of(pair, number);
                return Err(bench.sides(why, LABELS, [&one, &other]).at(bench, field).boxed());
            }
        }
        for other in longer(pair).iter().map(|other| frame.around(other.side(Side::One))) {
            any = true;
            if let Err(why) = guards(bench, &other, &derived) {
                return Err(bench.sides(why, LABELS, [&one, &other]).boxed());
            }
        }
        Ok(any)
    })
}

const LABELS: [&str; 2] = ["one attempt", "another attempt"];

fn guards(bench: &Bench<'_>, other: &Intent, derived: &Derived) -> Result<(), &'static str> {
    let Ok(again) = bench.derive(other) else { return Err("a sound intent is refused") };
    let edges = [derived, &again].map(|derived| derived.edge.as_ref());
    let edge_keys = edges.map(|edge| edge.map(|edge| &edge.key));
    let edge_fingerprints = edges.map(|edge| edge.map(|edge| &edge.fingerprint));
    if again.key != derived.key || edge_keys.first() != edge_keys.last() {
        return Err("a checked field is in the key");
    }
    let same_edge = edge_fingerprints.first() == edge_fingerprints.last() && derived.edge.is_some();
    if again.fingerprint == derived.fingerprint || same_edge {
        return Err("a checked field is not in the fingerprint");
    }
    Ok(())
}

/// The payload with each list that is only checked one element longer.
fn longer(pair: &Pair) -> Vec<Pair> {
    let lists = pair.clone().count_lists();
    let longer = |number| {
        let mut pair = pair.clone();
        let mut changed = false;
        pair.edit_list(number, &mut |list| {
            if let (true, false, Some(elements)) = (list.in_fingerprint, list.in_key, &mut list.elements) {
                let last = elements.last().cloned();
                changed = last.is_some();
                elements.extend(last);
            }
        });
        changed.then_some(pair)
    };
    (0..lists).filter_map(longer).collect()
}
