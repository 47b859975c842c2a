//! identity-sensitive: another meaning has another key.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::strategy::Strategy as _;

use super::bench::Judged;
use super::{Bench, Verdict};
use crate::generate::cycle::cycle;
use crate::generate::field::Relation;
use crate::generate::intent::{Frame, Intent};
use crate::generate::json::Json;
use crate::generate::pair::{List, Pair, Side};
use crate::generate::payload::Relations;
use crate::hosts::Derived;

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let relations = Relations { identity: Relation::Different, ..Relations::SAME };
    let pairs = vec(bench.payloads.pairs(relations), 1..=PAYLOADS);
    let strategy = (pairs, Frame::any(bench.policy()), cycle(&(0..WINDOWS).collect::<Vec<_>>())).boxed();
    bench.run(&strategy, "no identity field has two meanings", |(pairs, frame, window)| {
        if let Some(pair) = pairs.first() {
            each_letter(bench, pair, frame, *window)?;
        }
        pairs.iter().try_fold(false, |any, pair| {
            let one = frame.around(pair.side(Side::One));
            let derived = bench.derive_sound(&one)?;
            let leaves = each_leaf(bench, pair, frame, &one, &derived)?;
            let lists = each_list(bench, pair, frame, &one, &derived)?;
            Ok(any || leaves || lists)
        })
    })
}

/// The most payloads of a case: the hard pairs are many, and each field meets one a payload.
const PAYLOADS: usize = 5;

/// How many windows on the distinct letters there are: they are gone through in a run.
const WINDOWS: usize = 80;

/// How many distinct letters are compared in a case: capitals and small letters are as far apart.
const WINDOW: usize = 64;

/// Each field that takes any text, with one letter after the other in it: no two share a key.
fn each_letter(bench: &Bench<'_>, pair: &Pair, frame: &Frame, window: usize) -> Judged {
    for (number, leaf) in pair.leaves().iter().enumerate().filter(|(_, leaf)| leaf.identity) {
        let Some(letters) = bench.payloads.distinct_letters(leaf.field) else { continue };
        let begin = (window * WINDOW / 2) % letters.len().max(1);
        let mut seen: HashMap<String, Intent> = HashMap::new();
        for letter in letters.iter().skip(begin).take(WINDOW) {
            let value = Json::text(format!("x{letter}x"));
            let intent = frame.around(pair.with_value(number, &value));
            let derived = bench.derive_sound(&intent)?;
            if let Some(other) = seen.insert(derived.key, intent.clone()) {
                let why = "different meanings have the same key";
                return Err(bench
                    .sides(why, LABELS, [&other, &intent])
                    .at(bench, bench.field_of(pair, number))
                    .boxed());
            }
        }
    }
    Ok(true)
}

/// Each identity leaf given another meaning, one by one.
fn each_leaf(bench: &Bench<'_>, pair: &Pair, frame: &Frame, one: &Intent, derived: &Derived) -> Judged {
    let mut any = false;
    for (number, leaf) in pair.leaves().iter().enumerate() {
        let [value, meaning] = &leaf.values;
        if !leaf.identity || value == meaning {
            continue;
        }
        any = true;
        let other = frame.around(pair.with_leaf(number));
        if let Err(why) = differs(bench, &other, derived, pair.has_identity(Some(number))) {
            let field = bench.field_of(pair, number);
            return Err(bench.sides(why, LABELS, [one, &other]).at(bench, field).boxed());
        }
    }
    Ok(any)
}

const LABELS: [&str; 2] = ["one meaning", "another meaning"];

/// Whether an intent with another meaning derives as it should.
fn differs(
    bench: &Bench<'_>,
    other: &Intent,
    derived: &Derived,
    has_identity: bool,
) -> Result<(), &'static str> {
    match bench.derive(other) {
        Ok(again) if !has_identity => Err(if again.key == derived.key {
            "an intent without identity has the key of another"
        } else {
            "an intent without identity has a key"
        }),
        Err(refused) if !has_identity && refused.code == "identity_empty" => Ok(()),
        Err(_) => Err("a sound intent is refused"),
        Ok(again) if again.key == derived.key => Err("different meanings have the same key"),
        Ok(again) if again.fingerprint == derived.fingerprint => {
            Err("different meanings have the same fingerprint")
        }
        Ok(again) if again.edge.is_some() && edge_key(&again) == edge_key(derived) => {
            Err("different meanings have the same edge key")
        }
        Ok(_) => Ok(()),
    }
}

fn edge_key(derived: &Derived) -> Option<&String> {
    derived.edge.as_ref().map(|edge| &edge.key)
}

/// A change of a list that makes it another one.
#[derive(Clone, Copy)]
enum Change {
    /// Its last element once more.
    Repeat,
    /// Without its last element.
    Drop,
    /// Two elements that differ change places.
    Swap,
    /// Empty, against not there.
    Empty,
}

/// Each list changed as a whole, one by one.
fn each_list(bench: &Bench<'_>, pair: &Pair, frame: &Frame, one: &Intent, derived: &Derived) -> Judged {
    let mut any = false;
    let lists = pair.clone().count_lists();
    for number in 0..lists {
        for change in [Change::Repeat, Change::Drop, Change::Swap, Change::Empty] {
            let Some([before, after]) = changed(pair, number, change) else { continue };
            if !before.has_identity(None) {
                continue;
            }
            any = true;
            let before_payload: Json = before.side(Side::One);
            let (before_intent, other) = (frame.around(before_payload), frame.around(after.side(Side::One)));
            let before_derived =
                if before_intent == *one { derived.clone() } else { bench.derive_sound(&before_intent)? };
            if let Err(why) = differs(bench, &other, &before_derived, after.has_identity(None)) {
                return Err(bench.sides(why, LABELS, [&before_intent, &other]).boxed());
            }
        }
    }
    Ok(any)
}

/// The payloads before and after a change of one list; `None` where it cannot be made, or would
/// not be another meaning.
fn changed(pair: &Pair, number: usize, change: Change) -> Option<[Pair; 2]> {
    let (mut before, mut after) = (pair.clone(), pair.clone());
    let (mut possible_before, mut possible_after) = (true, false);
    if let Change::Swap | Change::Empty = change {
        possible_before = false;
        before.edit_list(number, &mut |list| possible_before = prepare(list, change));
        after = before.clone();
    }
    after.edit_list(number, &mut |list| possible_after = list.in_key && apply(list, change));
    (possible_before && possible_after).then_some([before, after])
}

fn prepare(list: &mut List, change: Change) -> bool {
    match (change, &mut list.elements) {
        (Change::Empty, elements) if !list.required => {
            *elements = Some(Vec::new());
            true
        }
        (Change::Swap, Some(elements)) if !list.any_order => {
            let Some(mut other) = elements.first().cloned() else { return false };
            let differs = other.swap_first(&|leaf| {
                leaf.identity && {
                    let [one, other] = &leaf.values;
                    one != other
                }
            });
            elements.truncate(1);
            elements.push(other);
            differs
        }
        _ => false,
    }
}

fn apply(list: &mut List, change: Change) -> bool {
    match (change, &mut list.elements) {
        (Change::Empty, elements) => elements.take().is_some(),
        (Change::Repeat, Some(elements)) => match elements.last().cloned() {
            Some(last) => {
                elements.push(last);
                true
            }
            None => false,
        },
        (Change::Drop, Some(elements)) => elements.pop().is_some(),
        (Change::Swap, Some(elements)) => {
            elements.reverse();
            true
        }
        _ => false,
    }
}
