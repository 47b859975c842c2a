//! Where events stand.

use super::Input;

/// Where an event stands: the index of its file and the number of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u64);

/// The bits of a line's number: files have fewer than 10^12 lines.
const LINE_BITS: u32 = 40;

impl Place {
    /// A line of a file.
    pub(crate) fn new(file: usize, line: u64) -> Self {
        Place((file as u64) << LINE_BITS | line)
    }

    /// The index of the file.
    #[must_use]
    pub fn file(self) -> usize {
        usize::try_from(self.0 >> LINE_BITS).unwrap_or(usize::MAX)
    }

    /// The number of the line, from 1.
    #[must_use]
    pub fn line(self) -> u64 {
        self.0 & ((1 << LINE_BITS) - 1)
    }

    /// The place for people: the line, and the file where there are several.
    pub(crate) fn name(self, inputs: &[Input]) -> String {
        match inputs {
            [_] => format!("line {}", self.line()),
            inputs => {
                let name = inputs.get(self.file()).map(ToString::to_string).unwrap_or_default();
                format!("{name}:{}", self.line())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_says_where() {
        let place = Place::new(3, 12_345_678_901);
        assert_eq!((place.file(), place.line()), (3, 12_345_678_901));
    }
}
