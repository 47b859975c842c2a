//! What follows from each action: core decides, the world changes.

use intentkey_core::protocol::{
    Answer, Event, Held, LookUp, Schedule, State, Status, Timing, claim_event, transition,
};

use super::world::{
    Action, Asked, Attempt, EXECUTION, PAUSES, RECOVERY, Request, Row, STEP, Said, Step, World,
};
use super::{Destination, Setup, Strategy};

const SCHEDULE: Schedule = Schedule::with_pauses(PAUSES);
/// How wide a bucket is, for keys by the attempt's clock, in seconds.
const BUCKET: u64 = 20;

impl World {
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
            Action::Stop(index) | Action::TimeOut(index) => {
                let step = if index == RECOVERY { Step::Finished } else { Step::Waits };
                world.attempts.get_mut(index)?.step = step;
            }
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
            Action::Recover(key, said) => world.recover(key, said, setup)?,
            Action::Write => world.write(setup)?,
            Action::Forget => {
                world.crashes -= 1;
                world.asked = None;
            }
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
            same_destination: true,
        }
    }

    fn state(&self, row: Option<&Row>, setup: &Setup) -> State {
        row.map_or(State::Nothing, |row| World::held(row).state(setup.terms(), self.time(), EXECUTION))
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
        let terms = setup.terms();
        let next_look = SCHEDULE.first_look(terms, claimed, execute_by, EXECUTION);
        self.rows.insert(
            key,
            Row { status: Status::InFlight, claimed, execute_by, token, looked_up: 0, next_look },
        );
        if let Some(attempt) = self.attempts.get_mut(index) {
            (attempt.key, attempt.token, attempt.deadline) = (key, token, execute_by.seconds());
        }
    }

    fn arrive(&mut self, index: usize, is_answered: bool, setup: &Setup) {
        let request = self.requests.remove(index);
        let is_new = !self.executed.contains_key(&request.key);
        self.executed.entry(request.key).or_insert(self.now);
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

    /// Recovery takes a row up: it gives up on it, executes what was recorded, or asks the destination.
    fn recover(&mut self, key: u8, said: Said, setup: &Setup) -> Option<()> {
        let row = *self.rows.get(&key)?;
        let is_recorded = setup.strategy == Strategy::Recorded;
        let event = if is_recorded { Event::Recover } else { Event::RecoverUnrecorded };
        let state = self.state(Some(&row), setup);
        let transition = transition(event, state);
        if transition.answer == Answer::Execute {
            self.own(key, state, RECOVERY, setup);
            self.attempts.get_mut(RECOVERY)?.step = Step::Owns;
            return Some(());
        }
        if let Some(status) = transition.becomes {
            self.rows.get_mut(&key)?.status = status;
        }
        if transition.answer == Answer::LookUp {
            self.asked = Some(Asked { key, token: row.token, said, at: self.time() });
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
        let event = match SCHEDULE.look_up_event(look_up, setup.terms(), row.execute_by, asked.at, nth) {
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
