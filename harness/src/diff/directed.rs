//! Witnesses of one difference each: intents that are alike but for the place where it stands, with
//! values at the edges of its rules.

use std::collections::BTreeSet;

use intentkey_core::{Path, Segment};
use proptest::strategy::{Strategy as _, ValueTree as _};

use super::change::{Change, Witness, of_one, of_two};
use super::edge_values::edge_values;
use super::search::{EPOCH, Search, intent};
use super::structure::{At, Difference};
use crate::generate::field::Relation;
use crate::generate::json::{Json, Text};
use crate::generate::pair::Side;
use crate::generate::payload::Relations;
use crate::hosts::Outcome;

/// Payloads that are drawn from each policy to stand around the place.
const DRAWN: usize = 24;

/// The most values that are tried at a place.
const MOST_VALUES: usize = 96;

/// The most elements of which lists are made.
const MOST_ELEMENTS: usize = 6;

/// Payloads that are compared with each other.
type Groups = Vec<Vec<Json>>;

impl Search<'_> {
    /// For each difference the witnesses of what it can do to keys; what none is found of is
    /// written down there.
    pub(super) fn of_differences(&self, differences: &mut [Difference]) -> Vec<Witness> {
        let mut found = Vec::new();
        for difference in differences {
            let asked: Vec<Change> = difference.may.changes().collect();
            if asked.is_empty() {
                continue;
            }
            let own = match &difference.at {
                At::Around => self.around(),
                At::Field(path) => self.among(&asked, &|search, base| search.with_values(base, path)),
                At::List(path) => self.among(&asked, &|search, base| search.reordered(base, path)),
            };
            let own = own.into_iter().filter(|witness| asked.contains(&witness.change));
            let own: Vec<Witness> =
                own.map(|witness| Witness { place: Some(difference.place.clone()), ..witness }).collect();
            let shown = |change: &Change| own.iter().any(|witness| witness.change == *change);
            difference.unshown = asked.into_iter().filter(|change| !shown(change)).collect();
            found.extend(own);
        }
        found
    }

    /// The first witness of each change among the groups that are made of payloads.
    fn among(&self, asked: &[Change], groups: &dyn Fn(&Self, &[Json]) -> Groups) -> Vec<Witness> {
        let mut found: Vec<Witness> = Vec::new();
        let actions: Vec<&str> = self.policies[0].actions().collect();
        let Some(action) =
            actions.iter().find(|action| self.policies[1].actions().any(|new| new == **action))
        else {
            return found;
        };
        for group in groups(self, &self.bases()) {
            let texts: Vec<String> =
                group.into_iter().map(|payload| intent(action, EPOCH, payload)).collect();
            let outcomes: Vec<[Outcome; 2]> = texts.iter().map(|text| self.outcomes(text)).collect();
            for &change in asked {
                if found.iter().any(|witness| witness.change == change) {
                    continue;
                }
                if let Some(shown) = shown(&texts, &outcomes, change) {
                    found.push(self.witness_of(shown, change));
                }
            }
            if found.len() == asked.len() {
                break;
            }
        }
        found
    }

    /// Payloads of what both policies know, the smallest that both accept before all.
    fn bases(&self) -> Vec<Json> {
        let mut bases: Vec<Json> = self.shared_payload().into_iter().collect();
        let relations = Relations { identity: Relation::Different, ..Relations::SAME };
        for payloads in &self.payloads {
            let (strategy, mut runner) = (payloads.pairs(relations), self.runner());
            for _ in 0..DRAWN {
                let Ok(tree) = strategy.new_tree(&mut runner) else { break };
                let pair = tree.current();
                bases.extend([Side::One, Side::Other].map(|side| self.known_to_both(pair.side(side))));
            }
        }
        bases
    }

    /// Each payload with every value at the path.
    fn with_values(&self, bases: &[Json], path: &Path) -> Groups {
        let rules = self.policies.iter().filter_map(|policy| {
            policy.fields().iter().find(|field| field.path() == path).map(|field| field.rule())
        });
        let edges = rules.flat_map(edge_values);
        let segments = path.segments();
        let drawn = bases.iter().filter_map(|base| at(base, segments).cloned());
        let mut seen = BTreeSet::new();
        let mut values: Vec<Option<Json>> = vec![None];
        let is_new = |value: &Json| seen.insert(value.compact());
        values.extend(edges.chain(drawn).filter(is_new).take(MOST_VALUES).map(Some));
        let group = |base: &Json| {
            values.iter().filter_map(|value| with(base, segments, value.as_ref())).collect::<Vec<_>>()
        };
        bases.iter().map(group).filter(|group| group.len() > 1).collect()
    }

    /// Each payload with two different elements in the list, in both orders.
    fn reordered(&self, bases: &[Json], path: &Path) -> Groups {
        let elements = |base: &Json| match at(base, path.segments()) {
            Some(Json::List(elements)) => elements.clone(),
            _ => Vec::new(),
        };
        let mut known: Vec<Json> = Vec::new();
        for element in bases.iter().flat_map(elements) {
            if known.len() < MOST_ELEMENTS && !known.contains(&element) {
                known.push(element);
            }
        }
        let mut groups = Vec::new();
        for base in bases {
            for (index, one) in known.iter().enumerate() {
                for other in known.iter().skip(index + 1) {
                    let orders = [[one, other], [other, one]];
                    let list = |order: [&Json; 2]| Json::List(order.map(Json::clone).into());
                    groups.push(
                        orders
                            .into_iter()
                            .filter_map(|order| with(base, path.segments(), Some(&list(order))))
                            .collect(),
                    );
                }
            }
        }
        groups
    }
}

/// One of these intents or two that show the change.
fn shown(texts: &[String], outcomes: &[[Outcome; 2]], change: Change) -> Option<Vec<String>> {
    let all = || texts.iter().zip(outcomes);
    if let Some((text, _)) = all().find(|(_, [old, new])| of_one(old, new) == Some(change)) {
        return Some(vec![text.clone()]);
    }
    all().enumerate().find_map(|(index, (one, of_first))| {
        let mut others = all().skip(index + 1);
        let (other, _) = others.find(|(_, of_other)| of_two(of_first, of_other) == Some(change))?;
        Some(vec![one.clone(), other.clone()])
    })
}

/// The value at a path: of a list, in its first element.
fn at<'j>(json: &'j Json, path: &[Segment]) -> Option<&'j Json> {
    let Some((first, rest)) = path.split_first() else { return Some(json) };
    match (first, json) {
        (Segment::Name(name), Json::Object(_)) => at(json.member(name)?, rest),
        (Segment::Element, Json::List(elements)) => at(elements.first()?, rest),
        _ => None,
    }
}

/// The same with another value at a path, or with none; of a list, in its first element.
fn with(json: &Json, path: &[Segment], value: Option<&Json>) -> Option<Json> {
    let Some((first, rest)) = path.split_first() else { return value.cloned() };
    match (first, json) {
        (Segment::Name(name), Json::Object(members)) => {
            let mut members = members.clone();
            let index = members.iter().position(|member| member.0.is(name));
            let below = index.and_then(|index| members.get(index)).map(|member| member.1.clone());
            let changed = match (rest.is_empty(), value) {
                (true, None) => None,
                _ => Some(with(&below.unwrap_or_else(|| fresh(rest)), rest, value)?),
            };
            match (index, changed) {
                (Some(index), Some(changed)) => members.get_mut(index)?.1 = changed,
                (Some(index), None) => drop(members.remove(index)),
                (None, Some(changed)) => members.push((Text::Plain(name.to_string()), changed)),
                (None, None) => {}
            }
            Some(Json::Object(members))
        }
        (Segment::Element, Json::List(elements)) => {
            let mut elements = elements.clone();
            match elements.first_mut() {
                Some(element) => *element = with(element, rest, value)?,
                None => elements.push(with(&fresh(rest), rest, value)?),
            }
            Some(Json::List(elements))
        }
        _ => None,
    }
}

/// What stands at a place before there is anything.
fn fresh(path: &[Segment]) -> Json {
    match path.first() {
        Some(Segment::Element) => Json::List(Vec::new()),
        _ => Json::Object(Vec::new()),
    }
}
