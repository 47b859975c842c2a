//! Letters in their equal spellings.

use proptest::prelude::any;
use proptest::strategy::{BoxedStrategy, Strategy as _};

use super::letters_table::{CLASSES, Class};
use crate::generate::cycle::cycle;

/// How far two spellings may be apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equality {
    /// A canonical caseless match (Unicode, D145).
    Caseless,
    /// Canonical equivalence (D70): case counts.
    Canonical,
}

/// A letter in two equal spellings; over a run, every class.
pub(crate) fn equal(equality: Equality) -> BoxedStrategy<[String; 2]> {
    (cycle(CLASSES), any::<u8>(), any::<u8>(), any::<u8>())
        .prop_map(move |(class, group, one, other)| spellings(class, equality, group, one, other))
        .boxed()
}

/// Two letters that are not equal; over a run, every class beside several others.
pub(crate) fn different(equality: Equality) -> BoxedStrategy<[String; 2]> {
    let pairs: Vec<[String; 2]> = match equality {
        Equality::Caseless => neighbours(),
        Equality::Canonical => CLASSES.iter().flat_map(|class| cases(class)).chain(neighbours()).collect(),
    };
    cycle(&pairs).boxed()
}

fn spellings(class: Class, equality: Equality, group: u8, one: u8, other: u8) -> [String; 2] {
    let chosen = pick(class, group).copied().unwrap_or_default();
    let all: Vec<&str> = match equality {
        Equality::Caseless => class.concat(),
        Equality::Canonical => chosen.to_vec(),
    };
    [one, other].map(|choice| String::from(pick(&all, choice).copied().unwrap_or("a")))
}

fn pick<T>(list: &[T], choice: u8) -> Option<&T> {
    usize::from(choice).checked_rem(list.len()).and_then(|index| list.get(index))
}

/// Letters of classes that stand together in the table, where likeness is greatest.
fn neighbours() -> Vec<[String; 2]> {
    let first = |class: &Class| class.first().and_then(|group| group.first()).copied().unwrap_or_default();
    let pair = |distance: usize| {
        CLASSES.iter().zip(CLASSES.iter().skip(distance)).map(move |(one, other)| [first(one), first(other)])
    };
    pair(1).chain(pair(7)).map(|pair| pair.map(String::from)).collect()
}

/// Texts of one class that differ when case is kept.
fn cases(class: Class) -> Vec<[String; 2]> {
    let first = |group: &&[&'static str]| group.first().copied().unwrap_or_default();
    let pairs = class.iter().zip(class.iter().skip(1)).map(|(one, other)| [first(one), first(other)]);
    pairs.map(|pair| pair.map(String::from)).collect()
}

#[cfg(test)]
mod tests;
