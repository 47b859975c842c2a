//! A started process, a line in and a line out at a time: what every producer of somebody else's is
//! run by.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// A started process. What it prints on standard error is passed on; it is ended when this is
/// dropped.
pub(crate) struct Pipe {
    child: Child,
    input: Option<Sender<String>>,
    lines: Receiver<io::Result<String>>,
}

/// Why there is no next line.
#[derive(Debug)]
pub(crate) enum NoLine {
    /// The process has ended, or closed its output.
    Ended,
    /// Its output cannot be read.
    Unreadable(io::Error),
    /// It has been silent for too long.
    Silent,
}

impl Pipe {
    /// Starts a program, its arguments behind it, with the secret as hexadecimal digits in
    /// `INTENTKEY_SECRET`.
    pub(crate) fn start(command: &[OsString], secret: &str) -> io::Result<Self> {
        let none = |what: &str| io::Error::new(io::ErrorKind::NotFound, what.to_owned());
        let (program, arguments) = command.split_first().ok_or_else(|| none("there is no program"))?;
        let mut command = Command::new(program);
        command.args(arguments).env("INTENTKEY_SECRET", secret);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(none("it has no standard input or output"));
        };
        Ok(Pipe { child, input: Some(writer_to(input)), lines: lines_of(output) })
    }

    /// Sends text. One that has ended is found out by the line that does not come.
    pub(crate) fn send(&self, text: String) {
        if let Some(input) = &self.input {
            let _ = input.send(text);
        }
    }

    /// Ends the input, once all that was sent is written.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// The next line, without its end.
    pub(crate) fn line(&self, patience: Duration) -> Result<String, NoLine> {
        match self.lines.recv_timeout(patience) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(error)) => Err(NoLine::Unreadable(error)),
            Err(RecvTimeoutError::Timeout) => Err(NoLine::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(NoLine::Ended),
        }
    }
}

/// Ends the process.
impl Drop for Pipe {
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
        for line in BufReader::new(output).split(b'\n') {
            // What is not Unicode is no result either.
            let line = line.map(|line| String::from_utf8_lossy(&line).into_owned());
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}
