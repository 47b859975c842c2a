//! Answers that are no outcomes: problem details (RFC 9457), and the headers that go with them.
//!
//! 1. The key is missing where it is required: 400 `key-missing`.
//! 2. The key is malformed: 400 `key-malformed`.
//! 3. The original is running: 409 `in-flight`, with `Retry-After` in seconds.
//! 4. The outcome was given up on: 409 `unsettled`, without it: waiting does not help.
//! 5. The key belongs to another payload or another tenant: 422 `key-reused`. Which of the two it is,
//!    is not said: one tenant must not learn of another's keys.
//! 6. The intent is too old to know whether it was executed: 422 `intent-too-late`.
//! 7. The intent is from the future: 422 `intent-too-early`.
//!
//! A body is one line of JSON with the members `type`, `title`, `status` and `detail`, in this order
//! and without white space; its bytes are the same for every request.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The media type of every body here.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// The header, with this value, on a stored response that is sent again.
pub const REPLAYED: (&str, &str) = ("Idempotent-Replayed", "true");

/// An answer that is no outcome.
///
/// ```
/// use intentkey_core::protocol::Problem;
///
/// let problem = Problem::InFlight { retry_after: 7 };
/// assert_eq!(problem.status(), 409);
/// assert_eq!(problem.headers(), [
///     ("Content-Type", "application/problem+json".to_string()),
///     ("Retry-After", "7".to_string()),
/// ]);
/// assert_eq!(problem.body(), concat!(
///     r#"{"type":"https://github.com/intentkey/intentkey/blob/main/core/PROBLEMS.md#in-flight","#,
///     r#""title":"A request is outstanding for this Idempotency-Key","status":409,"#,
///     r#""detail":"A request with this key is being executed: repeat it, with the same key, after the time that Retry-After gives."}"#,
/// ));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Problem {
    /// The header `Idempotency-Key` is required and missing.
    KeyMissing,
    /// The header `Idempotency-Key` is no key.
    KeyMalformed,
    /// The original is running.
    InFlight {
        /// When to repeat, in seconds from now.
        retry_after: u64,
    },
    /// The outcome was given up on.
    Unsettled,
    /// The key belongs to another payload or another tenant.
    KeyReused,
    /// The intent is too old.
    IntentTooLate,
    /// The intent is from the future.
    IntentTooEarly,
}

impl Problem {
    /// One of each, in the order of the module's list.
    pub const ALL: [Problem; 7] = [
        Problem::KeyMissing,
        Problem::KeyMalformed,
        Problem::IN_FLIGHT,
        Problem::Unsettled,
        Problem::KeyReused,
        Problem::IntentTooLate,
        Problem::IntentTooEarly,
    ];

    pub(super) const IN_FLIGHT: Problem = Problem::InFlight { retry_after: 1 };

    /// The response's status.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Problem::KeyMissing | Problem::KeyMalformed => 400,
            Problem::InFlight { .. } | Problem::Unsettled => 409,
            Problem::KeyReused | Problem::IntentTooLate | Problem::IntentTooEarly => 422,
        }
    }

    /// What identifies the kind of problem; it leads to a description for people.
    #[must_use]
    pub const fn type_uri(self) -> &'static str {
        macro_rules! kind {
            ($name:literal) => {
                concat!("https://github.com/intentkey/intentkey/blob/main/core/PROBLEMS.md#", $name)
            };
        }
        match self {
            Problem::KeyMissing => kind!("key-missing"),
            Problem::KeyMalformed => kind!("key-malformed"),
            Problem::InFlight { .. } => kind!("in-flight"),
            Problem::Unsettled => kind!("unsettled"),
            Problem::KeyReused => kind!("key-reused"),
            Problem::IntentTooLate => kind!("intent-too-late"),
            Problem::IntentTooEarly => kind!("intent-too-early"),
        }
    }

    /// The kind of problem, for people; the IETF draft's words where it has some.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Problem::KeyMissing => "Idempotency-Key is missing",
            Problem::KeyMalformed => "Idempotency-Key is malformed",
            Problem::InFlight { .. } => "A request is outstanding for this Idempotency-Key",
            Problem::Unsettled => "The outcome for this Idempotency-Key is unknown",
            Problem::KeyReused => "Idempotency-Key is already used",
            Problem::IntentTooLate => "The intent is too old",
            Problem::IntentTooEarly => "The intent is from the future",
        }
    }

    /// What to do, for people.
    #[must_use]
    pub const fn detail(self) -> &'static str {
        match self {
            Problem::KeyMissing => {
                "This operation requires the header Idempotency-Key: send one key for each intent, and the same one on every repeat."
            }
            Problem::KeyMalformed => {
                "Send Idempotency-Key once, as a string of 1 to 255 printable ASCII characters in double quotes."
            }
            Problem::InFlight { .. } => {
                "A request with this key is being executed: repeat it, with the same key, after the time that Retry-After gives."
            }
            Problem::Unsettled => {
                "It is not known whether a request with this key took effect: do not repeat it with this or another key before it is reconciled."
            }
            Problem::KeyReused => {
                "This key was used for another request: a key belongs to one request and its repeats, unchanged."
            }
            Problem::IntentTooLate => {
                "The intent is older than outcomes are kept, so it may have been executed already: reconcile it."
            }
            Problem::IntentTooEarly => {
                "The intent's epoch lies more than five minutes ahead: it is the second at which the intent was decided; check the clock."
            }
        }
    }

    /// The response's headers.
    #[must_use]
    pub fn headers(self) -> Vec<(&'static str, String)> {
        let mut headers = Vec::from([("Content-Type", String::from(PROBLEM_JSON))]);
        if let Problem::InFlight { retry_after } = self {
            headers.push(("Retry-After", format!("{retry_after}")));
        }
        headers
    }

    /// The response's body.
    #[must_use]
    pub fn body(self) -> String {
        // None of the texts needs an escape; a test says so.
        format!(
            r#"{{"type":"{}","title":"{}","status":{},"detail":"{}"}}"#,
            self.type_uri(),
            self.title(),
            self.status(),
            self.detail()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_is_json_that_says_its_status() {
        for problem in Problem::ALL {
            let body: serde_json::Value = serde_json::from_str(&problem.body()).unwrap();
            assert_eq!(body["type"], problem.type_uri());
            assert_eq!(body["title"], problem.title());
            assert_eq!(body["status"], problem.status());
            assert_eq!(body["detail"], problem.detail());
        }
    }

    #[test]
    fn every_type_is_described() {
        let described = include_str!("../../PROBLEMS.md");
        for problem in Problem::ALL {
            let (_, name) = problem.type_uri().split_once('#').unwrap();
            assert!(described.contains(&format!("\n## {name}\n\n{}", problem.status())), "{name}");
        }
    }

    #[test]
    fn only_what_passes_says_when_to_come_back() {
        for problem in Problem::ALL {
            let waits = problem.headers().iter().any(|(name, _)| *name == "Retry-After");
            assert_eq!(waits, matches!(problem, Problem::InFlight { .. }), "{problem:?}");
        }
    }
}
