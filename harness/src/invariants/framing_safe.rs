//! framing-safe: what belongs to one place never counts as another's.
//!
//! Pairs are made so that a core that puts texts side by side, with whatever between them, gives
//! both one key; the two always differ in a field or in the tenant.

use intentkey_core::Class;
use proptest::strategy::Strategy as _;

use super::{Bench, Verdict};
use crate::generate::intent::{Frame, Intent};
use crate::generate::json::Json;
use crate::generate::pair::Side;
use crate::generate::payload::Relations;
use crate::generate::pick::Picks;
use crate::generate::place::{Place, Step, edited, places, with};
use crate::generate::rules::TRIMMED;
use crate::generate::shape::Shape;

/// What may stand between two texts.
const JOINTS: &[&str] = &[
    "\",\"",
    "",
    ",",
    "|",
    ":",
    "/",
    "\u{0}",
    "\n",
    "\u{1f}",
    "\u{1e}",
    "\t",
    "\\",
    "\"",
    "][",
    "}{",
    "\",",
    "&",
    "=",
    ";",
    "\u{ff}",
    "\u{1}",
    "-",
    "_",
    ".",
    " ",
    "\\\",\\\"",
    "\r\n",
    "{\"",
    "\"}",
    "'",
    "\u{2028}",
];

/// How many of them are tried in a case.
const JOINTS_A_CASE: usize = 6;

/// Texts that a wrong escape takes for one another.
const CONFUSED: &[[&str; 2]] = &[
    ["a\nb", "a\\nb"],
    ["a\u{1}b", "a\\u0001b"],
    ["a\u{8}b", "a\\bb"],
    ["a\u{c}b", "a\\fb"],
    ["a\rb", "a\\rb"],
    ["a\tb", "a\\tb"],
    ["a\u{1f}b", "a\\u001fb"],
    ["a\"b", "a\\\"b"],
    ["a\\b", "a\\\\b"],
    ["a\u{e9}b", "a\\u00e9b"],
    ["a\u{1f600}b", "a\\ud83d\\ude00b"],
    ["a/b", "a\\/b"],
    ["a\u{7f}b", "a\\u007fb"],
    ["a\u{0}b", "a\\u0000b"],
    ["a\u{0}b", "ab"],
    ["a\"b", "ab"],
    ["a\\b", "ab"],
    ["a'b", "a\"b"],
    ["a\u{1}b", "a\u{2}b"],
    ["a\u{2028}b", "a\\u2028b"],
    ["a&b", "a&amp;b"],
    ["a%22b", "a\"b"],
    ["a\u{1}b", "a?b"],
    ["a\u{1}b", "a\u{fffd}b"],
];

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let strategy = (bench.payloads.pairs(Relations::SAME), Frame::any(bench.policy()), Picks::any()).boxed();
    bench.run(&strategy, "there is no text", |(pair, frame, picks)| {
        picks.restart();
        let intent = frame.around(pair.side(Side::One));
        for [one, other] in collisions(bench, &intent, picks) {
            if one == other {
                continue;
            }
            let [key, other_key] =
                [bench.derive_sound(&one)?, bench.derive_sound(&other)?].map(|derived| derived.key);
            if key == other_key {
                let why = "text that was moved between places leaves the key as it is";
                return Err(bench.sides(why, ["one intent", "another intent"], [&one, &other]).boxed());
            }
        }
        Ok(true)
    })
}

/// Pairs of intents that a careless core takes for one another.
fn collisions(bench: &Bench<'_>, intent: &Intent, picks: &Picks) -> Vec<[Intent; 2]> {
    let all = places(bench.payloads.shape(), &intent.payload);
    let slots: Vec<&Place<'_>> = all.iter().filter(|place| takes_any_text(bench, place)).collect();
    let mut pairs = vec![confused_tenants(intent, picks)];
    let Some(slot) = picks.among(&slots) else { return pairs };
    pairs.push(confused_values(intent, slot, picks));
    let joints = joints(picks);
    pairs.extend(joints.iter().map(|joint| moved_from_tenant(intent, slot, *joint)));
    pairs.extend(joints.iter().filter_map(|joint| moved_between_elements(intent, slot, *joint)));
    let others: Vec<&Place<'_>> = slots.iter().copied().filter(|other| other.steps != slot.steps).collect();
    if let Some(other) = picks.among(&others) {
        pairs.extend(joints.iter().map(|joint| moved_between_fields(intent, slot, other, *joint)));
        if !are_in_elements_of_one_list(slot, other) {
            pairs.push(exchanged(intent, slot, other));
            pairs.extend(
                joints.iter().filter_map(|joint| moved_to_absent(bench, intent, slot, other, *joint)),
            );
            pairs.extend(either(bench, intent, slot, other));
        }
    }
    pairs
}

/// Whether the ways to two places part at an index: then an exchange may only reorder the list.
fn are_in_elements_of_one_list(one: &Place<'_>, other: &Place<'_>) -> bool {
    let mut ways = one.steps.iter().zip(&other.steps);
    matches!(ways.find(|(one, other)| one != other), Some((Step::Index(_), _)))
}

/// Whether an identity field there takes any text, so that the text counts.
fn takes_any_text(bench: &Bench<'_>, place: &Place<'_>) -> bool {
    let Shape::Leaf(index) = place.shape else { return false };
    let class = bench.policy().fields().get(*index).map(intentkey_core::Field::class);
    class == Some(Class::Identity) && bench.payloads.takes_any_text(*index)
}

/// What stands between two texts: whatever JSON writes there, or a text.
type Joint = Option<&'static str>;

/// JSON's own, and some of the others: over a run, each of them many times.
fn joints(picks: &Picks) -> Vec<Joint> {
    let first = picks.below(JOINTS.len());
    std::iter::once(None)
        .chain(JOINTS.iter().cycle().skip(first).take(JOINTS_A_CASE).copied().map(Some))
        .collect()
}

/// Two texts that a wrong escape takes for one another.
fn confused(picks: &Picks) -> [String; 2] {
    if picks.below(2) == 0 {
        return picks.among(CONFUSED).copied().unwrap_or_default().map(String::from);
    }
    // Two controls whose escapes differ in one digit; in a text, white space is not among them.
    let controls: Vec<char> = ('\0'..' ').filter(|control| !TRIMMED.contains(control)).collect();
    let escaped =
        |control: char| [control, char::from(control as u8 ^ 0x10)].map(|control| format!("a{control}b"));
    picks.among(&controls).copied().map(escaped).unwrap_or_default()
}

fn set(intent: &Intent, values: &[(&Place<'_>, String)]) -> Intent {
    let payload = values.iter().fold(intent.payload.clone(), |payload, (place, text)| {
        with(&payload, &place.steps, Some(Json::text(text.clone())))
    });
    Intent { payload, ..intent.clone() }
}

fn confused_tenants(intent: &Intent, picks: &Picks) -> [Intent; 2] {
    confused(picks).map(|tenant| Intent { tenant, ..intent.clone() })
}

fn confused_values(intent: &Intent, slot: &Place<'_>, picks: &Picks) -> [Intent; 2] {
    confused(picks).map(|text| set(intent, &[(slot, text)]))
}

/// The last name on the way to a place.
fn name(place: &Place<'_>) -> String {
    let names = place.steps.iter().rev().find_map(|step| match step {
        Step::Name(name) => Some(name.clone()),
        Step::Index(_) => None,
    });
    names.unwrap_or_default()
}

/// `t` and a value that goes on with the action, against a longer tenant and a shorter value.
fn moved_from_tenant(intent: &Intent, slot: &Place<'_>, joint: Joint) -> [Intent; 2] {
    let to_action = joint.unwrap_or("\",\"");
    let to_value = joint.map_or_else(|| format!("\",{{\"{}\":\"", name(slot)), String::from);
    let action = &intent.action;
    let tenant = |tenant: String| Intent { tenant, ..intent.clone() };
    [
        set(&tenant(String::from("t")), &[(slot, format!("x{to_action}{action}{to_value}f"))]),
        set(&tenant(format!("t{to_action}{action}{to_value}x")), &[(slot, String::from("f"))]),
    ]
}

/// The text between two fields, as a careless core would write it.
fn joint_between(other: &Place<'_>, joint: Joint) -> String {
    joint.map_or_else(|| format!("\",\"{}\":\"", name(other)), String::from)
}

fn moved_between_fields(intent: &Intent, one: &Place<'_>, other: &Place<'_>, joint: Joint) -> [Intent; 2] {
    let joint = joint_between(other, joint);
    [
        set(intent, &[(one, format!("v{joint}y")), (other, String::from("w"))]),
        set(intent, &[(one, String::from("v")), (other, format!("y{joint}w"))]),
    ]
}

fn exchanged(intent: &Intent, one: &Place<'_>, other: &Place<'_>) -> [Intent; 2] {
    let [v, w] = ["v", "w"].map(String::from);
    [set(intent, &[(one, v.clone()), (other, w.clone())]), set(intent, &[(one, w), (other, v)])]
}

fn is_optional(bench: &Bench<'_>, place: &Place<'_>) -> bool {
    let Shape::Leaf(index) = place.shape else { return false };
    !place.is_element() && bench.policy().fields().get(*index).is_some_and(|field| !field.is_required())
}

fn without(intent: Intent, place: &Place<'_>) -> Intent {
    Intent { payload: with(&intent.payload, &place.steps, None), ..intent }
}

/// A field that holds the next one's text too, against both.
fn moved_to_absent(
    bench: &Bench<'_>,
    intent: &Intent,
    one: &Place<'_>,
    other: &Place<'_>,
    joint: Joint,
) -> Option<[Intent; 2]> {
    let joint = joint_between(other, joint);
    is_optional(bench, other).then(|| {
        [
            without(set(intent, &[(one, format!("v{joint}w"))]), other),
            set(intent, &[(one, String::from("v")), (other, String::from("w"))]),
        ]
    })
}

/// A text in one field, against the same in another.
fn either(bench: &Bench<'_>, intent: &Intent, one: &Place<'_>, other: &Place<'_>) -> Option<[Intent; 2]> {
    let alone = |place, absent| without(set(intent, &[(place, String::from("v"))]), absent);
    (is_optional(bench, one) && is_optional(bench, other)).then(|| [alone(one, other), alone(other, one)])
}

/// Two elements against one that holds both texts.
fn moved_between_elements(intent: &Intent, slot: &Place<'_>, joint: Joint) -> Option<[Intent; 2]> {
    let index = slot.steps.iter().rposition(|step| matches!(step, Step::Index(_)))?;
    let list = slot.steps.get(..index)?;
    let within = slot.steps.get(index + 1..)?;
    let joint = match (joint, within.last()) {
        (Some(joint), _) => joint.to_owned(),
        (None, Some(Step::Name(name))) => format!("\"}},{{\"{name}\":\""),
        (None, _) => String::from("\",\""),
    };
    let element = intent.payload.at(slot.steps.get(..=index)?)?;
    let holding = |text: String| with(element, within, Some(Json::text(text)));
    let with_elements = |elements: Vec<Json>| {
        let payload = edited(&intent.payload, list, &|_| Some(Json::List(elements.clone())))?;
        Some(Intent { payload, ..intent.clone() })
    };
    let both = [holding(String::from("v")), holding(String::from("w"))].into();
    Some([with_elements(both)?, with_elements(vec![holding(format!("v{joint}w"))])?])
}
