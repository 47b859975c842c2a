//! Events: intents from files, in whatever shape an export has them.
//!
//! A file is JSON lines or a table (CSV), plain or compressed. What cannot be read is placed and
//! skipped; the rest goes on. Nothing is kept of a file but the chunk that is being read.

mod at_line;
mod chunk;
mod columns;
mod encoding;
mod epoch;
mod head;
mod lines;
mod mapping;
mod open;
mod place;
mod reading;
mod samples;
mod table;
mod watch;

pub use encoding::Encoding;
pub use mapping::{Delimiter, EpochUnit, Format, Mapping, Origin};
pub use open::Input;
pub use place::Place;
pub use watch::Watch;

pub use chunk::Broken;

pub(crate) use at_line::intent_at;
pub(crate) use chunk::{Chunk, Chunks, Next, Raw};
pub(crate) use epoch::Second;
pub(crate) use reading::{Event, Reading, Unread, declares, scalar_text};
pub(crate) use samples::json_lines;

/// The most bytes of a line or a row: the most JSON text that the core reads.
pub(crate) const LONGEST: usize = 4 << 20;

/// About how many bytes are read and handed over at once.
const CHUNK: usize = 256 << 10;
