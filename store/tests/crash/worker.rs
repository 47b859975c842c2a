//! A worker: it takes its intents to their end, by whatever way is left, and says each step first.

use std::env;
use std::io::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::{Schedule, Terms};
use intentkey_store::{
    Claim, Claimed, Destination, Executed, Looked, Options, Owned, Recorded, Response, Store, Target, recover,
};

use crate::destination::ask;
use crate::support::{DAY, fingerprint, key};
use crate::table;

/// How long an execution may take.
pub(crate) const EXECUTION: Duration = Duration::from_millis(600);
/// How long a request may be under way: far longer than the destination delays any, since this machine
/// may be busy.
pub(crate) const LONGEST_DELAY: Duration = Duration::from_millis(2000);
/// How long the destination delays what it executes.
const DELAYS: [u64; 4] = [0, 5, 50, 900];

struct Psp {
    target: Target,
    kind: String,
    port: u16,
    delay: u64,
    /// The rule that is off.
    without: String,
}

#[async_trait]
impl Destination for Psp {
    fn target(&self) -> &Target {
        &self.target
    }

    async fn execute(&self, owned: &Owned, request: &[u8]) -> Executed {
        let intent = String::from_utf8_lossy(request);
        self.send(owned.key.as_str(), &intent, owned.time_left()).await
    }

    async fn look_up(&self, key: &Key) -> Looked {
        step("look up");
        let (port, request) = (self.port, format!("look {key}"));
        match tokio::task::spawn_blocking(move || ask(port, &request)).await.unwrap().as_deref() {
            Some("found") => Looked::Found(Response::new(200, "found")),
            Some("absent") => Looked::Absent,
            // The rule that is off: what is unknown is not absent.
            _ if self.without == "unknown" => Looked::Absent,
            _ => Looked::Unknown,
        }
    }
}

impl Psp {
    async fn send(&self, key: &str, intent: &str, time_left: Duration) -> Executed {
        step("execute");
        let (port, request) = (self.port, format!("execute {} {key} {intent} {}", self.kind, self.delay));
        let answer = tokio::task::spawn_blocking(move || ask(port, &request));
        match tokio::time::timeout(time_left, answer).await {
            Ok(answered) if answered.as_ref().unwrap().is_some() => {
                Executed::Done(Response::new(201, "done"))
            }
            _ => Executed::Unknown,
        }
    }
}

fn step(name: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "step {name}");
    let _ = out.flush();
}

/// Stops this process until somebody lets it go on, for longer than a second.
fn stop() {
    step("stop");
    let begun = Instant::now();
    let _ = Command::new("kill").args(["-STOP", &std::process::id().to_string()]).status();
    // The signal stops it a moment later.
    while begun.elapsed() < Duration::from_secs(1) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(work());
    println!("end");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap()
}

async fn work() {
    let kind = variable("CRASH_KIND");
    let without = variable("CRASH_WITHOUT");
    let terms = match kind.as_str() {
        "idempotent" => Terms::idempotent_by_key(DAY),
        // The rule that is off: to wait for what is under way.
        "look-up" if without == "delay" => Terms::look_up(Duration::ZERO),
        "look-up" => Terms::look_up(LONGEST_DELAY),
        _ => Terms::neither(),
    };
    let options = Options::default()
        .connections(2)
        .schedule(Schedule::with_pauses([Duration::from_millis(200); 3]))
        .longest_claim(Duration::from_secs(20));
    let store = intentkey_store::open(&variable("CRASH_DATABASE"), options).await.unwrap();
    let seed: usize = variable("CRASH_SEED").parse().unwrap();
    let psp = Psp {
        target: Target::new(format!("psp-{seed}"), terms, EXECUTION),
        kind,
        port: variable("CRASH_PORT").parse().unwrap(),
        delay: DELAYS[seed % DELAYS.len()],
        without,
    };
    let mut stops = env::var("CRASH_STOPS").is_ok();
    for intent in variable("CRASH_INTENTS").split(',') {
        finish(&*store, &psp, intent, &mut stops).await;
    }
}

/// Takes an intent to its end: done, or unsettled.
async fn finish(store: &dyn Store, psp: &Psp, intent: &str, stops: &mut bool) {
    let (url, without) = (variable("CRASH_DATABASE"), psp.without.as_str());
    // The rule that is off: all attempts of an intent have one key.
    let name = match without {
        "one-key" => format!("{intent}-{}", std::process::id()),
        _ => intent.to_owned(),
    };
    let claim = Claim::new(key(&name), fingerprint(1), "acme", "pay", psp.target.clone());
    step("record");
    store.record(&Recorded::new(claim.clone(), intent)).await.unwrap();
    loop {
        step("claim");
        match store.claim(&claim).await.unwrap() {
            Claimed::Owned(mut owned) => {
                if std::mem::take(stops) {
                    stop();
                }
                let executed = match owned.time_left() {
                    // The rule that is off: nothing is sent once the time to execute is over.
                    Duration::ZERO if without == "time-left" => {
                        psp.send(owned.key.as_str(), intent, EXECUTION).await
                    }
                    Duration::ZERO => Executed::NotExecuted,
                    _ => psp.execute(&owned, intent.as_bytes()).await,
                };
                // The rule that is off: only the holder of the token settles.
                if without == "token" {
                    owned = Owned::to_settle(owned.key, table::token(&url, &owned.key).await);
                }
                match executed {
                    Executed::Done(response) => {
                        step("settle");
                        let _ = store.settle(&owned, &response).await.unwrap();
                        step("settled");
                    }
                    Executed::NotExecuted => {
                        let _ = store.release(&owned).await.unwrap();
                    }
                    Executed::Unknown => {}
                }
            }
            Claimed::InFlight { .. } if without == "in-flight" => {
                tokio::time::sleep(Duration::from_millis(100)).await;
                // The rule that is off: in flight never expires.
                table::expire(&url, &claim.key).await;
            }
            Claimed::InFlight { .. } => {
                tokio::time::sleep(Duration::from_millis(100)).await;
                step("recover");
                recover(store, psp, 10, Duration::from_secs(2)).await.unwrap();
            }
            Claimed::Replay(_) | Claimed::Unsettled => return,
            other => panic!("{other:?}"),
        }
    }
}
