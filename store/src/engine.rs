//! What a database does, and what is the same on all of them: sealing, tokens, and what operators see.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::LookUp;

use crate::claim::{Claim, Claimed, Owned, Target};
use crate::claiming::Outcome;
use crate::error::{Result, StoreError};
use crate::observe;
use crate::options::Options;
use crate::record::{self, Parked, Recorded, RecordedAs, Why};
use crate::recovery::{Advance, Advanced, Due, Looked, SealedStep, Step};
use crate::resolve::{Resolution, Resolved, Resolving};
use crate::response::Response;
use crate::row::Row;
use crate::seal::Part;
use crate::settle::{self, Settled, Settlement};
use crate::store::{Counts, Filter, Store};
use crate::text;
use crate::token::Token;

/// A recorded intent that was leased, its request sealed; or what is wrong with it.
pub(crate) type Leased = (Key, Result<record::Stored>);

/// A row that was leased, and its recorded request, sealed; or what is wrong with it.
pub(crate) type DueRow = (Key, Result<(Row, Option<Vec<u8>>)>);

/// Whose transaction it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The store's: what is counted is committed.
    Store,
    /// The caller's: what is counted may be rolled back.
    Caller,
}

/// A database: [`Store`] without what is the same on all of them.
#[async_trait]
pub(crate) trait Engine: Send + Sync {
    fn options(&self) -> &Options;
    async fn claim(&self, claim: &Claim, token: Token) -> Result<Outcome>;
    async fn settle(&self, owned: &Owned, settlement: Settlement) -> Result<settle::Outcome>;
    async fn record(&self, recorded: record::Stored) -> Result<RecordedAs>;
    async fn resume(&self, destination: &str, limit: u32, lease: Duration) -> Result<Vec<Leased>>;
    async fn park(&self, key: &Key, why: Why) -> Result<bool>;
    async fn parked(&self, after: Option<&Key>, limit: u32) -> Result<Vec<Parked>>;
    async fn forget(&self, key: &Key) -> Result<bool>;
    /// The rows, and their recorded requests, sealed.
    async fn due(&self, destination: &str, limit: u32, lease: Duration) -> Result<Vec<DueRow>>;
    async fn advance(&self, advance: Advance) -> Result<Advanced>;
    async fn resolve(&self, key: &Key, resolving: Arc<Resolving>) -> Result<Resolved>;
    async fn sweep(&self, limit: u32) -> Result<u64>;
    async fn get(&self, key: &Key) -> Result<Option<Row>>;
    async fn list(&self, filter: &Filter) -> Result<Vec<Row>>;
    async fn known(&self, keys: &[Key]) -> Result<u64>;
    async fn counts(&self) -> Result<Counts>;
}

/// What a claim came to, opened and counted.
pub(crate) fn claimed(outcome: Outcome, claim: &Claim, by: By, options: &Options) -> Result<Claimed> {
    let claimed = match outcome {
        Outcome::Owned(owned) => Claimed::Owned(owned),
        Outcome::Replay { key, stored } => Claimed::Replay(stored.open(&key, &*options.seal)?),
        Outcome::Other(claimed) => claimed,
    };
    observe::claimed(&claim.key, &claimed, by);
    Ok(claimed)
}

/// What a settlement came to, opened and counted: the same response again is written already.
pub(crate) fn settled(
    outcome: settle::Outcome,
    owned: &Owned,
    response: Option<&Response>,
    by: By,
    options: &Options,
) -> Result<Settled> {
    let settled = match outcome {
        settle::Outcome::Settled(settled) => settled,
        settle::Outcome::Found(stored) => match stored.open(&owned.key, &*options.seal) {
            Ok(found) if Some(&found) == response => Settled::Written,
            _ => Settled::AlreadySettled,
        },
    };
    observe::settled(&owned.key, settled, by);
    Ok(settled)
}

#[async_trait]
impl<E: Engine> Store for E {
    async fn claim(&self, claim: &Claim) -> Result<Claimed> {
        text::check_claim(claim)?;
        let outcome = Engine::claim(self, claim, Token::draw()?).await?;
        claimed(outcome, claim, By::Store, self.options())
    }

    async fn settle(&self, owned: &Owned, response: &Response) -> Result<Settled> {
        let stored = response.store(&owned.key, &*self.options().seal)?;
        let outcome = Engine::settle(self, owned, Settlement::Done(stored)).await?;
        settled(outcome, owned, Some(response), By::Store, self.options())
    }

    async fn release(&self, owned: &Owned) -> Result<Settled> {
        let outcome = Engine::settle(self, owned, Settlement::NotExecuted).await?;
        settled(outcome, owned, None, By::Store, self.options())
    }

    async fn record(&self, recorded: &Recorded) -> Result<RecordedAs> {
        Engine::record(self, record::Stored::new(recorded, &*self.options().seal)?).await
    }

    async fn resume(&self, target: &Target, limit: u32, lease: Duration) -> Result<Vec<Result<Recorded>>> {
        let open = |(key, stored): Leased| {
            let recorded = stored.and_then(|stored| stored.open(target, &*self.options().seal));
            recorded.inspect_err(|error| observe::failed(&key, error))
        };
        let leased = Engine::resume(self, &target.name, limit, lease).await?;
        Ok(leased.into_iter().map(open).collect())
    }

    async fn park(&self, key: &Key, why: Why) -> Result<bool> {
        let is_parked = Engine::park(self, key, why).await?;
        observe::parked(key, why);
        Ok(is_parked)
    }

    async fn parked(&self, after: Option<&Key>, limit: u32) -> Result<Vec<Parked>> {
        Engine::parked(self, after, limit).await
    }

    async fn forget(&self, key: &Key) -> Result<bool> {
        Engine::forget(self, key).await
    }

    async fn due(&self, target: &Target, limit: u32, lease: Duration) -> Result<Vec<Result<Due>>> {
        let open = |(key, row): DueRow| {
            let due = row.and_then(|(row, request)| {
                let open = |request: Vec<u8>| self.options().seal.open(&key, Part::Request, &request);
                let request = request.map(open).transpose().map_err(StoreError::Seal)?;
                Ok(Due { row, request })
            });
            due.inspect_err(|error| observe::failed(&key, error))
        };
        let rows = Engine::due(self, &target.name, limit, lease).await?;
        Ok(rows.into_iter().map(open).collect())
    }

    async fn advance(&self, due: &Due, step: &Step, target: &Target) -> Result<Advanced> {
        let (token, key) = (Token::draw()?, due.row.key);
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
        Engine::advance(self, advance).await
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
    text::check(by, "who resolves has U+0000 in it")?;
    text::check(note, "the note has U+0000 in it")?;
    let found = match resolution {
        Resolution::Found(response) => Some(response.store(key, &*engine.options().seal)?),
        Resolution::NeverHappened => None,
    };
    let resolving = Arc::new(Resolving { seen, found, by: by.to_owned(), note: note.to_owned() });
    let resolved = Engine::resolve(engine, key, resolving).await?;
    observe::resolved(key, resolved);
    Ok(resolved)
}
