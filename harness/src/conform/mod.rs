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

use intentkey_core::{Policies, Policy};

use blame::Blame;
use case::Case;
use compare::{Answer, Difference, compare};
pub use producer::{NoProducer, Producer};
pub use report::{Finding, Report};

use symptom::OLD_TABLES;

use crate::generate::pick::scramble;
use crate::hosts::{Host as _, Native, Outcome, Ring};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Sound intents, each in two spellings; an eighth as many again have every fault there is.
    pub cases: u32,
    /// What decides all that is drawn: the same seed repeats a run exactly.
    pub seed: u64,
    /// Whether all kinds of disagreements are shrunk and shown; else the smallest.
    pub all: bool,
}

impl Default for Settings {
    /// 256 cases of the seed 0, and the smallest disagreement.
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
    /// The first second of the policy.
    first: u64,
    /// Whether what is special about a value sets disagreements apart.
    all: bool,
}

/// A case, and what came of it on both sides.
struct Judged {
    case: Case,
    expected: Outcome,
    answer: Answer,
    difference: Option<Difference>,
}

/// Holds a producer against a policy, or against each of policies over time while it is in force: a
/// report for each.
///
/// # Errors
///
/// Where the producer cannot be started, or gives no answer at all.
///
/// ```
/// use intentkey::conform::{Producer, Settings, conform};
/// use intentkey_core::Policy;
///
/// let policy = Policy::from_json(r#"{"name": "note", "actions": ["note.add"], "bucket_seconds": 60,
///     "identity": {"id": {"rule": "exact"}}}"#)?;
/// // It answers every line, and always the same.
/// let script = r#"while IFS= read -r line; do echo '{"key": "0"}'; done"#;
/// let producer = Producer::new(["sh", "-c", script]).ok_or("no command")?;
/// let reports = conform(&policy.into(), &producer, &Settings { cases: 4, ..Settings::default() })?;
/// assert!(!reports[0].agrees());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn conform(
    policies: &Policies,
    producer: &Producer,
    settings: &Settings,
) -> Result<Vec<Report>, NoProducer> {
    let versions: Vec<(Option<u64>, &Policy)> = policies.iter().collect();
    let ends = versions.iter().skip(1).map(|version| version.0).chain([None]);
    let spans = versions.iter().zip(ends).map(|((from, policy), until)| {
        let span = Span { from: from.unwrap_or(0), until };
        let mut report = conform_within(policies, policy, span, producer, settings)?;
        if let Some(from) = from {
            report.policy = format!("{} from {from}", report.policy);
        }
        Ok(report)
    });
    spans.collect()
}

/// The seconds for which a policy is in force.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: u64,
    until: Option<u64>,
}

impl Span {
    /// A second of the span for any second: itself where it is one.
    fn within(self, epoch: u64) -> u64 {
        let Some(until) = self.until else {
            return epoch.max(self.from);
        };
        if (self.from..until).contains(&epoch) {
            return epoch;
        }
        self.from + epoch.checked_rem(until - self.from).unwrap_or(0)
    }
}

fn conform_within(
    policies: &Policies,
    policy: &Policy,
    span: Span,
    producer: &Producer,
    settings: &Settings,
) -> Result<Report, NoProducer> {
    let ring = Ring::Bare(secret(settings.seed));
    let bench = Bench {
        policy,
        native: Native::new(policies.clone()),
        producer,
        ring,
        first: span.from,
        all: settings.all,
    };
    let generator = cases::Generator::new(policy, span, settings.seed);
    let mut judged = bench.judge(generator.sound(settings.cases))?;
    let plain = plainest(policy, &judged).cloned();
    let faulty = generator.faulty(plain.as_ref(), &judged, settings.cases / 8 + 1);
    judged.extend(bench.judge(faulty)?);
    let mut report = Report::new(policy, settings, &judged);
    let Some(plain) = plain else {
        report.nothing_agrees(&bench, &judged);
        return Ok(report);
    };
    let blamed = Blame { bench: &bench, plain: &plain }.all(judged)?;
    // Each kind of disagreement once, the smallest of its cases first.
    let mut kinds: BTreeMap<_, (u64, usize, blame::Blamed)> = BTreeMap::new();
    for (order, blamed) in blamed.into_iter().enumerate() {
        let entry = kinds.entry(blamed.kind()).or_insert_with(|| (0, order, blamed.clone()));
        entry.0 += 1;
        if (blamed.case.len(), order) < (entry.2.case.len(), entry.1) {
            (entry.1, entry.2) = (order, blamed);
        }
    }
    let mut shown: Vec<(u64, usize, blame::Blamed)> = kinds.into_values().collect();
    if !settings.all {
        // What is sound before what is refused; what a newer table would mend says the least.
        shown.sort_by_key(|(_, order, blamed)| {
            (blamed.symptom() == OLD_TABLES, blamed.expected.is_err(), blamed.case.len(), *order)
        });
        shown.truncate(1);
    }
    let (counts, blamed): (Vec<u64>, Vec<blame::Blamed>) =
        shown.into_iter().map(|(count, _, blamed)| (count, blamed)).unzip();
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
