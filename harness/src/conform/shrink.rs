//! Shrinking a disagreement, a batch of smaller intents at a time.

use super::blame::{Blamed, Part};
use super::case::Case;
use super::{Bench, NoProducer};
use crate::generate::intent::Intent;
use crate::generate::json::{Json, Text};

/// Rounds, at most: each is a process.
const MOST_ROUNDS: usize = 40;

/// The most characters that are taken away one by one.
const ONE_BY_ONE: usize = 80;

/// The smallest case that disagrees in the same way.
pub(super) fn shrink(bench: &Bench<'_>, plain: &Intent, blamed: Blamed) -> Result<Blamed, NoProducer> {
    let mut smallest = blamed;
    for _ in 0..MOST_ROUNDS {
        let Some(intent) = smallest.case.intent() else { return Ok(smallest) };
        let mut smaller = smaller(intent, plain);
        smaller.retain(|smaller| smaller.text().len() < intent.text().len());
        smaller.sort_by_key(|smaller| smaller.text().len());
        let cases: Vec<Case> = smaller.into_iter().map(Case::Intent).filter(Case::is_line).collect();
        let expected_field = field(&smallest);
        let next = bench.judge(cases)?.into_iter().find_map(|judged| {
            let next = Blamed {
                told: judged.answer.told(),
                difference: judged.difference?,
                case: judged.case,
                expected: judged.expected,
                part: smallest.part.clone(),
            };
            (next.kind() == smallest.kind() && field(&next) == expected_field).then_some(next)
        });
        match next {
            Some(next) => smallest = next,
            None => break,
        }
    }
    Ok(smallest)
}

/// The field of the refusal that is expected.
fn field(blamed: &Blamed) -> Option<String> {
    let refused = blamed.expected.as_ref().err()?;
    refused.field.as_ref().map(|field| crate::field_path::pattern(field))
}

/// Intents that are smaller by one step.
fn smaller(intent: &Intent, plain: &Intent) -> Vec<Intent> {
    let mut all = vec![
        Intent { tenant: plain.tenant.clone(), ..intent.clone() },
        Intent { tenant: String::from("a"), ..intent.clone() },
        Intent { action: plain.action.clone(), ..intent.clone() },
        Intent { epoch: plain.epoch, ..intent.clone() },
        Intent { epoch: 0, ..intent.clone() },
    ];
    all.extend(smaller_values(&intent.payload).into_iter().map(|payload| Intent { payload, ..intent.clone() }));
    all
}

/// Values that are smaller by one step.
fn smaller_values(value: &Json) -> Vec<Json> {
    match value {
        Json::Literal(literal) => shorter(literal)
            .into_iter()
            .filter(|shorter| serde_json::from_str::<serde_json::Value>(shorter).is_ok_and(|value| value.is_number()))
            .map(Json::Literal)
            .collect(),
        Json::Text(Text::Plain(text)) => shorter(text).into_iter().map(Json::text).collect(),
        Json::Text(Text::Escaped(_)) => vec![Json::Text(Text::Escaped(String::from("\\ud800")))],
        Json::List(elements) => {
            let without = (0..elements.len()).map(|index| {
                let kept = elements.iter().enumerate().filter(|(at, _)| *at != index);
                Json::List(kept.map(|(_, element)| element.clone()).collect())
            });
            let changed = elements.iter().enumerate().flat_map(|(index, element)| {
                smaller_values(element).into_iter().map(move |smaller| {
                    let mut elements = elements.clone();
                    if let Some(element) = elements.get_mut(index) {
                        *element = smaller;
                    }
                    Json::List(elements)
                })
            });
            without.chain(changed).collect()
        }
        Json::Object(members) => {
            let without = (0..members.len()).map(|index| {
                let kept = members.iter().enumerate().filter(|(at, _)| *at != index);
                Json::Object(kept.map(|(_, member)| member.clone()).collect())
            });
            let changed = members.iter().enumerate().flat_map(|(index, member)| {
                smaller_values(&member.1).into_iter().map(move |smaller| {
                    let mut members = members.clone();
                    if let Some(member) = members.get_mut(index) {
                        member.1 = smaller;
                    }
                    Json::Object(members)
                })
            });
            without.chain(changed).collect()
        }
    }
}

/// Shorter texts: a half, or all but one character.
fn shorter(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let middle = characters.len() / 2;
    let (first, last) = characters.split_at(middle);
    let mut all = vec![String::from_iter(first), String::from_iter(last)];
    let without = (0..characters.len().min(ONE_BY_ONE)).map(|index| {
        characters.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, character)| *character).collect()
    });
    all.extend(without);
    all
}

impl Part {
    /// The part, for people.
    pub(super) fn name(&self) -> String {
        match self {
            Part::Tenant => String::from("tenant"),
            Part::Action => String::from("action"),
            Part::Epoch => String::from("intent_epoch"),
            Part::Member(name) => crate::field_path::escaped(name),
        }
    }
}
