//! What is answered in the handler's place: core's problems, and those that only HTTP has.

use http::StatusCode;
use intentkey_core::protocol::Problem;
use intentkey_core::{Code, Refusal};
use serde_json::{Map, Value, json};

/// A problem that only HTTP has. [`Self::type_uri`] leads to a description.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum HttpProblem {
    /// 403: nobody says whose request it is. No 401, which has to name a scheme to authenticate by (RFC 9110,
    /// section 15.5.2): the layer knows none, as others authenticate.
    TenantUnknown,
    /// 413: the body is longer than the limit.
    BodyTooLarge,
    /// 400: the body broke off.
    BodyBroken,
    /// 408: the body took too long.
    BodyTooSlow,
    /// 415: the key is derived from JSON, and the body is of another type.
    NotJson,
    /// 400: the key is derived, and the request does not say when the intent was decided.
    EpochMissing,
    /// 400, 413 or 422: the policy refuses the intent.
    IntentRefused(Refusal),
    /// 503: the store does not answer, and nothing was executed.
    StoreUnavailable,
    /// 500, 502 or 504: whether the request took effect is not known (yet).
    OutcomeUnknown(StatusCode),
    /// 502: the service could not be reached, and nothing was executed.
    UpstreamUnreachable,
    /// 500: the request was executed and answered with this status; the answer was too large to be kept.
    AnswerNotKept(StatusCode),
}

impl HttpProblem {
    /// The response's status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            HttpProblem::TenantUnknown => StatusCode::FORBIDDEN,
            HttpProblem::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            HttpProblem::BodyBroken | HttpProblem::EpochMissing => StatusCode::BAD_REQUEST,
            HttpProblem::BodyTooSlow => StatusCode::REQUEST_TIMEOUT,
            HttpProblem::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            HttpProblem::IntentRefused(refusal) => match refusal.code() {
                Code::JsonMalformed | Code::PayloadTooDeep => StatusCode::BAD_REQUEST,
                Code::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            },
            HttpProblem::StoreUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            HttpProblem::OutcomeUnknown(status) => *status,
            HttpProblem::UpstreamUnreachable => StatusCode::BAD_GATEWAY,
            HttpProblem::AnswerNotKept(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What identifies the kind of problem.
    #[must_use]
    pub fn type_uri(&self) -> &'static str {
        macro_rules! kind {
            ($name:literal) => {
                concat!("https://github.com/intentkey/intentkey/blob/main/store/PROBLEMS.md#", $name)
            };
        }
        match self {
            HttpProblem::TenantUnknown => kind!("tenant-unknown"),
            HttpProblem::BodyTooLarge => kind!("body-too-large"),
            HttpProblem::BodyBroken => kind!("body-broken"),
            HttpProblem::BodyTooSlow => kind!("body-too-slow"),
            HttpProblem::NotJson => kind!("not-json"),
            HttpProblem::EpochMissing => kind!("epoch-missing"),
            HttpProblem::IntentRefused(_) => kind!("intent-refused"),
            HttpProblem::StoreUnavailable => kind!("store-unavailable"),
            HttpProblem::OutcomeUnknown(_) => kind!("outcome-unknown"),
            HttpProblem::UpstreamUnreachable => kind!("upstream-unreachable"),
            HttpProblem::AnswerNotKept(_) => kind!("answer-not-kept"),
        }
    }

    fn title(&self) -> &'static str {
        match self {
            HttpProblem::TenantUnknown => "The tenant is unknown",
            HttpProblem::BodyTooLarge => "The body is too large",
            HttpProblem::BodyBroken => "The body broke off",
            HttpProblem::BodyTooSlow => "The body took too long",
            HttpProblem::NotJson => "The body is not JSON",
            HttpProblem::EpochMissing => "The intent's epoch is missing",
            HttpProblem::IntentRefused(_) => "The intent is refused",
            HttpProblem::StoreUnavailable => "Idempotency cannot be ensured now",
            HttpProblem::OutcomeUnknown(_) => "The outcome is not known",
            HttpProblem::UpstreamUnreachable => "The service cannot be reached",
            HttpProblem::AnswerNotKept(_) => "The answer was too large to be kept",
        }
    }

    fn detail(&self) -> &str {
        match self {
            HttpProblem::TenantUnknown => "The request does not say who sends it: authenticate.",
            HttpProblem::BodyTooLarge => {
                "The body is longer than requests with a key may be. Nothing was executed."
            }
            HttpProblem::BodyBroken => {
                "The body ended before it was complete. Nothing was executed: send the request again, with the same key."
            }
            HttpProblem::BodyTooSlow => {
                "The body did not arrive in time. Nothing was executed: send the request again, with the same key."
            }
            HttpProblem::NotJson => {
                "The key is derived from the body: send it as application/json without a content coding, or send Idempotency-Key."
            }
            HttpProblem::EpochMissing => {
                "The key is derived: send the second at which the intent was decided, the same on every repeat, or send Idempotency-Key."
            }
            HttpProblem::IntentRefused(refusal) => refusal.message(),
            HttpProblem::StoreUnavailable => {
                "Whether this request was executed before cannot be told now, so it was not executed: repeat it, with the same key."
            }
            HttpProblem::OutcomeUnknown(_) => {
                "It is not known yet whether the request took effect. Repeat it with the same key, never with another: a repeat gets the outcome once it is known, and does not execute it a second time."
            }
            HttpProblem::UpstreamUnreachable => {
                "No connection to the service could be made. Nothing was executed: repeat the request, with the same key."
            }
            HttpProblem::AnswerNotKept(_) => {
                "The request was executed; its answer was too large to be kept and is not repeated. Do not send it with another key."
            }
        }
    }
}

/// What is answered in the handler's place.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A problem of the protocol.
    Protocol(Problem),
    /// One that only HTTP has.
    Http(HttpProblem),
}

impl From<Problem> for Answer {
    fn from(problem: Problem) -> Self {
        Answer::Protocol(problem)
    }
}

impl From<HttpProblem> for Answer {
    fn from(problem: HttpProblem) -> Self {
        Answer::Http(problem)
    }
}

impl Answer {
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Answer::Protocol(problem) => {
                StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
            }
            Answer::Http(problem) => problem.status(),
        }
    }

    pub(super) fn type_uri(&self) -> &'static str {
        match self {
            Answer::Protocol(problem) => problem.type_uri(),
            Answer::Http(problem) => problem.type_uri(),
        }
    }

    /// The name of the problem: what the type's URI ends with.
    pub(super) fn name(&self) -> &'static str {
        self.type_uri().rsplit('#').next().unwrap_or_default()
    }

    pub(super) fn title(&self) -> &'static str {
        match self {
            Answer::Protocol(problem) => problem.title(),
            Answer::Http(problem) => problem.title(),
        }
    }

    pub(super) fn detail(&self) -> &str {
        match self {
            Answer::Protocol(problem) => problem.detail(),
            Answer::Http(problem) => problem.detail(),
        }
    }

    /// In seconds, where repeating makes sense.
    pub(super) fn retry_after(&self) -> Option<u64> {
        match self {
            Answer::Protocol(Problem::InFlight { retry_after }) => Some(*retry_after),
            Answer::Http(HttpProblem::StoreUnavailable | HttpProblem::UpstreamUnreachable) => Some(1),
            _ => None,
        }
    }

    /// Problem details (RFC 9457).
    pub(super) fn details(&self) -> String {
        let problem = match self {
            Answer::Protocol(problem) => return problem.body(),
            Answer::Http(problem) => problem,
        };
        let mut members = Map::new();
        members.insert("type".into(), json!(self.type_uri()));
        members.insert("title".into(), json!(self.title()));
        members.insert("status".into(), json!(self.status().as_u16()));
        members.insert("detail".into(), json!(self.detail()));
        match problem {
            HttpProblem::IntentRefused(refusal) => {
                members.insert("code".into(), json!(refusal.code().as_str()));
                if let Some(field) = refusal.field() {
                    members.insert("field".into(), json!(field));
                }
                if !refusal.fields().is_empty() {
                    members.insert("fields".into(), json!(refusal.fields()));
                }
            }
            HttpProblem::AnswerNotKept(status) => {
                members.insert("original_status".into(), json!(status.as_u16()));
            }
            _ => {}
        }
        Value::Object(members).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_described() {
        let described = include_str!("../../PROBLEMS.md");
        let refusal = intentkey_core::Policy::from_json("{}").unwrap_err();
        for problem in [
            HttpProblem::TenantUnknown,
            HttpProblem::BodyTooLarge,
            HttpProblem::BodyBroken,
            HttpProblem::BodyTooSlow,
            HttpProblem::NotJson,
            HttpProblem::EpochMissing,
            HttpProblem::IntentRefused(refusal),
            HttpProblem::StoreUnavailable,
            HttpProblem::OutcomeUnknown(StatusCode::GATEWAY_TIMEOUT),
            HttpProblem::UpstreamUnreachable,
            HttpProblem::AnswerNotKept(StatusCode::OK),
        ] {
            let answer = Answer::from(problem);
            let (name, status) = (answer.name(), answer.status().as_u16().to_string());
            let (_, section) = described.split_once(&format!("\n## {name}\n\n")).unwrap_or(("", ""));
            let (statuses, _) = section.split_once(". ").unwrap_or_default();
            assert!(statuses.contains(&status), "{name}: {status}");
        }
    }
}
