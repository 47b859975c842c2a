//! The rules, published: what the draft asks of a resource (section 2.5.2).

use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use http::{Method, Response};
use intentkey_core::protocol::Problem;
use serde_json::json;

use super::body::Body;
use super::dialect::Reading;
use super::options::Settings;
use super::problem::{Answer, HttpProblem};

/// The answer to GET and HEAD.
pub(super) fn response<B>(settings: &Settings, method: &Method) -> Response<Body<B>> {
    let body = if *method == Method::HEAD { String::new() } else { text(settings) };
    let mut response = Response::new(Body::whole(body.into(), None));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    response
}

fn text(settings: &Settings) -> String {
    let strict = "an RFC 8941 string: 1 to 255 printable ASCII characters in double quotes";
    let syntax = match settings.reading {
        Reading::Strict => strict.to_owned(),
        Reading::Lenient => [strict, ", or 1 to 255 visible ASCII characters as they are"].concat(),
    };
    let status = |answer: Answer| settings.dialect.spell(&answer).status.as_u16();
    let methods: Vec<&str> = settings.methods.iter().map(Method::as_str).collect();
    let rules = json!({
        "specification": "draft-ietf-httpapi-idempotency-key-header-07",
        "documentation": "https://github.com/intentkey/intentkey/blob/main/core/PROBLEMS.md",
        "dialect": settings.dialect.name(),
        "enforced": !settings.shadow,
        "methods": methods,
        "key": {
            "header": settings.header.as_str(),
            "required": settings.required,
            "syntax": syntax,
            "uniqueness": "for one caller; a key belongs to one request and its repeats, unchanged",
            "derived_where_absent": settings.derivation.is_some(),
        },
        "fingerprint": "method, path, query, media type and body",
        "expiry": {
            "seconds": settings.ttl.as_secs(),
            "counted_from": "the last request with the key",
            "derived_keys": "as their policy says",
        },
        "limits": {
            "request_bytes": settings.largest_request,
            "kept_answer_bytes": settings.largest_answer,
            "execution_seconds": settings.target.execution.as_secs(),
            "waits_for_original_seconds": settings.wait.as_secs(),
        },
        "answers": {
            "first": "the answer, success or error, which is kept",
            "repeat": "the same status, headers and body, with Idempotent-Replayed: true",
            "running": status(Problem::InFlight { retry_after: 1 }.into()),
            "outcome_given_up_on": status(Problem::Unsettled.into()),
            "key_of_another_request": status(Problem::KeyReused.into()),
            "key_missing": status(Problem::KeyMissing.into()),
            "key_malformed": status(Problem::KeyMalformed.into()),
            "store_unavailable": status(HttpProblem::StoreUnavailable.into()),
        },
    });
    rules.to_string()
}
