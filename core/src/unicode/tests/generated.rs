//! The generator of `tables.rs`, and the proof that the file is what it generates.
//!
//! `INTENTKEY_BLESS=1 cargo test -p intentkey-core generated` writes the file. That is for a new
//! layout only: with other contents keys change. If the crates that the data are taken from have
//! moved on to another version of Unicode, do not: the tables stay, and so do the versions of these
//! crates.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;
use core::fmt::Write as _;

use icu_casemap::CaseMapperBorrowed;
use icu_normalizer::properties::{
    CanonicalCombiningClassMapBorrowed, CanonicalCompositionBorrowed, CanonicalDecompositionBorrowed,
    Decomposed,
};
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

use super::std::{env, fs};
use super::unassigned::unassigned;
use crate::unicode::decomposition::{ALONE, ALONE_IN_PLANE_2, LAST_PAGE, NEXT_PAGE};
use crate::unicode::property::BLOCK_BITS;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/unicode/tables.rs");
const COMMITTED: &str = include_str!("../tables.rs");

const CASE: CaseMapperBorrowed<'static> = CaseMapperBorrowed::new();
const CLASSES: CanonicalCombiningClassMapBorrowed<'static> = CanonicalCombiningClassMapBorrowed::new();
const COMPOSITIONS: CanonicalCompositionBorrowed<'static> = CanonicalCompositionBorrowed::new();
const DECOMPOSITIONS: CanonicalDecompositionBorrowed<'static> = CanonicalDecompositionBorrowed::new();
const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
const NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();

/// What code points decompose to in one step.
type Decompositions = BTreeMap<char, (char, Option<char>)>;

/// The decompositions in one step, those of Hangul syllables aside.
fn decompositions() -> Decompositions {
    let one = |c| match DECOMPOSITIONS.decompose(c) {
        Decomposed::Default => None,
        Decomposed::Singleton(first) => Some((c, (first, None))),
        Decomposed::Expansion(first, second) => Some((c, (first, Some(second)))),
    };
    ('\0'..=char::MAX).filter(|c| !('가'..='힣').contains(c)).filter_map(one).collect()
}

fn fold(text: &str) -> String {
    CASE.fold_string(text).into_owned()
}

/// What [`Property`](crate::unicode::property::Property) distinguishes, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Stable { offset: u16 },
    Mark { class: u8 },
    FoldedByParts,
    Involved { class: u8 },
}

struct Kinds {
    decompositions: Decompositions,
    /// What composes with something before it.
    seconds: BTreeSet<char>,
}

impl Kinds {
    fn new() -> Self {
        let decompositions = decompositions();
        let pairs = decompositions.values().filter_map(|&(first, second)| Some((first, second?)));
        let composing = pairs.filter(|&(first, second)| COMPOSITIONS.compose(first, second).is_some());
        let vowels_and_trailing = ('\u{1161}'..='\u{1175}').chain('\u{11A8}'..='\u{11C2}');
        let seconds = composing.map(|(_, second)| second).chain(vowels_and_trailing).collect();
        Kinds { decompositions, seconds }
    }

    fn of(&self, c: char) -> Kind {
        let class = CLASSES.get_u8(c);
        let text = String::from(c);
        let folded = fold(&text);
        if let Some(offset) = self.stable_offset(c, &folded) {
            Kind::Stable { offset }
        } else if class != 0 && folded == text && NFC.is_normalized(&text) && !self.seconds.contains(&c) {
            Kind::Mark { class }
        } else if class == 0 && folded != text && self.folded_by_parts(c).as_ref() == Some(&folded) {
            Kind::FoldedByParts
        } else {
            Kind::Involved { class }
        }
    }

    /// The offset to the folding of a stable code point.
    fn stable_offset(&self, c: char, folded: &str) -> Option<u16> {
        let mut scalars = folded.chars();
        let (Some(to), None) = (scalars.next(), scalars.next()) else { return None };
        let canonical = NFC.normalize(&fold(&NFD.normalize(&String::from(c)))).into_owned();
        let is_stable = |c: char| {
            let text = String::from(c);
            let first = NFD.normalize(&text).chars().next().unwrap();
            CLASSES.get_u8(c) == 0
                && CLASSES.get_u8(first) == 0
                && NFC.is_normalized(&text)
                && ![c, first].iter().any(|c| self.seconds.contains(c))
        };
        let (from, to_code) = (u32::from(c), u32::from(to));
        let is_stable = canonical == folded && is_stable(c) && is_stable(to);
        (is_stable && from >> 16 == to_code >> 16).then_some(to_code.wrapping_sub(from) as u16)
    }

    /// The foldings of the parts to which `c` decomposes in one step.
    fn folded_by_parts(&self, c: char) -> Option<String> {
        let &(first, second) = self.decompositions.get(&c)?;
        Some([Some(first), second].into_iter().flatten().map(|c| fold(&String::from(c))).collect())
    }
}

/// What the tables are made from.
#[derive(Clone)]
struct Source {
    decompositions: Decompositions,
    /// Of every code point.
    kinds: Vec<Kind>,
}

impl Source {
    /// The data of `icu_normalizer` and `icu_casemap`.
    fn of_crates() -> Self {
        let kinds = Kinds::new();
        let of_each = (0..0x11_0000).map(|code| char::from_u32(code).map_or(STABLE, |c| kinds.of(c)));
        Source { kinds: of_each.collect(), decompositions: kinds.decompositions }
    }

    /// The data of a version to come, in which some code points that are unassigned now have each
    /// property that a code point can have.
    fn doctored(mut self) -> Self {
        let to_come = ['\u{378}', '\u{379}', '\u{380}', '\u{381}', '\u{530}', '\u{557}', '\u{590}'];
        let kinds = [
            Kind::Stable { offset: 1 },
            Kind::Mark { class: 230 },
            Kind::FoldedByParts,
            Kind::Involved { class: 0 },
            Kind::Involved { class: 220 },
        ];
        for (c, kind) in to_come.into_iter().zip(kinds.into_iter().cycle()) {
            assert!(unassigned().any(|other| other == c), "{c}");
            self.kinds[c as usize] = kind;
            self.decompositions.insert(c, ('e', Some('\u{301}')));
        }
        self
    }

    /// Without what is unassigned in the pinned version.
    fn pinned(mut self) -> Self {
        for c in unassigned() {
            self.kinds[c as usize] = STABLE;
            self.decompositions.remove(&c);
        }
        self
    }
}

/// Three tables of blocks, none of which occurs twice.
fn write_properties(out: &mut String, kinds: &[Kind]) {
    let all: Vec<Kind> = kinds.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let number = |kind: Kind| u8::try_from(all.binary_search(&kind).unwrap()).unwrap();
    assert_eq!(number(STABLE), 0);

    let offsets = all.iter().filter_map(|kind| match kind {
        Kind::Stable { offset } => Some(offset),
        _ => None,
    });
    let classes = all.iter().filter_map(|&kind| match kind {
        Kind::Stable { .. } => None,
        Kind::FoldedByParts => Some(0),
        Kind::Mark { class } | Kind::Involved { class } => Some(class),
    });
    let by_parts = number(Kind::FoldedByParts);
    write_constant(out, "FIRST_INVOLVED", by_parts);
    write_constant(out, "FOLDED_BY_PARTS", by_parts);
    write_array(out, "OFFSETS", "u16", &offsets.collect::<Vec<_>>());
    write_array(out, "CLASSES", "u8", &classes.collect::<Vec<_>>());

    let numbers: Vec<u8> = kinds.iter().copied().map(number).collect();
    let (blocks, middle) = without_repetition(&numbers);
    let (middle, mut top) = without_repetition(&middle);
    // The last planes have nothing.
    let nothing = top.last().copied();
    while top.last().copied() == nothing {
        top.pop();
    }
    write_array(out, "TOP", "u8", &top);
    write_array(out, "MIDDLE", "u8", &middle);
    write_array(out, "BLOCKS", "u8", &blocks);
}

/// The kind of code points about which there is nothing to say.
const STABLE: Kind = Kind::Stable { offset: 0 };

/// Each block of a table once, and the numbers of the blocks.
fn without_repetition(table: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut blocks: Vec<&[u8]> = Vec::new();
    let mut numbers = Vec::new();
    for block in table.chunks(1 << BLOCK_BITS) {
        let known = blocks.iter().position(|known| *known == block);
        numbers.push(u8::try_from(known.unwrap_or(blocks.len())).unwrap());
        if known.is_none() {
            blocks.push(block);
        }
    }
    let mut last = blocks.pop().unwrap().to_vec();
    last.resize(1 << BLOCK_BITS, 0);
    (blocks.into_iter().flatten().copied().chain(last).collect(), numbers)
}

fn write_decompositions(out: &mut String, decompositions: &Decompositions) {
    let plane = |c: char| u32::from(c) >> 16;
    let before =
        |page: usize| decompositions.keys().filter(|&&c| (u32::from(c) as usize) < page << 8).count();
    assert_eq!(before(LAST_PAGE + 1), before(NEXT_PAGE));
    // One more than there are, for the end of the last.
    let pages: Vec<usize> = (0..=LAST_PAGE).chain(NEXT_PAGE..=0x2FB).map(before).collect();
    assert_eq!(pages.last(), Some(&decompositions.len()));

    // The two that mean that there is none are never looked up.
    let mut seconds: Vec<char> = decompositions.values().filter_map(|parts| parts.1).collect();
    seconds.sort_unstable();
    seconds.dedup();
    let place_of_second = |(&c, &(first, second)): (&char, &(char, Option<char>))| match second {
        Some(second) => {
            assert_eq!(plane(first), plane(c));
            2 + u8::try_from(seconds.binary_search(&second).unwrap()).unwrap()
        }
        None => match plane(first) {
            0 => ALONE,
            2 => ALONE_IN_PLANE_2,
            _ => panic!("{first} in another plane"),
        },
    };
    let places: Vec<u8> = decompositions.iter().map(place_of_second).collect();
    let quoted = seconds.iter().map(|c| format!("'\\u{{{:X}}}'", u32::from(*c)));
    let quoted = ["'\\0'", "'\\0'"].into_iter().map(String::from).chain(quoted);

    let mut compositions: Vec<(char, char, usize)> = Vec::new();
    for (place, (&c, &(first, second))) in decompositions.iter().enumerate() {
        if let Some(second) = second
            && COMPOSITIONS.compose(first, second) == Some(c)
        {
            compositions.push((second, first, place));
        }
    }
    compositions.sort_unstable();

    let firsts = || decompositions.values().map(|parts| u32::from(parts.0));
    write_array(out, "PAGES", "u16", &pages);
    write_array(out, "KEYS", "u8", &decompositions.keys().map(|&c| u32::from(c) & 0xFF).collect::<Vec<_>>());
    write_array(out, "FIRST_LOW", "u8", &firsts().map(|first| first & 0xFF).collect::<Vec<_>>());
    write_array(out, "FIRST_HIGH", "u8", &firsts().map(|first| first >> 8 & 0xFF).collect::<Vec<_>>());
    write_array(out, "SECOND", "u8", &places);
    write_array(out, "SECONDS", "char", &quoted.collect::<Vec<_>>());
    write_array(out, "COMPOSITIONS", "u16", &compositions.iter().map(|entry| entry.2).collect::<Vec<_>>());
}

fn write_constant(out: &mut String, name: &str, value: u8) {
    writeln!(out, "\npub(super) const {name}: u8 = {value};").unwrap();
}

fn write_array(out: &mut String, name: &str, kind: &str, items: &[impl Display]) {
    write!(out, "\npub(super) static {name}: [{kind}; {}] = [", items.len()).unwrap();
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index % 32 == 0 { "\n    " } else { " " });
        write!(out, "{item},").unwrap();
    }
    out.push_str("\n];\n");
}

fn generate(source: &Source) -> String {
    let mut out = String::from(
        "// Generated from the data of Unicode 18.0; do not edit. See `tests/generated.rs`.\n\
         // © 2026 Unicode, Inc.; Unicode License v3, see `core/tests/unicode/LICENSE-UNICODE`.\n",
    );
    write_properties(&mut out, &source.kinds);
    write_decompositions(&mut out, &source.decompositions);
    out
}

#[test]
fn tables_are_as_generated() {
    let generated = generate(&Source::of_crates().pinned());
    if env::var_os("INTENTKEY_BLESS").is_some() {
        fs::write(PATH, &generated).unwrap();
    }
    assert!(generated == COMMITTED, "another Unicode version, or another layout: read the head of this file");
}

/// Tables made anew from a later version of Unicode are these tables: what is unassigned in the pinned
/// one has nothing in them, whatever it may come to be.
#[test]
fn newer_data_change_no_table() {
    let newer = Source::of_crates().doctored();
    assert!(generate(&newer) != COMMITTED);
    assert!(generate(&newer.pinned()) == COMMITTED);
}

/// What `decomposition.rs` and `folding.rs` rely on.
#[test]
fn parts_are_as_simple_as_the_tables_take_them_to_be() {
    let decompositions = decompositions();
    for (c, (_, second)) in &decompositions {
        assert!(second.is_none_or(|second| !decompositions.contains_key(&second)), "{c}");
    }
    for c in ('\0'..=char::MAX).filter(|c| NFD.is_normalized(&String::from(*c))) {
        let folded = fold(&String::from(c));
        assert_eq!(NFD.normalize(&folded), folded, "{c}");
    }
}
