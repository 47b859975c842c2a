//! Keys: the idempotency key that travels, in the shape that its policy asks for.

use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::error::Refusal;
use crate::policy::Table;

/// The longest key there is: 64 hex digits.
const LONGEST: usize = 64;
/// The shortest: 22 base64url digits.
const SHORTEST: usize = 22;

/// The characters of a UUID: 32 digits and 4 hyphens.
const UUID_LENGTH: u8 = 36;

/// The alphabet of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyFormat {
    /// Lower-case hexadecimal digits.
    Hex,
    /// The URL-safe alphabet of RFC 4648, section 5, without padding.
    Base64Url,
    /// A UUID of version 8 (RFC 9562, section 5.8), for destinations that want a UUID.
    Uuid,
    /// A UUID with version 4's shape, for destinations that check the version.
    Uuid4,
}

const FORMATS: &[(&str, KeyFormat)] = &[
    ("hex", KeyFormat::Hex),
    ("base64url", KeyFormat::Base64Url),
    ("uuid", KeyFormat::Uuid),
    ("uuid4", KeyFormat::Uuid4),
];

impl KeyFormat {
    /// The format's name, as policies write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        FORMATS.iter().find(|format| format.1 == self).map_or("", |format| format.0)
    }

    /// The shortest key (128 bits) and the longest (256).
    const fn bounds(self) -> (u8, u8) {
        match self {
            KeyFormat::Hex => (32, 64),
            KeyFormat::Base64Url => (22, 43),
            KeyFormat::Uuid | KeyFormat::Uuid4 => (UUID_LENGTH, UUID_LENGTH),
        }
    }
}

/// The alphabet and the length of a policy's keys.
///
/// ```
/// use intentkey_core::{KeyFormat, KeyShape};
///
/// let shape = KeyShape::default();
/// assert_eq!((shape.format(), shape.length()), (KeyFormat::Hex, 64));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyShape {
    format: KeyFormat,
    length: u8,
}

impl Default for KeyShape {
    /// 64 hex digits.
    fn default() -> Self {
        KeyShape { format: KeyFormat::Hex, length: 64 }
    }
}

impl KeyShape {
    /// The alphabet.
    #[must_use]
    pub fn format(self) -> KeyFormat {
        self.format
    }

    /// The length in characters.
    #[must_use]
    pub fn length(self) -> usize {
        usize::from(self.length)
    }

    pub(crate) fn read(table: &mut Table<'_>) -> Result<Self, Refusal> {
        let format = table.word("format", FORMATS)?.unwrap_or(KeyFormat::Hex);
        let (least, most) = format.bounds();
        if least == most {
            if table.take("length").is_some() {
                return Err(table.refuse("length", "a UUID has one length: leave it out"));
            }
            return Ok(KeyShape { format, length: most });
        }
        let length = table.integer("length", u64::from(least), u64::from(most)).map_err(|refusal| {
            let message = String::from(refusal.message());
            refusal.because([&message, " for format \"", format.name(), "\""].concat())
        })?;
        let length = length.and_then(|length| u8::try_from(length).ok()).unwrap_or(most);
        Ok(KeyShape { format, length })
    }

    /// The key that a MAC gives: cut on the right, or its first 16 bytes as a UUID.
    pub(crate) fn key(self, mac: &[u8; 32]) -> Key {
        let mut key = Key { characters: [0; LONGEST], length: self.length };
        match self.format {
            KeyFormat::Hex => write_hex(mac, &mut key.characters),
            KeyFormat::Base64Url => write_base64url(mac, &mut key.characters),
            KeyFormat::Uuid => write_uuid(mac, 8, &mut key.characters),
            KeyFormat::Uuid4 => write_uuid(mac, 4, &mut key.characters),
        }
        key
    }
}

/// An idempotency key: printable ASCII, 22 to 64 characters.
///
/// ```
/// use intentkey_core::Key;
///
/// // Where an intent is recorded before the first attempt, a random key stored with it is the
/// // simplest choice. The 16 bytes come from the caller's source of randomness.
/// let key = Key::recorded([0xd4; 16]);
/// assert_eq!(key.as_str(), "d4d4d4d4-d4d4-44d4-94d4-d4d4d4d4d4d4");
/// ```
#[derive(Clone, Copy)]
pub struct Key {
    /// What lies beyond `length` counts for nothing.
    characters: [u8; LONGEST],
    length: u8,
}

impl Key {
    /// A UUID of version 4 (RFC 9562, section 5.4) from 16 random bytes, for an intent that is
    /// recorded with its key before the first attempt.
    #[must_use]
    pub fn recorded(random: [u8; 16]) -> Key {
        let mut key = Key { characters: [0; LONGEST], length: UUID_LENGTH };
        write_uuid(&random, 4, &mut key.characters);
        key
    }

    /// A key that was written before, such as one from a store or from another producer: 22 to 64
    /// ASCII letters, digits, `-` and `_`. `None` for any other text.
    ///
    /// ```
    /// use intentkey_core::Key;
    ///
    /// let key = Key::recorded([0xd4; 16]);
    /// assert_eq!(Key::parse(key.as_str()), Some(key));
    /// assert_eq!(Key::parse("d4d4"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Key> {
        let is_key_character = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if !(SHORTEST..=LONGEST).contains(&text.len()) || !text.bytes().all(is_key_character) {
            return None;
        }
        let mut characters = [0; LONGEST];
        characters.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Key { characters, length: u8::try_from(text.len()).ok()? })
    }

    /// The 64 hex digits of a digest.
    pub(crate) fn digest(digest: &[u8; 32]) -> Key {
        KeyShape::default().key(digest)
    }

    /// The key's characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let characters = self.characters.get(..usize::from(self.length)).unwrap_or_default();
        // Only ASCII is ever put in.
        core::str::from_utf8(characters).unwrap_or_default()
    }

    /// The first 8 characters: what logs show of a key, enough to find it and too few to use it.
    ///
    /// ```
    /// use intentkey_core::Key;
    ///
    /// let key = Key::recorded([7; 16]);
    /// assert_eq!(key.prefix(), "07070707");
    /// assert_eq!(format!("{key:?}"), "Key(07070707..)");
    /// ```
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.as_str().get(..8).unwrap_or_default()
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Its first 8 characters; `Display` shows all of it.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({}..)", self.prefix())
    }
}

impl AsRef<str> for Key {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

fn hex_digit(value: u8) -> u8 {
    if value < 10 { b'0' + value } else { b'a' + value - 10 }
}

/// Writes the first 16 bytes as a UUID of a version (RFC 9562, section 4).
fn write_uuid(bytes: &[u8], version: u8, characters: &mut [u8; LONGEST]) {
    let mut slots = characters.iter_mut();
    for (index, &byte) in bytes.iter().take(16).enumerate() {
        let byte = match index {
            6 => version << 4 | byte & 0x0f,
            8 => 0x80 | byte & 0x3f,
            _ => byte,
        };
        if matches!(index, 4 | 6 | 8 | 10)
            && let Some(slot) = slots.next()
        {
            *slot = b'-';
        }
        for (digit, slot) in [byte >> 4, byte & 0x0f].into_iter().zip(&mut slots) {
            *slot = hex_digit(digit);
        }
    }
}

/// Writes the 64 hex digits of a MAC.
pub(crate) fn write_hex(mac: &[u8; 32], digits: &mut [u8; LONGEST]) {
    for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(mac) {
        *pair = [hex_digit(byte >> 4), hex_digit(byte & 0x0f)];
    }
}

/// Writes the 43 base64url digits of a MAC.
fn write_base64url(mac: &[u8; 32], digits: &mut [u8; LONGEST]) {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (group, slots) in mac.chunks(3).zip(digits.chunks_exact_mut(4)) {
        let bits =
            group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for (index, slot) in slots.iter_mut().take(group.len() + 1).enumerate() {
            let digit = bits >> (18 - 6 * index) & 0x3f;
            *slot = ALPHABET.get(digit as usize).copied().unwrap_or_default();
        }
    }
}

/// Lower-case hexadecimal text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 0x0f]).map(|digit| char::from(hex_digit(digit))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mac() -> [u8; 32] {
        core::array::from_fn(|index| (index * 8) as u8 | 7)
    }

    fn key(format: KeyFormat, length: u8) -> String {
        KeyShape { format, length }.key(&mac()).as_str().into()
    }

    #[test]
    fn keys_have_the_shape_that_is_asked_for() {
        assert_eq!(
            key(KeyFormat::Hex, 64),
            "070f171f272f373f474f575f676f777f878f979fa7afb7bfc7cfd7dfe7eff7ff"
        );
        assert_eq!(key(KeyFormat::Hex, 33), "070f171f272f373f474f575f676f777f8");
        // Python: base64.urlsafe_b64encode(bytes(i * 8 | 7 for i in range(32)))
        assert_eq!(key(KeyFormat::Base64Url, 43), "Bw8XHycvNz9HT1dfZ293f4ePl5-nr7e_x8_X3-fv9_8");
        assert_eq!(key(KeyFormat::Base64Url, 22), "Bw8XHycvNz9HT1dfZ293f4");
        assert_eq!(key(KeyFormat::Uuid, 36), "070f171f-272f-873f-874f-575f676f777f");
        assert_eq!(key(KeyFormat::Uuid4, 36), "070f171f-272f-473f-874f-575f676f777f");
    }
}
