//! The middleware.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http::Extensions;
use intentkey_core::protocol::{Next as After, RetryPlan};
use reqwest::{Request, Response};
use reqwest_middleware::{Error, Middleware, Next};

use super::attempt::{Attempt, with_key};
use super::error::ClientError;
use super::intent::Intent;
use super::request;
use crate::claim::{Claim, Claimed, Owned, Target};
use crate::error::StoreError;
use crate::record::{Recorded, RecordedAs};
use crate::response::Response as Stored;
use crate::store::Store;

/// Records a request that has an [`Intent`], and sends it, with its key, until there is an answer.
#[derive(Clone)]
pub struct Keyed {
    store: Arc<dyn Store>,
    target: Target,
    attempt: Duration,
    plan: RetryPlan,
}

impl Keyed {
    /// For requests to a destination, each attempt of which takes at most `attempt`. All attempts of a
    /// request together take no longer than `target.execution`.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, target: Target, attempt: Duration) -> Self {
        // A destination that honours no keys is sent nothing twice.
        let retention = target.terms.key_retention().unwrap_or(Duration::ZERO);
        let plan = RetryPlan::within(retention.min(target.execution), attempt);
        Keyed { store, target, attempt, plan }
    }

    /// The same with another first and another longest pause; 0.5 and 60 seconds.
    #[must_use]
    pub fn with_pauses(mut self, first: Duration, longest: Duration) -> Self {
        self.plan = self.plan.with_pauses(first, longest);
        self
    }

    async fn carry(
        &self,
        intent: &Intent,
        request: &Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> Result<Stored, ClientError> {
        let fingerprint = request::fingerprint(request);
        let target = self.target.clone();
        let claim = Claim::new(intent.key, fingerprint, &*intent.tenant, &*intent.action, target);
        let bytes = request::write(request).ok_or(ClientError::Stream)?;
        if self.store.record(&Recorded::new(claim.clone(), bytes)).await? == RecordedAs::PayloadConflict {
            return Err(ClientError::KeyReused);
        }
        match self.store.claim(&claim).await? {
            Claimed::Owned(owned) => self.attempts(&owned, request, extensions, next).await,
            Claimed::Replay(stored) => Ok(stored.with_header("idempotent-replayed", "true")),
            Claimed::InFlight { retry_after } => Err(ClientError::InFlight { retry_after }),
            Claimed::PayloadConflict => Err(ClientError::KeyReused),
            Claimed::Unsettled | Claimed::TooLate | Claimed::TooEarly => {
                Err(ClientError::Unsettled(intent.key))
            }
        }
    }

    /// Sends until there is an answer, or no time.
    async fn attempts(
        &self,
        owned: &Owned,
        request: &Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> Result<Stored, ClientError> {
        let begun = Instant::now();
        let mut was_sent = false;
        for retries in 0.. {
            if owned.time_left() < self.attempt {
                break;
            }
            let attempt = with_key(request, &owned.key).ok_or(ClientError::Stream)?;
            let sending = next.clone().run(attempt, extensions);
            let attempt = async { Attempt::of(sending.await).await };
            let attempt = tokio::time::timeout(self.attempt, attempt).await;
            let attempt = attempt.unwrap_or_else(|_| Attempt::without_answer(true));
            was_sent |= attempt.was_sent;
            // An owner before may have sent it: its attempt counts, and is as unclear as one of ours.
            let earlier = retries + u32::from(owned.taken_over);
            match self.plan.next(attempt.attempted, earlier, begun.elapsed(), attempt.asked, random()?) {
                After::Stop => match attempt.response {
                    Some(response) => {
                        self.settle(owned, &response).await;
                        return Ok(response);
                    }
                    None => break,
                },
                After::RetryAfter(pause) => tokio::time::sleep(pause.min(owned.time_left())).await,
                After::Reconcile if attempt.attempted == intentkey_core::protocol::Attempted::Unsettled => {
                    return Err(ClientError::Unsettled(owned.key));
                }
                After::Reconcile => break,
            }
        }
        if was_sent {
            return Err(ClientError::StillUnknown(owned.key));
        }
        let _ = self.store.release(owned).await?;
        Err(ClientError::NotSent(owned.key))
    }

    /// Where the store cannot record an answer now, recovery will get it again.
    async fn settle(&self, owned: &Owned, response: &Stored) {
        if let Err(error) = self.store.settle(owned, response).await {
            tracing::warn!(%error, "an answer could not be recorded; recovery asks for it again");
        }
    }
}

fn random() -> Result<u64, ClientError> {
    getrandom::u64().map_err(|error| StoreError::database(error).into())
}

#[async_trait::async_trait]
impl Middleware for Keyed {
    async fn handle(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let Some(intent) = extensions.get::<Intent>().cloned() else {
            return next.run(request, extensions).await;
        };
        let stored = self.carry(&intent, &request, extensions, next).await.map_err(Error::middleware)?;
        answer(stored).map_err(Error::middleware)
    }
}

fn answer(stored: Stored) -> Result<Response, http::Error> {
    let mut response = http::Response::builder().status(stored.status);
    for (name, value) in stored.headers {
        response = response.header(name, value);
    }
    Ok(response.body(stored.body)?.into())
}
