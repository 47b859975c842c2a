//! What is listed and answered, as lines of JSON.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use base64ct::{Base64, Encoding as _};
use intentkey_store::{Parked, Response, Token};
use serde_json::{Value, json};

/// Writes a line. Where nobody reads any more that is an error, which ends the command.
pub(super) fn print(line: &Value) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Writes the answer of a verb, and gives it back: its exit status says it also where nobody reads.
pub(super) fn answer(line: &Value, is_yes: bool) -> io::Result<bool> {
    match print(line) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(is_yes),
    }
}

/// A recorded intent that is left to people.
pub(super) fn parked(parked: &Parked) -> Value {
    json!({
        "key": parked.key.as_str(),
        "tenant": parked.tenant,
        "action": parked.action,
        "destination": parked.destination,
        "why": parked.why.as_str(),
        "recorded_at": parked.recorded_at.millis() as f64 / 1000.0,
    })
}

/// A response; what is no Unicode text is in `body_base64`.
pub(super) fn response(response: &Response) -> Value {
    let headers: Vec<Value> =
        response.headers.iter().map(|(name, value)| json!([name, String::from_utf8_lossy(value)])).collect();
    match std::str::from_utf8(&response.body) {
        Ok(body) => json!({ "status": response.status, "headers": headers, "body": body }),
        Err(_) => json!({
            "status": response.status,
            "headers": headers,
            "body_base64": Base64::encode_string(&response.body),
        }),
    }
}

pub(super) fn token(token: &Token) -> String {
    token.as_bytes().iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// So many bytes from twice as many hex digits.
pub(super) fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N || !text.is_ascii() {
        return None;
    }
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(bytes)
}
