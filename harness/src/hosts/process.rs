//! Somebody else's producer: a process that reads an intent a line and writes a result a line, as
//! `intentkey derive` does.

use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;

use super::pipe::{NoLine, Pipe};
use super::{Agreement, Derived, Edge, Host, Outcome, Refused, Ring};

/// How long an answer may take, the first one too, for which an interpreter may have to start:
/// 10 seconds.
const DEADLINE: Duration = Duration::from_secs(10);

/// A process that derives keys.
///
/// It is started with the secret as hexadecimal digits in `INTENTKEY_SECRET`, and with the policy
/// that it was written for: nobody tells it which. Its answers to intents are in their order, each
/// on a line of its own: `{"key"}`, with `"edge": {"key"}` near a bucket's edge, or `{"error":
/// {"code"}}`; the other members of `intentkey derive` may be there. What it prints on standard
/// error is passed on. One that ends, or is slower than the deadline, has answered no more, and is
/// started again for what comes next.
pub struct Process {
    command: Vec<OsString>,
    name: String,
    deadline: Duration,
    running: Mutex<Option<Running>>,
}

/// A started process.
struct Running {
    ring: Ring,
    pipe: Pipe,
}

impl Process {
    /// A program and its arguments; nothing is started yet. `None` without a program.
    #[must_use]
    pub fn new(command: impl IntoIterator<Item = impl Into<OsString>>) -> Option<Self> {
        let command: Vec<OsString> = command.into_iter().map(Into::into).collect();
        let name = command.first()?.to_string_lossy().into_owned();
        Some(Process { command, name, deadline: DEADLINE, running: Mutex::new(None) })
    }

    /// With another time for each answer.
    #[must_use]
    pub fn with_deadline(self, deadline: Duration) -> Self {
        Process { deadline, ..self }
    }

    fn start(&self, ring: &Ring) -> Result<Running, Refused> {
        let Some(secret) = ring.secret_in_hex() else {
            return Err(refused("unasked", "a process is given one secret for all epochs and tenants"));
        };
        let started = Pipe::start(&self.command, &secret);
        let pipe = started.map_err(|error| refused("absent", format!("it did not start: {error}")))?;
        Ok(Running { ring: ring.clone(), pipe })
    }

    /// The process, started where it is not, or with another ring.
    fn running<'r>(&self, held: &'r mut Option<Running>, ring: &Ring) -> Result<&'r mut Running, Refused> {
        if held.as_ref().is_none_or(|running| running.ring != *ring) {
            // The one before is ended first.
            *held = None;
            *held = Some(self.start(ring)?);
        }
        held.as_mut().ok_or_else(|| refused("absent", "it is not running"))
    }
}

impl Host for Process {
    fn name(&self) -> &str {
        &self.name
    }

    fn derive(&self, ring: &Ring, intent: &str) -> Outcome {
        let mut outcomes = self.derive_all(ring, &[intent]);
        outcomes.pop().unwrap_or_else(|| Err(refused("absent", "it gave no answer")))
    }

    fn derive_all(&self, ring: &Ring, intents: &[&str]) -> Vec<Outcome> {
        let mut held = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut outcomes = match self.running(&mut held, ring) {
            Ok(running) => running.ask(intents, self.deadline),
            Err(refused) => vec![Err(refused)],
        };
        // The one that gave no answer to an intent gives none to the others; another may.
        if outcomes.last().is_none_or(|last| last.as_ref().is_err_and(|refused| is_no_answer(&refused.code)))
        {
            *held = None;
        }
        let none = outcomes.last().cloned().unwrap_or_else(|| Err(refused("absent", "it gave no answer")));
        outcomes.resize(intents.len(), none);
        outcomes
    }

    fn takes(&self, intent: &str) -> bool {
        !intent.contains(['\n', '\r']) && !intent.trim().is_empty()
    }

    fn agreement(&self) -> Agreement {
        Agreement::KeyOrCode
    }
}

impl Running {
    /// The answers; where one does not come, that is the last.
    fn ask(&mut self, intents: &[&str], deadline: Duration) -> Vec<Outcome> {
        self.pipe.send(intents.iter().fold(String::new(), |lines, intent| lines + intent + "\n"));
        let mut outcomes = Vec::with_capacity(intents.len());
        for _ in intents {
            let outcome = match self.pipe.line(deadline) {
                Ok(line) => read(&line),
                Err(NoLine::Unreadable(error)) => {
                    Err(refused("ended", format!("its output cannot be read: {error}")))
                }
                Err(NoLine::Silent) => {
                    Err(refused("silent", format!("it gave no answer within {deadline:?}")))
                }
                Err(NoLine::Ended) => Err(refused("ended", "it ended without an answer")),
            };
            let is_last = outcome.as_ref().is_err_and(|refused| is_no_answer(&refused.code));
            outcomes.push(outcome);
            if is_last {
                break;
            }
        }
        outcomes
    }
}

/// The codes of answers that did not come.
fn is_no_answer(code: &str) -> bool {
    matches!(code, "absent" | "ended" | "silent" | "unasked")
}

fn refused(code: &str, message: impl Into<String>) -> Refused {
    Refused { code: code.to_owned(), message: message.into(), ..Refused::default() }
}

/// An answer. What is not told is empty.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Refused { error: ErrorMembers },
    Derived(DerivedMembers),
}

#[derive(Deserialize)]
struct DerivedMembers {
    key: String,
    #[serde(default)]
    fingerprint: String,
    #[serde(default)]
    bucket: u64,
    #[serde(default)]
    secret_id: String,
    edge: Option<EdgeMembers>,
}

#[derive(Deserialize)]
struct EdgeMembers {
    key: String,
    #[serde(default)]
    fingerprint: String,
    #[serde(default)]
    secret_id: String,
}

#[derive(Deserialize)]
struct ErrorMembers {
    code: String,
    field: Option<String>,
    #[serde(default)]
    fields: Vec<String>,
    #[serde(default)]
    message: String,
}

fn read(line: &str) -> Outcome {
    match serde_json::from_str(line) {
        Ok(Answer::Derived(DerivedMembers { key, fingerprint, bucket, secret_id, edge })) => {
            let edge =
                edge.map(|EdgeMembers { key, fingerprint, secret_id }| Edge { key, fingerprint, secret_id });
            Ok(Derived { key, fingerprint, bucket, secret_id, edge })
        }
        Ok(Answer::Refused { error: ErrorMembers { code, field, fields, message } }) => {
            Err(Refused { code, field, fields, message })
        }
        Err(error) => Err(refused("unreadable", format!("its answer is no result: {error}"))),
    }
}

#[cfg(test)]
mod tests;
