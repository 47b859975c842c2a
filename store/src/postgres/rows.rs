//! Rows on a connection of the pool, with transactions of its own, and in a transaction of the caller's.

use std::future::Future;

use deadpool_postgres::Client;
use intentkey_core::Key;
use intentkey_core::protocol::Timing;

use super::failed;
use super::session::Session;
use super::statements::{self as sql, InsertedRow, LongestWait};
use crate::claim::Claim;
use crate::claiming;
use crate::error::Result;
use crate::row::Row;
use crate::rows::{Found, Inserted, NOTABLE_WAIT, New, Reading, Rows, Write};

/// A connection of the pool.
pub(super) struct PooledRows<'s> {
    pub(super) client: Client,
    pub(super) longest: &'s LongestWait,
}

/// A transaction of the caller's.
pub(super) struct CallersRows<'t>(pub(super) &'t tokio_postgres::Transaction<'t>);

impl Rows for PooledRows<'_> {
    /// One statement is the whole transaction, where no edge key goes with the key and the claim is far
    /// from too late: the server ends it before it could come too late by waiting. Nor does the row appear
    /// overdue where it has waited: another longest wait is left then, in which its time is renewed.
    async fn insert(&mut self, new: &New<'_>, careful: bool) -> Result<Inserted> {
        let is_long = new.claim.target.execution >= self.longest.wait.saturating_mul(2);
        if !careful && is_long && new.claim.edge.is_none() {
            let inserted = sql::insert(&*self.client, new, Some(self.longest)).await?;
            return Ok(inserted.map_or(Inserted::Not, |row| ours(new, row)));
        }
        let transaction = self.client.transaction().await.map_err(failed)?;
        let Some(inserted) = insert_both(&transaction, new).await? else {
            transaction.rollback().await.map_err(failed)?;
            return Ok(Inserted::Not);
        };
        let mut inserted = ours(new, inserted);
        if let Inserted::Ours { has_waited: true, .. } = inserted {
            let renewed = change(&transaction, &new.claim.key, |row, at| {
                let (owned, write) = claiming::renew(row, at, new);
                (owned.map(|owned| (owned.execute_by, at)), write)
            });
            if let Some((execute_by, at)) = renewed.await?.flatten() {
                inserted = Inserted::Ours { execute_by, at, has_waited: false };
            }
        }
        transaction.commit().await.map_err(failed)?;
        Ok(inserted)
    }

    fn find(&mut self, key: &Key, edge: Option<&Key>) -> impl Future<Output = Result<Found>> + Send {
        sql::find(&*self.client, key, edge)
    }

    async fn change<T: Send>(
        &mut self,
        key: &Key,
        decide: impl FnMut(&mut Row, Reading) -> (T, Write) + Send,
    ) -> Result<Option<T>> {
        let transaction = self.client.transaction().await.map_err(failed)?;
        let outcome = change(&transaction, key, decide).await?;
        transaction.commit().await.map_err(failed)?;
        Ok(outcome)
    }

    async fn forget(&mut self, claim: &Claim) -> Result<()> {
        sql::forget_claim(&*self.client, claim).await
    }
}

impl Rows for CallersRows<'_> {
    /// Inside a savepoint, so that what is taken back leaves the caller's transaction as it was.
    async fn insert(&mut self, new: &New<'_>, _careful: bool) -> Result<Inserted> {
        self.0.batch_execute("SAVEPOINT intentkey_claim").await.map_err(failed)?;
        let inserted = insert_both(self.0, new).await?;
        let end = match inserted {
            Some(_) => "RELEASE SAVEPOINT intentkey_claim",
            None => "ROLLBACK TO SAVEPOINT intentkey_claim; RELEASE SAVEPOINT intentkey_claim",
        };
        self.0.batch_execute(end).await.map_err(failed)?;
        Ok(inserted.map_or(Inserted::Not, |row| ours(new, row)))
    }

    fn find(&mut self, key: &Key, edge: Option<&Key>) -> impl Future<Output = Result<Found>> + Send {
        sql::find(self.0, key, edge)
    }

    fn change<T: Send>(
        &mut self,
        key: &Key,
        decide: impl FnMut(&mut Row, Reading) -> (T, Write) + Send,
    ) -> impl Future<Output = Result<Option<T>>> + Send {
        change(self.0, key, decide)
    }

    async fn forget(&mut self, claim: &Claim) -> Result<()> {
        sql::forget_claim(self.0, claim).await
    }
}

fn ours(new: &New<'_>, InsertedRow { at, now }: InsertedRow) -> Inserted {
    let execute_by = at.now + new.claim.target.execution;
    Inserted::Ours { execute_by, at, has_waited: now.since(at.now) >= NOTABLE_WAIT }
}

/// Inserts the rows of the key and of its edge key, in the order of their bytes: two producers that want
/// the same keys never wait for each other in a circle. `None` where one of them is taken, or the claim
/// has come too late while it waited; what was inserted is to be rolled back then.
async fn insert_both(session: &impl Session, new: &New<'_>) -> Result<Option<InsertedRow>> {
    let claim = new.claim;
    let edge_first = claim.edge.as_ref().filter(|(edge, _)| edge.as_str() < claim.key.as_str());
    let edge_last = claim.edge.as_ref().filter(|(edge, _)| edge.as_str() >= claim.key.as_str());
    if let Some(edge) = edge_first
        && sql::insert_edge(session, new, edge).await?.is_none()
    {
        return Ok(None);
    }
    let Some(mut inserted) = sql::insert(session, new, None).await? else {
        return Ok(None);
    };
    if let Some(edge) = edge_last {
        let Some(now) = sql::insert_edge(session, new, edge).await? else {
            return Ok(None);
        };
        inserted.now = now;
    }
    let in_time = claim.validity.timing(inserted.now, claim.ttl) == Timing::InTime;
    Ok(in_time.then_some(inserted))
}

async fn change<T: Send>(
    session: &impl Session,
    key: &Key,
    mut decide: impl FnMut(&mut Row, Reading) -> (T, Write) + Send,
) -> Result<Option<T>> {
    let Some((mut row, at)) = sql::lock(session, key).await? else { return Ok(None) };
    let (outcome, write) = decide(&mut row, at);
    match write {
        Write::No => {}
        Write::Yes => sql::write(session, &row).await?,
        Write::OnRecord(resolving) => {
            sql::write(session, &row).await?;
            sql::put_on_record(session, key, &resolving, at.now).await?;
        }
    }
    Ok(Some(outcome))
}
