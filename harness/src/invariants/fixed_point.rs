//! fixed-point: a canonical form is its own canonical form.

use proptest::strategy::Strategy as _;

use super::{Bench, Verdict};
use crate::generate::field::Relation;
use crate::generate::intent::Frame;
use crate::generate::json::Json;
use crate::generate::pair::Side;
use crate::generate::payload::Relations;
use crate::generate::place::{Place, places, with};
use crate::generate::shape::Shape;

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let relations = Relations { identity: Relation::Equal, checked: Relation::Equal, free_differs: false };
    let strategy = (bench.payloads.pairs(relations), Frame::any(bench.policy())).boxed();
    bench.run(&strategy, "the host does not show canonical forms", |(pair, frame)| {
        let given = frame.around(pair.side(Side::Other));
        let derived = bench.derive_sound(&given)?;
        let Some(explained) = bench.explain(&bench.ring, &given.text()) else { return Ok(false) };
        let canonical = |place: &Place<'_>| {
            let path = place.path();
            let field = explained.fields.iter().find(|field| field.0 == path)?;
            Some(Json::literal(field.1.clone()))
        };
        let leaves = places(bench.payloads.shape(), &given.payload);
        let leaves = leaves.iter().filter(|place| place.is_present && matches!(place.shape, Shape::Leaf(_)));
        let fed_back = leaves.clone().fold(given.payload.clone(), |payload, place| match canonical(place) {
            Some(value) => with(&payload, &place.steps, Some(value)),
            None => payload,
        });
        let fed_back = frame.around(fed_back);
        if bench.derive(&fed_back).as_ref() == Ok(&derived) {
            return Ok(true);
        }
        let alone = |place: &&Place<'_>| {
            let Some(value) = canonical(place) else { return false };
            let payload = with(&given.payload, &place.steps, Some(value));
            bench.derive(&frame.around(payload)).as_ref() != Ok(&derived)
        };
        let field = leaves.clone().find(alone).and_then(|place| match place.shape {
            Shape::Leaf(index) => Some((place.path(), *index)),
            _ => None,
        });
        let why = "canonical values fed back do not derive alike";
        Err(bench.sides(why, ["as given", "fed back"], [&given, &fed_back]).at(bench, field).boxed())
    })
}
