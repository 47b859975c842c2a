//! The world around the protocol: attempts, rows, requests under way, the destination.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use intentkey_core::protocol::{
    Answer, Event, Held, LookUp, Schedule, State, Status, Time, Timing, claim_event, transition,
};

use super::{Destination, Setup, Strategy};

/// How long an owner may execute.
pub const EXECUTION: Duration = Duration::from_secs(10);
/// How long a request may be under way.
pub const DELAY: Duration = Duration::from_secs(10);
/// Time passes in steps of this many seconds.
const STEP: u64 = 10;
/// The pauses between look-ups, in the place of 1, 2 and 4 minutes.
const SCHEDULE: Schedule = Schedule::with_pauses([Duration::from_secs(STEP); 3]);
/// When time stands still: after the last look-up, where there is one.
const END_OF_LOOK_UPS: u64 = 60;
/// When time stands still otherwise.
const END: u64 = 30;
/// How wide a bucket is, for keys by the attempt's clock.
const BUCKET: u64 = 20;

/// Where an attempt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Delivered by the queue.
    Ready,
    /// Told to come back.
    Waits,
    /// Owns the effect and has sent nothing.
    Owns,
    /// Has sent the request.
    Sent,
    /// Has the destination's answer.
    Answered,
    /// Has an outcome for its caller.
    Finished,
    /// Crashed.
    Dead,
}

/// An attempt at the intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attempt {
    /// Where it is.
    pub step: Step,
    /// The key that it has.
    pub key: u8,
    /// The token that it got with the row, 0 for none.
    pub token: u8,
    /// Until when it may execute, as it knows it.
    deadline: u64,
    /// How often the queue may deliver it again.
    pub redeliveries: u8,
}

/// The row of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Its status.
    pub status: Status,
    claimed: Time,
    execute_by: Time,
    token: u8,
    looked_up: u8,
    next_look: Time,
}

/// A request that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// Its key.
    pub key: u8,
    token: u8,
    sent: u64,
}

/// A look-up that has its answer, and whose answer is not yet written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Asked {
    key: u8,
    token: u8,
    said: Said,
    asked: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Said {
    Found,
    Absent,
    Nothing,
}

/// Everything, at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    /// Seconds since the beginning.
    pub now: u64,
    /// The attempts.
    pub attempts: [Attempt; 2],
    /// The store.
    pub rows: BTreeMap<u8, Row>,
    /// What is under way.
    pub requests: Vec<Request>,
    /// The keys that the destination has executed.
    pub executed: BTreeSet<u8>,
    /// How often it has executed the intent.
    pub effects: u8,
    asked: Option<Asked>,
    crashes: u8,
    tokens: u8,
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// An attempt claims.
    Claim(usize),
    /// An owner sends its request.
    Send(usize),
    /// An owner's time is over before it has sent.
    Stop(usize),
    /// A request arrives and is executed; whether its sender gets the answer.
    Arrive(usize, bool),
    /// A request is lost.
    Lose(usize),
    /// A sender waits no longer.
    TimeOut(usize),
    /// An attempt writes the outcome.
    Settle(usize),
    /// An attempt crashes.
    Crash(usize),
    /// The queue delivers a crashed attempt again.
    Redeliver(usize),
    /// Recovery takes up a row; where it looks up, whether it gets an answer.
    Recover(u8, bool),
    /// Recovery writes what its look-up came to.
    Write,
    /// Time passes.
    Tick,
}

impl World {
    /// Before anything has happened.
    #[must_use]
    pub fn new() -> World {
        let attempt = Attempt { step: Step::Ready, key: 0, token: 0, deadline: 0, redeliveries: 1 };
        World {
            now: 0,
            attempts: [attempt; 2],
            rows: BTreeMap::new(),
            requests: Vec::new(),
            executed: BTreeSet::new(),
            effects: 0,
            asked: None,
            crashes: 1,
            tokens: 0,
        }
    }

    /// Whether somebody has written the outcome.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.rows.values().any(|row| row.status == Status::Done)
    }

    fn time(&self) -> Time {
        Time::from_seconds(self.now)
    }

    /// What can happen next.
    pub fn actions(&self, setup: &Setup, actions: &mut Vec<Action>) {
        for (index, attempt) in self.attempts.iter().enumerate() {
            self.actions_of(index, attempt, setup, actions);
        }
        for index in 0..self.requests.len() {
            actions.extend([Action::Arrive(index, true), Action::Arrive(index, false), Action::Lose(index)]);
        }
        if self.asked.is_some() {
            actions.push(Action::Write);
        } else {
            for (key, row) in &self.rows {
                let is_due = row.status == Status::InFlight
                    && self.time()
                        >= if setup.rules.unknown_is_not_absent { row.next_look } else { row.execute_by };
                if is_due && setup.destination != Destination::Idempotent {
                    actions.push(Action::Recover(*key, true));
                    if setup.destination == Destination::LookUp {
                        actions.push(Action::Recover(*key, false));
                    }
                }
            }
        }
        // What is under way arrives or is lost within the longest delay.
        let next = self.now + STEP;
        let end = if setup.destination == Destination::LookUp { END_OF_LOOK_UPS } else { END };
        if next <= end && self.requests.iter().all(|request| request.sent + DELAY.as_secs() >= next) {
            actions.push(Action::Tick);
        }
    }

    fn actions_of(&self, index: usize, attempt: &Attempt, setup: &Setup, actions: &mut Vec<Action>) {
        match attempt.step {
            Step::Ready | Step::Waits => actions.push(Action::Claim(index)),
            Step::Owns => {
                // The owner knows its own deadline: what others have done meanwhile it does not see.
                let is_over = self.now >= attempt.deadline;
                if !is_over || !setup.rules.fencing {
                    actions.push(Action::Send(index));
                } else {
                    actions.push(Action::Stop(index));
                }
            }
            Step::Sent => actions.push(Action::TimeOut(index)),
            Step::Answered => actions.push(Action::Settle(index)),
            Step::Dead if attempt.redeliveries > 0 => actions.push(Action::Redeliver(index)),
            Step::Dead | Step::Finished => {}
        }
        let may_crash = matches!(attempt.step, Step::Owns | Step::Sent | Step::Answered);
        if may_crash && self.crashes > 0 {
            actions.push(Action::Crash(index));
        }
    }

    /// The world after an action; `None` where it changes nothing.
    #[must_use]
    pub fn after(&self, setup: &Setup, action: Action) -> Option<World> {
        let mut world = self.clone();
        match action {
            Action::Claim(index) => world.claim(index, setup)?,
            Action::Send(index) => {
                let attempt = world.attempts.get_mut(index)?;
                attempt.step = Step::Sent;
                let request = Request { key: attempt.key, token: attempt.token, sent: world.now };
                world.requests.push(request);
            }
            Action::Stop(index) | Action::TimeOut(index) => world.attempts.get_mut(index)?.step = Step::Waits,
            Action::Arrive(index, is_answered) => world.arrive(index, is_answered, setup),
            Action::Lose(index) => {
                world.requests.remove(index);
            }
            Action::Settle(index) => world.settle(index, setup)?,
            Action::Crash(index) => {
                world.crashes -= 1;
                world.attempts.get_mut(index)?.step = Step::Dead;
            }
            Action::Redeliver(index) => {
                let attempt = world.attempts.get_mut(index)?;
                let redeliveries = attempt.redeliveries - 1;
                *attempt = Attempt { step: Step::Ready, key: 0, token: 0, deadline: 0, redeliveries };
            }
            Action::Recover(key, has_answer) => world.recover(key, has_answer, setup)?,
            Action::Write => world.write(setup)?,
            Action::Tick => world.now += STEP,
        }
        (world != *self).then_some(world)
    }

    fn held(row: &Row) -> Held {
        Held {
            status: row.status,
            claimed: row.claimed,
            execute_by: row.execute_by,
            same_intent: true,
            own_token: false,
        }
    }

    fn state(&self, row: Option<&Row>, setup: &Setup) -> State {
        row.map_or(State::Nothing, |row| {
            World::held(row).state(setup.destination.terms(), self.time(), EXECUTION)
        })
    }

    /// Claims as the store does: by core's table.
    fn claim(&mut self, index: usize, setup: &Setup) -> Option<()> {
        let attempt = self.attempts.get(index)?;
        let key = match setup.strategy {
            _ if attempt.step == Step::Waits => attempt.key,
            // Unlike the key of any other attempt.
            Strategy::PerAttempt => 2 * index as u8 + attempt.redeliveries,
            Strategy::AttemptClock => (self.now / BUCKET) as u8,
            Strategy::Recorded | Strategy::FrozenEpoch => 0,
        };
        let row = self.rows.get(&key);
        let state = self.state(row, setup);
        let event = claim_event(row.map(World::held).as_ref(), Timing::InTime);
        let transition = transition(event, state);
        let is_overdue =
            matches!(state, State::OverdueRepeatable | State::OverdueLookUp | State::OverdueUnknowable);
        // The rule that can be off: a lock that expires lets the next one in.
        let answer =
            if is_overdue && !setup.rules.in_flight_stays { Answer::Execute } else { transition.answer };
        let step = match answer {
            Answer::Execute => Step::Owns,
            Answer::InFlight => Step::Waits,
            _ => Step::Finished,
        };
        if answer == Answer::Execute {
            self.own(key, state, index, setup);
        } else if let (Some(row), Some(status)) = (self.rows.get_mut(&key), transition.becomes) {
            row.status = status;
        }
        let attempt = self.attempts.get_mut(index)?;
        (attempt.step, attempt.key) = (step, key);
        Some(())
    }

    fn own(&mut self, key: u8, from: State, index: usize, setup: &Setup) {
        self.tokens += 1;
        let (now, token) = (self.time(), self.tokens);
        let execute_by = now + EXECUTION;
        let claimed = match self.rows.get(&key) {
            Some(row) if from != State::Released => row.claimed,
            _ => now,
        };
        let terms = setup.destination.terms();
        let next_look = SCHEDULE.first_look(terms, claimed, execute_by, EXECUTION);
        self.rows.insert(
            key,
            Row { status: Status::InFlight, claimed, execute_by, token, looked_up: 0, next_look },
        );
        if let Some(attempt) = self.attempts.get_mut(index) {
            (attempt.token, attempt.deadline) = (token, execute_by.seconds());
        }
    }

    fn arrive(&mut self, index: usize, is_answered: bool, setup: &Setup) {
        let request = self.requests.remove(index);
        let is_new = self.executed.insert(request.key);
        if is_new || setup.destination != Destination::Idempotent {
            self.effects += 1;
        }
        let waits = |attempt: &&mut Attempt| attempt.step == Step::Sent && attempt.token == request.token;
        if let Some(sender) = self.attempts.iter_mut().find(waits)
            && is_answered
        {
            sender.step = Step::Answered;
        }
    }

    fn settle(&mut self, index: usize, setup: &Setup) -> Option<()> {
        let attempt = *self.attempts.get(index)?;
        let row = self.rows.get(&attempt.key).copied();
        let is_holder = row.is_some_and(|row| row.token == attempt.token);
        let event = if is_holder { Event::Settle } else { Event::SettleStranger };
        let becomes = transition(event, self.state(row.as_ref(), setup)).becomes;
        if let (Some(row), Some(status)) = (self.rows.get_mut(&attempt.key), becomes) {
            row.status = status;
        }
        self.attempts.get_mut(index)?.step = Step::Finished;
        Some(())
    }

    /// Recovery takes a row up: it gives up on it, or asks the destination.
    fn recover(&mut self, key: u8, has_answer: bool, setup: &Setup) -> Option<()> {
        let row = *self.rows.get(&key)?;
        let transition = transition(Event::RecoverUnrecorded, self.state(Some(&row), setup));
        if let Some(status) = transition.becomes {
            self.rows.get_mut(&key)?.status = status;
        }
        if transition.answer == Answer::LookUp {
            let said = match (has_answer, self.executed.contains(&key)) {
                (false, _) => Said::Nothing,
                (true, true) => Said::Found,
                (true, false) => Said::Absent,
            };
            self.asked = Some(Asked { key, token: row.token, said, asked: self.time() });
        }
        Some(())
    }

    /// Recovery writes what its look-up came to, unless the row has another owner by now.
    fn write(&mut self, setup: &Setup) -> Option<()> {
        let asked = self.asked.take()?;
        let row = *self.rows.get(&asked.key)?;
        if row.token != asked.token {
            return Some(());
        }
        let look_up = match asked.said {
            Said::Found => LookUp::Found,
            Said::Absent => LookUp::Absent,
            Said::Nothing => LookUp::Unknown,
        };
        let nth = u32::from(row.looked_up) + 1;
        let terms = setup.destination.terms();
        let event = match SCHEDULE.look_up_event(look_up, terms, row.execute_by, asked.asked, nth) {
            // The rule that can be off: what is not found did not happen.
            Event::Unknown | Event::UnknownLast if !setup.rules.unknown_is_not_absent => Event::Absent,
            event => event,
        };
        let transition = transition(event, self.state(Some(&row), setup));
        let now = self.time();
        let row = self.rows.get_mut(&asked.key)?;
        row.looked_up += 1;
        if let Some(status) = transition.becomes {
            row.status = status;
        }
        if transition.answer == Answer::LookAgain {
            row.next_look = SCHEDULE.next_look(nth, now).unwrap_or(now);
        }
        Some(())
    }
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}
