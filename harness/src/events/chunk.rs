//! Chunks: a stretch of a file that holds whole events.

use std::io::{self, BufRead};
use std::ops::Range;
use std::sync::Arc;

use super::columns::Columns;
use super::head::Head;
use super::lines::{Lines, Piece};
use super::mapping::{Delimiter, Format, Mapping};
use super::open::Input;
use super::table::{Rows, Table, Whole};
use super::watch::Watch;

/// A stretch of a file.
pub(crate) struct Chunk {
    /// The index of the file.
    pub(crate) file: usize,
    body: Body,
}

enum Body {
    Lines { first: u64, bytes: Vec<u8>, unterminated: bool },
    Rows { columns: Arc<Columns>, rows: Rows },
    Broken { line: u64, broken: Broken },
}

/// An event as it stands in its file.
pub(crate) enum Raw<'c> {
    /// A line of JSON.
    Json(&'c str),
    /// A row of a table.
    Row(RowOf<'c>),
}

/// A row of a table.
pub(crate) struct RowOf<'c> {
    pub(crate) columns: &'c Columns,
    bytes: &'c [u8],
    ends: &'c [usize],
}

/// Why there is no event where one should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Broken {
    /// The line is no JSON.
    NotJson,
    /// The line is not UTF-8.
    NotUtf8,
    /// The line or the row has more than 4 MiB.
    TooLong,
    /// The file ends in the middle of the line or the row.
    Cut,
    /// The row has another number of fields than the first one.
    Columns,
}

impl Broken {
    /// What it is, for people.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Broken::NotJson => "not JSON",
            Broken::NotUtf8 => "not UTF-8 (see --encoding)",
            Broken::TooLong => "longer than 4 MiB",
            Broken::Cut => "cut: the file ends in it",
            Broken::Columns => "not as many fields as columns",
        }
    }
}

impl<'c> RowOf<'c> {
    /// The cell of a column, if it is not empty.
    pub(super) fn cell(&self, column: usize) -> Option<&'c [u8]> {
        let start = match column.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.bytes.get(start..*self.ends.get(column)?).filter(|cell| !cell.is_empty())
    }
}

impl Chunk {
    /// Each event with the number of its line; blank lines are left out.
    pub(crate) fn each(&self, mut visit: impl FnMut(u64, Result<Raw<'_>, Broken>)) {
        match &self.body {
            Body::Broken { line, broken } => visit(*line, Err(*broken)),
            Body::Lines { first, bytes, .. } => {
                let mut start = 0;
                let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
                for (number, end) in (*first..).zip(ends) {
                    let line = bytes.get(start..end).unwrap_or_default();
                    start = end + 1;
                    let line = if number == 1 { without_mark(line) } else { line };
                    if line.len() > super::LONGEST {
                        visit(number, Err(Broken::TooLong));
                    } else if !line.trim_ascii().is_empty() {
                        visit(number, std::str::from_utf8(line).map(Raw::Json).map_err(|_| Broken::NotUtf8));
                    }
                }
            }
            Body::Rows { columns, rows } => {
                for row in &rows.rows {
                    let ends: Range<usize> = row.ends.clone();
                    let raw = match row.whole {
                        Whole::TooLong => Err(Broken::TooLong),
                        Whole::EndsQuoted => Err(Broken::Cut),
                        Whole::Yes if ends.len() != columns.count() => Err(Broken::Columns),
                        Whole::Yes => Ok(Raw::Row(RowOf {
                            columns,
                            bytes: rows.bytes.get(row.bytes.clone()).unwrap_or_default(),
                            ends: rows.ends.get(ends).unwrap_or_default(),
                        })),
                    };
                    visit(row.line, raw);
                }
            }
        }
    }

    /// Whether the line with this number is the last of a file that ends without a line end.
    pub(crate) fn may_be_cut(&self, line: u64) -> bool {
        match &self.body {
            Body::Lines { first, bytes, unterminated: true } => {
                line == first + memchr::memchr_iter(b'\n', bytes).count() as u64
            }
            _ => false,
        }
    }

    /// The numbers of the lines that may be in it.
    pub(crate) fn lines(&self) -> Range<u64> {
        match &self.body {
            Body::Lines { first, bytes, .. } => {
                *first..first + 1 + memchr::memchr_iter(b'\n', bytes).count() as u64
            }
            Body::Rows { rows, .. } => {
                let first = rows.rows.first().map_or(0, |row| row.line);
                first..rows.rows.last().map_or(0, |row| row.line) + 1
            }
            Body::Broken { line, .. } => *line..*line,
        }
    }
}

/// Without a byte order mark.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

/// What comes next of the files.
pub(crate) enum Next {
    /// A stretch of one.
    Chunk(Chunk),
    /// A file could not be read to its end.
    Cut {
        /// The index of the file.
        file: usize,
        /// The first line that is missing.
        line: u64,
        /// What the reader says.
        error: io::Error,
    },
    /// That was all.
    End,
}

/// The chunks of files, one after the other.
pub(crate) struct Chunks<'m> {
    inputs: Vec<Input>,
    mapping: &'m Mapping,
    declared: &'m dyn Fn(&str) -> bool,
    watch: Watch,
    next: usize,
    open: Option<Open>,
}

enum Open {
    Lines(Lines<Box<dyn BufRead + Send>>),
    Table(Box<Table<Head<Box<dyn BufRead + Send>>>>, Arc<Columns>),
}

impl<'m> Chunks<'m> {
    /// Of files. `declared` tells of a path whether the policy declares it.
    pub(crate) fn new(
        inputs: &[Input],
        mapping: &'m Mapping,
        declared: &'m dyn Fn(&str) -> bool,
        watch: &Watch,
    ) -> Self {
        Chunks { inputs: inputs.into(), mapping, declared, watch: watch.clone(), next: 0, open: None }
    }

    /// The next chunk.
    ///
    /// # Errors
    ///
    /// Where a file cannot be opened, or its first row does not say what it must.
    pub(crate) fn next_chunk(&mut self) -> Result<Next, String> {
        loop {
            let Some(open) = &mut self.open else {
                let Some(input) = self.inputs.get(self.next) else { return Ok(Next::End) };
                let named = |error: String| format!("{input}: {error}");
                self.next += 1;
                match self.open(self.next - 1) {
                    Ok(open) => self.open = Some(open),
                    Err(Failed::Wrong(error)) => return Err(named(error)),
                    Err(Failed::Cut(error)) => {
                        return Ok(Next::Cut { file: self.next - 1, line: 1, error });
                    }
                }
                continue;
            };
            let file = self.next - 1;
            let body = match open {
                Open::Lines(lines) => lines.next_piece().map(|piece| piece.map(Body::from)),
                Open::Table(table, columns) => table.next_rows(usize::MAX).map(|rows| {
                    let columns = Arc::clone(columns);
                    (!rows.rows.is_empty()).then_some(Body::Rows { columns, rows })
                }),
            };
            match body {
                Ok(Some(body)) => return Ok(Next::Chunk(Chunk { file, body })),
                Ok(None) => self.open = None,
                Err(error) => {
                    let line = match open {
                        Open::Lines(lines) => lines.line(),
                        Open::Table(table, _) => table.line(),
                    };
                    self.open = None;
                    return Ok(Next::Cut { file, line, error });
                }
            }
        }
    }

    fn open(&self, index: usize) -> Result<Open, Failed> {
        let Some(input) = self.inputs.get(index) else { return Err(Failed::Wrong(String::new())) };
        let opened = input.open(self.mapping, &self.watch).map_err(|error| match error.kind() {
            // What decompression says of the first bytes.
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                Failed::Cut(error)
            }
            _ => Failed::Wrong(error.to_string()),
        })?;
        if opened.format == Format::Jsonl {
            if !self.mapping.decimal_comma.is_empty() {
                return Err(Failed::Wrong(String::from(
                    "--decimal-comma is for tables, and these are JSON lines",
                )));
            }
            let mut bytes = opened.bytes;
            if is_one_value(bytes.fill_buf().map_err(Failed::Cut)?) {
                return Err(Failed::Wrong(String::from(ONE_VALUE)));
            }
            return Ok(Open::Lines(Lines::new(bytes)));
        }
        let bytes = Head::of(opened.bytes);
        if let (None, Some(line)) = (self.mapping.encoding, bytes.line_that_is_not_utf8()) {
            return Err(Failed::Wrong(not_utf8(line)));
        }
        let (delimiter, is_after_a_line) = match (self.mapping.delimiter, opened.format) {
            (Some(delimiter), _) => (delimiter, false),
            (None, Format::Tsv) => (Delimiter::of(b'\t'), false),
            (None, _) => bytes.delimiter().map_err(Failed::Wrong)?,
        };
        let mut table = Table::new(bytes, delimiter.byte());
        if is_after_a_line {
            table.next_rows(1).map_err(Failed::Cut)?;
        }
        let header = table.next_rows(1).map_err(Failed::Cut)?;
        let columns = Columns::of(&header, self.mapping, self.declared).map_err(Failed::Wrong)?;
        Ok(Open::Table(Box::new(table), Arc::new(columns)))
    }
}

/// What to do about JSON that is no lines.
const ONE_VALUE: &str = "this is one JSON value over all of the file, not one a line: jq -c '.[]' makes lines of an array, jq -c . of others";

/// Whether JSON text begins with an array of objects or of lines, or with an object that goes on in the
/// next line.
fn is_one_value(start: &[u8]) -> bool {
    let start = without_mark(start).trim_ascii_start();
    match start {
        [b'[', rest @ ..] => {
            let inside = rest.trim_ascii_start();
            inside.first() == Some(&b'{') || rest.starts_with(b"\n") || rest.starts_with(b"\r")
        }
        [b'{', b'\r' | b'\n', ..] => true,
        _ => false,
    }
}

/// What to do about a table that is not UTF-8.
fn not_utf8(line: usize) -> String {
    format!(
        "line {line} is not UTF-8: say --encoding windows-1252 where the file is written in that (Latin-1, \
         as spreadsheets export it), or --encoding utf-8 to count such rows as broken and read the others"
    )
}

/// Why a file is not open.
enum Failed {
    /// It is not what it should be.
    Wrong(String),
    /// It is damaged from its beginning.
    Cut(io::Error),
}

impl From<Piece> for Body {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Lines { first, bytes, unterminated } => Body::Lines { first, bytes, unterminated },
            Piece::TooLong { line } => Body::Broken { line, broken: Broken::TooLong },
        }
    }
}
