//! Shadow: everything is claimed and compared, and nothing enforced.
//!
//! 1. Every request is executed, whatever the layer would have answered, also where the store fails.
//! 2. What it would have answered is counted.
//! 3. Where that is a replay, the answer is compared with the stored one: `same` is `yes` or `no`.
//! 4. A first request's answer is stored, so that its repeats can be compared. It is so with those that are
//!    later enforced: rows of a shadow are rows.
//! 5. Nobody waits for an original, whatever [`wait`](super::IdempotencyLayer::wait) says, and a client that
//!    goes away cancels the handler as it would without the layer; its claim is then never settled.
//! 6. What still differs from no layer: bodies of at most the limits are read to their end before they are
//!    handed on, in both directions, and the claim takes the store's time.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use tower_service::Service;

use super::answer::{self, NoEffect, OutcomeUnknown};
use super::body::{self, Body, Read};
use super::handle::begin;
use super::identify::{self, Source};
use super::observe;
use super::options::Settings;
use super::problem::{Answer, HttpProblem};
use super::wait;
use crate::claim::{Claimed, Owned};
use crate::response::Response as Stored;

/// What the layer would do.
enum Would {
    Execute(Owned),
    Replay(Stored),
    Answer(Answer),
    Pass,
}

pub(super) async fn handle<S, B, A>(
    settings: Arc<Settings>,
    mut inner: S,
    request: Request<B>,
) -> Result<Response<Body<A>>, S::Error>
where
    S: Service<Request<Body<B>>, Response = Response<A>> + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Send,
    A: http_body::Body<Data = Bytes> + Send + 'static,
    A::Error: Send,
{
    let (parts, body) = request.into_parts();
    let (would, body) = match begin(&settings, &parts) {
        Ok((Source::None, _)) => (Would::Pass, Body::passed(body)),
        Err(answer) => (Would::Answer(answer), Body::passed(body)),
        Ok((source, tenant)) => match body::read(body, settings.largest_request).await {
            Read::Long(body) => (Would::Answer(HttpProblem::BodyTooLarge.into()), body),
            // There is nothing to be executed.
            Read::Broken => return Ok(observe::answered(&settings, &HttpProblem::BodyBroken.into())),
            Read::Whole { data, trailers } => {
                let claim = identify::claim(&settings, &parts, &source, &tenant, &data);
                let would = match claim {
                    Ok(claim) => judge(&settings, &claim).await,
                    Err(answer) => Would::Answer(answer),
                };
                (would, Body::whole(data, trailers))
            }
        },
    };
    let answered = inner.call(Request::from_parts(parts, body)).await?;
    Ok(report(&settings, would, answered).await)
}

async fn judge(settings: &Settings, claim: &crate::claim::Claim) -> Would {
    match wait::once(settings, claim).await {
        Ok(Claimed::Owned(owned)) => Would::Execute(owned),
        Ok(Claimed::Replay(stored)) => Would::Replay(stored),
        Ok(other) => other.problem().map_or(Would::Answer(HttpProblem::StoreUnavailable.into()), |problem| {
            Would::Answer(problem.into())
        }),
        Err(error) => {
            observe::failed("claim", &error);
            Would::Answer(HttpProblem::StoreUnavailable.into())
        }
    }
}

async fn report<A: http_body::Body<Data = Bytes>>(
    settings: &Settings,
    would: Would,
    answered: Response<A>,
) -> Response<Body<A>> {
    let (owned, earlier) = match would {
        Would::Pass => return answered.map(Body::passed),
        Would::Answer(problem) => {
            observe::shadowed(problem.name(), "");
            return answered.map(Body::passed);
        }
        Would::Execute(owned) => (Some(owned), None),
        Would::Replay(stored) => (None, Some(stored)),
    };
    let (parts, body) = answered.into_parts();
    let has_no_effect = parts.extensions.get::<NoEffect>().is_some();
    let is_unknown = parts.extensions.get::<OutcomeUnknown>().is_some();
    let (stored, body) = match body::read(body, settings.largest_answer).await {
        Read::Whole { data, trailers } => {
            (answer::stored(&parts, &data, trailers.as_ref(), settings), Body::whole(data, trailers))
        }
        Read::Long(body) => (answer::tombstone(&parts, settings), body),
        Read::Broken => {
            return answer::answer(
                &HttpProblem::OutcomeUnknown(http::StatusCode::BAD_GATEWAY).into(),
                settings,
            );
        }
    };
    if let Some(owned) = owned {
        observe::shadowed("execute", "");
        let written = match (has_no_effect, is_unknown) {
            (true, _) => settings.store.release(&owned).await.map(drop),
            (false, true) => Ok(()),
            (false, false) => settings.store.settle(&owned, &stored).await.map(drop),
        };
        if let Err(error) = written {
            observe::failed("settle", &error);
        }
    }
    if let Some(earlier) = earlier {
        let same = earlier.status == stored.status && earlier.body == stored.body;
        observe::shadowed("replay", if same { "yes" } else { "no" });
    }
    Response::from_parts(parts, body)
}
