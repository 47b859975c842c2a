//! `text`: letters, marks and white space.
//!
//! A text is put together from pieces. Each piece begins with a letter that no mark moves across,
//! so that pieces side by side are equal if each is, and differ if exactly one does.

use intentkey_core::{Case, Space, Text};
use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Just, Strategy as _, Union};

use super::letters::{self, Equality};
use super::near_misses::NEAR_MISSES;
use super::sweep::{self, Swept};
use super::white_space::{KEPT, TRIMMED, run};
use super::{Spellings, any_of, blank, not_strings, padded, texts};
use crate::generate::cycle::cycle;

/// How many letters of the sweep stand in a text, at most: in 256 cases it is then complete.
const SWEPT: usize = 64;

pub(super) fn spellings(rule: &Text) -> Spellings {
    let equality = match rule.case {
        Case::Fold => Equality::Caseless,
        _ => Equality::Canonical,
    };
    let space = rule.space;
    let finish = move |pieces: BoxedStrategy<[String; 2]>| match space {
        Space::Keep => pieces.prop_map(texts).boxed(),
        _ => padded(pieces),
    };
    Spellings {
        equal: finish(equal(equality, space)),
        different: Some(finish(different(equality, space))),
        refused: Vec::new(),
        other_kinds: not_strings(),
        empty: if space == Space::Keep { vec![crate::generate::json::Json::text("")] } else { blank() },
    }
}

/// Equal texts, before they are padded: they begin and end with what is not white space.
pub(super) fn equal(equality: Equality, space: Space) -> BoxedStrategy<[String; 2]> {
    let letter = letters::equal(equality).prop_map(Piece::Letter).boxed();
    let gap = gap(space).prop_map(Piece::Gap).boxed();
    let plain = cycle(&["a", "b7", "x.y", "q"])
        .prop_map(|text| Piece::Letter([text, text].map(String::from)))
        .boxed();
    let swept =
        swept(|swept| equality == Equality::Caseless || swept.canonical).prop_map(Piece::Letter).boxed();
    // Short and mostly ASCII: what a fast way through a text overlooks stands alone there.
    let short = vec(Union::new_weighted(vec![(2, plain), (2, gap.clone()), (1, letter.clone())]), 0..5);
    let few = vec(swept.clone(), 1..=SWEPT / 4);
    let pieces = vec(Union::new_weighted(vec![(3, letter), (1, gap)]), 0..7);
    let many = (pieces, vec(swept, 0..=SWEPT)).prop_map(|(pieces, swept)| [pieces, swept].concat());
    Union::new_weighted(vec![(3, short.boxed()), (2, few.boxed()), (4, many.boxed())])
        .prop_map(|pieces| join(&pieces))
        .boxed()
}

/// A piece of a text, in two spellings.
#[derive(Clone, Debug)]
enum Piece {
    Letter([String; 2]),
    Gap([String; 2]),
}

/// The pieces side by side, with a letter at an end where there would be none.
fn join(pieces: &[Piece]) -> [String; 2] {
    let end = |piece: Option<&Piece>| if matches!(piece, Some(Piece::Letter(_))) { "" } else { "x" };
    let (first, last) = (end(pieces.first()), if pieces.is_empty() { "" } else { end(pieces.last()) });
    let side = |index: usize| {
        let pieces = pieces.iter().filter_map(|(Piece::Letter(pair) | Piece::Gap(pair))| pair.get(index));
        std::iter::once(first).chain(pieces.map(String::as_str)).chain([last]).collect()
    };
    [side(0), side(1)]
}

/// Texts of which one piece differs.
pub(super) fn different(equality: Equality, space: Space) -> BoxedStrategy<[String; 2]> {
    let near = NEAR_MISSES.iter().map(|pair| pair.map(String::from)).collect::<Vec<_>>();
    let mut kinds =
        vec![letters::different(equality), cycle(&near).boxed(), unmarked(), absent_piece(equality)];
    if equality == Equality::Canonical {
        kinds.push(other_case());
    }
    kinds.push(cycle(&white_space(space)).boxed());
    let outer = || vec(letters::equal(equality).prop_map(|[one, _]| one), 0..3);
    let inside = (any_of(kinds), outer(), outer()).prop_map(|(pair, before, after)| {
        // A letter at each end keeps white space inside.
        pair.map(|piece| format!("x{}{piece}{}x", before.concat(), after.concat()))
    });
    Union::new_weighted(vec![(8, inside.boxed()), (1, cycle(&ends(space)).boxed())]).boxed()
}

/// Texts that differ at an end, in what looks like white space and is not trimmed.
fn ends(space: Space) -> Vec<[String; 2]> {
    let trimmed: &[char] = if space == Space::Keep { &TRIMMED } else { &[] };
    let at_ends =
        |end: &char| [[String::from("x"), format!("{end}x")], [String::from("x"), format!("x{end}")]];
    KEPT.iter().chain(trimmed).flat_map(at_ends).collect()
}

/// White space inside a text.
fn gap(space: Space) -> BoxedStrategy<[String; 2]> {
    let same = cycle(&TRIMMED).prop_map(|character| [character.to_string(), character.to_string()]).boxed();
    match space {
        Space::Collapse => (run(), run()).prop_map(<[String; 2]>::from).boxed(),
        // Two spaces are canonically equivalent to two others.
        _ => any_of(vec![
            same,
            Just(["\u{2000}".into(), "\u{2002}".into()]).boxed(),
            Just(["\u{2003}".into(), "\u{2001}".into()]).boxed(),
        ]),
    }
}

/// White space that counts.
fn white_space(space: Space) -> Vec<[String; 2]> {
    let none_or_one = TRIMMED.iter().map(|character| [String::new(), character.to_string()]);
    let kept = KEPT.iter().map(|character| [String::new(), character.to_string()]);
    let kept_or_space = KEPT.iter().map(|character| [String::from(" "), format!(" {character}")]);
    let mut pairs: Vec<[String; 2]> = none_or_one.chain(kept).chain(kept_or_space).collect();
    if space != Space::Collapse {
        let other = TRIMMED.iter().skip(1).map(|character| [String::from(" "), character.to_string()]);
        pairs.extend(other);
        pairs.push([" ".into(), "  ".into()]);
        pairs.push(["\n".into(), "\r\n".into()]);
    }
    pairs
}

/// A letter and the same without its marks.
fn unmarked() -> BoxedStrategy<[String; 2]> {
    let marked: Vec<&'static Swept> =
        sweep::all().iter().filter(|swept| swept.without_marks.is_some()).collect();
    cycle(&marked)
        .prop_map(|swept| {
            [swept.equal.first(), swept.without_marks.as_ref()].map(|text| text.cloned().unwrap_or_default())
        })
        .boxed()
}

/// A letter in two cases.
fn other_case() -> BoxedStrategy<[String; 2]> {
    swept(|swept| !swept.canonical)
}

/// Letters of the sweep in both their spellings.
pub(super) fn swept(condition: impl Fn(&Swept) -> bool) -> BoxedStrategy<[String; 2]> {
    let swept: Vec<&'static Swept> = sweep::all().iter().filter(|swept| condition(swept)).collect();
    cycle(&swept).prop_map(|swept| swept.equal.clone()).boxed()
}

/// A letter or none.
fn absent_piece(equality: Equality) -> BoxedStrategy<[String; 2]> {
    letters::equal(equality).prop_map(|[one, _]| [one, String::new()]).boxed()
}
