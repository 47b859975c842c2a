//! What the model checker says, the real store does: traces to a double effect and random runs are
//! replayed, action by action, against a store on SQLite and a destination that counts.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::time::Duration;

use intentkey::simulate::{Action, DELAY, Destination, EXECUTION, Rules, Setup, Step, Strategy, World, run};
use intentkey_core::protocol::{ClientKey, Schedule, Terms, Time};
use intentkey_core::{Fingerprint, Key};
use intentkey_store::{
    Advanced, Claim, Claimed, Due, Looked, Options, Owned, Response, Settled, SqliteStore, Step as Recovery,
    Store, Target,
};

/// The real store and destination, led through a trace.
struct Replay {
    store: SqliteStore,
    folder: tempfile::TempDir,
    setup: Setup,
    target: Target,
    owned: [Option<Owned>; 2],
    requests: Vec<u8>,
    executed: BTreeSet<u8>,
    effects: u8,
    asked: Option<(Due, Looked, Time)>,
}

fn key(number: u8) -> Key {
    ClientKey::lenient(format!("key-{number}").as_bytes()).unwrap().stored("acme")
}

impl Replay {
    fn new(setup: Setup) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::default().schedule(Schedule::with_pauses([Duration::from_secs(10); 3]));
        let store = SqliteStore::open(folder.path().join("intents.db"), options).unwrap();
        // The rule that can be off is broken where the store is told what is not so.
        let terms = match setup.destination {
            Destination::LookUp if !setup.rules.unknown_is_not_absent => Terms::look_up(Duration::ZERO),
            destination => destination.terms(),
        };
        Replay {
            store,
            folder,
            setup,
            target: Target::new("psp", terms, EXECUTION),
            owned: [None, None],
            requests: Vec::new(),
            executed: BTreeSet::new(),
            effects: 0,
            asked: None,
        }
    }

    /// Does what the model did. Whether the store agreed with it.
    async fn act(&mut self, action: Action, before: &World, after: &World) -> bool {
        match action {
            Action::Claim(index) => return self.claim(index, after).await,
            Action::Send(index) => self.requests.push(before.attempts[index].key),
            Action::Arrive(index, _) => {
                let key = self.requests.remove(index);
                if self.executed.insert(key) || self.setup.destination != Destination::Idempotent {
                    self.effects += 1;
                }
            }
            Action::Lose(index) => drop(self.requests.remove(index)),
            Action::Settle(index) => {
                let owned = self.owned[index].as_ref().unwrap();
                let settled = self.store.settle(owned, &Response::new(201, "")).await.unwrap();
                let key = before.attempts[index].key;
                let was_written = before.rows.get(&key) != after.rows.get(&key);
                // A row that a look-up has settled has the same outcome.
                return was_written == (settled == Settled::Written) || !was_written;
            }
            Action::Recover(number, has_answer) => return self.recover(number, has_answer, after).await,
            Action::Write => {
                let (due, looked, asked) = self.asked.take().unwrap();
                let step = Recovery::LookedUp(looked, asked);
                let _ = self.store.advance(&due, &step, &self.target).await.unwrap();
            }
            Action::Tick => self.age(Duration::from_secs(after.now - before.now)),
            Action::Stop(_) | Action::TimeOut(_) | Action::Crash(_) | Action::Redeliver(_) => {}
        }
        true
    }

    async fn claim(&mut self, index: usize, after: &World) -> bool {
        let attempt = after.attempts[index];
        let fingerprint = Fingerprint::from_bytes([1; 32]);
        let claim = Claim::new(key(attempt.key), fingerprint, "acme", "pay", self.target.clone());
        let step = match self.store.claim(&claim).await.unwrap() {
            Claimed::Owned(owned) => {
                self.owned[index] = Some(owned);
                Step::Owns
            }
            Claimed::InFlight { .. } => Step::Waits,
            Claimed::Replay(_) | Claimed::Unsettled => Step::Finished,
            other => panic!("{other:?}"),
        };
        step == attempt.step
    }

    async fn recover(&mut self, number: u8, has_answer: bool, after: &World) -> bool {
        let due = self.store.due(&self.target, 10, Duration::ZERO).await.unwrap();
        let Some(due) = due.into_iter().find(|due| due.row.key == key(number)) else { return false };
        match self.store.advance(&due, &Recovery::TakeUp, &self.target).await.unwrap() {
            Advanced::LookUp { asked } => {
                let looked = match (has_answer, self.executed.contains(&number)) {
                    (true, true) => Looked::Found(Response::new(201, "")),
                    (false, _) if self.setup.rules.unknown_is_not_absent => Looked::Unknown,
                    _ => Looked::Absent,
                };
                self.asked = Some((due, looked, asked));
                true
            }
            Advanced::GaveUp => after.rows[&number].status.as_str() == "unsettled",
            other => panic!("{other:?}"),
        }
    }

    /// Everything in the store happened so much earlier.
    fn age(&self, by: Duration) {
        let connection = rusqlite::Connection::open(self.folder.path().join("intents.db")).unwrap();
        connection.busy_timeout(Duration::from_secs(10)).unwrap();
        let columns = ["created_at", "claimed_at", "expires_at", "execute_by", "next_look_at"];
        let set = columns.map(|column| format!("{column} = {column} - {}", by.as_millis())).join(", ");
        connection.execute(&format!("UPDATE intentkey_intents SET {set}"), []).unwrap();
    }

    /// The statuses of all rows are those of the model.
    async fn assert_alike(&self, world: &World, trace: &[Action]) {
        for (number, row) in &world.rows {
            let stored = self.store.get(&key(*number)).await.unwrap().unwrap();
            assert_eq!(stored.status, row.status, "key {number} after {trace:?}");
        }
        assert_eq!(self.effects, world.effects, "{trace:?}");
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Leads the store through a trace; how many effects there were, and whether the store agreed to the end.
async fn replayed(setup: Setup) -> (u8, bool) {
    let trace = run(setup).double_effect.unwrap();
    let mut replay = Replay::new(setup);
    let mut before = World::new();
    for (action, after) in &trace {
        if !replay.act(*action, &before, after).await {
            return (replay.effects, false);
        }
        before = after.clone();
    }
    (replay.effects, true)
}

#[test]
fn unsound_keys_have_two_effects_with_the_real_store_too() {
    for strategy in [Strategy::PerAttempt, Strategy::AttemptClock] {
        for destination in Destination::ALL {
            let setup = Setup { strategy, destination, rules: Rules::ALL };
            assert_eq!(block_on(replayed(setup)), (2, true), "{setup:?}");
        }
    }
}

#[test]
fn what_is_outside_of_the_promise_happens_with_the_real_store_too() {
    for rules in
        [Rules { fencing: false, ..Rules::ALL }, Rules { unknown_is_not_absent: false, ..Rules::ALL }]
    {
        let setup = Setup { strategy: Strategy::FrozenEpoch, destination: Destination::LookUp, rules };
        assert_eq!(block_on(replayed(setup)), (2, true), "{setup:?}");
    }
}

#[test]
fn the_real_store_refuses_what_the_model_does_without_its_rule() {
    let rules = Rules { in_flight_stays: false, ..Rules::ALL };
    for destination in [Destination::LookUp, Destination::Neither] {
        let setup = Setup { strategy: Strategy::FrozenEpoch, destination, rules };
        let (effects, agreed) = block_on(replayed(setup));
        assert!(!agreed && effects < 2, "{setup:?}");
    }
}

/// Random runs of the sound model: after every action the store has what the model has.
#[test]
fn the_model_and_the_store_agree_on_random_runs() {
    block_on(async {
        let mut seed = 1_u64;
        let mut draw = |below: usize| {
            // Knuth's MMIX.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        let mut settled = 0;
        for number in 0..90 {
            let setup = Setup {
                strategy: Strategy::ALL[2 + number % 2],
                destination: Destination::ALL[number % 3],
                rules: Rules::ALL,
            };
            let mut replay = Replay::new(setup);
            let (mut world, mut trace) = (World::new(), Vec::new());
            for _ in 0..40 {
                let mut actions = Vec::new();
                world.actions(&setup, &mut actions);
                let nexts: Vec<_> = actions
                    .into_iter()
                    .filter_map(|action| Some((action, world.after(&setup, action)?)))
                    .collect();
                if nexts.is_empty() {
                    break;
                }
                let (action, after) = nexts[draw(nexts.len())].clone();
                trace.push(action);
                assert!(replay.act(action, &world, &after).await, "the store disagrees: {trace:?}");
                replay.assert_alike(&after, &trace).await;
                world = after;
            }
            assert!(world.effects < 2, "{trace:?}");
            settled += usize::from(world.is_done());
        }
        assert!(settled > 10, "{settled} of 90 runs came to an outcome");
        assert_eq!(DELAY, EXECUTION);
    });
}
