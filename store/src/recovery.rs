//! Recovery: finding out outcomes that are unknown, and executing what was recorded.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::{Answer, Event, LookUp, Schedule, State, Time, transition};

use crate::claim::{self, Claimed, Owned, Target};
use crate::error::Result;
use crate::observe;
use crate::record::{Recorded, Why};
use crate::response::{Response, Stored};
use crate::row::Row;
use crate::rows::{Reading, Rows, Write};
use crate::settle::Settled;
use crate::store::Store;
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

/// What a round of recovery came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Rows that were looked at.
    pub due: u64,
    /// Rows that are done now.
    pub done: u64,
    /// Rows that never happened, so that the next repeat executes.
    pub released: u64,
    /// Rows that were given up on.
    pub gave_up: u64,
    /// Rows that are still in flight.
    pub left: u64,
    /// Recorded intents that can never be executed as they are, now [parked](Store::parked).
    pub parked: u64,
    /// Rows that something was wrong with: what is stored or what the destination answered cannot be
    /// read or written. Each is in the log; they are left, and come again after the lease.
    pub failed: u64,
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
        let (terms, execution) = (*terms, *execution);
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
                claim::take_over(row, state, now, self.token, &self.target, self.schedule);
                return (Advanced::Execute(Owned::new(row.key, self.token, row.execute_by, at)), Write::Yes);
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

/// One round of recovery: takes up to `limit` rows whose outcome is unknown and due to be found out.
///
/// Many workers may do this at once: each row is leased to one of them, for `lease`, which should be
/// longer than a look-up and an execution together. A worker that dies leaves its rows to the next one
/// after that. What is wrong with one row does not keep the others waiting.
///
/// Where a request was not recorded, a repeatable row waits for the next repeat; what that sends must
/// depend on identity and checked fields alone, since the destination may take either as the first.
///
/// # Errors
///
/// Those of the database as a whole; rows that were not reached stay as they are, and are due again after
/// the lease.
pub async fn recover(
    store: &dyn Store,
    destination: &dyn Destination,
    limit: u32,
    lease: Duration,
) -> Result<Recovered> {
    let mut recovered = Recovered::default();
    for due in store.due(destination.target(), limit, lease).await? {
        recovered.due += 1;
        // What cannot be read is in the log already.
        let Ok(due) = due else {
            recovered.failed += 1;
            continue;
        };
        let came_to = recover_one(store, destination, &due).await;
        recovered.count(&due.row.key, came_to)?;
    }
    Ok(recovered)
}

/// One round of resumption: claims and executes up to `limit` recorded intents that nobody executes,
/// the new ones and those that are known not to have happened. Many workers may do this at once, as in
/// [`recover`], which finds the outcome of those that break off.
///
/// # Errors
///
/// Those of the database as a whole; what was not reached is found again after the lease.
pub async fn resume(
    store: &dyn Store,
    destination: &dyn Destination,
    limit: u32,
    lease: Duration,
) -> Result<Recovered> {
    let mut recovered = Recovered::default();
    for recorded in store.resume(destination.target(), limit, lease).await? {
        recovered.due += 1;
        let Ok(recorded) = recorded else {
            recovered.failed += 1;
            continue;
        };
        let came_to = resume_one(store, destination, &recorded).await;
        recovered.count(&recorded.claim.key, came_to)?;
    }
    Ok(recovered)
}

/// What became of one row in a round.
enum CameTo {
    Done,
    Released,
    GaveUp,
    Left,
    Parked,
}

impl Recovered {
    /// Counts a row. An error that comes of it alone ends nothing.
    fn count(&mut self, key: &Key, came_to: Result<CameTo>) -> Result<()> {
        let counter = match came_to {
            Ok(CameTo::Done) => &mut self.done,
            Ok(CameTo::Released) => &mut self.released,
            Ok(CameTo::GaveUp) => &mut self.gave_up,
            Ok(CameTo::Left) => &mut self.left,
            Ok(CameTo::Parked) => &mut self.parked,
            Err(error) if error.is_of_one_row() => {
                observe::failed(key, &error);
                &mut self.failed
            }
            Err(error) => return Err(error),
        };
        *counter += 1;
        Ok(())
    }
}

async fn recover_one(store: &dyn Store, destination: &dyn Destination, due: &Due) -> Result<CameTo> {
    let target = destination.target();
    let mut advanced = store.advance(due, &Step::TakeUp, target).await?;
    if let Advanced::LookUp { asked } = advanced {
        let looked = destination.look_up(&due.row.key).await;
        advanced = store.advance(due, &Step::LookedUp(looked, asked), target).await?;
    }
    observe::advanced(&due.row.key, &advanced);
    match advanced {
        Advanced::Execute(owned) => {
            let request = due.request.as_deref().unwrap_or_default();
            execute(store, destination, &owned, request).await
        }
        Advanced::Done => Ok(CameTo::Done),
        Advanced::Released => Ok(CameTo::Released),
        Advanced::GaveUp => Ok(CameTo::GaveUp),
        Advanced::LookUp { .. } | Advanced::LookAgain | Advanced::Left => Ok(CameTo::Left),
    }
}

async fn resume_one(store: &dyn Store, destination: &dyn Destination, recorded: &Recorded) -> Result<CameTo> {
    let key = &recorded.claim.key;
    match store.claim(&recorded.claim).await? {
        Claimed::Owned(owned) => execute(store, destination, &owned, &recorded.request).await,
        Claimed::Replay(_) => Ok(CameTo::Done),
        Claimed::Unsettled => Ok(CameTo::GaveUp),
        Claimed::PayloadConflict => store.park(key, Why::PayloadConflict).await.map(|_| CameTo::Parked),
        Claimed::TooLate => store.park(key, Why::TooLate).await.map(|_| CameTo::Parked),
        Claimed::InFlight { .. } | Claimed::TooEarly => Ok(CameTo::Left),
    }
}

async fn execute(
    store: &dyn Store,
    destination: &dyn Destination,
    owned: &Owned,
    request: &[u8],
) -> Result<CameTo> {
    // Nothing was sent, and nothing may be any more: the next one has its whole time.
    let executed = match owned.time_left().is_zero() {
        true => Executed::NotExecuted,
        false => destination.execute(owned, request).await,
    };
    let (settled, came_to) = match executed {
        Executed::Done(response) => (store.settle(owned, &response).await?, CameTo::Done),
        Executed::NotExecuted => (store.release(owned).await?, CameTo::Released),
        Executed::Unknown => return Ok(CameTo::Left),
    };
    Ok(match settled {
        Settled::Written | Settled::AlreadySettled => came_to,
        Settled::NotOwner | Settled::StillUnknown => CameTo::Left,
    })
}
