//! Files of samples as JSON lines, whatever they are written as.

use super::chunk::{Chunks, Next, Raw};
use super::columns::PayloadOf;
use super::mapping::{Mapping, Origin};
use super::open::Input;
use super::watch::Watch;

/// What stands in the place of a row that is none.
const BROKEN: &str = "-";

/// The rows of a table, or the lines of a file that may be compressed, as JSON lines; so many at most.
/// What cannot be read is a line that is no JSON.
///
/// # Errors
///
/// Where the file cannot be opened.
pub(crate) fn json_lines(input: &Input, most: usize) -> Result<String, String> {
    // All columns are the payload.
    let none = || Some(Origin::Constant(String::from(BROKEN)));
    let mapping = Mapping { tenant: none(), action: none(), epoch: none(), ..Mapping::default() };
    let inputs = [input.clone()];
    let mut chunks = Chunks::new(&inputs, &mapping, &|_| false, &Watch::default());
    let (mut lines, mut count) = (String::new(), 0);
    while count < most {
        let chunk = match chunks.next_chunk()? {
            Next::Chunk(chunk) => chunk,
            Next::Cut { line, error, .. } => {
                return Err(format!("{input} cannot be read from line {line} on: {error}"));
            }
            Next::End => break,
        };
        chunk.each(|_, raw| {
            count += 1;
            match raw {
                Ok(Raw::Json(text)) => lines.push_str(text),
                Ok(Raw::Row(row)) => match &row.columns.payload {
                    PayloadOf::Rest(node) => {
                        if node.write(&row, &mut String::new(), &|_| false, &mut lines).is_err() {
                            lines.push_str(BROKEN);
                        }
                    }
                    PayloadOf::Column(_) => lines.push_str(BROKEN),
                },
                Err(_) => lines.push_str(BROKEN),
            }
            lines.push('\n');
        });
    }
    Ok(lines)
}
