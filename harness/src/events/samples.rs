//! Files of samples as JSON lines, whatever they are written as.

use super::chunk::{Broken, Chunks, Next, Raw};
use super::columns::PayloadOf;
use super::mapping::{Mapping, Origin};
use super::open::Input;
use super::watch::Watch;

/// Samples as JSON lines.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    pub(crate) lines: String,
    /// Lines and rows that cannot be read: what is wrong with the first, where it is, and how many.
    pub(crate) broken: Option<(Broken, u64, u64)>,
}

/// The rows of a table, or the lines of a file that may be compressed, as JSON lines; so many at most.
/// `files` says how the file is written.
///
/// # Errors
///
/// Where the file cannot be opened.
pub(crate) fn json_lines(input: &Input, files: &Mapping, most: usize) -> Result<Samples, String> {
    // All columns are the payload.
    let none = || Some(Origin::Constant(String::from("none")));
    let mapping = Mapping { tenant: none(), action: none(), epoch: none(), ..files.clone() };
    let inputs = [input.clone()];
    let mut chunks = Chunks::new(&inputs, &mapping, &|_| false, &Watch::default());
    let (mut samples, mut count) = (Samples::default(), 0);
    while count < most {
        let chunk = match chunks.next_chunk()? {
            Next::Chunk(chunk) => chunk,
            Next::Cut { line, error, .. } => {
                return Err(format!("{input} cannot be read from line {line} on: {error}"));
            }
            Next::End => break,
        };
        chunk.each(|line, raw| {
            count += 1;
            match raw.and_then(|raw| push(&raw, &mut samples.lines)) {
                Ok(()) => samples.lines.push('\n'),
                Err(broken) => samples.broken.get_or_insert((broken, line, 0)).2 += 1,
            }
        });
    }
    Ok(samples)
}

fn push(raw: &Raw<'_>, lines: &mut String) -> Result<(), Broken> {
    let row = match raw {
        Raw::Json(text) => {
            lines.push_str(text);
            return Ok(());
        }
        Raw::Row(row) => row,
    };
    match &row.columns.payload {
        PayloadOf::Rest(node) => {
            let before = lines.len();
            let written = node.write(row, &mut String::new(), &|_| false, lines);
            written.map(drop).map_err(|()| {
                lines.truncate(before);
                Broken::NotUtf8
            })
        }
        PayloadOf::Column(column) => {
            let cell = row.cell(*column).unwrap_or(b"null");
            lines.push_str(std::str::from_utf8(cell).map_err(|_| Broken::NotUtf8)?);
            Ok(())
        }
    }
}
