//! Responses: the outcome of an effect, kept byte for byte.

use std::fmt;

use crate::error::{Result, StoreError};
use crate::seal::{Part, Seal};
use intentkey_core::Key;
use intentkey_core::protocol::Problem;

/// The outcome of an effect, success or error, as it was answered and as it is replayed.
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// The status, 100 to 999.
    pub status: u16,
    /// The headers in order, duplicates included; a name is a token (RFC 9110), a value has no CR, LF
    /// or NUL.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// A response without headers.
    #[must_use]
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Response { status, headers: Vec::new(), body: body.into() }
    }

    /// The same with one header more.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// What is stored: headers as lines `name:value`, then sealed.
    pub(crate) fn store(&self, key: &Key, seal: &dyn Seal) -> Result<Stored> {
        if !(100..=999).contains(&self.status) {
            return Err(StoreError::Response("its status is not between 100 and 999"));
        }
        let mut headers = Vec::new();
        for (name, value) in &self.headers {
            if name.is_empty() || !name.bytes().all(is_token) {
                return Err(StoreError::Response("the name of a header is not a token"));
            }
            if value.iter().any(|byte| matches!(byte, b'\r' | b'\n' | 0)) {
                return Err(StoreError::Response("the value of a header has a line break or a NUL"));
            }
            headers.extend_from_slice(name.as_bytes());
            headers.push(b':');
            headers.extend_from_slice(value);
            headers.push(b'\n');
        }
        let sealed = |part, bytes| seal.seal(key, part, bytes).map_err(StoreError::Seal);
        let (headers, body) = (sealed(Part::Headers, &headers)?, sealed(Part::Body, &self.body)?);
        Ok(Stored { status: self.status, headers, body })
    }
}

/// How much there is of it, and nothing of what it says.
impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("headers", &self.headers.len())
            .field("body_bytes", &self.body.len())
            .finish()
    }
}

/// The answer to a client whose request is not executed.
///
/// ```
/// use intentkey_core::protocol::Problem;
/// use intentkey_store::Response;
///
/// let response = Response::from(Problem::InFlight { retry_after: 7 });
/// assert_eq!(response.status, 409);
/// assert_eq!(response.headers[1], ("Retry-After".to_string(), b"7".to_vec()));
/// ```
impl From<Problem> for Response {
    fn from(problem: Problem) -> Self {
        let headers = problem.headers().into_iter().map(|(name, value)| (name.into(), value.into_bytes()));
        Response { status: problem.status(), headers: headers.collect(), body: problem.body().into_bytes() }
    }
}

/// RFC 9110, section 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// A response as the row has it: sealed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) status: u16,
    pub(crate) headers: Vec<u8>,
    pub(crate) body: Vec<u8>,
}

impl Stored {
    pub(crate) fn open(&self, key: &Key, seal: &dyn Seal) -> Result<Response> {
        let open = |part, bytes| seal.open(key, part, bytes).map_err(StoreError::Seal);
        let lines = open(Part::Headers, &self.headers)?;
        let mut headers = Vec::new();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let mut halves = line.splitn(2, |byte| *byte == b':');
            let (Some(name), Some(value)) = (halves.next(), halves.next()) else {
                return Err(StoreError::Corrupt("response_headers"));
            };
            headers.push((String::from_utf8_lossy(name).into_owned(), value.to_vec()));
        }
        Ok(Response { status: self.status, headers, body: open(Part::Body, &self.body)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::Plain;

    fn key() -> Key {
        Key::recorded([1; 16])
    }

    #[test]
    fn a_response_is_kept_byte_for_byte() {
        let response = Response::new(500, [0, 255, b'{', 0])
            .with_header("Set-Cookie", "a=1")
            .with_header("set-cookie", "b: 2 ")
            .with_header("X-Bytes", [0xe9, b'\t'])
            .with_header("X-Empty", "");
        let stored = response.store(&key(), &Plain).unwrap();
        assert_eq!(stored.headers, b"Set-Cookie:a=1\nset-cookie:b: 2 \nX-Bytes:\xe9\t\nX-Empty:\n");
        assert_eq!(stored.open(&key(), &Plain).unwrap(), response);
    }

    #[test]
    fn what_would_break_http_is_refused() {
        for response in [
            Response::new(99, ""),
            Response::new(1000, ""),
            Response::new(200, "").with_header("", "x"),
            Response::new(200, "").with_header("a b", "x"),
            Response::new(200, "").with_header("a:", "x"),
            Response::new(200, "").with_header("a", "x\r\nSet-Cookie: y"),
            Response::new(200, "").with_header("a", [0]),
        ] {
            assert!(matches!(response.store(&key(), &Plain), Err(StoreError::Response(_))), "{response:?}");
        }
    }
}
