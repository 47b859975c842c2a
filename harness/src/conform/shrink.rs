//! Shrinking a disagreement, a batch of smaller intents at a time.

use super::blame::{Blamed, Part};
use super::case::Case;
use super::symptom::OLD_TABLES;
use super::{Bench, Judged, NoProducer};
use crate::generate::intent::Intent;
use crate::generate::json::{Json, Text};

/// Rounds, at most: each is a process.
const MOST_ROUNDS: usize = 40;

/// The most characters that are taken away one by one.
const ONE_BY_ONE: usize = 80;

/// The smallest case of each that disagrees in the same way; all of them shrink at once.
pub(super) fn shrink(
    bench: &Bench<'_>,
    plain: &Intent,
    blamed: Vec<Blamed>,
) -> Result<Vec<Blamed>, NoProducer> {
    let mut smallest: Vec<(Blamed, bool)> = blamed.into_iter().map(|blamed| (blamed, true)).collect();
    for _ in 0..MOST_ROUNDS {
        let mut cases = Vec::new();
        let mut origins = Vec::new();
        for (number, (blamed, is_shrinking)) in smallest.iter().enumerate() {
            let smaller = if *is_shrinking { steps(blamed, plain, bench.first) } else { Vec::new() };
            origins.extend(smaller.iter().map(|_| number));
            cases.extend(smaller);
        }
        if cases.is_empty() {
            break;
        }
        smallest.iter_mut().for_each(|(_, is_shrinking)| *is_shrinking = false);
        for (number, judged) in origins.into_iter().zip(bench.judge(cases)?) {
            let Some((own, is_shrinking)) = smallest.get_mut(number) else { continue };
            if !*is_shrinking && let Some(next) = same_kind(own, judged, bench.all) {
                (*own, *is_shrinking) = (next, true);
            }
        }
    }
    Ok(smallest.into_iter().map(|(blamed, _)| blamed).collect())
}

/// The cases that are smaller by one step, the smallest first.
fn steps(blamed: &Blamed, plain: &Intent, first: u64) -> Vec<Case> {
    let Some(intent) = blamed.case.intent() else { return Vec::new() };
    let length = intent.text().len();
    let mut smaller: Vec<(usize, Intent)> =
        smaller(intent, plain, first).into_iter().map(|smaller| (smaller.text().len(), smaller)).collect();
    smaller.retain(|smaller| smaller.0 < length);
    smaller.sort_by_key(|smaller| smaller.0);
    smaller.into_iter().map(|smaller| Case::Intent(smaller.1)).filter(Case::is_line).collect()
}

/// The case, where it disagrees in the same way: where all kinds are shown, by a value as special.
fn same_kind(blamed: &Blamed, judged: Judged, all: bool) -> Option<Blamed> {
    let next = Blamed {
        told: judged.answer.told(),
        difference: judged.difference?,
        case: judged.case,
        expected: judged.expected,
        part: blamed.part.clone(),
    };
    let [one, other] = [&next, blamed].map(Blamed::kind);
    let is_simpler = !all
        && (&one.0, &one.1, &one.3) == (&other.0, &other.1, &other.3)
        && (next.symptom() != OLD_TABLES || blamed.symptom() == OLD_TABLES);
    (one == other || is_simpler).then_some(next)
}

/// Intents that are smaller by one step; `first` is the first second of the policy.
fn smaller(intent: &Intent, plain: &Intent, first: u64) -> Vec<Intent> {
    let mut all = vec![
        Intent { tenant: plain.tenant.clone(), ..intent.clone() },
        Intent { tenant: String::from("a"), ..intent.clone() },
        Intent { action: plain.action.clone(), ..intent.clone() },
        Intent { epoch: plain.epoch, ..intent.clone() },
        Intent { epoch: first, ..intent.clone() },
    ];
    all.extend(
        smaller_values(&intent.payload).into_iter().map(|payload| Intent { payload, ..intent.clone() }),
    );
    all
}

/// Values that are smaller by one step.
fn smaller_values(value: &Json) -> Vec<Json> {
    match value {
        Json::Literal(literal) => shorter(literal)
            .into_iter()
            .filter(|shorter| {
                serde_json::from_str::<serde_json::Value>(shorter).is_ok_and(|value| value.is_number())
            })
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
        characters
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != index)
            .map(|(_, character)| *character)
            .collect()
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
