//! Witnesses: intents that two policies treat differently, found by generating and made small.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use intentkey_core::Policy;
use proptest::strategy::{BoxedStrategy, Strategy as _, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::value::RawValue;

use crate::generate::fault::faults;
use crate::generate::field::Relation;
use crate::generate::intent::Intent;
use crate::generate::json::{Json, Text};
use crate::generate::pair::{Pair, Side};
use crate::generate::payload::{Payloads, Relations};
use crate::generate::pick::Picks;
use crate::generate::shape::Shape;
use crate::hosts::{Host as _, Native, Outcome, Ring};

/// The secret of every search: what two policies make of intents does not depend on it.
const RING: Ring = Ring::Bare([0x5e; 32]);

/// Whose intents they are: one tenant, since no policy looks at it.
const TENANT: &str = "acme";

/// Steps of making a witness smaller, at most.
const MOST_SHRINKS: usize = 4_000;

/// Buckets whose beginnings are looked at, at most: widths with no small common multiple have many.
const MOST_BUCKETS: u64 = 6;

/// A second far from the ends of usual buckets, and late enough for any policy of today.
const EPOCH: u64 = 1_767_225_600;

/// What a new policy makes of intents that an old one made something else of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Two intents with two keys have one.
    Merges,
    /// Two spellings of one intent, with one key, have two.
    Splits,
    /// The key of an intent is another one.
    Moves,
    /// What was accepted is refused.
    Refuses,
    /// What was refused is accepted.
    Accepts,
    /// Two intents with one key and one fingerprint now conflict.
    Conflicts,
    /// Two intents with one key that were a conflict no longer are.
    Agrees,
    /// What was refused is refused for another reason.
    RefusesOtherwise,
    /// An intent has the same key.
    Keeps,
}

impl Change {
    /// Every change, the gravest first; `Keeps` is none.
    pub const ALL: [Change; 8] = [
        Change::Merges,
        Change::Splits,
        Change::Moves,
        Change::Refuses,
        Change::Accepts,
        Change::Conflicts,
        Change::Agrees,
        Change::RefusesOtherwise,
    ];

    /// What it comes to, in a sentence.
    #[must_use]
    pub fn says(self) -> &'static str {
        match self {
            Change::Merges => "different intents share a key",
            Change::Splits => "one intent has two keys",
            Change::Moves => "an intent has another key",
            Change::Refuses => "an intent is refused",
            Change::Accepts => "what was refused has a key",
            Change::Conflicts => "a retry conflicts",
            Change::Agrees => "a conflict passes unseen",
            Change::RefusesOtherwise => "what is refused is refused for another reason",
            Change::Keeps => "an intent has the same key",
        }
    }

    /// The change in a word or two.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Change::Merges => "merges",
            Change::Splits => "splits",
            Change::Moves => "moves",
            Change::Refuses => "refuses",
            Change::Accepts => "accepts",
            Change::Conflicts => "conflicts",
            Change::Agrees => "no longer conflicts",
            Change::RefusesOtherwise => "refuses otherwise",
            Change::Keeps => "keeps",
        }
    }
}

/// One or two intents that two policies treat differently.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What the new policy makes of them.
    pub change: Change,
    /// The intents as JSON text: one, or two where it is about a pair.
    pub intents: Vec<String>,
    /// What came of each under the old policy and under the new one: a key's first characters, or a
    /// code.
    pub outcomes: Vec<[String; 2]>,
}

/// Two policies and the means to find what they treat differently.
pub(crate) struct Search<'p> {
    policies: [&'p Policy; 2],
    payloads: [Rc<Payloads>; 2],
    /// The names of each policy's members at the top of a payload.
    names: [BTreeSet<String>; 2],
    hosts: [Native; 2],
    cases: u32,
    seed: u64,
}

/// Groups of intents that one drawn case gives, as text; in each the others are compared with the
/// first.
type Candidates = Vec<Vec<String>>;

/// What one policy makes of two intents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pairing {
    Refused,
    Same,
    Conflict,
    Different,
}

impl<'p> Search<'p> {
    pub(crate) fn new(old: &'p Policy, new: &'p Policy, cases: u32, seed: u64) -> Self {
        let hosts = [old, new].map(|policy| Native::new(policy.clone()));
        let names = [old, new].map(|policy| match Shape::of(policy) {
            Shape::Object(members) => members.into_keys().collect(),
            _ => BTreeSet::new(),
        });
        let payloads = [old, new].map(|policy| Rc::new(Payloads::of(policy)));
        Search { policies: [old, new], payloads, names, hosts, cases, seed }
    }

    /// The smallest witness that was found of each change that is asked for; `enough` ends the
    /// search early.
    pub(crate) fn witnesses(&self, asked: &[Change], enough: usize) -> Vec<Witness> {
        let mut found = self.around();
        found.retain(|witness| asked.contains(&witness.change));
        for strategy in self.strategies() {
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &self.seed_bytes());
            let mut runner = TestRunner::new_with_rng(config(), rng);
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
                let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &self.seed_bytes());
                let mut runner = TestRunner::new_with_rng(config(), rng);
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
        Some(Witness { change: Change::Keeps, intents: vec![found], outcomes })
    }

    fn seed_bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.iter_mut().zip(self.seed.to_le_bytes()).for_each(|(byte, from)| *byte = from);
        bytes
    }

    /// What changes around payloads: actions and buckets, with one payload that both take.
    fn around(&self) -> Vec<Witness> {
        let Some(payload) = self.shared_payload() else { return Vec::new() };
        let mut found: Vec<Witness> = Vec::new();
        let actions = self.policies.iter().flat_map(|policy| policy.actions());
        for action in actions {
            let intent = |epoch| intent(action, epoch, payload.clone());
            let groups = self.moments().into_iter().map(|moments| moments.into_iter().map(intent).collect());
            let candidates: Candidates = groups.collect();
            for change in self.changes(&candidates) {
                if found.iter().all(|witness| witness.change != change) {
                    found.extend(self.witness(&candidates, change));
                }
            }
        }
        found
    }

    /// Groups of seconds that buckets or their edges tell apart, the first to be compared with the
    /// others: the beginnings of both policies' buckets, and what is near them.
    fn moments(&self) -> Vec<Vec<u64>> {
        let widths = self.policies.map(Policy::bucket_seconds);
        let edges = self.policies.map(Policy::edge_seconds);
        let span = widths.iter().copied().filter(|&width| width > 0).fold(1, common_multiple);
        let start = EPOCH.div_ceil(span).saturating_mul(span);
        let mut groups = Vec::new();
        for width in widths {
            for number in 0..=span.checked_div(width).unwrap_or(0).min(MOST_BUCKETS) {
                let begin = start.saturating_add(number.saturating_mul(width));
                let ends = widths.iter().flat_map(|width| [width.saturating_sub(1), *width]);
                let mut group = vec![begin];
                group.extend(ends.map(|later| begin.saturating_add(later)));
                group.extend([1, edges[0], edges[1]].map(|earlier| begin.saturating_sub(earlier)));
                groups.push(group);
            }
        }
        groups
    }

    /// A payload that both policies accept, or else one of the old policy's.
    fn shared_payload(&self) -> Option<Json> {
        let mut first = None;
        for payloads in &self.payloads {
            let strategy = payloads.pairs(Relations::SAME);
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &self.seed_bytes());
            let mut runner = TestRunner::new_with_rng(config(), rng);
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

    /// What is drawn: from each policy, pairs that are the same, equal or different in each class.
    fn strategies(&self) -> Vec<Drawn<'p>> {
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

    /// What comes of an intent under the old policy and under the new one.
    fn outcomes(&self, intent: &str) -> [Outcome; 2] {
        self.hosts.each_ref().map(|host| host.derive(&RING, intent))
    }

    /// A payload without the members that one of the policies does not know.
    fn known_to_both(&self, payload: Json) -> Json {
        let Json::Object(members) = payload else { return payload };
        let known = |name: &Text| match name {
            Text::Plain(name) => self.names.iter().all(|names| names.contains(name)),
            Text::Escaped(_) => false,
        };
        Json::Object(members.into_iter().filter(|member| known(&member.0)).collect())
    }

    /// Every change that these intents show.
    fn changes(&self, candidates: &Candidates) -> Vec<Change> {
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

    /// The intents among these that show the change.
    fn witness(&self, candidates: &Candidates, change: Change) -> Option<Witness> {
        let mut shown = candidates.iter().find_map(|group| self.shown(group, change))?;
        self.pare(&mut shown, change);
        Some(Witness {
            change,
            outcomes: shown.iter().map(|intent| self.outcomes(intent).each_ref().map(said)).collect(),
            intents: shown,
        })
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

    /// Leaves out of all intents what can be left out without the change being lost.
    fn pare(&self, intents: &mut Vec<String>, change: Change) {
        let names: BTreeSet<String> = intents.iter().flat_map(|intent| payload_names(intent)).collect();
        for name in names {
            let pared: Vec<String> = intents.iter().map(|intent| without(intent, &name)).collect();
            let outcomes: Vec<[Outcome; 2]> = pared.iter().map(|intent| self.outcomes(intent)).collect();
            let shows = match outcomes.as_slice() {
                [one] => of_one(&one[0], &one[1]) == Some(change),
                [one, other] => of_two(one, other) == Some(change),
                _ => false,
            };
            if shows {
                *intents = pared;
            }
        }
    }
}

/// A strategy and whose payloads it makes.
struct Drawn<'p> {
    policy: &'p Policy,
    payloads: Rc<Payloads>,
    make: BoxedStrategy<(Pair, Picks)>,
}

impl Drawn<'_> {
    /// The first payload, each that differs from it in one leaf, in all of them, or in what is
    /// ignored, and the first with something wrong; and the same of what both policies know.
    fn candidates(&self, search: &Search<'_>, (pair, picks): &(Pair, Picks), number: u32) -> Candidates {
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

type Members<'t> = BTreeMap<String, &'t RawValue>;

/// The names of a payload's members.
fn payload_names(intent: &str) -> Vec<String> {
    let members: Members<'_> = serde_json::from_str(intent).unwrap_or_default();
    let payload =
        members.get("payload").and_then(|payload| serde_json::from_str::<Members<'_>>(payload.get()).ok());
    payload.unwrap_or_default().into_keys().collect()
}

/// An intent without a member of its payload.
fn without(intent: &str, name: &str) -> String {
    let pared = || -> Option<String> {
        let members: Members<'_> = serde_json::from_str(intent).ok()?;
        let mut payload: Members<'_> = serde_json::from_str(members.get("payload")?.get()).ok()?;
        payload.remove(name)?;
        let member = |(name, value): (&str, &str)| format!("{}:{value}", Json::text(name).compact());
        let payload: Vec<String> = payload.iter().map(|(name, value)| member((name, value.get()))).collect();
        let payload = format!("{{{}}}", payload.join(","));
        let members =
            ["tenant", "action", "intent_epoch"].map(|name| Some(member((name, members.get(name)?.get()))));
        let members: Vec<String> =
            members.into_iter().flatten().chain([member(("payload", &payload))]).collect();
        Some(format!("{{{}}}", members.join(",")))
    };
    pared().unwrap_or_else(|| intent.to_owned())
}

/// An intent as text.
fn intent(action: &str, epoch: u64, payload: Json) -> String {
    Intent { tenant: TENANT.into(), action: action.into(), epoch, payload }.text()
}

/// Makes a case smaller as long as it shows what it should.
fn shrink<T>(tree: &mut dyn ValueTree<Value = T>, shows: &mut dyn FnMut(&T) -> bool) -> T
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

fn config() -> Config {
    Config { failure_persistence: None, source_file: None, verbose: 0, ..Config::default() }
}

fn of_one(old: &Outcome, new: &Outcome) -> Option<Change> {
    match (old, new) {
        (Ok(old), Ok(new)) => (old.key != new.key).then_some(Change::Moves),
        (Ok(_), Err(_)) => Some(Change::Refuses),
        (Err(_), Ok(_)) => Some(Change::Accepts),
        (Err(old), Err(new)) => {
            let other = old.code != new.code || old.field != new.field || old.fields != new.fields;
            other.then_some(Change::RefusesOtherwise)
        }
    }
}

fn of_two(one: &[Outcome; 2], other: &[Outcome; 2]) -> Option<Change> {
    match (pairing(&one[0], &other[0]), pairing(&one[1], &other[1])) {
        (Pairing::Different, Pairing::Same | Pairing::Conflict) => Some(Change::Merges),
        (Pairing::Same | Pairing::Conflict, Pairing::Different) => Some(Change::Splits),
        (Pairing::Same, Pairing::Conflict) => Some(Change::Conflicts),
        (Pairing::Conflict, Pairing::Same) => Some(Change::Agrees),
        _ => None,
    }
}

/// A claim takes the key and the edge key together, so that either makes one intent of two.
fn pairing(one: &Outcome, other: &Outcome) -> Pairing {
    let (Ok(one), Ok(other)) = (one, other) else { return Pairing::Refused };
    let fingerprints = match (&one.edge, &other.edge) {
        _ if one.key == other.key => [&one.fingerprint, &other.fingerprint],
        (Some(one), Some(other)) if one.key == other.key => [&one.fingerprint, &other.fingerprint],
        _ => return Pairing::Different,
    };
    if fingerprints[0] == fingerprints[1] { Pairing::Same } else { Pairing::Conflict }
}

/// The first characters of a key, or a code with its field.
fn said(outcome: &Outcome) -> String {
    match outcome {
        Ok(derived) => derived.key.chars().take(8).collect(),
        Err(refused) => match &refused.field {
            Some(field) => format!("{} at {field}", refused.code),
            None if refused.fields.is_empty() => refused.code.clone(),
            None => format!("{}: {}", refused.code, refused.fields.join(", ")),
        },
    }
}

/// The smallest number of seconds that is a multiple of both.
pub(super) fn common_multiple(one: u64, other: u64) -> u64 {
    fn common_divisor(one: u64, other: u64) -> u64 {
        if other == 0 { one } else { common_divisor(other, one % other) }
    }
    let divisor = common_divisor(one, other).max(1);
    (one / divisor).saturating_mul(other)
}
