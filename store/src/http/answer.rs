//! Responses: what is said of an effect, what is stored of an answer, and what is replayed.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::response::Parts;
use http::{Response, StatusCode};
use intentkey_core::Key;
use intentkey_core::protocol::{Problem, REPLAYED};

use super::body::Body;
use super::dialect::Dialect;
use super::grpc;
use super::options::Settings;
use super::problem::{Answer, HttpProblem};
use crate::claim::Owned;
use crate::response::Response as Stored;

/// Extension of a response: nothing happened, and a repeat may execute. Never to be given because of a
/// status or a time-out, only where it is known.
///
/// ```
/// use axum::{Extension, http::StatusCode, response::IntoResponse};
/// use intentkey_store::http::NoEffect;
///
/// let busy = (StatusCode::TOO_MANY_REQUESTS, Extension(NoEffect), "try again").into_response();
/// # assert!(busy.extensions().get::<NoEffect>().is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEffect;

/// Extension of a response: it is not the outcome, which is not known. The claim stays in flight until its
/// time is over; then it is found out as the destination allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutcomeUnknown;

/// Extension of a request that is executed under a claim.
#[derive(Clone, Copy, Debug)]
pub struct Execution {
    /// The stored key: what to send on to other destinations.
    pub key: Key,
    pub(super) deadline: Instant,
}

impl Execution {
    pub(super) fn of(owned: &Owned) -> Self {
        let now = Instant::now();
        Execution { key: owned.key, deadline: now.checked_add(owned.time_left()).unwrap_or(now) }
    }

    /// How much of the time to execute is left; where it is zero, nothing may be started.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

/// Headers that are stored and replayed where nothing else is said: those that describe the answer.
const REPLAYABLE: [HeaderName; 15] = [
    header::CONTENT_TYPE,
    header::CONTENT_DISPOSITION,
    header::CONTENT_ENCODING,
    header::CONTENT_LANGUAGE,
    header::CONTENT_LOCATION,
    header::LOCATION,
    header::LINK,
    header::ETAG,
    header::LAST_MODIFIED,
    header::RETRY_AFTER,
    header::VARY,
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
    HeaderName::from_static("grpc-encoding"),
];

/// Headers that are never replayed, whoever asks for it: they belong to one exchange, one connection, or
/// one person's session.
const NEVER: [HeaderName; 19] = [
    header::SET_COOKIE,
    HeaderName::from_static("set-cookie2"),
    header::COOKIE,
    header::AUTHORIZATION,
    header::PROXY_AUTHORIZATION,
    header::WWW_AUTHENTICATE,
    header::PROXY_AUTHENTICATE,
    HeaderName::from_static("authentication-info"),
    HeaderName::from_static("proxy-authentication-info"),
    header::DATE,
    header::AGE,
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    // It follows from the body.
    header::CONTENT_LENGTH,
];

/// How a trailer is stored: as a header of this name, whose value is `name:value`.
const TRAILER: &str = "intentkey-trailer";

pub(super) fn replayable() -> Vec<HeaderName> {
    REPLAYABLE.to_vec()
}

pub(super) fn may_be_replayed(name: &HeaderName) -> bool {
    !NEVER.contains(name)
}

/// What is stored of an answer.
pub(super) fn stored(
    parts: &Parts,
    data: &Bytes,
    trailers: Option<&HeaderMap>,
    settings: &Settings,
) -> Stored {
    let mut stored = Stored::new(parts.status.as_u16(), data.to_vec());
    for (name, value) in &parts.headers {
        if settings.replayable.contains(name) {
            stored = stored.with_header(name.as_str(), value.as_bytes());
        }
    }
    for (name, value) in trailers.into_iter().flatten().filter(|(name, _)| may_be_replayed(name)) {
        stored = stored.with_header(TRAILER, [name.as_str().as_bytes(), b":", value.as_bytes()].concat());
    }
    stored
}

/// What is stored in the place of an answer that is too large.
pub(super) fn tombstone(parts: &Parts, settings: &Settings) -> Stored {
    if grpc::is_spoken(&parts.headers) {
        return grpc::tombstone(parts.status);
    }
    let spelled = settings.dialect.spell(&HttpProblem::AnswerNotKept(parts.status).into());
    Stored::new(spelled.status.as_u16(), spelled.body).with_header("content-type", spelled.media_type)
}

/// A stored answer, sent again.
pub(super) fn replay<B>(stored: Stored) -> Response<Body<B>> {
    let mut trailers: Option<HeaderMap> = None;
    let mut headers = HeaderMap::new();
    for (name, value) in stored.headers {
        let (name, value, map) = if name == TRAILER {
            let mut halves = value.splitn(2, |byte| *byte == b':');
            let (name, value) = (halves.next().unwrap_or_default(), halves.next().unwrap_or_default());
            let name = String::from_utf8_lossy(name).into_owned();
            (name, value.to_vec(), trailers.get_or_insert_default())
        } else {
            (name, value, &mut headers)
        };
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            map.append(name, value);
        }
    }
    let mut response = Response::new(Body::whole(stored.body.into(), trailers));
    *response.status_mut() = StatusCode::from_u16(stored.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    *response.headers_mut() = headers;
    let (name, value) = REPLAYED;
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// An answer in the handler's place. What it says is an extension too, for whom it is spelled again.
pub(super) fn answer<B>(answer: &Answer, settings: &Settings) -> Response<Body<B>> {
    let spelled = settings.dialect.spell(answer);
    let mut response = Response::new(Body::whole(spelled.body.into(), None));
    *response.status_mut() = spelled.status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(spelled.media_type));
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(spelled.language));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(link) = settings.rules_link.clone() {
        headers.insert(header::LINK, link);
    }
    if let Some(seconds) = answer.retry_after() {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if settings.dialect == Dialect::Stripe
        && let Some(again) = should_retry(answer)
    {
        headers.insert(HeaderName::from_static("stripe-should-retry"), HeaderValue::from_static(again));
    }
    response.extensions_mut().insert(answer.clone());
    response
}

/// What Stripe's clients heed before the status.
fn should_retry(answer: &Answer) -> Option<&'static str> {
    match answer {
        Answer::Protocol(Problem::InFlight { .. }) => Some("true"),
        Answer::Protocol(Problem::Unsettled) => Some("false"),
        Answer::Http(HttpProblem::StoreUnavailable | HttpProblem::UpstreamUnreachable) => Some("true"),
        _ => None,
    }
}
