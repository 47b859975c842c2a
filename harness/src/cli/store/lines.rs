//! Rows and responses as lines of JSON.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use base64ct::{Base64, Encoding as _};
use intentkey_core::protocol::{Terms, Time};
use intentkey_store::{Parked, Response, Row, Token};
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

/// A row, without its response; times are seconds since 1970. What its destination was
/// declared to be has the names of the options that declare it.
pub(super) fn row(row: &Row) -> Value {
    let seconds = |time: Time| time.millis() as f64 / 1000.0;
    let declared =
        |which: fn(Terms) -> Option<Duration>| row.terms.and_then(which).map(|time| time.as_secs_f64());
    json!({
        "key": row.key.as_str(),
        "tenant": row.tenant,
        "action": row.action,
        "destination": row.destination,
        "status": row.status.as_str(),
        "created_at": seconds(row.created_at),
        "execute_by": seconds(row.execute_by),
        "expires_at": seconds(row.expires_at),
        "idempotent_for": declared(Terms::key_retention),
        "look_up_after": declared(Terms::longest_delay),
        "recovery_attempts": row.recovery_attempts,
        "next_look_at": seconds(row.next_look_at),
        "secret_id": row.secret_id,
        "policy_digest": row.policy_digest,
    })
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
