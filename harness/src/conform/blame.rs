//! Which part of an intent a disagreement comes from.
//!
//! Each part of an intent in question is put into a plain one, on which both sides agree: the part
//! that makes them disagree again is to blame.

use super::case::Case;
use super::cases::with_member;
use super::compare::Difference;
use super::symptom::symptom;
use super::{Bench, Judged, NoProducer};
use crate::field_path::pattern;
use crate::generate::intent::Intent;
use crate::generate::json::{Json, Text};
use crate::hosts::Outcome;

/// A disagreement, and what it comes from.
#[derive(Clone, Debug)]
pub(super) struct Blamed {
    pub(super) case: Case,
    pub(super) expected: Outcome,
    pub(super) told: String,
    pub(super) difference: Difference,
    /// The part to blame, where it is one.
    pub(super) part: Option<Part>,
}

/// A part of an intent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Tenant,
    Action,
    Epoch,
    /// A member of the payload.
    Member(String),
}

/// What sets disagreements apart: the difference, the part, what is special about its value, and the
/// field of the refusal that is expected.
pub(super) type KindOf = (Option<Difference>, Option<Part>, String, Option<String>);

impl Blamed {
    /// Its kind. What a rule refuses is told apart by field and value, all else by its code alone.
    pub(super) fn kind(&self) -> KindOf {
        if !self.is_of_a_rule() {
            return (Some(self.difference.clone()), None, String::new(), None);
        }
        (Some(self.difference.clone()), self.part.clone(), self.symptom(), self.field())
    }

    /// Whether a rule is what the two sides differ in.
    pub(super) fn is_of_a_rule(&self) -> bool {
        const OF_RULES: [&str; 11] = [
            "currency_unknown",
            "decimal_inexact",
            "decimal_malformed",
            "decimal_out_of_range",
            "field_empty",
            "field_type",
            "number_unsafe",
            "pix_key_unrecognized",
            "text_not_unicode",
            "value_malformed",
            "value_not_listed",
        ];
        match &self.expected {
            Ok(_) => true,
            Err(refused) => OF_RULES.contains(&&*refused.code),
        }
    }

    /// The field of the refusal that is expected, without indexes.
    pub(super) fn field(&self) -> Option<String> {
        self.expected.as_ref().err()?.field.as_deref().map(pattern)
    }

    /// What is special about the value to blame.
    pub(super) fn symptom(&self) -> String {
        let value = match (&self.part, self.case.intent()) {
            (Some(Part::Member(name)), Some(intent)) => intent.payload.member(name),
            _ => None,
        };
        value.map(|value| symptom(value).to_owned()).unwrap_or_default()
    }
}

pub(super) struct Blame<'b> {
    pub(super) bench: &'b Bench<'b>,
    pub(super) plain: &'b Intent,
}

impl Blame<'_> {
    /// Blames all disagreements.
    pub(super) fn all(&self, judged: Vec<Judged>) -> Result<Vec<Blamed>, NoProducer> {
        let differ: Vec<Judged> = judged.into_iter().filter(|judged| judged.difference.is_some()).collect();
        // The plain intent with one part of each, all in one batch.
        let mut cases = Vec::new();
        let mut origins = Vec::new();
        for (number, judged) in differ.iter().enumerate() {
            for (part, intent) in judged.case.intent().map(|intent| self.parts(intent)).unwrap_or_default() {
                cases.push(Case::Intent(intent));
                origins.push((number, part));
            }
        }
        let tried = self.bench.judge(cases)?;
        let mut blamed: Vec<Option<Blamed>> = differ.iter().map(|_| None).collect();
        for ((number, part), tried) in origins.into_iter().zip(tried) {
            let (Some(judged), Some(slot)) = (differ.get(number), blamed.get_mut(number)) else { continue };
            if slot.is_none() && tried.difference.is_some() && tried.difference == judged.difference {
                *slot = tried.blamed(Some(part));
            }
        }
        Ok(blamed
            .into_iter()
            .zip(differ)
            .filter_map(|(blamed, judged)| blamed.or_else(|| judged.blamed(None)))
            .collect())
    }

    /// The plain intent with each part of another that it does not have itself.
    fn parts(&self, intent: &Intent) -> Vec<(Part, Intent)> {
        let plain = self.plain;
        let mut parts = vec![
            (Part::Tenant, Intent { tenant: intent.tenant.clone(), ..plain.clone() }),
            (Part::Action, Intent { action: intent.action.clone(), ..plain.clone() }),
            (Part::Epoch, Intent { epoch: intent.epoch, ..plain.clone() }),
        ];
        for name in names(&intent.payload).into_iter().chain(names(&plain.payload)) {
            let payload = with_member(&plain.payload, &name, intent.payload.member(&name).cloned());
            parts.push((Part::Member(name), Intent { payload, ..plain.clone() }));
        }
        parts.retain(|(_, changed)| changed != plain);
        parts
    }
}

impl Judged {
    fn blamed(self, part: Option<Part>) -> Option<Blamed> {
        let difference = self.difference?;
        Some(Blamed { case: self.case, expected: self.expected, told: self.answer.told(), difference, part })
    }
}

fn names(payload: &Json) -> Vec<String> {
    let Json::Object(members) = payload else { return Vec::new() };
    let name = |name: &Text| match name {
        Text::Plain(name) => Some(name.clone()),
        Text::Escaped(_) => None,
    };
    members.iter().filter_map(|member| name(&member.0)).collect()
}
