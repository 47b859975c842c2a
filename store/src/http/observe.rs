//! What operators see of HTTP: counters with fixed labels, and no text of a request.

use http::Response;
use intentkey_core::Key;

use super::answer;
use super::body::Body;
use super::options::Settings;
use super::problem::Answer;
use crate::error::StoreError;

/// What became of a request, where it was not answered with a problem.
#[derive(Clone, Copy)]
pub(super) enum Outcome {
    /// It has no key, and needs none.
    Passed,
    /// Executed and recorded.
    Executed,
    /// Executed, and without an effect.
    Released,
    /// Begun, and the outcome is not known (yet).
    Unknown,
    /// Answered with what was stored.
    Replayed,
}

pub(super) fn counted(outcome: Outcome) {
    let outcome = match outcome {
        Outcome::Passed => "passed",
        Outcome::Executed => "executed",
        Outcome::Released => "released",
        Outcome::Unknown => "unknown",
        Outcome::Replayed => "replayed",
    };
    metrics::counter!("intentkey_http_requests_total", "outcome" => outcome).increment(1);
}

/// Counts a problem, and makes the response of it.
pub(super) fn answered<B>(settings: &Settings, problem: &Answer) -> Response<Body<B>> {
    metrics::counter!("intentkey_http_requests_total", "outcome" => problem.name()).increment(1);
    answer::answer(problem, settings)
}

/// What the layer would have done in shadow: `same` says whether a replay would have been the answer.
pub(super) fn shadowed(would: &'static str, same: &'static str, key: Option<&Key>) {
    metrics::counter!("intentkey_http_shadow_total", "would" => would, "same" => same).increment(1);
    tracing::info!(would, same, key = key.map(Key::prefix), "shadow");
}

pub(super) fn failed(step: &'static str, error: &StoreError, key: &Key) {
    metrics::counter!("intentkey_http_store_errors_total", "step" => step).increment(1);
    tracing::error!(step, %error, key = key.prefix(), "the store");
}
