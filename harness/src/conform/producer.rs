//! A producer: a command that reads an intent a line and writes a result a line, as `intentkey
//! derive` does.
//!
//! A process gets many intents, and then the end of its input: so it may answer whenever it likes,
//! and a producer that buffers what it prints is as good as any.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use super::compare::Answer;
use crate::hosts::Ring;
use crate::hosts::pipe::Pipe;

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
    command: Vec<OsString>,
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
        let command: Vec<OsString> = command.into_iter().map(Into::into).collect();
        (!command.is_empty()).then_some(Producer { command, patience: PATIENCE })
    }

    /// With another time for which it may be silent.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Producer { patience, ..self }
    }

    fn name(&self) -> String {
        self.command.first().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default()
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
        let secret = ring.secret_in_hex().unwrap_or_default();
        let mut pipe = Pipe::start(&self.command, &secret)
            .map_err(|error| NoProducer::NotStarted(self.name(), error))?;
        pipe.send(intents.iter().fold(String::new(), |lines, intent| lines + intent + "\n"));
        pipe.end_input();
        let mut answers = Vec::with_capacity(intents.len());
        while answers.len() < intents.len() {
            match pipe.line(self.patience) {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => answers.push(Answer::read(&line)),
                Err(_) => break,
            }
        }
        Ok(answers)
    }
}
