//! `exact`: every character counts.

use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy as _, Union};

use super::letters::{self, Equality};
use super::near_misses::NEAR_MISSES;
use super::white_space::{KEPT, TRIMMED};
use super::{Spellings, any_of, not_strings, text, texts};
use crate::generate::cycle::cycle;
use crate::generate::json::Json;

pub(super) fn spellings() -> Spellings {
    Spellings {
        equal: any_text().prop_map(|text| texts([text.clone(), text])).boxed(),
        different: Some(different().prop_map(texts).boxed()),
        refused: Vec::new(),
        other_kinds: not_strings(),
        empty: vec![Json::text("")],
    }
}

fn any_text() -> BoxedStrategy<String> {
    let letter = letters::equal(Equality::Caseless).prop_map(|[one, _]| one).boxed();
    let space = cycle(&TRIMMED).prop_map(String::from).boxed();
    vec(any_of(vec![letter, space]), 1..6).prop_map(|pieces| pieces.concat()).boxed()
}

/// Texts that other rules take as equal, and white space at the ends.
fn different() -> BoxedStrategy<[String; 2]> {
    let ends = TRIMMED
        .iter()
        .chain(&KEPT)
        .flat_map(|end| [[String::from("x"), format!("x{end}")], [String::from("x"), format!("{end}x")]]);
    let inside =
        [["1.2", "12"], ["1-2", "12"], ["007", "7"], ["1 2", "12"], ["a/b", "ab"], ["1.0", "1"], ["x", "xx"]];
    let pairs = ends.chain(inside.map(|pair| pair.map(String::from))).collect::<Vec<_>>();
    let near = NEAR_MISSES.iter().map(|pair| pair.map(String::from)).collect::<Vec<_>>();
    Union::new_weighted(vec![
        (2, cycle(&pairs).boxed()),
        (1, text::swept(|_| true)),
        (1, cycle(&near).boxed()),
    ])
    .boxed()
}
