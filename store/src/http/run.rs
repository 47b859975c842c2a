//! Execution: the handler runs to its end in a task of its own, and its outcome is recorded.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use tower_service::Service;

use super::answer::{self, Execution, NoEffect, OutcomeUnknown};
use super::body::{self, Body, Read};
use super::observe::{self, Outcome};
use super::options::Settings;
use super::problem::HttpProblem;
use crate::claim::Owned;
use crate::response::Response as Stored;

/// How long after one another a settlement that failed is tried again: the last goes on for an hour.
const PAUSES: [Duration; 3] = [Duration::from_millis(50), Duration::from_millis(250), Duration::from_secs(1)];
const LAST_PAUSE: Duration = Duration::from_secs(5);
const LAST_TRIES: u32 = 720;

/// Runs the handler under a claim.
pub(super) async fn run<S, B, A>(
    settings: Arc<Settings>,
    inner: S,
    mut request: Request<Body<B>>,
    owned: Owned,
) -> Result<Response<Body<A>>, S::Error>
where
    S: Service<Request<Body<B>>, Response = Response<A>> + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    B: Send + 'static,
    A: http_body::Body<Data = Bytes> + Send + 'static,
    A::Error: Send,
{
    let left = owned.time_left();
    if left.is_zero() {
        // The claim itself took all the time there is. Nothing was begun.
        release(&settings, &owned).await;
        return Ok(observe::answered(&settings, &HttpProblem::StoreUnavailable.into()));
    }
    request.extensions_mut().insert(Execution::of(&owned));
    let running = settings.running.spawn(execute(settings.clone(), inner, request, owned));
    match tokio::time::timeout(left, running).await {
        Ok(Ok(response)) => response,
        // It panicked.
        Ok(Err(_)) => Ok(unknown(&settings, StatusCode::INTERNAL_SERVER_ERROR)),
        // It goes on, and is recorded when it ends.
        Err(_) => Ok(unknown(&settings, StatusCode::GATEWAY_TIMEOUT)),
    }
}

async fn execute<S, B, A>(
    settings: Arc<Settings>,
    mut inner: S,
    request: Request<Body<B>>,
    owned: Owned,
) -> Result<Response<Body<A>>, S::Error>
where
    S: Service<Request<Body<B>>, Response = Response<A>>,
    A: http_body::Body<Data = Bytes>,
{
    let (parts, answered) = inner.call(request).await?.into_parts();
    if parts.extensions.get::<NoEffect>().is_some() {
        release(&settings, &owned).await;
        observe::counted(Outcome::Released);
        return Ok(Response::from_parts(parts, Body::passed(answered)));
    }
    if parts.extensions.get::<OutcomeUnknown>().is_some() {
        observe::counted(Outcome::Unknown);
        return Ok(Response::from_parts(parts, Body::passed(answered)));
    }
    let (stored, body) = match body::read(answered, settings.largest_answer).await {
        Read::Whole { data, trailers } => {
            let stored = answer::stored(&parts, &data, trailers.as_ref(), &settings);
            (stored, Body::whole(data, trailers))
        }
        Read::Long(body) => (answer::tombstone(&parts, &settings), body),
        Read::Broken => return Ok(unknown(&settings, StatusCode::BAD_GATEWAY)),
    };
    settle(&settings, owned, stored).await;
    observe::counted(Outcome::Executed);
    Ok(Response::from_parts(parts, body))
}

fn unknown<A>(settings: &Settings, status: StatusCode) -> Response<Body<A>> {
    observe::counted(Outcome::Unknown);
    answer::answer(&HttpProblem::OutcomeUnknown(status).into(), settings)
}

/// Records an outcome. Where the store cannot be reached for a moment, the client waits; where it takes
/// longer, the client gets its answer, which is the truth, and the store is tried on.
async fn settle(settings: &Arc<Settings>, owned: Owned, stored: Stored) {
    for pause in PAUSES {
        match settings.store.settle(&owned, &stored).await {
            Ok(_) => return,
            Err(error) => observe::failed("settle", &error, &owned.key),
        }
        tokio::time::sleep(pause).await;
    }
    let trying = settings.clone();
    drop(settings.running.spawn(async move {
        for _ in 0..LAST_TRIES {
            if trying.store.settle(&owned, &stored).await.is_ok() {
                return;
            }
            tokio::time::sleep(LAST_PAUSE).await;
        }
        tracing::error!(
            key = owned.key.prefix(),
            "an outcome could not be recorded; its key will be unsettled"
        );
    }));
}

async fn release(settings: &Settings, owned: &Owned) {
    if let Err(error) = settings.store.release(owned).await {
        observe::failed("release", &error, &owned.key);
    }
}
