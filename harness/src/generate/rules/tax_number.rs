//! Brazil's tax numbers, CPF and CNPJ, with their check digits.
//!
//! Source: Receita Federal (modulus 11), IN RFB 2.229/2024: a letter of a CNPJ counts as its ASCII
//! code less 48. Weights grow from the right, for a CPF without end, for a CNPJ from 2 to 9 and
//! over again.

use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy as _};

/// The kinds of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A person's: 9 digits and 2 check digits.
    Cpf,
    /// A company's: 12 letters or digits and 2 check digits.
    Cnpj,
}

impl Kind {
    fn length(self) -> usize {
        match self {
            Kind::Cpf => 9,
            Kind::Cnpj => 12,
        }
    }

    fn largest_weight(self) -> u32 {
        match self {
            Kind::Cpf => u32::MAX,
            Kind::Cnpj => 9,
        }
    }

    /// The mask that people write.
    pub(crate) fn masked(self, number: &str) -> String {
        let after = |index: usize| match (self, index) {
            (Kind::Cpf, 3 | 6) | (Kind::Cnpj, 2 | 5) => ".",
            (Kind::Cnpj, 8) => "/",
            (Kind::Cpf, 9) | (Kind::Cnpj, 12) => "-",
            _ => "",
        };
        number.chars().enumerate().map(|(index, character)| format!("{}{character}", after(index))).collect()
    }
}

/// A number with right check digits, upper case, without a mask.
pub(crate) fn valid(kind: Kind) -> BoxedStrategy<String> {
    body(kind).prop_map(move |body| with_check_digits(kind, &body)).boxed()
}

/// Two numbers that differ in one character, both with right check digits.
pub(crate) fn different(kind: Kind) -> BoxedStrategy<[String; 2]> {
    (body(kind), 0..kind.length(), 1_u8..8)
        .prop_map(move |(body, place, by)| {
            let change = |(index, character): (usize, char)| match character {
                '0'..='9' if index == place => char::from(b'0' + (character as u8 - b'0' + by) % 10),
                'A'..='Z' if index == place => char::from(b'A' + (character as u8 - b'A' + by) % 26),
                _ => character,
            };
            let changed: String = body.chars().enumerate().map(change).collect();
            // One character repeated would be refused.
            if is_repeated(&changed) {
                return [
                    with_check_digits(kind, &body),
                    with_check_digits(kind, &format!("12{}", tail(&body))),
                ];
            }
            [with_check_digits(kind, &body), with_check_digits(kind, &changed)]
        })
        .prop_filter("two numbers", |[one, other]| one != other)
        .boxed()
}

/// A valid number with one check digit changed.
pub(crate) fn wrong(kind: Kind) -> Vec<String> {
    let right = with_check_digits(kind, if kind == Kind::Cpf { "123456789" } else { "12ABC34501DE" });
    let length = right.len();
    let changed = |place: usize| {
        right.bytes().enumerate().map(move |(index, byte)| match byte {
            b'0'..=b'9' if index == place => char::from(b'0' + (byte - b'0' + 1) % 10),
            _ => char::from(byte),
        })
    };
    vec![changed(length - 1).collect(), changed(length - 2).collect()]
}

fn tail(body: &str) -> String {
    body.chars().skip(2).collect()
}

fn is_repeated(body: &str) -> bool {
    let mut characters = body.chars();
    let first = characters.next();
    characters.all(|character| Some(character) == first)
}

fn body(kind: Kind) -> BoxedStrategy<String> {
    let digits =
        |values: Vec<u8>| values.iter().map(|value| char::from(b'0' + value % 10)).collect::<String>();
    let letters = |values: Vec<u8>| {
        let character = |value: &u8| match value % 36 {
            digit @ 0..10 => char::from(b'0' + digit),
            letter => char::from(b'A' + letter - 10),
        };
        values.iter().map(character).collect::<String>()
    };
    let values = vec(0_u8..180, kind.length());
    let numeric = values.clone().prop_map(digits).boxed();
    let kinds = match kind {
        Kind::Cpf => vec![numeric],
        Kind::Cnpj => vec![numeric, values.prop_map(letters).boxed()],
    };
    super::any_of(kinds)
        // Such numbers satisfy the arithmetic and are never issued.
        .prop_map(|body| if is_repeated(&body) { format!("12{}", tail(&body)) } else { body })
        .boxed()
}

fn with_check_digits(kind: Kind, body: &str) -> String {
    let first = check_digit(kind, body);
    let with_first = format!("{body}{first}");
    let second = check_digit(kind, &with_first);
    format!("{with_first}{second}")
}

fn check_digit(kind: Kind, characters: &str) -> u32 {
    let mut weight = 2;
    let mut sum = 0;
    for byte in characters.bytes().rev() {
        sum += (u32::from(byte) - 48) * weight;
        weight = if weight == kind.largest_weight() { 2 } else { weight + 1 };
    }
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_are_those_of_known_numbers() {
        assert_eq!(with_check_digits(Kind::Cpf, "123456789"), "12345678909");
        assert_eq!(with_check_digits(Kind::Cnpj, "112223330001"), "11222333000181");
        // The example of the Receita Federal.
        assert_eq!(with_check_digits(Kind::Cnpj, "12ABC34501DE"), "12ABC34501DE35");
    }

    #[test]
    fn masks_are_those_that_people_write() {
        assert_eq!(Kind::Cpf.masked("12345678909"), "123.456.789-09");
        assert_eq!(Kind::Cnpj.masked("12ABC34501DE35"), "12.ABC.345/01DE-35");
    }
}
