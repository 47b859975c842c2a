//! `email`: ASCII letters in either case, composed and decomposed marks, and nothing else folded.

use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy as _, Union};

use super::letters::{self, Equality};
use super::uuid::{case, in_case};
use super::{Spellings, blank, not_strings, padded, texts};
use crate::generate::cycle::cycle;
use crate::generate::json::Json;

/// Letters that are equal in an address: composed and not, and capitals that have no composed
/// form though their small letters have.
const EQUAL: &[[&str; 2]] = &[
    ["\u{e9}", "e\u{301}"],
    ["\u{c9}", "E\u{301}"],
    ["J\u{30c}", "\u{1f0}"],
    ["j\u{30c}", "\u{1f0}"],
    ["H\u{331}", "\u{1e96}"],
    ["T\u{308}", "\u{1e97}"],
    ["W\u{30a}", "w\u{30a}"],
    ["Y\u{30a}", "\u{1e99}"],
    ["\u{212a}", "k"],
    ["\u{212b}", "\u{c5}"],
    ["\u{2126}", "\u{3a9}"],
    ["\u{1ec7}", "e\u{302}\u{323}"],
    ["\u{ac00}", "\u{1100}\u{1161}"],
    ["\u{fb1d}", "\u{5d9}\u{5b4}"],
];

/// Letters that are equal in a text, and different people in an address.
const DIFFERENT: &[[&str; 2]] = &[
    ["\u{df}", "ss"],
    ["\u{c9}", "\u{e9}"],
    ["E\u{301}", "e\u{301}"],
    ["\u{17f}", "s"],
    ["\u{3a3}", "\u{3c3}"],
    ["\u{3c2}", "\u{3c3}"],
    ["\u{130}", "i"],
    ["\u{130}", "i\u{307}"],
    ["\u{131}", "i"],
    ["\u{fb01}", "fi"],
    ["\u{ff41}", "a"],
    ["\u{430}", "a"],
    ["\u{13a0}", "\u{ab70}"],
    ["\u{200b}x", "x"],
    ["a.b", "ab"],
    ["a+b", "a"],
    ["a-b", "ab"],
    ["a_b", "a-b"],
    ["(a)", "a"],
    ["\"a\"", "a"],
    ["\u{1f600}", "\u{1f601}"],
];

pub(super) fn spellings() -> Spellings {
    let letter = Union::new(vec![cycle(EQUAL).prop_map(|pair| pair.map(String::from)).boxed(), ascii()]);
    let equal = (vec(letter, 1..6), ascii_domain()).prop_map(|(letters, [domain_one, domain_other])| {
        let side =
            |index: usize| letters.iter().filter_map(|pair| pair.get(index)).cloned().collect::<String>();
        [format!("{}@{domain_one}", side(0)), format!("{}@{domain_other}", side(1))]
    });
    let long = cycle(&[local_of(254)]).prop_map(|address: String| [address.to_ascii_uppercase(), address]);
    Spellings {
        equal: padded(Union::new(vec![ascii_address().boxed(), equal.boxed(), long.boxed()])),
        different: Some(different()),
        refused: refused(),
        other_kinds: not_strings(),
        empty: blank(),
    }
}

/// An ASCII address in two cases.
pub(super) fn ascii_address() -> BoxedStrategy<[String; 2]> {
    (ascii(), vec(ascii(), 0..5), ascii_domain())
        .prop_map(|(first, more, domain)| {
            let local = more
                .into_iter()
                .fold(first, |[one, other], [next_one, next_other]| [one + &next_one, other + &next_other]);
            let [[one, other], [domain_one, domain_other]] = [local, domain];
            [format!("{one}@{domain_one}"), format!("{other}@{domain_other}")]
        })
        .boxed()
}

fn ascii() -> BoxedStrategy<[String; 2]> {
    let parts = ["a", "b", "K", "S", "i", "z", "Z", "A", "0", "9", "q.r", "m+n", "_", "-o", "x'y"];
    (cycle(&parts), case(), case())
        .prop_map(|(part, one, other)| [in_case(part, &one), in_case(part, &other)])
        .boxed()
}

fn ascii_domain() -> BoxedStrategy<[String; 2]> {
    let domains = ["b.com", "example.com.br", "x"];
    (cycle(&domains), case(), case())
        .prop_map(|(domain, one, other)| [in_case(domain, &one), in_case(domain, &other)])
        .boxed()
}

fn different() -> BoxedStrategy<[Json; 2]> {
    let around = || vec(letters::equal(Equality::Canonical).prop_map(|[one, _]| one), 0..2);
    let listed = (cycle(DIFFERENT), around()).prop_map(|(pair, around)| {
        // Neither an at sign nor white space is among the letters; controls are, and are left out.
        let around: String = around.concat().chars().filter(|character| !character.is_control()).collect();
        pair.map(|piece| format!("x{around}{piece}@b.com"))
    });
    let domains =
        cycle(&[["a@b.com", "a@b.co"], ["a@b.com", "b@a.com"], ["a@b.com", "a@b.com."], ["a@b", "aa@b"]]);
    Union::new(vec![domains.prop_map(|pair| pair.map(Json::text)).boxed(), listed.prop_map(texts).boxed()])
        .boxed()
}

/// An address of so many characters.
pub(super) fn local_of(length: usize) -> String {
    const DOMAIN: &str = "@example.com";
    format!("{}{DOMAIN}", "l".repeat(length.saturating_sub(DOMAIN.len())))
}

fn refused() -> Vec<(Json, &'static str)> {
    let texts = [
        "a",
        "@",
        "a@",
        "@b",
        "a@b@c",
        "a@@b",
        "a b@c",
        "a@b c",
        "a\u{a0}b@c",
        "a@\u{3000}b",
        "a\u{2028}@b",
        "a\u{0}@b",
        "a@b\u{7f}",
        "a\u{9f}@b",
        "a\u{1f}b@c",
        "a\u{ff20}b.com",
        "a@b\nc",
    ];
    let too_long = local_of(255);
    super::refused(&texts, "value_malformed")
        .into_iter()
        .chain(super::refused(&[&too_long], "value_malformed"))
        .collect()
}
