//! What is special about a value that two sides take differently.

use std::ops::RangeInclusive;

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use crate::generate::json::{Json, Text};
use crate::generate::rules::TRIMMED;

/// Letters with case and vowels that compose, which Unicode has since version 15: a producer with
/// older tables folds and composes none of them.
const NEW_LETTERS: [RangeInclusive<char>; 9] = [
    '\u{1c89}'..='\u{1c8a}',
    '\u{a7cb}'..='\u{a7cf}',
    '\u{a7d2}'..='\u{a7dc}',
    '\u{105c0}'..='\u{105f3}',
    '\u{10d50}'..='\u{10d85}',
    '\u{11380}'..='\u{113e2}',
    '\u{16100}'..='\u{16139}',
    '\u{16d40}'..='\u{16d79}',
    '\u{16ea0}'..='\u{16ed3}',
];

/// What letters have that older tables do not know.
pub(super) const OLD_TABLES: &str = "letters that older Unicode tables lack";

/// What is special about a value, for people; values with the same symptom are one finding.
pub(super) fn symptom(value: &Json) -> &'static str {
    match value {
        Json::Literal(literal) => of_literal(literal),
        Json::Text(Text::Escaped(_)) => "a lone surrogate",
        Json::Text(Text::Plain(text)) => of_text(text),
        Json::List(_) => "a list",
        Json::Object(_) => "an object",
    }
}

fn of_literal(literal: &str) -> &'static str {
    match literal {
        "null" => "null",
        "true" | "false" => "a boolean",
        _ => of_number(literal).unwrap_or("a number"),
    }
}

/// What is special about a number, as text or not.
fn of_number(text: &str) -> Option<&'static str> {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = || mantissa.chars().filter(char::is_ascii_digit);
    let is_number = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
        && digits().next().is_some()
        && text.chars().all(|character| character.is_ascii_digit() || "+-.eE".contains(character));
    if !is_number {
        return None;
    }
    let is_zero = digits().all(|digit| digit == '0');
    let places = mantissa.split_once('.').map_or(0, |(_, places)| places.len());
    Some(match text {
        _ if is_zero && mantissa.starts_with('-') => "minus zero",
        _ if mantissa.starts_with('-') && text.parse::<f64>().is_ok_and(|number| number.abs() < 1.0) => {
            "a negative number near zero"
        }
        _ if text.contains(['e', 'E']) => "a number with an exponent",
        _ if digits().count() > 17 => "a number of many digits",
        _ if places > 2 => "a number of many places",
        _ if text.starts_with('+') => "a number with a plus",
        _ => return None,
    })
}

fn of_text(text: &str) -> &'static str {
    let trimmed = text.trim_matches(|character| TRIMMED.contains(&character));
    if text.is_empty() {
        return "empty text";
    }
    if trimmed.is_empty() {
        return "blank text";
    }
    if let Some(named) = of_name(trimmed) {
        return named;
    }
    if text.chars().any(|character| NEW_LETTERS.iter().any(|range| range.contains(&character))) {
        return OLD_TABLES;
    }
    // Folding what is composed can leave text that is composed no more.
    let folded: String = text.nfc().collect::<String>().to_lowercase();
    if !is_nfc(&folded) || !is_nfc(&folded.to_uppercase()) && is_nfc(text) {
        return "text that is not NFC after folding";
    }
    if !is_nfc(text) {
        return "text that is not NFC";
    }
    if text.chars().any(folds_further) {
        return "letters that fold to something else than their lower case";
    }
    match text {
        _ if trimmed.len() < text.len() => "text with white space around it",
        _ if !text.is_ascii() => "text that is not ASCII",
        _ if text.contains(|character: char| character.is_ascii_control()) => "text with controls",
        _ if text.bytes().any(|byte| byte.is_ascii_uppercase()) => "text with capitals",
        _ => "plain text",
    }
}

/// Whether a letter's lower case is not what it is compared by, as with the sharp s, the final sigma
/// and the micro sign: these go by way of their capital.
fn folds_further(letter: char) -> bool {
    let lower = letter.to_lowercase().collect::<String>();
    lower.to_uppercase().to_lowercase() != lower
}

/// Texts that have a name of their own.
fn of_name(text: &str) -> Option<&'static str> {
    let lower = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    if ["nan", "snan", "inf", "infinity"].contains(&&*lower) {
        return Some(if lower.ends_with("nan") { "NaN" } else { "infinity" });
    }
    let is_masked = text.contains(['.', '-', '/']);
    let plain: String = text.chars().filter(|character| !".-/".contains(*character)).collect();
    let is_code = plain.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let has_letters = plain.bytes().any(|byte| byte.is_ascii_alphabetic());
    let ends_in_digits = plain.bytes().rev().take(2).all(|byte| byte.is_ascii_digit());
    if plain.len() == 14 && is_code && has_letters && ends_in_digits {
        return Some(if is_masked { "a masked CNPJ with letters" } else { "a CNPJ with letters" });
    }
    if text.starts_with('+')
        && text.len() > 6
        && text.contains([' ', '(', ')', '-', '.'])
        && !text.contains('e')
    {
        return Some("a phone in groups");
    }
    if text.contains('@') {
        return Some("an address with @");
    }
    if is_code && !has_letters && is_masked && plain.len() > 9 {
        return Some("digits with a mask");
    }
    if text.contains('_') && text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Some("digits with _");
    }
    if text.chars().any(|character| character.is_numeric() && !character.is_ascii()) {
        return Some("digits that are not ASCII");
    }
    of_number(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_special_has_a_name() {
        for (value, expected) in [
            (Json::text("NaN"), "NaN"),
            (Json::text("-inf"), "infinity"),
            (Json::literal("-0.0"), "minus zero"),
            (Json::text("-0e5"), "minus zero"),
            (Json::text("-0.001"), "a negative number near zero"),
            (Json::text("12.ABC.345/01DE-35"), "a masked CNPJ with letters"),
            (Json::text("12ABC34501DE35"), "a CNPJ with letters"),
            (Json::text("308.514.976-75"), "digits with a mask"),
            (Json::text("+55 11 98765-4321"), "a phone in groups"),
            (Json::text("1_000"), "digits with _"),
            (Json::text("\u{3aa}\u{301}"), "text that is not NFC after folding"),
            (Json::text("e\u{301}"), "text that is not NFC"),
            (Json::text(" x"), "text with white space around it"),
            (Json::text("\u{b5} "), "letters that fold to something else than their lower case"),
            (Json::text("\u{df}"), "letters that fold to something else than their lower case"),
            (Json::text("\u{e9} "), "text with white space around it"),
            (Json::text("x"), "plain text"),
            (Json::literal("1e2"), "a number with an exponent"),
            (Json::null(), "null"),
        ] {
            assert_eq!(symptom(&value), expected, "{}", value.ascii());
        }
    }
}
