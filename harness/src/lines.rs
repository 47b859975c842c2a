//! Lines of JSON text from a stream: long ones are refused, not kept.

use std::io::{self, BufRead as _, BufReader, Read, Write};

use intentkey_core::{Code, Refusal};

/// The most bytes of a line that are kept: the most JSON text that the core reads.
const LONGEST: u64 = 4 << 20;

/// How much is read at once.
const BUFFER: usize = 1 << 16;

/// Reads lines into one buffer.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Lines { input: BufReader::with_capacity(BUFFER, input), line: Vec::new() }
    }

    /// The next line that is not blank, or its refusal; `None` at the end.
    ///
    /// Before it waits for input, `output` is flushed, so that a process at the other end of two
    /// pipes gets every answer to what it has sent.
    pub(crate) fn next_line(&mut self, output: &mut impl Write) -> io::Result<Option<Result<&str, Refusal>>> {
        loop {
            self.line.clear();
            if !self.input.buffer().contains(&b'\n') {
                output.flush()?;
            }
            // One byte for the line's end, and one that shows that there is more.
            if self.input.by_ref().take(LONGEST + 2).read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if self.line.last() == Some(&b'\n') {
                self.line.pop();
            } else if self.line.len() as u64 == LONGEST + 2 {
                self.input.skip_until(b'\n')?;
            }
            if self.line.len() as u64 > LONGEST {
                return Ok(Some(Err(Code::PayloadTooLarge.into())));
            }
            if !self.line.trim_ascii().is_empty() {
                break;
            }
        }
        let text = std::str::from_utf8(&self.line);
        Ok(Some(text.map_err(|_| Code::JsonMalformed.into())))
    }
}
