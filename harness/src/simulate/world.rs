//! The world around the protocol: attempts, rows, requests under way, the destination.

use std::collections::BTreeMap;
use std::time::Duration;

use intentkey_core::protocol::{Status, Time};

use super::{Destination, Setup, Strategy};

/// How long an owner may execute.
pub const EXECUTION: Duration = Duration::from_secs(10);
/// How long a request may be under way.
pub const DELAY: Duration = Duration::from_secs(10);
/// How far the answers of a look-up that lags may be behind.
pub const LAG: Duration = Duration::from_secs(20);
/// Time passes in steps of this many seconds.
pub(super) const STEP: u64 = 10;
/// The pauses between look-ups, in the place of 1, 2 and 4 minutes.
pub const PAUSES: [Duration; 3] = [Duration::from_secs(STEP); 3];
/// How often somebody may crash.
const CRASHES: u8 = 2;
/// Where the attempts have their column, recovery has its own after them.
pub(super) const RECOVERY: usize = 2;

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
    /// Has an outcome for its caller; of recovery, executes nothing.
    Finished,
    /// Crashed.
    Dead,
}

/// An attempt at the intent, or what recovery executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attempt {
    /// Where it is.
    pub step: Step,
    /// The key that it has.
    pub key: u8,
    /// The token that it got with the row, 0 for none.
    pub token: u8,
    /// Until when it may execute, as it knows it.
    pub(super) deadline: u64,
    /// How often the queue may deliver it again.
    pub redeliveries: u8,
}

/// The row of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Its status.
    pub status: Status,
    pub(super) claimed: Time,
    pub(super) execute_by: Time,
    pub(super) token: u8,
    pub(super) looked_up: u8,
    pub(super) next_look: Time,
}

/// A request that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// Its key.
    pub key: u8,
    pub(super) token: u8,
    pub(super) sent: u64,
}

/// A look-up that has its answer, and whose answer is not yet written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Asked {
    pub(super) key: u8,
    pub(super) token: u8,
    pub(super) said: Said,
    pub(super) at: Time,
}

/// What the destination says of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Said {
    /// It has executed it.
    Found,
    /// It does not know it.
    Absent,
    /// There is no answer.
    Nothing,
}

/// Everything, at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    /// Seconds since the beginning.
    pub now: u64,
    /// The two attempts, and what recovery executes.
    pub attempts: [Attempt; 3],
    /// The store.
    pub rows: BTreeMap<u8, Row>,
    /// What is under way.
    pub requests: Vec<Request>,
    /// The keys that the destination has executed, and when first.
    pub executed: BTreeMap<u8, u64>,
    /// How often it has executed the intent.
    pub effects: u8,
    pub(super) asked: Option<Asked>,
    pub(super) crashes: u8,
    pub(super) tokens: u8,
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
    /// An attempt crashes, or recovery while it executes.
    Crash(usize),
    /// The queue delivers an attempt again that crashed, or whose end it did not see.
    Redeliver(usize),
    /// Recovery takes up a row; where it looks up, what it is told.
    Recover(u8, Said),
    /// Recovery writes what its look-up came to.
    Write,
    /// Recovery crashes before it has written that.
    Forget,
    /// Time passes.
    Tick,
}

impl World {
    /// Before anything has happened.
    #[must_use]
    pub fn new() -> World {
        let attempt = Attempt { step: Step::Ready, key: 0, token: 0, deadline: 0, redeliveries: 1 };
        let recovery = Attempt { step: Step::Finished, redeliveries: 0, ..attempt };
        World {
            now: 0,
            attempts: [attempt, attempt, recovery],
            rows: BTreeMap::new(),
            requests: Vec::new(),
            executed: BTreeMap::new(),
            effects: 0,
            asked: None,
            crashes: CRASHES,
            tokens: 0,
        }
    }

    /// Whether somebody has written the outcome.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.rows.values().any(|row| row.status == Status::Done)
    }

    pub(super) fn time(&self) -> Time {
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
            if self.crashes > 0 {
                actions.push(Action::Forget);
            }
        } else {
            self.actions_of_recovery(setup, actions);
        }
        // What is under way arrives or is lost within the longest delay.
        let next = self.now + STEP;
        if next <= setup.end() && self.requests.iter().all(|request| request.sent + DELAY.as_secs() >= next) {
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
            Step::Dead | Step::Finished if attempt.redeliveries > 0 => actions.push(Action::Redeliver(index)),
            Step::Dead | Step::Finished => {}
        }
        let may_crash = matches!(attempt.step, Step::Owns | Step::Sent | Step::Answered);
        if may_crash && self.crashes > 0 {
            actions.push(Action::Crash(index));
        }
    }

    fn actions_of_recovery(&self, setup: &Setup, actions: &mut Vec<Action>) {
        for (key, row) in &self.rows {
            let look = if setup.rules.unknown_is_not_absent { row.next_look } else { row.execute_by };
            if row.status != Status::InFlight || self.time() < look {
                continue;
            }
            match setup.destination {
                // Only what was recorded can be executed by somebody who is no attempt.
                Destination::Idempotent if setup.strategy == Strategy::Recorded => {
                    if matches!(self.attempts, [.., Attempt { step: Step::Finished | Step::Dead, .. }]) {
                        actions.push(Action::Recover(*key, Said::Nothing));
                    }
                }
                Destination::Idempotent => {}
                Destination::LookUp | Destination::LaggingLookUp => {
                    let answers = self.answers(*key, setup);
                    actions.extend(answers.into_iter().map(|said| Action::Recover(*key, said)));
                }
                Destination::Neither => actions.push(Action::Recover(*key, Said::Nothing)),
            }
        }
    }

    /// What the destination may say of a key: the truth, or nothing; where its look-up lags, also what was
    /// true before.
    fn answers(&self, key: u8, setup: &Setup) -> Vec<Said> {
        match self.executed.get(&key) {
            None => vec![Said::Absent, Said::Nothing],
            Some(at) if self.now < at + setup.destination.lag().as_secs() => {
                vec![Said::Found, Said::Absent, Said::Nothing]
            }
            Some(_) => vec![Said::Found, Said::Nothing],
        }
    }
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}
