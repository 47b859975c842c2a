//! Secrets, and the MACs that they key.
//!
//! Source: RFC 2104 (HMAC), FIPS 180-4 (SHA-256). Every label below is in the design; changing
//! one changes every key.

use alloc::string::String;
use alloc::vec::Vec;

use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::hmac::HmacSha256;
use crate::key::hex;

/// What stands before a tenant whose secret is made.
const TENANT_LABEL: &str = "intentkey tenant v1\0";

/// The fewest bytes of a secret: 128 bits.
const SHORTEST: usize = 16;

/// A secret that keys are made with: at least 16 bytes, 32 random ones are advised.
///
/// It is zeroized when dropped, compared in constant time, and shown nowhere: it implements
/// neither `Debug` nor `Display`. Whoever sees it can enumerate the keys made with it.
///
/// ```
/// use intentkey_core::{Code, Secret};
///
/// assert!(Secret::new([7; 32]).is_ok());
/// assert_eq!(Secret::new([7; 15]).err().unwrap().code(), Code::SecretWeak);
/// assert_eq!(Secret::new([0; 32]).err().unwrap().code(), Code::SecretWeak);
/// ```
#[derive(Clone)]
pub struct Secret(Zeroizing<Vec<u8>>);

impl Secret {
    /// Takes the bytes of a secret.
    ///
    /// # Errors
    ///
    /// `secret_weak` for fewer than 16 bytes, or zeros alone.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, Refusal> {
        let bytes = Zeroizing::new(bytes.into());
        if bytes.len() < SHORTEST || bytes.iter().all(|&byte| byte == 0) {
            return Err(Refusal::new(Code::SecretWeak));
        }
        Ok(Secret(bytes))
    }

    /// Takes a secret written as hexadecimal digits of either case.
    ///
    /// # Errors
    ///
    /// `keyring_invalid` for text that is not pairs of hexadecimal digits; `secret_weak` as
    /// [`Secret::new`].
    ///
    /// ```
    /// use intentkey_core::Secret;
    ///
    /// let secret = Secret::from_hex("000102030405060708090a0b0c0d0e0f")?;
    /// assert!(secret == Secret::new((0..16).collect::<Vec<u8>>())?);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn from_hex(digits: &str) -> Result<Self, Refusal> {
        let malformed =
            || Refusal::new(Code::KeyringInvalid).because("a secret in hex is pairs of hexadecimal digits");
        let mut bytes = Zeroizing::new(Vec::with_capacity(digits.len() / 2));
        for pair in digits.as_bytes().chunks(2) {
            let &[high, low] = pair else { return Err(malformed()) };
            let value = |digit: u8| char::from(digit).to_digit(16).ok_or_else(malformed);
            bytes.push((value(high)? << 4 | value(low)?) as u8);
        }
        Secret::new(core::mem::take(&mut *bytes))
    }

    /// The secret of one tenant, for policies with `scope = "tenant"`: a producer that holds it
    /// can derive that tenant's keys and nobody else's.
    #[must_use]
    pub fn for_tenant(&self, tenant: &str) -> Secret {
        Secret(Zeroizing::new(MacKey::new(&self.0).tenant_secret(tenant).to_vec()))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// In constant time for secrets of one length.
impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Secret {}

/// HMAC-SHA256 with its key: the state after the key block, from which every MAC starts.
///
/// The state is zeroized when dropped.
#[derive(Clone)]
pub(crate) struct MacKey(HmacSha256);

impl MacKey {
    pub(crate) fn new(key: &[u8]) -> Self {
        MacKey(HmacSha256::new(key))
    }

    pub(crate) fn mac(&self, message: &mut Buffer) -> [u8; 32] {
        self.0.mac(message.bytes_mut())
    }

    /// A MAC keyed with the MAC of a label.
    fn derived(&self, label: &str) -> MacKey {
        MacKey::new(&*Zeroizing::new(self.mac(&mut label.into())))
    }

    /// The MAC for fingerprints, of a secret's own MAC.
    pub(crate) fn for_fingerprints(&self) -> MacKey {
        self.derived("intentkey fingerprint v1")
    }

    /// The MAC for keys from intent ids, of a secret's own MAC.
    pub(crate) fn for_ids(&self) -> MacKey {
        self.derived("intentkey id v1")
    }

    /// The MAC keyed with a tenant's secret, of the master secret's own MAC.
    pub(crate) fn for_tenant(&self, tenant: &str) -> MacKey {
        MacKey::new(&*self.tenant_secret(tenant))
    }

    /// What two producers compare to see that they hold the same secret: 8 hex digits.
    pub(crate) fn check_value(&self) -> String {
        let mac = self.mac(&mut "intentkey check v1".into());
        hex(mac.get(..4).unwrap_or_default())
    }

    fn tenant_secret(&self, tenant: &str) -> Zeroizing<[u8; 32]> {
        let mut message = Buffer::from(TENANT_LABEL);
        message.push_str(tenant);
        Zeroizing::new(self.mac(&mut message))
    }
}

/// The MACs of one secret.
#[derive(Clone)]
pub(crate) struct Macs {
    /// Keyed with the secret itself: for keys.
    pub(crate) key: MacKey,
    /// For fingerprints.
    pub(crate) fingerprint: MacKey,
}

impl Macs {
    pub(crate) fn new(secret: &[u8]) -> Self {
        let key = MacKey::new(secret);
        let fingerprint = key.for_fingerprints();
        Macs { key, fingerprint }
    }
}
