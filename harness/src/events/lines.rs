//! Chunks of whole lines, in bounded memory.

use std::io::{self, BufRead};

use super::{CHUNK, LONGEST};

/// Whole lines, or what stands in the place of one.
pub(super) enum Piece {
    /// Lines, the first with this number. `unterminated` where the file ends without a line end.
    Lines { first: u64, bytes: Vec<u8>, unterminated: bool },
    /// A line that is longer than any may be; it was skipped.
    TooLong { line: u64 },
}

/// Cuts a stream between lines.
pub(super) struct Lines<R> {
    input: R,
    /// What was read of lines that are not handed over yet.
    held: Vec<u8>,
    /// The number of the next line, from 1.
    line: u64,
    /// An error that comes after what was read before it.
    failed: Option<io::Error>,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Lines { input, held: Vec::new(), line: 1, failed: None, ended: false }
    }

    /// The number of the line that comes next.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The next piece; `None` at the end.
    pub(super) fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        loop {
            self.fill();
            if let Some(end) = memchr::memrchr(b'\n', &self.held) {
                let rest = self.held.split_off(end + 1);
                let bytes = std::mem::replace(&mut self.held, rest);
                return Ok(Some(self.lines(bytes, false)));
            }
            if self.held.len() > LONGEST {
                return self.too_long().map(Some);
            }
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if self.ended {
                let bytes = std::mem::take(&mut self.held);
                return Ok((!bytes.is_empty()).then(|| self.lines(bytes, true)));
            }
        }
    }

    /// Reads on until there is a chunk, an end, or an error.
    fn fill(&mut self) {
        let target = if self.held.len() < CHUNK { CHUNK } else { LONGEST + 1 };
        while self.held.len() < target && !self.ended && self.failed.is_none() {
            match self.input.fill_buf() {
                Ok([]) => self.ended = true,
                Ok(bytes) => {
                    let taken = bytes.len().min(target - self.held.len());
                    self.held.extend_from_slice(bytes.get(..taken).unwrap_or_default());
                    self.input.consume(taken);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.failed = Some(error),
            }
        }
    }

    fn lines(&mut self, bytes: Vec<u8>, unterminated: bool) -> Piece {
        let first = self.line;
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        Piece::Lines { first, bytes, unterminated }
    }

    /// Skips a line too long.
    fn too_long(&mut self) -> io::Result<Piece> {
        let line = self.line;
        self.held.clear();
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            };
            if bytes.is_empty() {
                self.ended = true;
                break;
            }
            let end = memchr::memchr(b'\n', bytes);
            let taken = end.map_or(bytes.len(), |end| end + 1);
            self.input.consume(taken);
            if end.is_some() {
                break;
            }
        }
        self.line += 1;
        Ok(Piece::TooLong { line })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor, Read};

    use super::*;

    /// The lines with their numbers; `!` for one too long.
    fn read(input: impl Read) -> (Vec<(u64, String)>, Option<io::Error>) {
        let mut lines = Lines::new(BufReader::new(input));
        let mut out = Vec::new();
        loop {
            match lines.next_piece() {
                Ok(None) => return (out, None),
                Err(error) => return (out, Some(error)),
                Ok(Some(Piece::TooLong { line })) => out.push((line, String::from("!"))),
                Ok(Some(Piece::Lines { first, bytes, .. })) => {
                    let text = String::from_utf8(bytes).unwrap();
                    out.extend((first..).zip(text.lines().map(String::from)));
                }
            }
        }
    }

    #[test]
    fn lines_keep_their_numbers_whatever_their_length() {
        let long = "x".repeat(CHUNK + 17);
        let huge = "y".repeat(LONGEST + 1);
        let text = format!("a\n{long}\n{huge}\nb\n\n{huge}{huge}\nc");
        let (lines, error) = read(Cursor::new(text));
        assert!(error.is_none());
        let expected = [(1, "a"), (2, &long), (3, "!"), (4, "b"), (5, ""), (6, "!"), (7, "c")];
        assert_eq!(lines.len(), expected.len());
        for (line, expected) in lines.iter().zip(expected) {
            assert!(line.0 == expected.0 && line.1 == expected.1, "line {}", expected.0);
        }
    }

    #[test]
    fn what_was_read_before_an_error_comes_before_it() {
        struct Fails;
        impl Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::UnexpectedEof.into())
            }
        }
        let (lines, error) = read(Cursor::new("a\nb\nhal").chain(Fails));
        assert_eq!(lines, [(1, String::from("a")), (2, String::from("b"))]);
        assert_eq!(error.unwrap().kind(), io::ErrorKind::UnexpectedEof);
    }
}
