//! gRPC: refusals as gRPC's clients read them.
//!
//! A gRPC client reads no problem: of another media type than its own it gets the HTTP status, guessed at
//! ("HTTP to gRPC Status Code Mapping"): 409 and 422 are both UNKNOWN. So a request of gRPC is refused with
//! 200 and the status in the headers alone ("Trailers-Only", PROTOCOL-HTTP2), whatever the dialect.

use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use intentkey_core::protocol::Problem;

use super::body::Body;
use super::problem::{Answer, HttpProblem};
use crate::response::Response as Stored;

const MEDIA_TYPE: &str = "application/grpc";
const STATUS: &str = "grpc-status";
const MESSAGE: &str = "grpc-message";
/// After how many milliseconds a client's own retries go on (gRFC A6).
const PUSHBACK: HeaderName = HeaderName::from_static("grpc-retry-pushback-ms");

/// Whether these are the headers of gRPC. gRPC-Web frames its trailers otherwise, and is none.
pub(super) fn is_spoken(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let rest = value.strip_prefix(MEDIA_TYPE);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['+', ';', ' ']))
}

/// A refusal, spelled for gRPC; every other answer as it is.
pub(super) fn spelled<A>(response: Response<Body<A>>) -> Response<Body<A>> {
    let Some(answer) = response.extensions().get::<Answer>().cloned() else { return response };
    let (mut parts, _) = response.into_parts();
    parts.status = StatusCode::OK;
    parts.headers.clear();
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    parts.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    parts.headers.insert(STATUS, HeaderValue::from(code(&answer)));
    if let Ok(message) = HeaderValue::try_from(message(&answer)) {
        parts.headers.insert(MESSAGE, message);
    }
    if let Some(seconds) = answer.retry_after() {
        parts.headers.insert(PUSHBACK, HeaderValue::from(seconds.saturating_mul(1000)));
    }
    Response::from_parts(parts, Body::empty())
}

/// What is stored in the place of an answer that is too large.
pub(super) fn tombstone(status: StatusCode) -> Stored {
    let answer = HttpProblem::AnswerNotKept(status).into();
    Stored::new(StatusCode::OK.as_u16(), Vec::new())
        .with_header("content-type", MEDIA_TYPE)
        .with_header(STATUS, code(&answer).to_string())
        .with_header(MESSAGE, message(&answer))
}

/// The status code (statuscodes.md). UNAVAILABLE is what clients repeat by themselves: with the same
/// metadata, and so the same key. ALREADY_EXISTS is never given, which many take for success.
fn code(answer: &Answer) -> u16 {
    const UNKNOWN: u16 = 2;
    const INVALID_ARGUMENT: u16 = 3;
    const DEADLINE_EXCEEDED: u16 = 4;
    const RESOURCE_EXHAUSTED: u16 = 8;
    const FAILED_PRECONDITION: u16 = 9;
    const UNAVAILABLE: u16 = 14;
    const DATA_LOSS: u16 = 15;
    const UNAUTHENTICATED: u16 = 16;
    match answer {
        Answer::Protocol(Problem::InFlight { .. }) => UNAVAILABLE,
        Answer::Protocol(Problem::Unsettled) => FAILED_PRECONDITION,
        Answer::Protocol(_) => INVALID_ARGUMENT,
        Answer::Http(problem) => match problem {
            HttpProblem::TenantUnknown => UNAUTHENTICATED,
            HttpProblem::BodyTooLarge => RESOURCE_EXHAUSTED,
            HttpProblem::NotJson | HttpProblem::EpochMissing | HttpProblem::IntentRefused(_) => {
                INVALID_ARGUMENT
            }
            HttpProblem::BodyBroken
            | HttpProblem::BodyTooSlow
            | HttpProblem::StoreUnavailable
            | HttpProblem::UpstreamUnreachable => UNAVAILABLE,
            HttpProblem::OutcomeUnknown(StatusCode::GATEWAY_TIMEOUT) => DEADLINE_EXCEEDED,
            HttpProblem::OutcomeUnknown(_) => UNKNOWN,
            HttpProblem::AnswerNotKept(_) => DATA_LOSS,
        },
    }
}

/// The problem's name and what it says, percent-encoded as gRPC has it: all but printable ASCII, and `%`.
fn message(answer: &Answer) -> String {
    let text = format!("{}: {}", answer.name(), answer.detail());
    let encoded = text.bytes().map(|byte| match byte {
        b' '..=b'~' if byte != b'%' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    encoded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_grpc(media_type: &'static str) -> bool {
        is_spoken(&HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media_type))]))
    }

    #[test]
    fn its_media_types_are_told_from_grpc_web() {
        for spoken in ["application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8"] {
            assert!(is_grpc(spoken), "{spoken}");
        }
        for other in ["application/grpc-web", "application/grpc-web+proto", "application/json", ""] {
            assert!(!is_grpc(other), "{other}");
        }
    }
}
