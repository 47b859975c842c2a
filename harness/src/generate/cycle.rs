//! Strategies that go through a list one after the other, so that a run misses no entry.
//!
//! Hard cases are few and each catches another mistake: drawn at random, the one that matters
//! would be missed once in a while. A cycle begins at the front in every run, so that a seed
//! repeats a run exactly.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use proptest::strategy::{BoxedStrategy, NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// The entries of a list, one after the other. An entry does not shrink.
#[derive(Clone)]
pub(crate) struct Cycle<T> {
    entries: Rc<[T]>,
    next: Rc<Cell<usize>>,
}

/// The entries of a list, one after the other.
pub(crate) fn cycle<T: Clone>(entries: &[T]) -> Cycle<T> {
    Cycle { entries: entries.into(), next: Rc::default() }
}

impl<T: Clone + fmt::Debug + 'static> Strategy for Cycle<T> {
    type Tree = Fixed<T>;
    type Value = T;

    fn new_tree(&self, _: &mut TestRunner) -> NewTree<Self> {
        let index = self.next.replace(self.next.get().wrapping_add(1));
        let entry = index.checked_rem(self.entries.len()).and_then(|index| self.entries.get(index));
        entry.cloned().map(Fixed).ok_or_else(|| "a list without entries".into())
    }
}

impl<T> fmt::Debug for Cycle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cycle of {}", self.entries.len())
    }
}

/// A value that is what it is.
#[derive(Clone, Debug)]
pub(crate) struct Fixed<T>(T);

impl<T: Clone + fmt::Debug> ValueTree for Fixed<T> {
    type Value = T;

    fn current(&self) -> T {
        self.0.clone()
    }

    fn simplify(&mut self) -> bool {
        false
    }

    fn complicate(&mut self) -> bool {
        false
    }
}

/// The strategies made from 0, 1, 2 … `count` − 1, one after the other: what a case is about
/// changes from case to case, and does not shrink.
pub(crate) struct Turns<T> {
    count: usize,
    next: Cell<usize>,
    make: Box<dyn Fn(usize) -> BoxedStrategy<T>>,
}

impl<T> Turns<T> {
    /// Takes turns between `count` strategies; 0 counts as 1.
    pub(crate) fn new(count: usize, make: impl Fn(usize) -> BoxedStrategy<T> + 'static) -> Self {
        Turns { count: count.max(1), next: Cell::new(0), make: Box::new(make) }
    }
}

impl<T: fmt::Debug> Strategy for Turns<T> {
    type Tree = Box<dyn ValueTree<Value = T>>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let turn = self.next.replace((self.next.get() + 1) % self.count);
        (self.make)(turn).new_tree(runner)
    }
}

impl<T> fmt::Debug for Turns<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turns between {}", self.count)
    }
}
