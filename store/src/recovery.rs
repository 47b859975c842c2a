//! Recovery: finding out an outcome that is unknown, step by step.

use std::fmt;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::{Answer, Event, LookUp, Schedule, State, Time, transition};

use crate::claim::{Owned, Target};
use crate::claiming;
use crate::error::Result;
use crate::response::{Response, Stored};
use crate::row::Row;
use crate::rows::{Reading, Rows, Write};
use crate::token::Token;

/// Where effects happen: what recovery and the resumption of recorded intents call.
#[async_trait]
pub trait Destination: Send + Sync {
    /// Its name, what it was declared to be, and how long an execution takes at most.
    fn target(&self) -> &Target;

    /// Executes a recorded request under a key, within [`Owned::time_left`].
    ///
    /// A request whose fate is not known is [`Executed::Unknown`]: a time-out, a broken connection after
    /// the first byte, a 5xx that does not say that nothing happened.
    async fn execute(&self, owned: &Owned, request: &[u8]) -> Executed;

    /// Asks what became of a key. An answer counts as [`Looked::Absent`] only where the look-up follows
    /// the destination's writes: not from a replica that lags, nor from a cache.
    async fn look_up(&self, key: &Key) -> Looked;
}

/// What an execution came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Executed {
    /// It has an outcome, success or error, that further attempts would only repeat.
    Done(Response),
    /// It is known that nothing happened, such as where no connection could be made.
    NotExecuted,
    /// Nobody knows.
    Unknown,
}

/// What a look-up came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Looked {
    /// The effect happened; repeats get this response.
    Found(Response),
    /// The destination does not know the key.
    Absent,
    /// No answer, or none that is clear.
    Unknown,
}

/// A row whose outcome is to be found out, leased to one worker.
#[derive(Clone)]
#[non_exhaustive]
pub struct Due {
    /// The row.
    pub row: Row,
    /// The request, where it was recorded.
    pub request: Option<Vec<u8>>,
}

/// Of the request its length.
impl fmt::Debug for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.request.as_ref().map(Vec::len);
        f.debug_struct("Due").field("row", &self.row).field("request_bytes", &length).finish()
    }
}

/// A step of recovery, taken under the row's lock.
#[derive(Clone, Debug)]
pub enum Step {
    /// Asks what is to be done.
    TakeUp,
    /// Reports what a look-up came to that was asked for at the time of [`Advanced::LookUp`].
    LookedUp(Looked, Time),
}

/// What a step of recovery came to.
#[derive(Clone, Debug)]
#[must_use]
pub enum Advanced {
    /// The effect is to be executed again with its key; the row is taken over.
    Execute(Owned),
    /// The key is to be looked up.
    LookUp {
        /// The database's time, before the look-up.
        asked: Time,
    },
    /// The look-up found the effect; its outcome is written.
    Done,
    /// The effect never happened; the next repeat executes it.
    Released,
    /// It will be looked up again.
    LookAgain,
    /// Nobody looks any more: unsettled.
    GaveUp,
    /// Nothing is to be done: the row has changed, or waits for a repeat.
    Left,
}

/// One step of recovery on a connection. A look-up's response has been sealed.
#[derive(Clone)]
pub(crate) struct Advance {
    pub(crate) due: Due,
    pub(crate) step: SealedStep,
    pub(crate) token: Token,
    pub(crate) target: Target,
    pub(crate) schedule: Schedule,
}

#[derive(Clone)]
pub(crate) enum SealedStep {
    TakeUp,
    LookedUp { look_up: LookUp, found: Option<Stored>, asked: Time },
}

pub(crate) async fn advance<R: Rows>(rows: &mut R, advance: &Advance) -> Result<Advanced> {
    let advanced = rows.change(&advance.due.row.key, |row, at| {
        let seen = &advance.due.row;
        // Another destination's worker knows nothing of it.
        if row.destination != advance.target.name {
            return (Advanced::Left, Write::No);
        }
        // Somebody else took the row over, or counted this look-up.
        if row.token != seen.token || row.recovery_attempts != seen.recovery_attempts {
            return (Advanced::Left, Write::No);
        }
        advance.apply(row, at)
    });
    Ok(advanced.await?.unwrap_or(Advanced::Left))
}

impl Advance {
    fn apply(&self, row: &mut Row, at: Reading) -> (Advanced, Write) {
        let now = at.now;
        let Target { name, terms, execution } = &self.target;
        let (terms, execution) = (row.judged_by(*terms), *execution);
        let state = row.held(true, row.token, name).state(terms, now, execution);
        let event = match &self.step {
            SealedStep::TakeUp if self.due.request.is_some() => Event::Recover,
            SealedStep::TakeUp => Event::RecoverUnrecorded,
            SealedStep::LookedUp { look_up, asked, .. } => {
                row.recovery_attempts += 1;
                let nth = row.recovery_attempts;
                self.schedule.look_up_event(*look_up, terms, row.execute_by, *asked, nth)
            }
        };
        let transition = transition(event, state);
        if let Some(status) = transition.becomes {
            row.status = status;
        }
        let advanced = match transition.answer {
            Answer::Execute => {
                claiming::take_over(row, state, now, self.token, &self.target, self.schedule);
                return (Advanced::Execute(Owned::of(row, at)), Write::Yes);
            }
            Answer::LookUp => return (Advanced::LookUp { asked: now }, Write::No),
            Answer::Settled => self.settled(row, event, now),
            Answer::LookAgain => {
                let nth = row.recovery_attempts;
                row.next_look_at = self.schedule.next_look(nth, now).unwrap_or(now);
                Advanced::LookAgain
            }
            Answer::GiveUp => Advanced::GaveUp,
            _ => {
                // Only a repeat can execute this before the destination forgets the key.
                if let (State::OverdueRepeatable, Some(retention)) = (state, terms.key_retention()) {
                    row.next_look_at = row.claimed_at + retention;
                    return (Advanced::Left, Write::Yes);
                }
                return (Advanced::Left, Write::No);
            }
        };
        (advanced, Write::Yes)
    }

    fn settled(&self, row: &mut Row, event: Event, now: Time) -> Advanced {
        if let (Event::Found, SealedStep::LookedUp { found: Some(found), .. }) = (event, &self.step) {
            row.finish(found.clone(), now);
            return Advanced::Done;
        }
        Advanced::Released
    }
}
