//! The header `Idempotency-Key`: keys that clients choose.
//!
//! Strict ([`ClientKey::strict`]), as the IETF draft has it:
//!
//! 1. The value is an RFC 8941 item that is a string: printable ASCII in double quotes, in which a
//!    backslash stands before a double quote or a backslash and before nothing else.
//! 2. Parameters may follow; they are checked for form and ignored.
//! 3. Spaces may stand before and after the item, and nothing else.
//!
//! Lenient ([`ClientKey::lenient`]), for clients that send the key as it is:
//!
//! 1. What begins with a double quote is read as above.
//! 2. All else is the key itself: visible ASCII without double quote, comma or backslash. (A comma
//!    is what joins two header lines.) White space before and after it does not count.
//!
//! Either way a key has 1 to 255 characters.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::fmt;

use sha2::{Digest as _, Sha256};

use super::item;
use crate::buffer::Buffer;
use crate::key::Key;
use crate::material;

/// The longest key that is taken: what fits the columns of common stores and gateways.
const LONGEST: usize = 255;

/// A key that a client chose.
///
/// ```
/// use intentkey_core::protocol::ClientKey;
///
/// let strict = ClientKey::strict(br#""8e03978e-40d5-43dd-bc93-6894a57f9324""#)?;
/// let lenient = ClientKey::lenient(b"8e03978e-40d5-43dd-bc93-6894a57f9324")?;
/// assert_eq!(strict, lenient);
/// assert!(ClientKey::strict(b"8e03978e-40d5-43dd-bc93-6894a57f9324").is_err());
/// # Ok::<(), intentkey_core::protocol::KeyMalformed>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ClientKey(String);

/// The header's value is no key; what it was is not repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyMalformed;

impl fmt::Display for KeyMalformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the header Idempotency-Key is no string of 1 to 255 characters (RFC 8941)")
    }
}

impl core::error::Error for KeyMalformed {}

impl ClientKey {
    /// Reads the header's value as an RFC 8941 string.
    ///
    /// # Errors
    ///
    /// [`KeyMalformed`]. A header that is sent twice is malformed as well: pass the values joined
    /// by a comma, as HTTP libraries do.
    pub fn strict(value: &[u8]) -> Result<Self, KeyMalformed> {
        item::string(value).and_then(ClientKey::of).ok_or(KeyMalformed)
    }

    /// Reads the header's value as an RFC 8941 string or as the key itself.
    ///
    /// # Errors
    ///
    /// [`KeyMalformed`].
    pub fn lenient(value: &[u8]) -> Result<Self, KeyMalformed> {
        let value = value.trim_ascii();
        if value.starts_with(b"\"") {
            return ClientKey::strict(value);
        }
        let is_plain = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b',' | b'\\');
        let plain = value.iter().all(is_plain).then_some(value);
        plain
            .and_then(|value| core::str::from_utf8(value).ok())
            .and_then(|value| ClientKey::of(value.to_owned()))
            .ok_or(KeyMalformed)
    }

    fn of(key: String) -> Option<Self> {
        (1..=LONGEST).contains(&key.len()).then_some(ClientKey(key))
    }

    /// The key, as the client chose it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored: SHA-256 of `["header",tenant,key]` in 64 hex digits, so that a global unique
    /// index neither leaks the key nor lets two tenants' keys meet.
    ///
    /// ```
    /// use intentkey_core::protocol::ClientKey;
    ///
    /// let key = ClientKey::lenient(b"A-1")?;
    /// assert_eq!(
    ///     key.stored("acme").as_str(),
    ///     "e02c670121a533d333a57b54192a47e95bc3b173b1654894e2715b4bb9834ed5"
    /// );
    /// # Ok::<(), intentkey_core::protocol::KeyMalformed>(())
    /// ```
    #[must_use]
    pub fn stored(&self, tenant: &str) -> Key {
        let mut material = Buffer::from("[\"header\",");
        material::push_string(&mut material, tenant);
        material.push_byte(b',');
        material::push_string(&mut material, &self.0);
        material.push_byte(b']');
        Key::digest(&Sha256::digest(material.as_bytes()).into())
    }
}

/// A client's key is a client's: it is not shown.
impl fmt::Debug for ClientKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn the_lenient_reader_takes_bare_values() {
        for (value, key) in [
            ("A-1", Some("A-1")),
            (" \tA-1 ", Some("A-1")),
            ("\"A 1\"", Some("A 1")),
            (r#""A\"1""#, Some("A\"1")),
            ("A 1", None),
            ("A,B", None),
            ("A\"B", None),
            ("A\\B", None),
            ("\"A", None),
            ("", None),
            ("  ", None),
            ("\"\"", None),
            ("h\u{e9}", None),
        ] {
            let read = ClientKey::lenient(value.as_bytes());
            assert_eq!(read.as_ref().map(ClientKey::as_str).ok(), key, "{value}");
        }
    }

    #[test]
    fn a_key_has_at_most_255_characters() {
        let key = |length| "k".repeat(length);
        assert!(ClientKey::lenient(key(255).as_bytes()).is_ok());
        assert!(ClientKey::lenient(key(256).as_bytes()).is_err());
        assert!(ClientKey::strict(format!("\"{}\"", key(255)).as_bytes()).is_ok());
        assert!(ClientKey::strict(format!("\"{}\"", key(256)).as_bytes()).is_err());
    }

    #[test]
    fn tenants_and_keys_never_meet() {
        let stored = |tenant, key: &str| ClientKey(key.to_owned()).stored(tenant);
        assert_ne!(stored("a", "b"), stored("b", "a"));
        assert_ne!(stored("a\",\"b", "c"), stored("a", "b\",\"c"));
        // Python: hashlib.sha256(b'["header","a\\"","k\\\\"]').hexdigest()
        assert_eq!(
            stored("a\"", "k\\").as_str(),
            "385ca98a35760fae93e6b865f63de6416bc322b9fbdcaef818ba12351e608e69"
        );
    }
}
