//! Shapes: what kind of value something is, without the value.

use jiff::civil::DateTime;
use serde_json::Value;

/// The most characters of a value that is looked at.
const LOOKED_AT: usize = 256;

/// The shape of a value: no value, and nothing by which one could be told from another of its
/// shape.
pub(crate) fn shape(value: &Value) -> String {
    match value {
        Value::Null => String::from("null"),
        Value::Bool(_) => String::from("boolean"),
        Value::Array(elements) => format!("list of {}", counted(elements.len(), "element")),
        Value::Object(members) => format!("object of {}", counted(members.len(), "member")),
        Value::Number(number) if number.is_f64() => String::from("number with a fraction"),
        Value::Number(_) => String::from("whole number"),
        Value::String(text) => text_shape(text),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn text_shape(text: &str) -> String {
    if text.trim().is_empty() {
        return String::from(if text.is_empty() { "empty text" } else { "blank text" });
    }
    let text: String = text.chars().take(LOOKED_AT).collect();
    let text = text.trim();
    if let Some(named) = named_shape(text) {
        return String::from(named);
    }
    let count = text.chars().count();
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{} as text", counted(count, "digit"));
    }
    if count >= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return format!("{count} hex digits");
    }
    if text.contains(char::is_whitespace) {
        return String::from("free text");
    }
    String::from(match text.is_ascii() {
        true if text.bytes().any(|byte| byte.is_ascii_digit()) => "code of letters and digits",
        true => "word",
        false => "word, not ASCII",
    })
}

/// Shapes that have a name.
pub(crate) fn named_shape(text: &str) -> Option<&'static str> {
    if is_uuid(text) {
        return Some("UUID");
    }
    if is_date(text) {
        return Some("date");
    }
    if is_timestamp(text) {
        return Some("timestamp");
    }
    if is_email(text) {
        return Some("e-mail");
    }
    if is_phone(text) {
        return Some("phone with +");
    }
    if is_date_elsewhere(text) {
        return Some("date, not ISO 8601");
    }
    if text.len() > 10 && text.parse::<DateTime>().is_ok() {
        return Some("date and time without an offset");
    }
    if is_tax_number(text) {
        return Some("digits with a mask");
    }
    if is_decimal(text) && text.contains(['.', 'e', 'E', '-', '+']) {
        return Some("decimal number as text");
    }
    if is_number_with_comma(text) {
        return Some("number with a comma");
    }
    if text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Some("three capitals");
    }
    if text.contains("://") {
        return Some("URL");
    }
    None
}

/// Hyphenated, as RFC 9562 writes it.
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

pub(crate) fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
}

pub(crate) fn is_timestamp(text: &str) -> bool {
    text.len() > 10 && text.as_bytes().get(4) == Some(&b'-') && text.parse::<jiff::Timestamp>().is_ok()
}

pub(crate) fn is_email(text: &str) -> bool {
    let mut sides = text.split('@');
    let (Some(local), Some(domain), None) = (sides.next(), sides.next(), sides.next()) else {
        return false;
    };
    !local.is_empty() && domain.contains('.') && !text.contains(char::is_whitespace)
}

pub(crate) fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.starts_with('+')
        && (7..=15).contains(&digits)
        && text.bytes().skip(1).all(|byte| byte.is_ascii_digit() || b" .-()".contains(&byte))
}

pub(crate) fn is_decimal(text: &str) -> bool {
    let is_written = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    is_written && text.bytes().any(|byte| byte.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

/// A number such as `-1.234,56`, or `1,234.56`: which of the two signs is the decimal one, nobody knows
/// from one of them.
pub(crate) fn is_number_with_comma(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.contains(',')
        && digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.ends_with(|last: char| last.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b".,".contains(&byte))
}

/// A day such as `31/12/2026`, `12/1/10` or `31.12.2026`, a time after it or not.
fn is_date_elsewhere(text: &str) -> bool {
    let (day, time) = text.split_once([' ', 'T']).unwrap_or((text, "0:00"));
    let separator = if day.contains('/') { '/' } else { '.' };
    let parts: Vec<&str> = day.split(separator).collect();
    let is_digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_day = |part: &str| part.parse::<u8>().is_ok_and(|number| (1..=31).contains(&number));
    let [first, second, third] = parts.as_slice() else { return false };
    parts.iter().all(is_digits)
        && is_day(second)
        && match (first.len(), third.len()) {
            (4, 1 | 2) => separator == '/' && is_day(third),
            (1 | 2, 2 | 4) => is_day(first),
            _ => false,
        }
        && time.contains(':')
}

/// Digits under a mask, as tax numbers and accounts have.
fn is_tax_number(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits >= 6
        && text.bytes().any(|byte| b"-/".contains(&byte))
        && text.bytes().all(|byte| byte.is_ascii_digit() || b".-/".contains(&byte))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_shape_says_the_kind_and_nothing_more() {
        for (value, expected) in [
            (json!(null), "null"),
            (json!(12), "whole number"),
            (json!(1.5), "number with a fraction"),
            (json!(""), "empty text"),
            (json!(" "), "blank text"),
            (json!("2fb9b4a0-4f5c-4f1e-9d7c-0b3f1c7f0a11"), "UUID"),
            (json!("2026-11-30"), "date"),
            (json!("2026-11-30T12:00:00Z"), "timestamp"),
            (json!("ana@example.com"), "e-mail"),
            (json!("+55 11 99999-0000"), "phone with +"),
            (json!("308.514.976-75"), "digits with a mask"),
            (json!("10.50"), "decimal number as text"),
            (json!("10,50"), "number with a comma"),
            (json!("-1.234,56"), "number with a comma"),
            (json!("1,2,"), "code of letters and digits"),
            (json!("12/1/2010 8:26"), "date, not ISO 8601"),
            (json!("31.12.2026"), "date, not ISO 8601"),
            (json!("2026/12/31 23:59:59"), "date, not ISO 8601"),
            (json!("45/12/2026"), "digits with a mask"),
            (json!("2026-11-30T12:00:00"), "date and time without an offset"),
            (json!("2026-11-30 12:00:00"), "date and time without an offset"),
            (json!("30851497675"), "11 digits as text"),
            (json!("BRL"), "three capitals"),
            (json!("A-991"), "code of letters and digits"),
            (json!("Almo\u{e7}o de s\u{e1}bado"), "free text"),
            (json!("standard"), "word"),
            (json!("https://example.com/x"), "URL"),
            (json!([1]), "list of 1 element"),
            (json!({ "a": 1, "b": 2 }), "object of 2 members"),
        ] {
            assert_eq!(shape(&value), expected, "{value}");
        }
    }
}
