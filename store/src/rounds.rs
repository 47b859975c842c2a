//! Rounds of recovery and of resumption: what a worker does again and again.

use std::time::Duration;

use intentkey_core::Key;

use crate::claim::{Claimed, Owned};
use crate::error::Result;
use crate::observe;
use crate::record::{Recorded, Why};
use crate::recovery::{Advanced, Destination, Due, Executed, Step};
use crate::settle::Settled;
use crate::store::Store;

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
        let Some(due) = recovered.begin(due) else { continue };
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
        let Some(recorded) = recovered.begin(recorded) else { continue };
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
    /// Counts a row that was leased; `None` where it cannot be read, which is in the log already.
    fn begin<T>(&mut self, leased: Result<T>) -> Option<T> {
        self.due += 1;
        self.failed += u64::from(leased.is_err());
        leased.ok()
    }

    /// Counts what became of it. An error that comes of it alone ends nothing.
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
