//! The rig: starts workers, kills them, and counts.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use intentkey_core::protocol::Status;
use intentkey_store::{Filter, Store};

use crate::destination::ask;
use crate::support::{Db, key};

/// How many rounds of each kind on each database are to count, where the environment does not say.
const ROUNDS: usize = 40;
/// How many rounds run at once: they wait most of the time.
const AT_ONCE: usize = 16;
/// The most steps after which a worker is killed: those of an intent, and some of recovery.
const STEPS: usize = 9;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Idempotent,
    LookUp,
    Neither,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Idempotent => "idempotent",
            Kind::LookUp => "look-up",
            Kind::Neither => "neither",
        }
    }
}

/// What the rounds that counted came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) rounds: usize,
    /// Intents that had more than one effect.
    pub(crate) doubles: usize,
    /// Intents that had none.
    pub(crate) missing: usize,
    /// Intents that are unsettled.
    pub(crate) unsettled: usize,
}

pub(crate) struct Rig<'d> {
    db: &'d Db,
    kind: Kind,
    without: &'static str,
    stops: bool,
}

/// A process that ends with this one.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Lets a process go on that has stopped itself.
    fn go_on(&self) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-CONT", &pid]).status().unwrap().success());
    }
}

/// What a process says, line by line.
fn says(process: &mut Process) -> impl Iterator<Item = String> + use<> {
    BufReader::new(process.0.stdout.take().unwrap()).lines().map_while(Result::ok)
}

/// Waits until a worker says this.
fn until(lines: &mut impl Iterator<Item = String>, word: &str) {
    assert!(lines.any(|line| line.contains(word)), "a worker did not come to \"{word}\"");
}

/// This program again, in another role.
fn role(name: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

impl<'d> Rig<'d> {
    pub(crate) fn new(db: &'d Db, kind: Kind) -> Self {
        Rig { db, kind, without: "", stops: false }
    }

    /// With one safety rule off.
    pub(crate) fn without(self, rule: &'static str) -> Self {
        Rig { without: rule, ..self }
    }

    /// With an owner that is stopped before it executes, and goes on while the next one does, instead of
    /// one that is killed.
    pub(crate) fn stopped(self) -> Self {
        Rig { stops: true, ..self }
    }

    pub(crate) async fn run(&self) -> Tally {
        // A round with a stop takes several seconds: what runs at once has to do.
        let rounds = if self.stops { AT_ONCE } else { ROUNDS };
        let wanted = env::var("INTENTKEY_CRASH_ROUNDS").map_or(rounds, |rounds| rounds.parse().unwrap());
        let store: Arc<dyn Store> = self.db.open().await;
        let mut destination = Process(role("destination_process").spawn().unwrap());
        let mut out = BufReader::new(destination.0.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port: u16 =
            out.find_map(|line| line.split_once("port ").map(|(_, port)| port.parse())).unwrap().unwrap();
        let next = AtomicUsize::new(0);
        let mut tally = Tally::default();
        while tally.rounds < wanted {
            assert!(
                next.load(Ordering::Relaxed) < 8 * wanted,
                "too few kills met a row in flight: {tally:?}"
            );
            let runtime = tokio::runtime::Handle::current();
            let rounds = tokio::task::block_in_place(|| {
                thread::scope(|scope| {
                    let round = || {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        self.round(&*store, &runtime, port, seed)
                    };
                    let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(round)).collect();
                    threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
                })
            });
            for round in rounds.into_iter().flatten() {
                tally.rounds += 1;
                tally.doubles += round.doubles;
                tally.missing += round.missing;
                tally.unsettled += round.unsettled;
            }
            // Where a rule is off, one double effect is enough.
            if !self.without.is_empty() && tally.doubles > 0 {
                break;
            }
        }
        tally
    }

    /// A round; `None` where no row was in flight when the kill came.
    fn round(
        &self,
        store: &dyn Store,
        runtime: &tokio::runtime::Handle,
        port: u16,
        seed: usize,
    ) -> Option<Tally> {
        let intents = [format!("I-{seed}-a"), format!("I-{seed}-b")];
        let start = |stops: bool| {
            let mut worker = role("worker_process");
            if stops {
                worker.env("CRASH_STOPS", "");
            }
            worker
                .env("CRASH_DATABASE", &self.db.url)
                .env("CRASH_PORT", port.to_string())
                .env("CRASH_KIND", self.kind.word())
                .env("CRASH_WITHOUT", self.without)
                .env("CRASH_SEED", seed.to_string())
                .env("CRASH_INTENTS", intents.join(","));
            Process(worker.spawn().unwrap())
        };
        let in_flight = || {
            let filter = Filter::status(Status::InFlight).at(&format!("psp-{seed}"));
            !runtime.block_on(store.list(&filter)).unwrap().is_empty()
        };
        let counts = match self.stops {
            true => {
                let mut first = start(true);
                let mut first_says = says(&mut first);
                until(&mut first_says, "step stop");
                let counts = in_flight();
                let mut next = start(false);
                let mut next_says = says(&mut next);
                until(&mut next_says, "step execute");
                first.go_on();
                until(&mut first_says, "end");
                until(&mut next_says, "end");
                counts
            }
            false => {
                kill_at(start(false), seed % STEPS, seed);
                let counts = in_flight();
                if seed.is_multiple_of(2) {
                    kill_at(start(false), (seed / STEPS + 3) % (2 * STEPS), seed);
                }
                counts
            }
        };
        let mut last = start(false);
        until(&mut says(&mut last), "end");
        if !counts {
            return None;
        }
        // What is under way arrives.
        thread::sleep(Duration::from_secs(1));
        let mut tally = Tally::default();
        for intent in &intents {
            let effects: u64 = ask(port, &format!("count {intent}")).unwrap().parse().unwrap();
            tally.doubles += usize::from(effects > 1);
            tally.missing += usize::from(effects == 0);
            if !self.without.is_empty() {
                continue;
            }
            let row = runtime.block_on(store.get(&key(intent))).unwrap().unwrap();
            match row.status {
                Status::Done => assert_eq!(effects, 1, "what is done has happened"),
                Status::Unsettled => tally.unsettled += 1,
                other => panic!("{intent} was left {other}"),
            }
        }
        Some(tally)
    }
}

/// Kills a worker at its nth step, a moment after it has said that it takes it.
fn kill_at(mut worker: Process, step: usize, seed: usize) {
    // The test runner writes in front of the first line.
    if says(&mut worker).filter(|line| line.contains("step ")).nth(step).is_some() {
        thread::sleep(Duration::from_micros((seed * 1709 % 6000) as u64));
        // SIGKILL.
        worker.0.kill().unwrap();
    }
}
