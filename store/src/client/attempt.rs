//! One attempt, and what it came to.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use intentkey_core::Key;
use intentkey_core::protocol::{Attempted, REPLAYED, Time, wait_asked_for};
use reqwest::Request;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, SET_COOKIE};

use crate::response::Response;

/// The header of the key.
const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// What an attempt came to.
pub(super) struct Attempt {
    pub(super) attempted: Attempted,
    /// The answer, read.
    pub(super) response: Option<Response>,
    /// What `Retry-After` asks for.
    pub(super) asked: Option<Duration>,
    /// Whether the destination may have seen it.
    pub(super) was_sent: bool,
}

/// The request of an attempt: a copy with the key.
pub(super) fn with_key(request: &Request, key: &Key) -> Option<Request> {
    let mut request = request.try_clone()?;
    let value = HeaderValue::try_from(format!("\"{key}\"")).ok()?;
    request.headers_mut().insert(HEADER, value);
    Some(request)
}

impl Attempt {
    /// Of what a client gave.
    pub(super) async fn of(given: reqwest_middleware::Result<reqwest::Response>) -> Self {
        let response = match given {
            Ok(response) => response,
            Err(reqwest_middleware::Error::Reqwest(error)) => {
                return Attempt::without_answer(!error.is_connect());
            }
            Err(reqwest_middleware::Error::Middleware(_)) => return Attempt::without_answer(true),
        };
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        // A body that breaks off is no answer.
        let Ok(body) = response.bytes().await else { return Attempt::without_answer(true) };
        let (name, value) = REPLAYED;
        let is_replay = headers.get(name).is_some_and(|found| found == value);
        let problem: Option<serde_json::Value> = serde_json::from_slice(&body).ok();
        let kind = problem.as_ref().and_then(|problem| problem.get("type")?.as_str());
        let retry_after = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        Attempt {
            attempted: Attempted::of(Some(status), is_replay, retry_after.is_some(), kind),
            asked: retry_after.and_then(|value| wait_asked_for(value, now())),
            response: Some(kept(status, &headers, &body)),
            was_sent: true,
        }
    }

    /// Of one that nothing came back from.
    pub(super) fn without_answer(was_sent: bool) -> Self {
        Attempt { attempted: Attempted::Unclear, response: None, asked: None, was_sent }
    }
}

/// This machine's clock, for dates in `Retry-After`.
fn now() -> Time {
    Time::from_seconds(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// An answer as it is recorded: without cookies, and without what belongs to the connection.
fn kept(status: u16, headers: &HeaderMap, body: &[u8]) -> Response {
    let dropped = ["connection", "keep-alive", "transfer-encoding", "content-length", "trailer"];
    let is_kept = |name: &HeaderName| *name != SET_COOKIE && !dropped.contains(&name.as_str());
    let mut response = Response::new(status, body);
    for (name, value) in headers.iter().filter(|(name, _)| is_kept(name)) {
        response = response.with_header(name.as_str(), value.as_bytes());
    }
    response
}
