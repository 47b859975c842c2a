//! The beginning of a table, which tells how the rest is written.

use std::io::{self, BufRead, Read};

use super::mapping::Delimiter;

/// How many bytes are looked at before the first row is read.
const LOOKED_AT: usize = 64 << 10;

/// What cuts rows, where nobody says which.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A stream whose beginning was looked at, and is read again.
pub(super) struct Head<R> {
    bytes: Vec<u8>,
    start: usize,
    /// What reading on gave.
    failed: Option<io::Error>,
    rest: R,
}

impl<R: BufRead> Head<R> {
    pub(super) fn of(mut rest: R) -> Self {
        let mut bytes = Vec::new();
        let failed = loop {
            match rest.fill_buf() {
                Ok([]) => break None,
                Ok(more) => {
                    let read = more.len();
                    bytes.extend_from_slice(more);
                    rest.consume(read);
                    if bytes.len() >= LOOKED_AT {
                        break None;
                    }
                }
                Err(error) => break Some(error),
            }
        };
        Head { bytes, start: 0, failed, rest }
    }

    /// What cuts the first row into the most fields, outside quotes; and whether a line before it
    /// says so, as spreadsheets write it: `sep=;`.
    pub(super) fn delimiter(&self) -> Result<(Delimiter, bool), String> {
        let text = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes);
        if let Some(delimiter) = said(text) {
            return Ok((delimiter, true));
        }
        let mut counts = DELIMITERS.map(|delimiter| (0_usize, delimiter));
        let mut is_quoted = false;
        for &byte in text.trim_ascii_start() {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b'\r' | b'\n' if !is_quoted => break,
                _ if is_quoted => {}
                _ => {
                    for (count, delimiter) in &mut counts {
                        *count += usize::from(byte == *delimiter);
                    }
                }
            }
        }
        // Of equal counts the earlier stays first.
        counts.sort_by_key(|count| std::cmp::Reverse(count.0));
        match counts {
            [(most, first), (next, second), ..] if most > 0 && most == next => Err(format!(
                "the first row is cut into as many fields by {} as by {}: say which with --delimiter",
                Delimiter::of(first),
                Delimiter::of(second)
            )),
            // A table of one column.
            [(0, _), ..] => Ok((Delimiter::default(), false)),
            [(_, first), ..] => Ok((Delimiter::of(first), false)),
        }
    }

    /// The number of the first line that is not UTF-8.
    pub(super) fn line_that_is_not_utf8(&self) -> Option<usize> {
        let error = std::str::from_utf8(&self.bytes).err()?;
        // A character may be cut where the looking ended.
        error.error_len()?;
        let before = self.bytes.get(..error.valid_up_to())?;
        Some(1 + memchr::memchr_iter(b'\n', before).count())
    }
}

/// What a line such as `sep=;` says.
fn said(text: &[u8]) -> Option<Delimiter> {
    match text.strip_prefix(b"sep=")? {
        [delimiter, b'\r' | b'\n', ..] => Some(Delimiter::of(*delimiter)),
        _ => None,
    }
}

impl<R: BufRead> BufRead for Head<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start < self.bytes.len() {
            return Ok(self.bytes.get(self.start..).unwrap_or_default());
        }
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.rest.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        if self.start < self.bytes.len() {
            self.start += amount;
        } else {
            self.rest.consume(amount);
        }
    }
}

impl<R: BufRead> Read for Head<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delimiter(text: &str) -> Result<(String, bool), String> {
        let delimiter = Head::of(text.as_bytes()).delimiter()?;
        Ok((delimiter.0.to_string(), delimiter.1))
    }

    #[test]
    fn the_first_row_shows_the_delimiter() {
        for (text, expected) in [
            ("a,b;c,d\n1;2;3;4;5\n", "comma"),
            ("id;valor;data\n1;2,50;3\n", "semicolon"),
            ("\u{feff}\"a,b,c\";d\n", "semicolon"),
            ("\n\na|b,c|d\n", "pipe"),
            ("a b\tc\n", "tab"),
            ("alone\n1\n", "comma"),
            ("", "comma"),
        ] {
            assert_eq!(delimiter(text), Ok((String::from(expected), false)), "{text:?}");
        }
        assert_eq!(delimiter("sep=|\r\na;b;c\r\n"), Ok((String::from("pipe"), true)));
        assert_eq!(
            delimiter("valor, em R$;data\n"),
            Err(String::from(
                "the first row is cut into as many fields by comma as by semicolon: say which with --delimiter"
            ))
        );
    }

    #[test]
    fn what_was_looked_at_is_read_again() {
        let text: String = (0..30_000).map(|number| format!("{number}\n")).collect();
        let mut read = String::new();
        let mut head = Head::of(io::BufReader::with_capacity(7, text.as_bytes()));
        head.read_to_string(&mut read).unwrap();
        assert_eq!(read, text);
    }

    #[test]
    fn the_first_line_that_is_not_utf_8_is_placed() {
        let line = |bytes: &[u8]| Head::of(bytes).line_that_is_not_utf8();
        assert_eq!(line(b"a\nS\xe3o\n"), Some(2));
        assert_eq!(line("a\nSão\n".as_bytes()), None);
        // Cut in a character.
        assert_eq!(line(b"a\nS\xc3"), None);
    }
}
