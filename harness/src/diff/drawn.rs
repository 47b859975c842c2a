//! What is drawn from two policies: pairs of payloads, and what is made of each.

use std::rc::Rc;

use intentkey_core::Policy;
use proptest::strategy::{BoxedStrategy, Strategy as _, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::change::{Change, Witness};
use super::search::{Candidates, EPOCH, RING, Search, TENANT, intent};
use crate::generate::fault::faults;
use crate::generate::field::Relation;
use crate::generate::intent::Intent;
use crate::generate::json::Json;
use crate::generate::pair::{Pair, Side};
use crate::generate::payload::{Payloads, Relations};
use crate::generate::pick::Picks;
use crate::hosts::Host as _;

/// Steps of making a witness smaller, at most.
const MOST_SHRINKS: usize = 4_000;

/// A strategy and whose payloads it makes.
pub(super) struct Drawn<'p> {
    policy: &'p Policy,
    payloads: Rc<Payloads>,
    pub(super) make: BoxedStrategy<(Pair, Picks)>,
}

impl Drawn<'_> {
    /// The first payload, each that differs from it in one leaf, in all of them, or in what is
    /// ignored, and the first with something wrong; and the same of what both policies know.
    pub(super) fn candidates(
        &self,
        search: &Search<'_>,
        (pair, picks): &(Pair, Picks),
        number: u32,
    ) -> Candidates {
        let actions: Vec<&str> = self.policy.actions().collect();
        let action = (number as usize).checked_rem(actions.len()).and_then(|index| actions.get(index));
        let action = action.copied().unwrap_or_default();
        let others = (0..pair.leaves().len()).map(|leaf| pair.with_leaf(leaf));
        let payloads: Vec<Json> = std::iter::once(pair.side(Side::One))
            .chain(others)
            .chain([pair.side(Side::Other), pair.with_free()])
            .collect();
        let known = payloads.iter().map(|payload| search.known_to_both(payload.clone()));
        let known: Vec<String> = known.map(|payload| intent(action, EPOCH, payload)).collect();
        let mut all: Vec<String> =
            payloads.iter().map(|payload| intent(action, EPOCH, payload.clone())).collect();
        if let Some(payload) = payloads.into_iter().next() {
            let sound = Intent { tenant: TENANT.into(), action: action.into(), epoch: EPOCH, payload };
            all.extend(faults(&self.payloads, &sound, picks).into_iter().map(|fault| fault.text));
        }
        if known.first() == all.first() { vec![all] } else { vec![known, all] }
    }
}

impl<'p> Search<'p> {
    /// The smallest witness that was found of each change that is asked for; `enough` ends the
    /// search early.
    pub(crate) fn witnesses(&self, asked: &[Change], enough: usize) -> Vec<Witness> {
        let mut found = self.around();
        found.retain(|witness| asked.contains(&witness.change));
        for strategy in self.strategies() {
            let mut runner = self.runner();
            for number in 0..self.cases {
                if found.len() >= enough {
                    return found;
                }
                let Ok(mut tree) = strategy.make.new_tree(&mut runner) else { break };
                let candidates = strategy.candidates(self, &tree.current(), number);
                for change in self.changes(&candidates) {
                    let is_new = !found.iter().any(|witness| witness.change == change);
                    if is_new && asked.contains(&change) {
                        found.extend(self.smallest(&mut *tree, &strategy, number, change));
                    }
                }
            }
        }
        found
    }

    /// What is drawn: from each policy, pairs that are the same, equal or different in each class.
    pub(super) fn strategies(&self) -> Vec<Drawn<'p>> {
        let relations = [
            Relations { identity: Relation::Different, free_differs: true, ..Relations::SAME },
            Relations { identity: Relation::Equal, checked: Relation::Equal, free_differs: true },
            Relations { checked: Relation::Different, ..Relations::SAME },
        ];
        let mut strategies = Vec::new();
        for (policy, payloads) in self.policies.into_iter().zip(&self.payloads) {
            for relation in relations {
                let payloads = Rc::clone(payloads);
                let make = (payloads.pairs(relation), Picks::any()).boxed();
                strategies.push(Drawn { policy, payloads, make });
            }
        }
        strategies
    }

    /// A payload that both policies accept, or else one of the old policy's.
    pub(super) fn shared_payload(&self) -> Option<Json> {
        let mut first = None;
        for payloads in &self.payloads {
            let strategy = payloads.pairs(Relations::SAME);
            let mut runner = self.runner();
            for _ in 0..64 {
                let Ok(mut tree) = strategy.new_tree(&mut runner) else { break };
                let accepted = |pair: &Pair| {
                    let payload = self.known_to_both(pair.side(Side::One));
                    self.policies.iter().zip(&self.hosts).all(|(policy, host)| {
                        let action = policy.actions().next().unwrap_or_default();
                        host.derive(&RING, &intent(action, EPOCH, payload.clone())).is_ok()
                    })
                };
                if accepted(&tree.current()) {
                    let smallest = shrink(&mut *tree, &mut |pair| accepted(pair));
                    return Some(self.known_to_both(smallest.side(Side::One)));
                }
                first = first.or_else(|| Some(tree.current().side(Side::One)));
            }
        }
        first
    }

    /// What draws: the same at every start.
    pub(super) fn runner(&self) -> TestRunner {
        let mut seed = [0; 32];
        seed.iter_mut().zip(self.seed.to_le_bytes()).for_each(|(byte, from)| *byte = from);
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let config = Config { failure_persistence: None, source_file: None, verbose: 0, ..Config::default() };
        TestRunner::new_with_rng(config, rng)
    }

    /// The tree's smallest case that shows the change.
    fn smallest(
        &self,
        tree: &mut dyn ValueTree<Value = (Pair, Picks)>,
        strategy: &Drawn<'p>,
        number: u32,
        change: Change,
    ) -> Option<Witness> {
        let case = shrink(tree, &mut |case| {
            self.changes(&strategy.candidates(self, case, number)).contains(&change)
        });
        self.witness(&strategy.candidates(self, &case, number), change)
    }
}

/// Makes a case smaller as long as it shows what it should.
pub(super) fn shrink<T>(tree: &mut dyn ValueTree<Value = T>, shows: &mut dyn FnMut(&T) -> bool) -> T
where
    T: std::fmt::Debug,
{
    let mut smallest = tree.current();
    let mut left = MOST_SHRINKS;
    while left > 0 && tree.simplify() {
        loop {
            left = left.saturating_sub(1);
            let current = tree.current();
            if shows(&current) {
                smallest = current;
                break;
            }
            if left == 0 || !tree.complicate() {
                return smallest;
            }
        }
    }
    smallest
}
