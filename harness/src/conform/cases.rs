//! The cases: sound intents in two spellings each, and intents with one thing wrong.

use std::rc::Rc;

use intentkey_core::Policy;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::case::Case;
use super::{Judged, Span};
use crate::generate::fault::faults;
use crate::generate::field::Relation;
use crate::generate::intent::{Frame, Intent};
use crate::generate::json::Json;
use crate::generate::pair::Side;
use crate::generate::payload::{Payloads, Relations};
use crate::generate::pick::{Picks, scramble};

/// Of how many intents, at most, one with faults is made.
const FAULTY: usize = 8;

/// Draws cases of a policy.
pub(super) struct Generator {
    payloads: Rc<Payloads>,
    span: Span,
    seed: u64,
}

impl Generator {
    pub(super) fn new(policy: &Policy, span: Span, seed: u64) -> Self {
        Generator { payloads: Rc::new(Payloads::of(policy)), span, seed }
    }

    /// Sound intents; neighbours are two spellings of one.
    pub(super) fn sound(&self, count: u32) -> Vec<Case> {
        let relations = Relations { identity: Relation::Equal, checked: Relation::Equal, free_differs: true };
        let strategy = (self.payloads.pairs(relations), Frame::any(self.payloads.policy()));
        let mut runner = TestRunner::new_with_rng(Config::default(), self.rng());
        let drawn = (0..count).filter_map(|_| strategy.new_tree(&mut runner).ok().map(|tree| tree.current()));
        drawn
            .flat_map(|(pair, frame)| {
                let frame = Frame { epoch: self.span.within(frame.epoch), ..frame };
                [Side::One, Side::Other].map(|side| Case::Intent(frame.around(pair.side(side))))
            })
            .filter(Case::is_line)
            .collect()
    }

    /// Intents with one thing wrong, mostly the plain one: beside it nothing else catches the eye.
    pub(super) fn faulty(&self, plain: Option<&Intent>, judged: &[Judged], count: u32) -> Vec<Case> {
        let others: Vec<&Intent> =
            judged.iter().filter_map(|judged| judged.case.intent()).take(FAULTY).collect();
        let around = plain.into_iter().cycle().take(FAULTY).chain(others);
        let intents: Vec<&Intent> = around.collect();
        let mut cases = Vec::new();
        for number in 0..count {
            let Some(intent) =
                usize::try_from(number).ok().and_then(|number| intents.get(number % intents.len().max(1)))
            else {
                break;
            };
            let picks = Picks::new(scramble(self.seed ^ u64::from(number)));
            let faulty = faults(&self.payloads, intent, &picks);
            cases.extend(faulty.into_iter().map(|fault| Case::of_text(fault.text)).filter(Case::is_line));
        }
        cases.extend(self.refused(plain));
        cases
    }

    /// Each value that a rule refuses, in the plain intent.
    fn refused(&self, plain: Option<&Intent>) -> Vec<Case> {
        let Some(plain) = plain else { return Vec::new() };
        let mut cases = Vec::new();
        for (index, field) in self.payloads.policy().fields().iter().enumerate() {
            let [intentkey_core::Segment::Name(name)] = field.path().segments() else { continue };
            let Some(spellings) = self.payloads.spellings_in(index, &plain.payload) else { continue };
            for (value, _) in &spellings.refused {
                let payload = with_member(&plain.payload, name, Some(value.clone()));
                cases.push(Case::Intent(Intent { payload, ..plain.clone() }));
            }
        }
        cases.retain(Case::is_line);
        cases
    }

    fn rng(&self) -> TestRng {
        let mut seed = [0; 32];
        let source = self.seed.to_le_bytes().into_iter().chain(*b"conform");
        seed.iter_mut().zip(source).for_each(|(byte, from)| *byte = from);
        TestRng::from_seed(RngAlgorithm::ChaCha, &seed)
    }
}

/// The payload with another value of one of its members, or without it.
pub(super) fn with_member(payload: &Json, name: &str, value: Option<Json>) -> Json {
    use crate::generate::place::{Step, with};
    with(payload, &[Step::Name(name.to_owned())], value)
}
