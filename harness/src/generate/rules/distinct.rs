//! Letters of which no two are equal: a core that takes any two for one another is caught.
//!
//! Source: as for the sweep. A test holds them against the committed CaseFolding.txt.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;

use super::letters::Equality;
use super::white_space::TRIMMED;

/// Where letters have case, or look as if they had.
const ALPHABETS: [RangeInclusive<char>; 9] = [
    '\u{1}'..='\u{2ff}',
    '\u{370}'..='\u{52f}',
    '\u{531}'..='\u{58f}',
    '\u{10a0}'..='\u{10ff}',
    '\u{13a0}'..='\u{13ff}',
    '\u{1c80}'..='\u{1cbf}',
    '\u{1e00}'..='\u{1fff}',
    '\u{2100}'..='\u{218f}',
    '\u{fb00}'..='\u{fb17}',
];

/// Letters of which no two are equal, in the order of their code points.
pub(crate) fn letters(equality: Option<Equality>) -> &'static [char] {
    static EXACT: LazyLock<Vec<char>> = LazyLock::new(|| first_of_each(|character| character.to_string()));
    static CANONICAL: LazyLock<Vec<char>> =
        LazyLock::new(|| first_of_each(|character| [character].into_iter().nfd().collect()));
    static CASELESS: LazyLock<Vec<char>> = LazyLock::new(|| first_of_each(caseless));
    match equality {
        None => &EXACT,
        Some(Equality::Canonical) => &CANONICAL,
        Some(Equality::Caseless) => &CASELESS,
    }
}

fn first_of_each(form: impl Fn(char) -> String) -> Vec<char> {
    let mut seen = BTreeSet::new();
    let letters = ALPHABETS.into_iter().flatten().filter(|character| !TRIMMED.contains(character));
    letters.filter(|character| seen.insert(form(*character))).collect()
}

/// A form that equal letters share; some that differ may share it too, and are left out.
fn caseless(character: char) -> String {
    let lower = |text: String| text.nfd().flat_map(char::to_lowercase).collect::<String>();
    let upper: String = lower(character.to_string()).nfd().flat_map(char::to_uppercase).collect();
    lower(upper)
}
