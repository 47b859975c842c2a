//! Holding somebody else's producer against a policy.
//!
//! The producer gets generated intents, many to a process, and its answers are compared with those
//! of the core. What differs is traced to a field and its rule, and shrunk to the smallest payload.

mod blame;
mod case;
mod cases;
mod compare;
mod producer;
pub mod report;
mod shrink;
mod symptom;

use std::collections::BTreeMap;

use intentkey_core::Policy;

use blame::Blame;
use case::Case;
use compare::{Answer, Difference, compare};
pub use producer::{NoProducer, Producer};
pub use report::{Finding, Report};

use crate::generate::pick::scramble;
use crate::hosts::{Host as _, Native, Outcome, Ring};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Sound intents, each in two spellings; an eighth as many again have every fault there is.
    pub cases: u32,
    /// What decides all that is drawn: the same seed repeats a run exactly.
    pub seed: u64,
    /// Whether all kinds of disagreements are shrunk and shown; else the first.
    pub all: bool,
}

impl Default for Settings {
    /// 256 cases of the seed 0, and the first disagreement.
    fn default() -> Self {
        Settings { cases: 256, seed: 0, all: false }
    }
}

/// A producer beside the core.
struct Bench<'b> {
    policy: &'b Policy,
    native: Native,
    producer: &'b Producer,
    ring: Ring,
}

/// A case, and what came of it on both sides.
struct Judged {
    case: Case,
    expected: Outcome,
    answer: Answer,
    difference: Option<Difference>,
}

/// Holds a producer against a policy.
///
/// # Errors
///
/// Where the producer cannot be started, or gives no answer at all.
pub fn conform(policy: &Policy, producer: &Producer, settings: &Settings) -> Result<Report, NoProducer> {
    let ring = Ring::Bare(secret(settings.seed));
    let bench = Bench { policy, native: Native::new(policy.clone()), producer, ring };
    let generator = cases::Generator::new(policy, settings.seed);
    let mut judged = bench.judge(generator.sound(settings.cases))?;
    let plain = plainest(policy, &judged).cloned();
    let faulty = generator.faulty(plain.as_ref(), &judged, settings.cases / 8 + 1);
    judged.extend(bench.judge(faulty)?);
    let mut report = Report::new(policy, settings, &judged);
    let Some(plain) = plain else {
        report.nothing_agrees(&bench, &judged);
        return Ok(report);
    };
    let blamed = Blame { bench: &bench, plain: &plain }.all(judged, settings.all)?;
    // Each kind of disagreement once, the smallest of its cases first.
    let mut kinds: BTreeMap<_, (u64, blame::Blamed)> = BTreeMap::new();
    for (order, blamed) in blamed.into_iter().enumerate() {
        let key = if settings.all { blamed.kind() } else { Default::default() };
        let entry = kinds.entry(key).or_insert_with(|| (0, blamed.clone()));
        entry.0 += 1;
        if settings.all && (blamed.case.len(), order) < (entry.1.case.len(), order) {
            entry.1 = blamed;
        }
    }
    let (counts, blamed): (Vec<u64>, Vec<blame::Blamed>) = kinds.into_values().unzip();
    for (count, smallest) in counts.into_iter().zip(shrink::shrink(&bench, &plain, blamed)?) {
        report.add(&bench, count, smallest);
    }
    report.is_first_only = !settings.all && report.disagreements > 1;
    report.sort();
    Ok(report)
}

impl Bench<'_> {
    /// Asks both sides.
    fn judge(&self, cases: Vec<Case>) -> Result<Vec<Judged>, NoProducer> {
        let texts: Vec<String> = cases.iter().map(Case::text).collect();
        let answers = self.producer.ask(&self.ring, &texts)?;
        let judged = cases.into_iter().zip(texts).zip(answers).map(|((case, text), answer)| {
            let expected = self.native.derive(&self.ring, &text);
            let difference = compare(&expected, &answer);
            Judged { case, expected, answer, difference }
        });
        Ok(judged.collect())
    }
}

/// The smallest sound intent that both sides agree on, of those with the most fields of the policy:
/// beside it shows what other fields do.
fn plainest<'j>(policy: &Policy, judged: &'j [Judged]) -> Option<&'j crate::generate::intent::Intent> {
    let fields = |payload: &crate::generate::json::Json| {
        policy.fields().iter().filter(|field| payload.named(field.path()).is_some()).count()
    };
    let agreed = judged.iter().filter(|judged| judged.difference.is_none() && judged.expected.is_ok());
    let intents = agreed.filter_map(|judged| judged.case.intent());
    intents.min_by_key(|intent| (std::cmp::Reverse(fields(&intent.payload)), intent.text().len()))
}

/// The secret that a seed decides.
fn secret(seed: u64) -> [u8; 32] {
    let mut secret = [0; 32];
    let mut state = scramble(seed);
    for part in secret.chunks_exact_mut(8) {
        state = scramble(state);
        part.copy_from_slice(&state.to_le_bytes());
    }
    secret
}
