//! What a payload may hold outside ignored paths.

use crate::error::Code;

/// The most levels of objects and lists; the payload itself is the first.
pub(crate) const LEVELS: usize = 64;

/// The most values, objects and lists included.
const VALUES: usize = 65_536;

/// The most bytes of UTF-8 in names and strings (1 MiB).
const TEXT: usize = 1 << 20;

/// Counts values and text, and says when there is too much.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    values: usize,
    text: usize,
}

impl Meter {
    /// Counts one value.
    pub(crate) fn value(&mut self) -> Result<(), Code> {
        self.values += 1;
        if self.values > VALUES { Err(Code::PayloadTooLarge) } else { Ok(()) }
    }

    /// Counts the bytes of a name or a string.
    pub(crate) fn text(&mut self, bytes: usize) -> Result<(), Code> {
        self.text = self.text.saturating_add(bytes);
        if self.text > TEXT { Err(Code::PayloadTooLarge) } else { Ok(()) }
    }

    /// Judges the level of an object or a list.
    pub(crate) fn level(level: usize) -> Result<(), Code> {
        if level > LEVELS { Err(Code::PayloadTooDeep) } else { Ok(()) }
    }
}
