//! The search for witnesses: intents that two policies treat differently.

use std::rc::Rc;

use intentkey_core::Policy;
use proptest::strategy::{Strategy as _, ValueTree as _};

use super::change::{Change, Witness, of_one, of_two, said};
use crate::generate::intent::Intent;
use crate::generate::json::{Json, Text};
use crate::generate::payload::Payloads;
use crate::generate::shape::Shape;
use crate::hosts::{Host as _, Native, Outcome, Ring};

/// The secret of every search: what two policies make of intents does not depend on it.
pub(super) const RING: Ring = Ring::Bare([0x5e; 32]);

/// Whose intents they are: one tenant, since no policy looks at it.
pub(super) const TENANT: &str = "acme";

/// A second far from the ends of usual buckets, and late enough for any policy of today.
pub(super) const EPOCH: u64 = 1_767_225_600;

/// Two policies and the means to find what they treat differently.
pub(crate) struct Search<'p> {
    pub(super) policies: [&'p Policy; 2],
    pub(super) payloads: [Rc<Payloads>; 2],
    pub(super) hosts: [Native; 2],
    pub(super) cases: u32,
    pub(super) seed: u64,
}

/// Groups of intents that one case gives, as text; in each the others are compared with the first.
pub(super) type Candidates = Vec<Vec<String>>;

impl<'p> Search<'p> {
    pub(crate) fn new(old: &'p Policy, new: &'p Policy, cases: u32, seed: u64) -> Self {
        let hosts = [old, new].map(|policy| Native::new(policy.clone()));
        let payloads = [old, new].map(|policy| Rc::new(Payloads::of(policy)));
        Search { policies: [old, new], payloads, hosts, cases, seed }
    }

    /// An intent that has the same key under both, where one is found.
    pub(crate) fn kept(&self) -> Option<Witness> {
        let keeps = |intent: &String| {
            let [old, new] = self.outcomes(intent);
            matches!((old, new), (Ok(old), Ok(new)) if old.key == new.key)
        };
        let shared = self.shared_payload();
        let actions = self.policies.iter().flat_map(|policy| policy.actions());
        let mut plain = actions.filter_map(|action| Some(intent(action, EPOCH, shared.clone()?)));
        let found = plain.find(|intent| keeps(intent)).or_else(|| {
            self.strategies().iter().find_map(|strategy| {
                let mut runner = self.runner();
                (0..self.cases).find_map(|number| {
                    let case = strategy.make.new_tree(&mut runner).ok()?.current();
                    strategy
                        .candidates(self, &case, number)
                        .into_iter()
                        .flatten()
                        .find(|intent| keeps(intent))
                })
            })
        })?;
        let outcomes = vec![self.outcomes(&found).each_ref().map(said)];
        Some(Witness { change: Change::Keeps, intents: vec![found], outcomes, place: None })
    }

    /// What comes of an intent under the old policy and under the new one.
    pub(super) fn outcomes(&self, intent: &str) -> [Outcome; 2] {
        self.hosts.each_ref().map(|host| host.derive(&RING, intent))
    }

    /// A payload without what one of the policies does not know.
    pub(super) fn known_to_both(&self, payload: Json) -> Json {
        self.payloads.iter().fold(payload, |payload, own| known(payload, own.shape()))
    }

    /// Every change that these intents show.
    pub(super) fn changes(&self, candidates: &Candidates) -> Vec<Change> {
        let mut changes = Vec::new();
        for group in candidates {
            let outcomes: Vec<[Outcome; 2]> = group.iter().map(|intent| self.outcomes(intent)).collect();
            changes.extend(outcomes.iter().filter_map(|[old, new]| of_one(old, new)));
            if let Some((base, others)) = outcomes.split_first() {
                changes.extend(others.iter().filter_map(|other| of_two(base, other)));
            }
        }
        changes.sort_unstable();
        changes.dedup();
        changes
    }

    /// Whether one intent, or two, show the change.
    pub(super) fn show(&self, intents: &[String], change: Change) -> bool {
        let outcomes: Vec<[Outcome; 2]> = intents.iter().map(|intent| self.outcomes(intent)).collect();
        match outcomes.as_slice() {
            [[old, new]] => of_one(old, new) == Some(change),
            [one, other] => of_two(one, other) == Some(change),
            _ => false,
        }
    }

    /// The intents among these that show the change.
    pub(super) fn witness(&self, candidates: &Candidates, change: Change) -> Option<Witness> {
        let shown = candidates.iter().find_map(|group| self.shown(group, change))?;
        Some(self.witness_of(shown, change))
    }

    /// These intents, made small.
    pub(super) fn witness_of(&self, mut intents: Vec<String>, change: Change) -> Witness {
        self.pare(&mut intents, change);
        let outcomes = intents.iter().map(|intent| self.outcomes(intent).each_ref().map(said)).collect();
        Witness { change, intents, outcomes, place: None }
    }

    /// One intent of a group, or its first and another, that show the change.
    fn shown(&self, group: &[String], change: Change) -> Option<Vec<String>> {
        let base = group.first()?;
        let of_base = self.outcomes(base);
        group.iter().find_map(|intent| {
            let own = self.outcomes(intent);
            if of_one(&own[0], &own[1]) == Some(change) {
                return Some(vec![intent.clone()]);
            }
            (of_two(&of_base, &own) == Some(change)).then(|| vec![base.clone(), intent.clone()])
        })
    }
}

/// What a policy knows of a payload.
fn known(payload: Json, shape: &Shape) -> Json {
    match (payload, shape) {
        (Json::Object(members), Shape::Object(shapes)) => {
            let own = |(name, value): (Text, Json)| match &name {
                Text::Plain(plain) => shapes.get(plain).map(|shape| (name.clone(), known(value, shape))),
                Text::Escaped(_) => None,
            };
            Json::Object(members.into_iter().filter_map(own).collect())
        }
        (Json::List(elements), Shape::List { element, .. }) => {
            Json::List(elements.into_iter().map(|value| known(value, element)).collect())
        }
        (payload, _) => payload,
    }
}

/// An intent as text.
pub(super) fn intent(action: &str, epoch: u64, payload: Json) -> String {
    Intent { tenant: TENANT.into(), action: action.into(), epoch, payload }.text()
}
