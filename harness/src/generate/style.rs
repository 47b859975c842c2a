//! Styles: how one JSON value is written, of the many ways there are.

use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy as _};

/// The white space of RFC 8259, section 2, alone and mixed.
const SPACES: [&str; 8] = ["", " ", "", "\n", "\t", "\r\n", "", "  \t"];

/// A style: choices, taken one after the other and over again. Without choices text is compact
/// and in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    choices: Vec<u8>,
    next: usize,
}

/// Which characters of one string are escaped, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Escapes {
    every: usize,
    /// Whether hexadecimal digits are upper case, and no short escape is used.
    pub(crate) upper: bool,
}

impl Style {
    /// A style from its choices.
    pub(crate) fn new(choices: Vec<u8>) -> Self {
        Style { choices, next: 0 }
    }

    /// Any style; the simplest is the compact one.
    pub(crate) fn any() -> BoxedStrategy<Style> {
        vec(0_u8.., 0..24).prop_map(Style::new).boxed()
    }

    /// Appends white space.
    pub(crate) fn space(&mut self, out: &mut String) {
        let choice = usize::from(self.choose());
        out.push_str(SPACES.get(choice % SPACES.len()).copied().unwrap_or_default());
    }

    /// How the next string is escaped.
    pub(crate) fn escapes(&mut self) -> Escapes {
        let choice = self.choose();
        let every = match choice % 4 {
            0 => 0,
            1 => 1,
            2 => 2,
            _ => 3,
        };
        Escapes { every, upper: choice & 0x10 != 0 }
    }

    /// The items in another order.
    pub(crate) fn reorder<'i, T>(&mut self, items: &'i [T]) -> Vec<&'i T> {
        let mut left: Vec<&T> = items.iter().collect();
        if self.choices.is_empty() {
            return left;
        }
        let mut ordered = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let choice = usize::from(self.choose()) % left.len();
            ordered.push(left.remove(choice));
        }
        ordered
    }

    fn choose(&mut self) -> u8 {
        if self.choices.is_empty() {
            return 0;
        }
        let choice = self.choices.get(self.next % self.choices.len()).copied().unwrap_or_default();
        self.next += 1;
        choice
    }
}

impl Escapes {
    /// Whether the character at this index is escaped though it need not be.
    pub(crate) fn touch(self, index: usize) -> bool {
        self.every > 0 && index.is_multiple_of(self.every)
    }
}
