//! `pix_key`: a key of Brazil's instant payments.
//!
//! Source: Banco Central do Brasil, DICT API (the forms of keys as stored: CPF 11 digits, CNPJ 14
//! characters, phone in E.164, e-mail of at most 77 characters, EVP as a lower-case UUID); Receita
//! Federal, IN RFB 2.229/2024 (CNPJ with letters from July 2026, each character valued at its
//! ASCII code minus 48). CPF and CNPJ check digits: modulus 11.

use alloc::string::String;
use alloc::vec::Vec;

use super::email::address;
use super::phone::e164;
use super::uuid::is_hyphenated;
use super::{Canonical, Input};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::{Table, quoted};

/// The most characters of an e-mail address in DICT.
const LONGEST_EMAIL: usize = 77;

/// A Pix key, as DICT stores it, from any of the spellings that people use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PixKey {
    /// Whether the check digits of CPF and CNPJ must be right.
    pub check_digits: bool,
    /// The kinds that are taken; all by default.
    pub kinds: Vec<PixKeyKind>,
}

/// The kind of a Pix key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PixKeyKind {
    /// A person's tax number, 11 digits.
    Cpf,
    /// A company's tax number, 12 letters or digits and 2 digits.
    Cnpj,
    /// A telephone number, with `+`.
    Phone,
    /// An e-mail address.
    Email,
    /// A random key (EVP): a UUID.
    Random,
}

const KINDS: &[(&str, PixKeyKind)] = &[
    ("cpf", PixKeyKind::Cpf),
    ("cnpj", PixKeyKind::Cnpj),
    ("phone", PixKeyKind::Phone),
    ("email", PixKeyKind::Email),
    ("random", PixKeyKind::Random),
];

impl Canonical for PixKey {
    const NAME: &'static str = "pix_key";
    const MAY_NEED_ESCAPES: bool = true;

    fn read(parameters: &mut Table<'_>) -> Result<Self, Refusal> {
        let check_digits = parameters.boolean("check_digits")?.unwrap_or(true);
        let kinds = match parameters.strings("kinds")? {
            None => KINDS.iter().map(|kind| kind.1).collect(),
            Some(names) => names
                .into_iter()
                .map(|name| KINDS.iter().find(|kind| kind.0 == name).map(|kind| kind.1))
                .collect::<Option<Vec<_>>>()
                .filter(|kinds| !kinds.is_empty())
                .ok_or_else(|| {
                    let known = quoted(&mut KINDS.iter().map(|kind| kind.0));
                    parameters.refuse("kinds", ["must be a list of at least one of ", &known].concat())
                })?,
        };
        Ok(PixKey { check_digits, kinds })
    }

    fn parameters(&self) -> Vec<String> {
        let kinds =
            KINDS.iter().filter(|kind| self.kinds.contains(&kind.1)).map(|kind| ["kind=", kind.0].concat());
        core::iter::once(String::from(if self.check_digits {
            "check_digits=true"
        } else {
            "check_digits=false"
        }))
        .chain(kinds)
        .collect()
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        match self.kind_of(input.text, out) {
            Some(kind) if self.kinds.contains(&kind) => Ok(()),
            _ => Err(Code::PixKeyUnrecognized),
        }
    }
}

impl PixKey {
    /// Appends the stored form and gives the kind, where the text is a key of one. No text has
    /// two kinds: a tax number holds neither `@` nor `+` and is shorter than a UUID.
    fn kind_of(&self, text: &str, out: &mut Buffer) -> Option<PixKeyKind> {
        if let Some(kind) = self.tax_number(text, out) {
            return Some(kind);
        }
        if text.contains('@') {
            let start = out.len();
            address(text, out).ok()?;
            let stored = out.tail(start);
            return (stored.is_ascii() && stored.len() <= LONGEST_EMAIL).then_some(PixKeyKind::Email);
        }
        if text.starts_with('+') {
            return e164(text, out).ok().map(|()| PixKeyKind::Phone);
        }
        if is_hyphenated(text) {
            out.push_lowercase(text);
            return Some(PixKeyKind::Random);
        }
        None
    }

    /// A CPF or a CNPJ: told apart by their lengths once the mask is off.
    fn tax_number(&self, text: &str, out: &mut Buffer) -> Option<PixKeyKind> {
        let mut characters = [0; CNPJ_LENGTH];
        let (mut length, mut letters_until) = (0, 0);
        for byte in text.bytes() {
            match byte {
                b'.' | b'-' | b'/' => continue,
                b'0'..=b'9' => *characters.get_mut(length)? = byte,
                b'A'..=b'Z' | b'a'..=b'z' => {
                    *characters.get_mut(length)? = byte.to_ascii_uppercase();
                    letters_until = length + 1;
                }
                _ => return None,
            }
            length += 1;
        }
        let (kind, right) = match length {
            CPF_LENGTH if letters_until == 0 => {
                let digits: &[u8; CPF_LENGTH] = characters.first_chunk()?;
                (PixKeyKind::Cpf, !self.check_digits || has_right_check_digits(digits, &CPF_WEIGHTS))
            }
            // The check digits are digits.
            CNPJ_LENGTH if letters_until <= CNPJ_LENGTH - 2 => {
                (PixKeyKind::Cnpj, !self.check_digits || has_right_check_digits(&characters, &CNPJ_WEIGHTS))
            }
            _ => return None,
        };
        right.then(|| out.push_ascii(characters.get(..length).unwrap_or_default())).map(|()| kind)
    }
}

const CPF_LENGTH: usize = 11;

const CNPJ_LENGTH: usize = 14;

/// The weights of a CPF's second check digit; those of the first are the same one place on.
const CPF_WEIGHTS: [u32; CPF_LENGTH - 1] = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];

/// The weights of a CNPJ's second check digit; those of the first are the same one place on.
const CNPJ_WEIGHTS: [u32; CNPJ_LENGTH - 1] = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/// Whether both check digits are right, and the characters are not one repeated: such numbers
/// satisfy the arithmetic and are never issued.
#[inline]
fn has_right_check_digits<const LENGTH: usize, const WEIGHTS: usize>(
    characters: &[u8; LENGTH],
    weights: &[u32; WEIGHTS],
) -> bool {
    let Some((body, &[first, second])) = characters.split_last_chunk() else { return false };
    let first_weights = weights.get(1..).unwrap_or_default();
    let value = |byte: u8| u32::from(byte - b'0');
    let (mut first_sum, mut second_sum) = (0, 0);
    for ((&byte, weight), first_weight) in body.iter().zip(weights).zip(first_weights) {
        first_sum += value(byte) * first_weight;
        second_sum += value(byte) * weight;
    }
    second_sum += value(first) * weights.last().copied().unwrap_or_default();
    first == check_digit(first_sum)
        && second == check_digit(second_sum)
        && characters.iter().any(|byte| *byte != second)
}

fn check_digit(sum: u32) -> u8 {
    match sum % 11 {
        0 | 1 => b'0',
        rest => b'0' + (11 - rest) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn canonical(check_digits: bool, text: &str) -> Option<String> {
        let rule = PixKey { check_digits, kinds: KINDS.iter().map(|kind| kind.1).collect() };
        let mut out = Buffer::default();
        rule.canonical(Input { text, minor_unit: None }, &mut out).ok().map(|()| out.into_string())
    }

    #[test]
    fn keys_become_what_dict_stores() {
        for (text, expected) in [
            ("123.456.789-09", "12345678909"),
            ("12345678909", "12345678909"),
            ("11.222.333/0001-81", "11222333000181"),
            ("12.ABC.345/01DE-35", "12ABC34501DE35"),
            ("12.abc.345/01de-35", "12ABC34501DE35"),
            ("+55 (11) 98765-4321", "+5511987654321"),
            ("Ana.Silva@Example.COM", "ana.silva@example.com"),
            // The Kelvin sign is canonically the letter K.
            ("\u{212a}@x.org", "k@x.org"),
            ("123E4567-E12B-12D3-A456-426655440000", "123e4567-e12b-12d3-a456-426655440000"),
        ] {
            assert_eq!(canonical(true, text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in [
            "123.456.789-08",
            "111.111.111-11",
            "00000000000000",
            "12.ABC.345/01DE-36",
            "12ABC34501DEA5",
            "conta 123",
            "+0551198",
            "JOS\u{c9}@example.br",
            "a@b@c",
            "123e4567e12b12d3a456426655440000",
            "123",
            "123456789012345",
        ] {
            assert_eq!(canonical(true, text), None, "{text}");
        }
        let longest = format!("{}@example.com", "a".repeat(65));
        assert!(canonical(true, &longest).is_some());
        assert_eq!(canonical(true, &format!("a{longest}")), None);
    }

    #[test]
    fn check_digits_can_be_left_unchecked() {
        assert_eq!(canonical(false, "123.456.789-08").as_deref(), Some("12345678908"));
        assert_eq!(canonical(false, "12.ABC.345/01DE-36").as_deref(), Some("12ABC34501DE36"));
        assert_eq!(canonical(false, "12ABC34501DEA5"), None);
    }
}
