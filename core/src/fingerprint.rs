//! Fingerprints: what a store compares to tell a repeat from a conflict.

use alloc::string::String;
use core::fmt;

use subtle::ConstantTimeEq as _;

use crate::key::{hex, write_hex};

/// The MAC over identity and checked fields. It stays in the store: the same key with another
/// fingerprint is a conflict (422). Compared in constant time.
#[derive(Clone, Copy)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    pub(crate) fn new(mac: [u8; 32]) -> Self {
        Fingerprint(mac)
    }

    /// A fingerprint that was written before, or that the caller made of a request without a policy:
    /// 32 bytes that are equal exactly where the requests are.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Fingerprint(bytes)
    }

    /// The 32 bytes of the MAC.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The MAC as 64 lower-case hex digits.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex(&self.0)
    }
}

impl PartialEq for Fingerprint {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Fingerprint {}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        write_hex(&self.0, &mut digits);
        f.write_str(core::str::from_utf8(&digits).unwrap_or_default())
    }
}

/// It is not shown: without a secret in it, a payload could be guessed from it.
impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fingerprint(..)")
    }
}
