//! `pix_key`: each kind in the spellings that people use.

use intentkey_core::{PixKey, PixKeyKind};
use proptest::strategy::{BoxedStrategy, Strategy as _};

use super::digits::mask;
use super::tax_number::{self, Kind};
use super::uuid::{case, hexadecimal, hyphenated, in_case};
use super::{Spellings, any_of, blank, email, not_strings, padded, phone, refused, texts, uuid};
use crate::generate::cycle::cycle;
use crate::generate::json::Json;

/// What may stand in a tax number.
const MASK: &[&str] = &[".", "-", "/", ""];

/// What may stand in a phone, after the plus.
const PHONE_MASK: &[&str] = &[" ", ".", "-", "(", ")", "", ") "];

/// The most characters of an e-mail address in DICT.
const LONGEST_EMAIL: usize = 77;

/// What is a key of no kind.
const NO_KEYS: &[&str] = &[
    "conta 123",
    "1234567890",
    "123456789012",
    "123456789012345",
    "5511987654321",
    "+0551198765432",
    "+551198",
    "+5511987654321000",
    "a@b@c",
    "@b.com",
    "a@",
    "a b@c.com",
    "JOS\u{c9}@example.com",
    "123e4567e89b12d3a456426655440000",
    "123e4567-e89b-12d3-a456-42665544000g",
    "12.3e4567-e89b",
    "\u{ff11}2345678909",
    "123_456_789_09",
    "123 456 789 09",
    "(123)45678909",
    "(+55) 11 98765-4321",
    "1234567890\u{669}",
    "+55\u{a0}11987654321",
    "x",
];

pub(super) fn spellings(rule: &PixKey) -> Spellings {
    let has = |kind: &PixKeyKind| rule.kinds.contains(kind);
    let kinds: Vec<PixKeyKind> = ALL.into_iter().filter(has).collect();
    let equals = kinds.iter().map(|kind| equal(*kind)).collect();
    Spellings {
        equal: padded(any_of(equals)),
        different: Some(different(rule, &kinds)),
        refused: refuse(rule),
        other_kinds: not_strings(),
        empty: blank(),
    }
}

const ALL: [PixKeyKind; 5] =
    [PixKeyKind::Email, PixKeyKind::Cpf, PixKeyKind::Cnpj, PixKeyKind::Phone, PixKeyKind::Random];

fn equal(kind: PixKeyKind) -> BoxedStrategy<[String; 2]> {
    match kind {
        PixKeyKind::Cpf => tax_numbers(Kind::Cpf),
        PixKeyKind::Cnpj => tax_numbers(Kind::Cnpj),
        PixKeyKind::Phone => phones(),
        PixKeyKind::Random => (hexadecimal(), case(), case())
            .prop_map(|(digits, one, other)| [one, other].map(|case| in_case(&hyphenated(&digits), &case)))
            .boxed(),
        _ => {
            let longest =
                cycle(&[email::local_of(LONGEST_EMAIL)]).prop_map(|text| [text.to_uppercase(), text]).boxed();
            any_of(vec![email::ascii_address(), email::ascii_address(), longest])
        }
    }
}

fn tax_numbers(kind: Kind) -> BoxedStrategy<[String; 2]> {
    let anyhow = (tax_number::valid(kind), (case(), case()), mask(MASK), mask(MASK)).prop_map(
        |(number, (case_one, case_other), mask_one, mask_other)| {
            let one = in_case(&number.to_lowercase(), &case_one);
            [mask_one.over(&one), mask_other.over(&in_case(&number, &case_other))]
        },
    );
    let usual = tax_number::valid(kind).prop_map(move |number| [kind.masked(&number), number]);
    any_of(vec![usual.boxed(), anyhow.boxed()])
}

fn phones() -> BoxedStrategy<[String; 2]> {
    (phone::number(), mask(PHONE_MASK), mask(PHONE_MASK))
        .prop_map(|(number, one, other)| {
            let digits: String = number.chars().skip(1).collect();
            [one, other].map(|mask| format!("+{}", mask.over(&digits)))
        })
        .boxed()
}

/// Keys of one kind that differ; of two kinds; and, where check digits are not looked at, tax
/// numbers that differ in them alone.
fn different(rule: &PixKey, kinds: &[PixKeyKind]) -> BoxedStrategy<[Json; 2]> {
    let mut options: Vec<BoxedStrategy<[String; 2]>> = kinds.iter().map(|kind| different_of(*kind)).collect();
    for (one, other) in kinds.iter().zip(kinds.iter().skip(1)) {
        let pair = (equal(*one), equal(*other)).prop_map(|([one, _], [other, _])| [one, other]);
        options.push(pair.boxed());
    }
    let has = |kind: PixKeyKind| kinds.contains(&kind);
    if has(PixKeyKind::Phone) && has(PixKeyKind::Cpf) {
        options.push(tax_number::valid(Kind::Cpf).prop_map(|number| [format!("+1{number}"), number]).boxed());
    }
    if !rule.check_digits && has(PixKeyKind::Cpf) {
        options.push(cycle(&[["12345678909", "12345678908"].map(String::from)]).boxed());
    }
    if !rule.check_digits && has(PixKeyKind::Cnpj) {
        options.push(cycle(&[["12ABC34501DE35", "12ABC34501DE36"].map(String::from)]).boxed());
    }
    any_of(options).prop_map(texts).boxed()
}

fn different_of(kind: PixKeyKind) -> BoxedStrategy<[String; 2]> {
    match kind {
        PixKeyKind::Cpf => tax_number::different(Kind::Cpf),
        PixKeyKind::Cnpj => tax_number::different(Kind::Cnpj),
        PixKeyKind::Phone => phone::different(),
        PixKeyKind::Random => uuid::different(),
        _ => cycle(&[
            ["a@b.com", "b@b.com"],
            ["a.b@c.com", "ab@c.com"],
            ["a+b@c.com", "a@c.com"],
            ["a@b.com", "a@b.co"],
        ])
        .prop_map(|pair| pair.map(String::from))
        .boxed(),
    }
}

/// What is refused: keys of no kind, of a kind that is not taken, and with wrong check digits.
fn refuse(rule: &PixKey) -> Vec<(Json, &'static str)> {
    let mut texts: Vec<String> = NO_KEYS.iter().map(|text| String::from(*text)).collect();
    texts.push(format!("l{}", email::local_of(LONGEST_EMAIL)));
    if rule.check_digits {
        texts.extend(tax_number::wrong(Kind::Cpf));
        texts.extend(tax_number::wrong(Kind::Cnpj));
        texts.extend(["111.111.111-11", "00000000000", "00000000000000", "99999999999"].map(String::from));
    }
    // Letters where the check digits are belong to no number.
    texts.push(String::from("12ABC34501DEA5"));
    for (kind, example) in [
        (PixKeyKind::Cpf, "12345678909"),
        (PixKeyKind::Cnpj, "11222333000181"),
        (PixKeyKind::Phone, "+5511987654321"),
        (PixKeyKind::Email, "a@b.com"),
        (PixKeyKind::Random, "123e4567-e89b-12d3-a456-426655440000"),
    ] {
        if !rule.kinds.contains(&kind) {
            texts.push(example.to_owned());
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    refused(&texts, "pix_key_unrecognized")
}
