//! Shadow: everything is claimed and compared, and nothing enforced.
//!
//! 1. Every request is executed, whatever the layer would have answered, also where the store fails.
//! 2. Nothing is held, added or changed: bodies and streams pass in both directions as they come, broken
//!    ones too, and a client that goes away cancels the handler as it would without the layer. What passes
//!    is copied, up to the limits, and judged beside it.
//! 3. So the claim follows the end of the request's body, and the handler has begun by then. Of two repeats
//!    at once it is chance which one counts as the first.
//! 4. What the layer would have answered is counted. Where that is a replay, the answer is compared with the
//!    stored one: `same` is `yes` or `no`, or `unknown` where the answer broke off.
//! 5. `would` is `unknown` where the request's body broke off, or the handler did not read it to its end.
//! 6. A first request's answer is stored, so that its repeats can be compared. It is so with those that are
//!    later enforced: rows of a shadow are rows. One that was cancelled or broke off is never settled.
//! 7. Nobody waits for an original, whatever [`wait`](super::IdempotencyLayer::wait) says.
//! 8. Requests have no [`Execution`](super::Execution).

use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts as Head;
use http::response::Parts as AnswerHead;
use http::{Request, Response};
use tokio::sync::oneshot;
use tower_service::Service;

use super::answer::{self, NoEffect, OutcomeUnknown};
use super::body::Body;
use super::handle::begin;
use super::identify::{self, Source};
use super::observe;
use super::options::Settings;
use super::problem::{Answer, HttpProblem};
use super::wait;
use super::watch::{Seen, Watch};
use crate::claim::{Claim, Claimed, Owned};
use crate::response::Response as Stored;

/// What the layer would do.
enum Would {
    Execute(Owned),
    Replay(Stored),
    Answer(Answer),
    Unknown,
}

/// A request that is judged.
struct Judged {
    head: Head,
    source: Source,
    tenant: String,
    body: oneshot::Receiver<Seen>,
    answered: oneshot::Receiver<Answered>,
}

/// An answer, once it has begun.
struct Answered {
    head: AnswerHead,
    body: oneshot::Receiver<Seen>,
}

pub(super) async fn handle<S, B, A>(
    settings: Arc<Settings>,
    mut inner: S,
    request: Request<B>,
) -> Result<Response<Body<A>>, S::Error>
where
    S: Service<Request<Body<B>>, Response = Response<A>>,
    B: http_body::Body<Data = Bytes>,
    A: http_body::Body<Data = Bytes>,
{
    let (head, body) = request.into_parts();
    let (source, tenant) = match begin(&settings, &head) {
        Ok((Source::None, _)) => return pass(inner, Request::from_parts(head, body)).await,
        Err(answer) => {
            observe::shadowed(answer.name(), "", None);
            return pass(inner, Request::from_parts(head, body)).await;
        }
        Ok(begun) => begun,
    };
    let key = source.key(&tenant);
    let (watch, body_seen) = Watch::over(&body, settings.largest_request);
    let (answering, answered) = oneshot::channel();
    let judged = Judged { head: head.clone(), source, tenant, body: body_seen, answered };
    drop(settings.running.spawn(judge(settings.clone(), judged)));
    let response = inner.call(Request::from_parts(head, Body::watched(body, watch))).await?;
    let (mut head, body) = response.into_parts();
    let (watch, body_seen) = Watch::over(&body, settings.largest_answer);
    // Who judges waits for it.
    let _ = answering.send(Answered { head: head.clone(), body: body_seen });
    if let Some(key) = key {
        head.extensions.insert(key);
    }
    Ok(Response::from_parts(head, Body::watched(body, watch)))
}

async fn pass<S, B, A>(mut inner: S, request: Request<B>) -> Result<Response<Body<A>>, S::Error>
where
    S: Service<Request<Body<B>>, Response = Response<A>>,
{
    Ok(inner.call(request.map(Body::passed)).await?.map(Body::passed))
}

/// Judges a request beside its execution, and reports.
async fn judge(settings: Arc<Settings>, judged: Judged) {
    let Judged { head, source, tenant, body, answered } = judged;
    let mut key = source.key(&tenant);
    let would = match tokio::time::timeout(settings.slowest_body, body).await {
        Ok(Ok(Seen::Whole { data, .. })) => {
            match identify::claim(&settings, &head, &source, &tenant, &data) {
                Ok(claim) => {
                    key = Some(claim.key);
                    claimed(&settings, &claim).await
                }
                Err(answer) => Would::Answer(answer),
            }
        }
        Ok(Ok(Seen::Long)) => Would::Answer(HttpProblem::BodyTooLarge.into()),
        Ok(Ok(Seen::Broken) | Err(_)) => Would::Unknown,
        Err(_) => Would::Answer(HttpProblem::BodyTooSlow.into()),
    };
    let key = key.as_ref();
    match would {
        Would::Answer(problem) => observe::shadowed(problem.name(), "", key),
        Would::Unknown => observe::shadowed("unknown", "", key),
        Would::Execute(owned) => {
            observe::shadowed("execute", "", key);
            settle(&settings, &owned, answered).await;
        }
        Would::Replay(earlier) => {
            let same = match answer(&settings, answered).await {
                None => "unknown",
                Some((_, now)) if earlier.status == now.status && earlier.body == now.body => "yes",
                Some(_) => "no",
            };
            observe::shadowed("replay", same, key);
        }
    }
}

async fn claimed(settings: &Settings, claim: &Claim) -> Would {
    match wait::once(settings, claim).await {
        Ok(Claimed::Owned(owned)) => Would::Execute(owned),
        Ok(Claimed::Replay(stored)) => Would::Replay(stored),
        Ok(other) => other.problem().map_or(Would::Answer(HttpProblem::StoreUnavailable.into()), |problem| {
            Would::Answer(problem.into())
        }),
        Err(error) => {
            observe::failed("claim", &error, &claim.key);
            Would::Answer(HttpProblem::StoreUnavailable.into())
        }
    }
}

/// Records a first answer, once. Where there is none, it stays unknown.
async fn settle(settings: &Settings, owned: &Owned, answered: oneshot::Receiver<Answered>) {
    let Some((head, stored)) = answer(settings, answered).await else { return };
    let written = if head.extensions.get::<NoEffect>().is_some() {
        settings.store.release(owned).await.map(drop)
    } else if head.extensions.get::<OutcomeUnknown>().is_some() {
        Ok(())
    } else {
        settings.store.settle(owned, &stored).await.map(drop)
    };
    if let Err(error) = written {
        observe::failed("settle", &error, &owned.key);
    }
}

/// The answer as it would be stored, once all of it has passed; `None` where it did not.
async fn answer(settings: &Settings, answered: oneshot::Receiver<Answered>) -> Option<(AnswerHead, Stored)> {
    let Answered { head, body } = answered.await.ok()?;
    let stored = match body.await.ok()? {
        Seen::Whole { data, trailers } => answer::stored(&head, &data, trailers.as_ref(), settings),
        Seen::Long => answer::tombstone(&head, settings),
        Seen::Broken => return None,
    };
    Some((head, stored))
}
