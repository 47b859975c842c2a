//! Every letter that has another spelling: all of Unicode, a few letters a case.
//!
//! Source: the case mappings of the standard library and the decompositions of
//! unicode-normalization, neither of which core uses. A letter's upper and lower case are a
//! caseless match of it; the one exception, dotless i, is left out.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use super::white_space::TRIMMED;

/// Characters that follow one rule in their thousands, and how many of them stand for one that is
/// swept: Hangul syllables, and Chinese characters that stand for another.
const MANY: [(RangeInclusive<char>, u32); 3] =
    [('\u{ac00}'..='\u{d7a3}', 61), ('\u{f900}'..='\u{faff}', 7), ('\u{2f800}'..='\u{2fa1f}', 7)];

/// A letter in two equal spellings.
#[derive(Clone, Debug)]
pub(crate) struct Swept {
    /// The spellings.
    pub(crate) equal: [String; 2],
    /// Whether they are canonically equivalent: equal though case counts.
    pub(crate) canonical: bool,
    /// The letter without its marks, where it has some: another letter.
    pub(crate) without_marks: Option<String>,
}

/// All of them, in the order of their code points: texts of neighbours are of one script, and
/// meet what a core does for one script alone.
pub(crate) fn all() -> &'static [Swept] {
    static ALL: LazyLock<Vec<Swept>> =
        LazyLock::new(|| ('A'..='Z').chain('\u{80}'..=char::MAX).filter(is_swept).flat_map(of).collect());
    &ALL
}

fn is_swept(character: &char) -> bool {
    let many = MANY.iter().find(|(range, _)| range.contains(character));
    !TRIMMED.contains(character) && many.is_none_or(|(_, step)| u32::from(*character).is_multiple_of(*step))
}

fn of(character: char) -> Vec<Swept> {
    let decomposed: String = std::iter::once(character).nfd().collect();
    let mut swept = Vec::new();
    if !decomposed.chars().eq([character]) {
        let mut rest = decomposed.chars();
        let base = rest.next().map(String::from);
        let without_marks = base.filter(|_| rest.next().is_some());
        swept.push(Swept {
            equal: [character.to_string(), decomposed.clone()],
            canonical: true,
            without_marks,
        });
    }
    let others = other_case(character).into_iter();
    swept.extend(others.map(|case| Swept {
        canonical: case.nfd().eq(decomposed.chars()),
        equal: [character.to_string(), case],
        without_marks: None,
    }));
    swept.into_iter().map(with_base).collect()
}

/// The lower case of a letter; or its upper case, where the way back does not lead to the letter.
fn other_case(character: char) -> Option<String> {
    let lower: String = character.to_lowercase().collect();
    let upper: String = character.to_uppercase().collect();
    let is_alone = |text: &String| text.chars().eq([character]);
    let leads_back = || is_alone(&upper.chars().flat_map(char::to_lowercase).collect());
    match character {
        '\u{131}' => None,
        _ if !is_alone(&lower) => Some(lower),
        _ if is_alone(&upper) || leads_back() => None,
        _ => Some(upper),
    }
}

/// A mark needs a letter to stand on, so that it does not combine with what stands before.
fn with_base(mut swept: Swept) -> Swept {
    let starts = |text: &String| text.nfd().next().is_none_or(|first| canonical_combining_class(first) == 0);
    if !swept.equal.iter().all(starts) {
        swept.equal = swept.equal.map(|text| format!("x{text}"));
        swept.without_marks = None;
    }
    swept
}
