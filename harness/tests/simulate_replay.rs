//! What the model checker says, the real store does: traces to a double effect and random runs are
//! replayed, action by action, against a store on both databases and a destination that counts.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

#[path = "../../store/tests/store/support/mod.rs"]
#[expect(dead_code, unused_macros, unused_imports, reason = "what the store's own tests need of it")]
mod support;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use intentkey::simulate::{
    Action, DELAY, Destination, EXECUTION, PAUSES, Rules, Said, Setup, Step, Strategy, World, run,
};
use intentkey_core::Key;
use intentkey_core::protocol::{Schedule, Terms, Time};
use intentkey_store::{
    Advanced, Claim, Claimed, Due, Looked, Options, Owned, Recorded, RecordedAs, Response, Settled,
    Step as Recovery, Store, Target,
};

use support::{Db, fingerprint, on_both};

/// How many random runs are replayed on each database.
const RUNS: usize = 96;

on_both! {
    unsound_keys_have_two_effects_with_the_real_store_too
    what_is_outside_of_the_promise_happens_with_the_real_store_too
    the_real_store_refuses_what_the_model_does_without_its_rule
    the_model_and_the_store_agree_on_random_runs
}

async fn unsound_keys_have_two_effects_with_the_real_store_too(db: Db) {
    for strategy in [Strategy::PerAttempt, Strategy::AttemptClock] {
        for destination in Destination::ALL {
            let setup = Setup { strategy, destination, rules: Rules::ALL };
            assert_eq!(replayed(&db, setup).await, (2, true), "{setup:?}");
        }
    }
}

async fn what_is_outside_of_the_promise_happens_with_the_real_store_too(db: Db) {
    for (destination, rules) in [
        (Destination::LookUp, Rules { fencing: false, ..Rules::ALL }),
        (Destination::LookUp, Rules { unknown_is_not_absent: false, ..Rules::ALL }),
        (Destination::LaggingLookUp, Rules { stated_lag: false, ..Rules::ALL }),
    ] {
        let setup = Setup { strategy: Strategy::FrozenEpoch, destination, rules };
        assert_eq!(replayed(&db, setup).await, (2, true), "{setup:?}");
    }
}

async fn the_real_store_refuses_what_the_model_does_without_its_rule(db: Db) {
    let rules = Rules { in_flight_stays: false, ..Rules::ALL };
    for destination in [Destination::LookUp, Destination::LaggingLookUp, Destination::Neither] {
        let setup = Setup { strategy: Strategy::FrozenEpoch, destination, rules };
        let (effects, agreed) = replayed(&db, setup).await;
        assert!(!agreed && effects < 2, "{setup:?}");
    }
}

/// Random runs of the sound model: after every action the store has what the model has.
async fn the_model_and_the_store_agree_on_random_runs(db: Db) {
    let mut seed = 1_u64;
    let mut draw = |below: usize| {
        // Knuth's MMIX.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut settled, mut taken_over) = (0, 0);
    for number in 0..RUNS {
        let setup = Setup {
            strategy: Strategy::ALL[2 + number % 2],
            destination: Destination::ALL[number / 2 % 4],
            rules: Rules::ALL,
        };
        let mut replay = Replay::new(&db, setup).await;
        let (mut world, mut trace) = (World::new(), Vec::new());
        while trace.len() < 40 {
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
            assert!(replay.act(action, &world, &after).await, "the store disagrees: {setup:?} {trace:?}");
            replay.assert_alike(&after, &trace).await;
            world = after;
        }
        assert!(world.effects < 2, "{trace:?}");
        settled += usize::from(world.is_done());
        taken_over += usize::from(replay.owned[2].is_some());
    }
    assert!(settled > RUNS / 9, "{settled} of {RUNS} runs came to an outcome");
    assert!(taken_over > 0, "recovery never executed what was recorded");
    assert_eq!(DELAY, EXECUTION);
}

/// Leads the store through a trace; how many effects there were, and whether the store agreed to the end.
async fn replayed(db: &Db, setup: Setup) -> (u8, bool) {
    let trace = run(setup).double_effect.unwrap();
    let mut replay = Replay::new(db, setup).await;
    let mut before = World::new();
    for (action, after) in &trace {
        if !replay.act(*action, &before, after).await {
            return (replay.effects, false);
        }
        before = after.clone();
    }
    (replay.effects, true)
}

/// The real store and destination, led through a trace.
struct Replay<'a> {
    db: &'a Db,
    store: Arc<dyn Store>,
    setup: Setup,
    target: Target,
    /// What the attempts own, and recovery.
    owned: [Option<Owned>; 3],
    requests: Vec<u8>,
    executed: BTreeSet<u8>,
    effects: u8,
    asked: Option<(Due, Looked, Time)>,
}

fn key(number: u8) -> Key {
    support::key(&format!("key-{number}"))
}

impl<'a> Replay<'a> {
    async fn new(db: &'a Db, setup: Setup) -> Self {
        // The rule that can be off is broken where the store is told what is not so.
        let terms = match setup.destination {
            Destination::LookUp if !setup.rules.unknown_is_not_absent => Terms::look_up(Duration::ZERO),
            _ => setup.terms(),
        };
        let replay = Replay {
            db,
            store: db.open_with(Options::default().schedule(Schedule::with_pauses(PAUSES))).await,
            setup,
            target: Target::new("psp", terms, EXECUTION),
            owned: [None, None, None],
            requests: Vec::new(),
            executed: BTreeSet::new(),
            effects: 0,
            asked: None,
        };
        db.execute("DELETE FROM intentkey_intents; DELETE FROM intentkey_recorded").await;
        if setup.strategy == Strategy::Recorded {
            let recorded = Recorded::new(replay.claim_of(0), "pay");
            assert_eq!(replay.store.record(&recorded).await.unwrap(), RecordedAs::New);
        }
        replay
    }

    fn claim_of(&self, number: u8) -> Claim {
        Claim::new(key(number), fingerprint(1), "acme", "pay", self.target.clone())
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
            Action::Recover(number, said) => return self.recover(number, said, after).await,
            Action::Write => {
                let (due, looked, asked) = self.asked.take().unwrap();
                let step = Recovery::LookedUp(looked, asked);
                let _ = self.store.advance(&due, &step, &self.target).await.unwrap();
            }
            Action::Forget => self.asked = None,
            Action::Tick => self.db.age(Duration::from_secs(after.now - before.now)).await,
            Action::Stop(_) | Action::TimeOut(_) | Action::Crash(_) | Action::Redeliver(_) => {}
        }
        true
    }

    async fn claim(&mut self, index: usize, after: &World) -> bool {
        let attempt = after.attempts[index];
        let step = match self.store.claim(&self.claim_of(attempt.key)).await.unwrap() {
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

    async fn recover(&mut self, number: u8, said: Said, after: &World) -> bool {
        let due = self.store.due(&self.target, 10, Duration::ZERO).await.unwrap();
        let mut due = due.into_iter().map(Result::unwrap);
        let Some(due) = due.find(|due| due.row.key == key(number)) else { return false };
        match self.store.advance(&due, &Recovery::TakeUp, &self.target).await.unwrap() {
            Advanced::LookUp { asked } => {
                let looked = match said {
                    Said::Found => Looked::Found(Response::new(201, "")),
                    Said::Nothing if self.setup.rules.unknown_is_not_absent => Looked::Unknown,
                    Said::Nothing | Said::Absent => Looked::Absent,
                };
                self.asked = Some((due, looked, asked));
                true
            }
            Advanced::Execute(owned) => {
                self.owned[2] = Some(owned);
                due.request.as_deref() == Some(b"pay") && after.attempts[2].step == Step::Owns
            }
            Advanced::GaveUp => after.rows[&number].status.as_str() == "unsettled",
            other => panic!("{other:?}"),
        }
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
