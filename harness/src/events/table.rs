//! Chunks of whole rows of a table (CSV, RFC 4180), in bounded memory.

use std::io::{self, BufRead};
use std::ops::Range;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::{CHUNK, LONGEST};

/// The most columns of a table.
const MOST_COLUMNS: usize = 16_384;

/// Rows: the bytes of their fields one after the other, and where each ends.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) bytes: Vec<u8>,
    pub(super) ends: Vec<usize>,
    pub(super) rows: Vec<Row>,
}

/// A row of [`Rows`].
pub(super) struct Row {
    /// The number of the line on which it begins.
    pub(super) line: u64,
    /// Where its bytes stand.
    pub(super) bytes: Range<usize>,
    /// Where the ends of its fields stand; they count from the row's first byte.
    pub(super) ends: Range<usize>,
    pub(super) whole: Whole,
}

/// Whether a row is all there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    Yes,
    TooLong,
    /// The file ends inside a quoted field.
    EndsQuoted,
}

/// Cuts a stream between rows.
pub(super) struct Table<R> {
    input: R,
    core: Reader,
    failed: Option<io::Error>,
    end: End,
    lines: LineCount,
}

/// How many lines begin up to a byte; they end with LF, CR LF, or CR.
struct LineCount {
    /// The line on which the next byte stands, from 1.
    line: u64,
    after_cr: bool,
}

/// How far the end of a file is dealt with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    NotYet,
    /// A line end was added: a row that is still open after it is inside quotes.
    LineEndAdded,
    Done,
}

impl<R: BufRead> Table<R> {
    pub(super) fn new(input: R, delimiter: u8) -> Self {
        let core = ReaderBuilder::new().delimiter(delimiter).build();
        Table { input, core, failed: None, end: End::NotYet, lines: LineCount::new() }
    }

    pub(super) fn line(&self) -> u64 {
        self.lines.line
    }

    /// The next rows; none at the end. An error comes after the rows before it.
    pub(super) fn next_rows(&mut self, most: usize) -> io::Result<Rows> {
        let mut rows = Rows::default();
        while rows.bytes.len() < CHUNK && rows.rows.len() < most {
            match self.next_row(&mut rows) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
        }
        match self.failed.take() {
            Some(error) if rows.rows.is_empty() => Err(error),
            failed => {
                self.failed = failed;
                Ok(rows)
            }
        }
    }

    /// Reads a row; tells whether there was one.
    fn next_row(&mut self, rows: &mut Rows) -> io::Result<bool> {
        if self.failed.is_some() || self.end == End::Done {
            return Ok(false);
        }
        self.skip_line_ends()?;
        let line = self.lines.line;
        let (start, ends_start) = (rows.bytes.len(), rows.ends.len());
        let (mut written, mut fields) = (0, 0);
        let mut whole = Whole::Yes;
        loop {
            // The output grows up to the longest row; what is beyond it is read over itself.
            let room = (written + 4096).max(rows.bytes.len() - start);
            rows.bytes.resize(start + room.min(LONGEST + 4096), 0);
            rows.ends.resize(ends_start + (fields + 256).min(MOST_COLUMNS + 256), 0);
            if written > LONGEST || fields > MOST_COLUMNS {
                whole = Whole::TooLong;
                (written, fields) = (0, 0);
            }
            let input = match self.end {
                End::NotYet => self.input.fill_buf()?,
                End::LineEndAdded | End::Done => &[],
            };
            let at_end = input.is_empty();
            let input = if at_end && self.end == End::NotYet { b"\n" } else { input };
            let (result, read, bytes, ends) = self.core.read_record(
                input,
                rows.bytes.get_mut(start + written..).unwrap_or_default(),
                rows.ends.get_mut(ends_start + fields..).unwrap_or_default(),
            );
            let was_quoted = self.end == End::LineEndAdded;
            if !at_end {
                self.lines.pass(input.get(..read).unwrap_or_default());
                self.input.consume(read);
            } else if self.end == End::NotYet && read > 0 {
                self.end = End::LineEndAdded;
            }
            written += bytes;
            fields += ends;
            match result {
                ReadRecordResult::InputEmpty
                | ReadRecordResult::OutputFull
                | ReadRecordResult::OutputEndsFull => {}
                ReadRecordResult::Record => {
                    if was_quoted && whole == Whole::Yes {
                        whole = Whole::EndsQuoted;
                    }
                    break;
                }
                ReadRecordResult::End => {
                    rows.bytes.truncate(start);
                    rows.ends.truncate(ends_start);
                    self.end = End::Done;
                    return Ok(false);
                }
            }
        }
        if whole == Whole::TooLong {
            (written, fields) = (0, 0);
        }
        rows.bytes.truncate(start + written);
        rows.ends.truncate(ends_start + fields);
        rows.rows.push(Row {
            line,
            bytes: start..start + written,
            ends: ends_start..ends_start + fields,
            whole,
        });
        Ok(true)
    }
}

impl<R: BufRead> Table<R> {
    /// Passes what is left of the last row's line end, and blank lines: the next byte begins a row.
    fn skip_line_ends(&mut self) -> io::Result<()> {
        while self.end == End::NotYet {
            let input = self.input.fill_buf()?;
            let blank = input.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            self.lines.pass(input.get(..blank).unwrap_or_default());
            let is_over = blank == 0 || blank < input.len();
            self.input.consume(blank);
            if is_over {
                break;
            }
        }
        Ok(())
    }
}

impl LineCount {
    fn new() -> Self {
        LineCount { line: 1, after_cr: false }
    }

    fn pass(&mut self, bytes: &[u8]) {
        let mut after_cr = self.after_cr.then_some(0);
        for at in memchr::memchr2_iter(b'\r', b'\n', bytes) {
            let is_cr = bytes.get(at) == Some(&b'\r');
            // The LF of a CR LF ends no line of its own.
            self.line += u64::from(is_cr || after_cr != Some(at));
            after_cr = is_cr.then_some(at + 1);
        }
        if !bytes.is_empty() {
            self.after_cr = after_cr == Some(bytes.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Each row: its line, its fields, and whether it is whole.
    fn read(text: &str) -> Vec<(u64, Vec<String>, Whole)> {
        let mut table = Table::new(Cursor::new(text.to_owned()), b',');
        let mut out = Vec::new();
        loop {
            let rows = table.next_rows(usize::MAX).unwrap();
            if rows.rows.is_empty() {
                return out;
            }
            for row in &rows.rows {
                let bytes = &rows.bytes[row.bytes.clone()];
                let ends = &rows.ends[row.ends.clone()];
                let starts = std::iter::once(&0).chain(ends);
                let field =
                    |(start, end): (&usize, &usize)| String::from_utf8(bytes[*start..*end].to_vec()).unwrap();
                out.push((row.line, starts.zip(ends).map(field).collect(), row.whole));
            }
        }
    }

    fn texts(fields: &[&str]) -> Vec<String> {
        fields.iter().map(|field| String::from(*field)).collect()
    }

    impl std::fmt::Debug for Whole {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(match self {
                Whole::Yes => "yes",
                Whole::TooLong => "too long",
                Whole::EndsQuoted => "ends quoted",
            })
        }
    }

    #[test]
    fn rows_keep_the_number_of_their_first_line() {
        let rows = read("a,b\n1,\"two\nlines\"\n\n3,\"q\"\"q\"");
        assert_eq!(
            rows,
            [
                (1, texts(&["a", "b"]), Whole::Yes),
                (2, texts(&["1", "two\nlines"]), Whole::Yes),
                (5, texts(&["3", "q\"q"]), Whole::Yes)
            ]
        );
    }

    #[test]
    fn lines_are_those_of_the_file_whatever_ends_them() {
        let text = "a,b\n1,\"two\nlines\"\n2,x\n\n\n3,y\n";
        let lines = |text: &str| read(text).iter().map(|row| row.0).collect::<Vec<u64>>();
        assert_eq!(lines(text), [1, 2, 4, 7]);
        assert_eq!(lines(&text.replace('\n', "\r\n")), [1, 2, 4, 7]);
        assert_eq!(lines(&text.replace('\n', "\r")), [1, 2, 4, 7]);
        assert_eq!(lines(&format!("\u{feff}{text}")), [1, 2, 4, 7]);
        // A byte at a time, so that each CR LF is parted.
        let input = std::io::BufReader::with_capacity(1, Cursor::new(text.replace('\n', "\r\n")));
        let rows = Table::new(input, b',').next_rows(usize::MAX).unwrap();
        assert_eq!(rows.rows.iter().map(|row| row.line).collect::<Vec<u64>>(), [1, 2, 4, 7]);
    }

    #[test]
    fn a_file_that_ends_inside_quotes_says_so() {
        let rows = read("a,b\n1,2\n3,\"four\n5,6\n");
        assert_eq!(rows.last().unwrap().2, Whole::EndsQuoted);
        assert_eq!(rows.last().unwrap().0, 3);
        assert_eq!(read("a,b\n1,2").last().unwrap().2, Whole::Yes);
    }

    #[test]
    fn a_row_too_long_is_skipped_and_the_next_is_read() {
        let rows = read(&format!("a\n{}\nb\n{}\nc\n", "x".repeat(LONGEST + 9000), ",".repeat(20_000)));
        let seen: Vec<(u64, usize, Whole)> = rows.iter().map(|row| (row.0, row.1.len(), row.2)).collect();
        assert_eq!(
            seen,
            [
                (1, 1, Whole::Yes),
                (2, 0, Whole::TooLong),
                (3, 1, Whole::Yes),
                (4, 0, Whole::TooLong),
                (5, 1, Whole::Yes)
            ]
        );
    }
}
