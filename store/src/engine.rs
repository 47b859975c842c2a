//! What a database does, and what is the same on all of them: sealing, tokens, and what operators see.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::LookUp;

use crate::claim::{Claim, Claimed, Outcome, Owned, Target};
use crate::error::{Result, StoreError};
use crate::observe;
use crate::options::Options;
use crate::record::{self, Recorded, RecordedAs};
use crate::recovery::{Advance, Advanced, Due, Looked, SealedStep, Step, Stepped};
use crate::resolve::{Resolution, Resolved, Resolving};
use crate::response::Response;
use crate::row::Row;
use crate::settle::{Settled, Settlement};
use crate::store::{Counts, Filter, Store};
use crate::token::Token;

/// A database: [`Store`] without what is the same on all of them.
#[async_trait]
pub(crate) trait Engine: Send + Sync {
    fn options(&self) -> &Options;
    async fn claim(&self, claim: &Claim, token: Token) -> Result<Outcome>;
    async fn settle(&self, owned: &Owned, settlement: Settlement) -> Result<Settled>;
    async fn record(&self, recorded: record::Stored) -> Result<RecordedAs>;
    async fn resume(&self, destination: &str, limit: u32, lease: Duration) -> Result<Vec<record::Stored>>;
    async fn forget(&self, key: &Key) -> Result<bool>;
    /// The rows, and their recorded requests, sealed.
    async fn due(
        &self,
        destination: &str,
        limit: u32,
        lease: Duration,
    ) -> Result<Vec<(Row, Option<Vec<u8>>)>>;
    async fn advance(&self, advance: Advance) -> Result<Stepped>;
    async fn resolve(&self, key: &Key, resolving: Arc<Resolving>) -> Result<Resolved>;
    async fn sweep(&self, limit: u32) -> Result<u64>;
    async fn get(&self, key: &Key) -> Result<Option<Row>>;
    async fn list(&self, filter: &Filter) -> Result<Vec<Row>>;
    async fn known(&self, keys: &[Key]) -> Result<u64>;
    async fn counts(&self) -> Result<Counts>;
}

/// What a claim came to, opened and counted.
pub(crate) fn claimed(
    outcome: Outcome,
    claim: &Claim,
    token: Token,
    begun: Instant,
    options: &Options,
) -> Result<Claimed> {
    let claimed = match outcome {
        Outcome::Owned { key, execute_by } => {
            Claimed::Owned(Owned::new(key, token, execute_by, begun, claim.target.execution))
        }
        Outcome::Replay { key, stored } => Claimed::Replay(stored.open(&key, &*options.seal)?),
        Outcome::Other(claimed) => claimed,
    };
    observe::claimed(&claim.key, &claimed);
    Ok(claimed)
}

#[async_trait]
impl<E: Engine> Store for E {
    async fn claim(&self, claim: &Claim) -> Result<Claimed> {
        let token = Token::draw()?;
        let begun = Instant::now();
        let outcome = Engine::claim(self, claim, token).await?;
        claimed(outcome, claim, token, begun, self.options())
    }

    async fn settle(&self, owned: &Owned, response: &Response) -> Result<Settled> {
        let stored = response.store(&owned.key, &*self.options().seal)?;
        let settled = Engine::settle(self, owned, Settlement::Done(stored)).await?;
        observe::settled(&owned.key, settled);
        Ok(settled)
    }

    async fn release(&self, owned: &Owned) -> Result<Settled> {
        let settled = Engine::settle(self, owned, Settlement::NotExecuted).await?;
        observe::settled(&owned.key, settled);
        Ok(settled)
    }

    async fn record(&self, recorded: &Recorded) -> Result<RecordedAs> {
        Engine::record(self, record::Stored::new(recorded, &*self.options().seal)?).await
    }

    async fn resume(&self, target: &Target, limit: u32, lease: Duration) -> Result<Vec<Recorded>> {
        let stored = Engine::resume(self, &target.name, limit, lease).await?;
        stored.into_iter().map(|stored| stored.open(target, &*self.options().seal)).collect()
    }

    async fn forget(&self, key: &Key) -> Result<bool> {
        Engine::forget(self, key).await
    }

    async fn due(&self, target: &Target, limit: u32, lease: Duration) -> Result<Vec<Due>> {
        let rows = Engine::due(self, &target.name, limit, lease).await?;
        let open = |(row, request): (Row, Option<Vec<u8>>)| {
            let seal = &self.options().seal;
            let request = request.map(|request| seal.open(&row.key, &request)).transpose();
            Ok(Due { row, request: request.map_err(StoreError::Seal)? })
        };
        rows.into_iter().map(open).collect()
    }

    async fn advance(&self, due: &Due, step: &Step, target: &Target) -> Result<Advanced> {
        let token = Token::draw()?;
        let begun = Instant::now();
        let key = due.row.key;
        let step = match step {
            Step::TakeUp => SealedStep::TakeUp,
            Step::LookedUp(looked, asked) => {
                let (look_up, found) = match looked {
                    Looked::Found(response) => {
                        (LookUp::Found, Some(response.store(&key, &*self.options().seal)?))
                    }
                    Looked::Absent => (LookUp::Absent, None),
                    Looked::Unknown => (LookUp::Unknown, None),
                };
                SealedStep::LookedUp { look_up, found, asked: *asked }
            }
        };
        let schedule = self.options().schedule;
        let advance = Advance { due: due.clone(), step, token, target: target.clone(), schedule };
        Ok(match Engine::advance(self, advance).await? {
            Stepped::Execute { execute_by } => {
                Advanced::Execute(Owned::new(key, token, execute_by, begun, target.execution))
            }
            Stepped::Other(advanced) => advanced,
        })
    }

    async fn resolve(&self, key: &Key, resolution: &Resolution, by: &str, note: &str) -> Result<Resolved> {
        resolve(self, key, None, resolution, (by, note)).await
    }

    async fn resolve_seen(
        &self,
        row: &Row,
        resolution: &Resolution,
        by: &str,
        note: &str,
    ) -> Result<Resolved> {
        resolve(self, &row.key, Some(row.token), resolution, (by, note)).await
    }

    async fn sweep(&self, limit: u32) -> Result<u64> {
        let swept = Engine::sweep(self, limit).await?;
        observe::swept(swept);
        Ok(swept)
    }

    async fn get(&self, key: &Key) -> Result<Option<Row>> {
        Engine::get(self, key).await
    }

    fn response(&self, row: &Row) -> Result<Option<Response>> {
        row.response.as_ref().map(|stored| stored.open(&row.key, &*self.options().seal)).transpose()
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        Engine::list(self, filter).await
    }

    async fn known(&self, keys: &[Key]) -> Result<u64> {
        Engine::known(self, keys).await
    }

    async fn counts(&self) -> Result<Counts> {
        Engine::counts(self).await
    }
}

async fn resolve(
    engine: &impl Engine,
    key: &Key,
    seen: Option<Token>,
    resolution: &Resolution,
    (by, note): (&str, &str),
) -> Result<Resolved> {
    let found = match resolution {
        Resolution::Found(response) => Some(response.store(key, &*engine.options().seal)?),
        Resolution::NeverHappened => None,
    };
    let resolving = Arc::new(Resolving { seen, found, by: by.to_owned(), note: note.to_owned() });
    let resolved = Engine::resolve(engine, key, resolving).await?;
    observe::resolved(key, resolved);
    Ok(resolved)
}
