//! What becomes of a request, step by step.

use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request, Response};
use tower_service::Service;

use super::answer;
use super::body::{self, Body, Read};
use super::identify::{self, Source};
use super::observe::{self, Outcome};
use super::options::Settings;
use super::problem::{Answer, HttpProblem};
use super::{run, shadow, wait};
use crate::claim::{Claim, Claimed};

/// Why a request is none of the layer's business.
pub(super) enum Untouched {
    /// It asks for the rules.
    Rules,
    /// It passes.
    Pass,
}

/// Whether a request is none of the layer's business, by its method and path alone.
pub(super) fn untouched<B>(settings: &Settings, request: &Request<B>) -> Option<Untouched> {
    let asks_for_rules = matches!(*request.method(), Method::GET | Method::HEAD)
        && settings.rules_path.as_deref() == Some(request.uri().path());
    if asks_for_rules {
        return Some(Untouched::Rules);
    }
    (!settings.methods.contains(request.method())).then_some(Untouched::Pass)
}

/// Handles a request with a method that is covered.
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
    if settings.shadow {
        return shadow::handle(settings, inner, request).await;
    }
    let (parts, body) = request.into_parts();
    let (source, tenant) = match begin(&settings, &parts) {
        Ok((Source::None, _)) => {
            observe::counted(Outcome::Passed);
            let passed = inner.call(Request::from_parts(parts, Body::passed(body))).await?;
            return Ok(passed.map(Body::passed));
        }
        Ok(begun) => begun,
        Err(answer) => return Ok(observe::answered(&settings, &answer)),
    };
    let refused = |answer: &Answer| {
        let mut response = observe::answered(&settings, answer);
        if let Some(key) = source.key(&tenant) {
            response.extensions_mut().insert(key);
        }
        Ok(response)
    };
    let (data, trailers) = match read(&settings, body).await {
        Ok(read) => read,
        Err(answer) => return refused(&answer),
    };
    let claim = match identify::claim(&settings, &parts, &source, &tenant, &data) {
        Ok(claim) => claim,
        Err(answer) => return refused(&answer),
    };
    let request = Request::from_parts(parts, Body::whole(data, trailers));
    let key = claim.key;
    // From the claim on nothing may be dropped with the client: a claim whose owner has gone is unknown.
    let carried = settings.running.spawn(carry(settings.clone(), inner, request, claim));
    let unknown = HttpProblem::OutcomeUnknown(http::StatusCode::INTERNAL_SERVER_ERROR);
    let answered = carried.await.unwrap_or_else(|_| Ok(observe::answered(&settings, &unknown.into())));
    answered.map(|mut response| {
        response.extensions_mut().insert(key);
        response
    })
}

/// Claims, and does what follows.
async fn carry<S, B, A>(
    settings: Arc<Settings>,
    inner: S,
    request: Request<Body<B>>,
    claim: Claim,
) -> Result<Response<Body<A>>, S::Error>
where
    S: Service<Request<Body<B>>, Response = Response<A>> + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    B: Send + 'static,
    A: http_body::Body<Data = Bytes> + Send + 'static,
    A::Error: Send,
{
    match wait::claim(&settings, &claim).await {
        Ok(Claimed::Owned(owned)) => run::run(settings, inner, request, owned).await,
        Ok(Claimed::Replay(stored)) => {
            observe::counted(Outcome::Replayed);
            Ok(answer::replay(stored))
        }
        Ok(other) => {
            let problem = other.problem().map_or(HttpProblem::StoreUnavailable.into(), Answer::from);
            Ok(observe::answered(&settings, &problem))
        }
        Err(error) => {
            observe::failed("claim", &error, &claim.key);
            Ok(observe::answered(&settings, &HttpProblem::StoreUnavailable.into()))
        }
    }
}

/// What can be refused before the body is read.
pub(super) fn begin(settings: &Settings, parts: &Parts) -> Result<(Source, String), Answer> {
    match identify::source(settings, parts)? {
        Source::None => Ok((Source::None, String::new())),
        source => Ok((source, identify::tenant(settings, parts)?)),
    }
}

async fn read<B: http_body::Body<Data = Bytes>>(
    settings: &Settings,
    body: B,
) -> Result<(Bytes, Option<http::HeaderMap>), Answer> {
    let reading = body::read(body, settings.largest_request);
    match tokio::time::timeout(settings.slowest_body, reading).await {
        Ok(Read::Whole { data, trailers }) => Ok((data, trailers)),
        Ok(Read::Long(_)) => Err(HttpProblem::BodyTooLarge.into()),
        Ok(Read::Broken) => Err(HttpProblem::BodyBroken.into()),
        Err(_) => Err(HttpProblem::BodyTooSlow.into()),
    }
}
