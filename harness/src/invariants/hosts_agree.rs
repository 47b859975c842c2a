//! hosts-agree: whoever derives, the same key or the same code.

use std::sync::Arc;

use intentkey_core::Policy;
use proptest::strategy::{BoxedStrategy, Strategy as _, ValueTree};

use super::bench::MOST_SHRINKS;
use super::counterexample::{Counterexample, ascii};
use super::{Bench, Side, Verdict};
use crate::generate::cycle::cycle;
use crate::generate::fault::faults;
use crate::generate::field::Relation;
use crate::generate::intent::{Frame, Intent, MILLISECONDS_FROM};
use crate::generate::pair::{Pair, Side as PairSide};
use crate::generate::payload::Relations;
use crate::generate::pick::Picks;
use crate::generate::style::Style;
use crate::hosts::{Beside, Host, Outcome, component};

/// Cases that are sent to a host at once.
const BATCH: usize = 64;

/// The faults of an intent are taken one of so many at a time: every kind has its turn in as many
/// cases.
const TURNS: usize = 8;

/// Two payloads with their frame, how the second is written, and which faults have their turn.
type Case = (Pair, Frame, Style, Picks, usize);

pub(super) fn check(bench: &Bench<'_>) -> Verdict {
    let mut others = Vec::new();
    for beside in bench.beside() {
        match ready(bench, beside) {
            Ok(host) => others.push(host),
            Err(why) => return Verdict::NotRun { why },
        }
    }
    if others.is_empty() {
        return Verdict::NotRun { why: String::from("there is no other host") };
    }
    match compare(bench, &others) {
        Ok(()) => Verdict::Held { cases: bench.cases() },
        Err(verdict) => *verdict,
    }
}

/// The host, ready to derive under the policy.
fn ready(bench: &Bench<'_>, beside: &Beside) -> Result<Arc<dyn Host + Send>, String> {
    let file = match beside {
        Beside::Host(host) => return Ok(Arc::clone(host)),
        Beside::Component(file) => file,
    };
    component::ready(file.as_deref(), bench.policy())
}

fn compare(bench: &Bench<'_>, others: &[Arc<dyn Host + Send>]) -> Result<(), Box<Verdict>> {
    let (strategy, mut runner) = (cases(bench), bench.runner());
    let mut tried = 0;
    while tried < bench.cases() {
        let mut trees = Vec::new();
        while trees.len() < BATCH && tried < bench.cases() {
            let tree = strategy.new_tree(&mut runner);
            trees.push(
                tree.map_err(|why| Verdict::Vacuous { why: format!("no payload could be made: {why}") })?,
            );
            tried += 1;
        }
        let texts: Vec<Vec<String>> = trees.iter().map(|tree| texts(bench, &tree.current())).collect();
        let Some((batched, other)) = first_disagreement(bench, others, &texts) else { continue };
        let cases = tried - u32::try_from(trees.len() - batched).unwrap_or(0) + 1;
        let counterexample = match trees.get_mut(batched).and_then(|tree| shrunk(bench, other, &mut **tree)) {
            Some(counterexample) => counterexample,
            None => whole(bench, other, texts.get(batched).map_or(&[], Vec::as_slice)),
        };
        return Err(Verdict::Broken { cases, counterexample: counterexample.boxed() }.into());
    }
    Ok(())
}

fn cases(bench: &Bench<'_>) -> BoxedStrategy<Case> {
    let relations =
        Relations { identity: Relation::Different, checked: Relation::Different, free_differs: true };
    let turns: Vec<usize> = (0..TURNS).collect();
    (bench.payloads.pairs(relations), Frame::any(bench.policy()), Style::any(), Picks::any(), cycle(&turns))
        .boxed()
}

/// What the hosts are asked in one case: two intents, one of them at a second where edges begin or
/// end and written in some other way, and some that have something wrong.
fn texts(bench: &Bench<'_>, (pair, frame, style, picks, turn): &Case) -> Vec<String> {
    let intent = frame.around(pair.side(PairSide::One));
    let epoch = at_an_edge(bench.policy(), frame.epoch, *turn);
    let other = Intent { epoch, ..frame.around(pair.side(PairSide::Other)) };
    let faulty = faults(&bench.payloads, &intent, picks).into_iter().skip(*turn).step_by(TURNS);
    let mut texts = vec![intent.text(), other.styled(style)];
    texts.extend(faulty.map(|fault| fault.text));
    texts
}

/// One of the first and last seconds of a bucket and of what is near its edges; the same second
/// where there is one bucket for all time.
fn at_an_edge(policy: &Policy, epoch: u64, turn: usize) -> u64 {
    let (seconds, edge) = (policy.bucket_seconds(), policy.edge_seconds());
    let Some(bucket) = epoch.checked_div(seconds) else { return epoch };
    let last = seconds.saturating_sub(1);
    let offsets = [0, edge.saturating_sub(1), edge, last.saturating_sub(edge), seconds - edge, last];
    let offset = offsets.get(turn % offsets.len()).copied().unwrap_or(0);
    (bucket * seconds).saturating_add(offset.min(last)).min(MILLISECONDS_FROM - 1)
}

/// The first case in which another host does not agree, and that host.
fn first_disagreement<'h>(
    bench: &Bench<'_>,
    others: &'h [Arc<dyn Host + Send>],
    cases: &[Vec<String>],
) -> Option<(usize, &'h dyn Host)> {
    let all: Vec<(usize, &str)> = (0..)
        .zip(cases)
        .flat_map(|(case, texts)| texts.iter().map(move |text| (case, text.as_str())))
        .collect();
    let own: Vec<Outcome> = all.iter().map(|(_, text)| bench.derive_text(&bench.ring, text)).collect();
    let disagreements = others.iter().filter_map(|other| {
        let (asked, own): (Vec<&(usize, &str)>, Vec<&Outcome>) =
            all.iter().zip(&own).filter(|((_, text), _)| other.takes(text)).unzip();
        let texts: Vec<&str> = asked.iter().map(|(_, text)| *text).collect();
        let given = other.derive_all(&bench.ring, &texts);
        let agreement = other.agreement();
        let mut compared = asked.iter().zip(own).zip(&given);
        let ((asked, _), _) = compared.find(|((_, own), given)| !agreement.holds(own, given))?;
        Some((asked.0, &**other as &dyn Host))
    });
    disagreements.min_by_key(|disagreement| disagreement.0)
}

/// The smallest case that was found in which the other host does not agree.
fn shrunk(
    bench: &Bench<'_>,
    other: &dyn Host,
    tree: &mut dyn ValueTree<Value = Case>,
) -> Option<Counterexample> {
    let mut smallest = disagreement(bench, other, &texts(bench, &tree.current()));
    let mut went_on = tree.simplify();
    for _ in 0..MOST_SHRINKS {
        if !went_on {
            break;
        }
        went_on = match disagreement(bench, other, &texts(bench, &tree.current())) {
            Some(smaller) => {
                smallest = Some(smaller);
                tree.simplify()
            }
            None => tree.complicate(),
        };
    }
    smallest
}

/// The first text of which the other host, asked again by itself, says something else.
fn disagreement(bench: &Bench<'_>, other: &dyn Host, texts: &[String]) -> Option<Counterexample> {
    let asked = texts.iter().filter(|text| other.takes(text));
    asked.map(|text| (text, other.derive(&bench.ring, text))).find_map(|(text, given)| {
        let own = bench.derive_text(&bench.ring, text);
        (!other.agreement().holds(&own, &given)).then(|| beside(bench, other, text, why(&own, &given), given))
    })
}

/// A disagreement that did not show again.
fn whole(bench: &Bench<'_>, other: &dyn Host, texts: &[String]) -> Counterexample {
    let text = texts.first().map_or("", String::as_str);
    let given = other.derive(&bench.ring, text);
    let why = "asked again by itself, the other host says something else than among others";
    beside(bench, other, text, why, given)
}

fn why(own: &Outcome, given: &Outcome) -> &'static str {
    match (own, given) {
        (Ok(own), Ok(given)) if own.key != given.key => "two hosts give two keys",
        (Ok(own), Ok(given)) if own.fingerprint != given.fingerprint => "two hosts give two fingerprints",
        (Ok(own), Ok(given)) if own.edge != given.edge => "two hosts give two edge keys, or one of them none",
        (Ok(_), Ok(_)) => "two hosts name two buckets or secrets",
        (Err(own), Err(given)) if own.code != given.code => "two hosts refuse an intent for two reasons",
        (Err(_), Err(_)) => "two hosts refuse an intent at two places",
        _ => "one host refuses what another derives",
    }
}

/// The two hosts side by side.
fn beside(bench: &Bench<'_>, other: &dyn Host, text: &str, why: &str, given: Outcome) -> Counterexample {
    let own = bench.side_of_text(bench.host().name(), &bench.ring, text);
    let other = Side {
        label: other.name().to_owned(),
        text: text.to_owned(),
        parts: vec![(String::from("text"), ascii(text))],
        explained: None,
        outcome: given,
    };
    Counterexample::new(why, own, other)
}
