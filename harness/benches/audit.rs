//! How fast an audit is beside deriving alone, on the same events and as many threads, in one run.
//!
//! `cargo bench -p intentkey --bench audit` prints the ratio: 1 is as fast as deriving. Deriving
//! alone has the events in memory and keeps nothing of them; the audit reads them from a file, with
//! true ids, and counts all that its report has. The best of several rounds each, taken in turns.
#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use intentkey::audit::{Settings, audit};
use intentkey::events::{Input, Mapping};
use intentkey_core::{Deriver, Policies, Policy, Secret};

/// A policy without checked fields, and one with, whose fingerprints are compared too.
const POLICIES: [(&str, &str); 2] = [
    ("published", include_str!("../../tests/vectors/published.policy.json")),
    ("pix", include_str!("../../tests/vectors/pix.policy.json")),
];

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (events, rounds) = if is_test { (2_000, 1) } else { (300_000, 7) };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let folder = tempfile::tempdir().unwrap();
    for (name, policy) in POLICIES {
        let policies: Policies = Policy::from_json(policy).unwrap().into();
        let (intents, labelled) = texts(events, name == "pix");
        let file = folder.path().join("events.jsonl");
        std::fs::write(&file, labelled).unwrap();
        let deriver = Deriver::new(policies.clone(), Secret::new([7; 32]).unwrap()).unwrap();
        for threads in [1, cores] {
            let mut best = [Duration::MAX; 2];
            for _ in 0..rounds {
                best[0] = best[0].min(time(|| derive_all(&deriver, &intents, threads)));
                best[1] = best[1].min(time(|| audit_all(&policies, &file, threads)));
            }
            let [derive, audited] = best.map(|best| f64::from(events) / best.as_secs_f64());
            println!(
                "{name:<10} {threads} threads: derive {derive:>9.0}/s, audit {audited:>9.0}/s, ratio {:.2}",
                audited / derive
            );
        }
    }
}

fn time(run: impl FnOnce()) -> Duration {
    let began = Instant::now();
    run();
    began.elapsed()
}

fn derive_all(deriver: &Deriver, intents: &[String], threads: usize) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(lines) = intents.get(index) else { return };
                    for line in lines.lines() {
                        black_box(deriver.read(line).and_then(|intent| deriver.derive(&intent)).unwrap());
                    }
                }
            });
        }
    });
}

fn audit_all(policies: &Policies, file: &Path, threads: usize) {
    let mapping = Mapping { truth: Some(String::from("intent_id")), ..Mapping::default() };
    let settings = Settings { mapping, threads, ..Settings::default() };
    let report = audit(policies, &[Input::from(file)], &settings).unwrap();
    assert_eq!(report.events.read, report.events.keyed);
}

/// Intents as `derive` takes them, in pieces of a thousand; and the same with their true ids.
fn texts(events: u32, is_pix: bool) -> (Vec<String>, String) {
    let (mut pieces, mut labelled) = (Vec::new(), String::new());
    for number in 0..events {
        if number % 1000 == 0 {
            pieces.push(String::new());
        }
        // Every tenth is a retry of the one before.
        let intent = number - u32::from(number % 10 == 9);
        let line = line(intent, number, is_pix);
        writeln!(pieces.last_mut().unwrap(), "{line}}}").unwrap();
        writeln!(labelled, "{line},\"intent_id\":\"{intent}\"}}").unwrap();
    }
    (pieces, labelled)
}

fn line(intent: u32, attempt: u32, is_pix: bool) -> String {
    let request = if is_pix { "\"device\":\"phone\"" } else { "\"attempt\":1" };
    format!(
        "{{\"tenant\":\"tenant-{}\",\"action\":\"pix.transfer\",\"intent_epoch\":{},\"payload\":{{\
         \"creditor_key\":\"user-{intent}@example.com\",\"amount\":\"{}.{:02}\",\"currency\":\"BRL\",\
         \"remittance\":\"Almo\u{e7}o {intent}\",\"request_id\":\"{attempt:032x}\",{request}}}",
        intent % 50,
        1_796_040_000 + intent / 4,
        intent % 1000,
        intent % 100
    )
}
