//! Somebody else's producer: a process that reads an intent a line and writes a result a line, as
//! `intentkey derive` does.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Deserialize;

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
    child: Child,
    input: Sender<String>,
    answers: Receiver<io::Result<String>>,
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
        let (program, arguments) =
            self.command.split_first().ok_or_else(|| refused("unasked", "there is no program"))?;
        let mut command = Command::new(program);
        command.args(arguments).env("INTENTKEY_SECRET", secret);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child =
            command.spawn().map_err(|error| refused("absent", format!("it did not start: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(refused("absent", "it has no standard input or output"));
        };
        Ok(Running { ring: ring.clone(), child, input: writer_to(input), answers: lines_of(output) })
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
        let lines = intents.iter().fold(String::new(), |lines, intent| lines + intent + "\n");
        // One that ended is found out by its missing answer.
        let _ = self.input.send(lines);
        let mut outcomes = Vec::with_capacity(intents.len());
        for _ in intents {
            let outcome = match self.answers.recv_timeout(deadline) {
                Ok(Ok(line)) => read(&line),
                Ok(Err(error)) => Err(refused("ended", format!("its output cannot be read: {error}"))),
                Err(RecvTimeoutError::Timeout) => {
                    Err(refused("silent", format!("it gave no answer within {deadline:?}")))
                }
                Err(RecvTimeoutError::Disconnected) => Err(refused("ended", "it ended without an answer")),
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

/// Ends the process.
impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended already is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes what it is sent. By a thread of its own: a process that writes before it has read all
/// fills its pipe, and one that reads no more is never waited for.
fn writer_to(mut input: ChildStdin) -> Sender<String> {
    let (sender, texts) = channel::<String>();
    thread::spawn(move || {
        for text in texts {
            if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// The lines of an output, as they come; the end of it ends them.
fn lines_of(output: ChildStdout) -> Receiver<io::Result<String>> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
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
