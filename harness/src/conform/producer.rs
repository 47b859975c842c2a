//! A producer: a command that reads an intent a line and writes a result a line, as `intentkey
//! derive` does.
//!
//! A process gets many intents, and then the end of its input: so it may answer whenever it likes,
//! and a producer that buffers what it prints is as good as any.

use std::ffi::OsString;
use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::compare::Answer;
use crate::hosts::Ring;

/// How long a producer may be silent, its start included.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most intents that one process gets.
const BATCH: usize = 4000;

/// How often a producer that ends early is started again in one batch.
const MOST_STARTS: usize = 16;

/// A command that derives keys. It gets the secret as hexadecimal digits in `INTENTKEY_SECRET`,
/// and knows the policy it was written for. What it prints on standard error is passed on.
#[derive(Clone, Debug)]
pub struct Producer {
    program: OsString,
    arguments: Vec<OsString>,
    patience: Duration,
}

/// Why a producer cannot be held against anything.
#[derive(Debug)]
pub enum NoProducer {
    /// It did not start.
    NotStarted(String, std::io::Error),
    /// It gave no answer to anything.
    Silent(String),
}

impl fmt::Display for NoProducer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoProducer::NotStarted(name, error) => write!(f, "{name} did not start: {error}"),
            NoProducer::Silent(name) => write!(
                f,
                "{name} answered nothing: it must read one JSON intent a line on standard input and write one JSON \
                 result a line on standard output"
            ),
        }
    }
}

impl std::error::Error for NoProducer {}

impl Producer {
    /// A program and its arguments; nothing is started yet. `None` without a program.
    #[must_use]
    pub fn new(command: impl IntoIterator<Item = impl Into<OsString>>) -> Option<Self> {
        let mut command = command.into_iter().map(Into::into);
        let program = command.next()?;
        Some(Producer { program, arguments: command.collect(), patience: PATIENCE })
    }

    /// With another time for which it may be silent.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Producer { patience, ..self }
    }

    fn name(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }

    /// The answers to intents, in their order.
    pub(super) fn ask(&self, ring: &Ring, intents: &[String]) -> Result<Vec<Answer>, NoProducer> {
        let mut answers = Vec::with_capacity(intents.len());
        for batch in intents.chunks(BATCH) {
            let mut rest = batch;
            let mut starts = 0;
            while !rest.is_empty() && starts < MOST_STARTS {
                starts += 1;
                let before = answers.len();
                answers.extend(self.run(ring, rest)?);
                // One that stopped in the middle has no answer to what came next.
                if answers.len() - before < rest.len() {
                    answers.push(Answer::None);
                }
                rest = rest.get(answers.len() - before..).unwrap_or_default();
            }
            answers.extend(rest.iter().map(|_| Answer::None));
        }
        if !intents.is_empty() && answers.iter().all(|answer| *answer == Answer::None) {
            return Err(NoProducer::Silent(self.name()));
        }
        Ok(answers)
    }

    /// Runs one process; the answers until it ends, or is silent for too long.
    fn run(&self, ring: &Ring, intents: &[String]) -> Result<Vec<Answer>, NoProducer> {
        let not_started = |error| NoProducer::NotStarted(self.name(), error);
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env("INTENTKEY_SECRET", ring.secret_in_hex().unwrap_or_default());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(not_started)?;
        write_all(&mut child, intents);
        let lines = read_lines(&mut child);
        let mut answers = Vec::with_capacity(intents.len());
        while answers.len() < intents.len() {
            match lines.recv_timeout(self.patience) {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => answers.push(Answer::read(&line)),
                Err(_) => break,
            }
        }
        // One that has ended already is what is wanted.
        let _ = child.kill();
        let _ = child.wait();
        Ok(answers)
    }
}

/// Writes by a thread of its own: a process that writes before it has read all fills its pipe.
fn write_all(child: &mut Child, intents: &[String]) {
    let Some(mut input) = child.stdin.take() else { return };
    let lines = intents.iter().fold(String::new(), |lines, intent| lines + intent + "\n");
    // One that does not read on is found out by its missing answers.
    thread::spawn(move || input.write_all(lines.as_bytes()));
}

fn read_lines(child: &mut Child) -> Receiver<String> {
    let (sender, lines) = channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while matches!(output.read_until(b'\n', &mut line), Ok(1..)) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
    }
    lines
}
