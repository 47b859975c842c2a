//! Choices among what a case happens to have.

use std::cell::Cell;

use proptest::strategy::{BoxedStrategy, Strategy as _};

/// A source of choices that one number decides.
#[derive(Clone, Debug)]
pub(crate) struct Picks {
    state: Cell<u64>,
    start: u64,
}

impl Picks {
    /// Any choices; the simplest take the first of everything.
    pub(crate) fn any() -> BoxedStrategy<Picks> {
        (0_u64..).prop_map(Picks::new).boxed()
    }

    /// The choices that this number decides; 0 takes the first of everything.
    pub(crate) fn new(start: u64) -> Self {
        Picks { state: Cell::new(start), start }
    }

    /// From the front again.
    pub(crate) fn restart(&self) {
        self.state.set(self.start);
    }

    /// A number below the limit; 0 where the limit is 0.
    pub(crate) fn below(&self, limit: usize) -> usize {
        let state = self.state.get();
        let next = if self.start == 0 { 0 } else { scramble(state) };
        self.state.set(next);
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        state.checked_rem(limit).and_then(|choice| usize::try_from(choice).ok()).unwrap_or(0)
    }

    /// One of the items.
    pub(crate) fn among<'i, T>(&self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }
}

/// The next state of splitmix64 (Steele, Lea, Flood 2014).
pub(crate) fn scramble(state: u64) -> u64 {
    let mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
