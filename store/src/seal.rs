//! A hook to seal what is stored of responses and requests.

use intentkey_core::Key;

/// Why a body could not be sealed or opened. It is shown: nothing secret may be in it.
pub type SealError = Box<dyn std::error::Error + Send + Sync>;

/// Seals and opens what is stored of headers, bodies and recorded requests, such as an AEAD with a key
/// that the database does not have.
///
/// The row's key is given to be bound in (as associated data), so that what is sealed for one row does
/// not open in another. Sealing need not be deterministic. `open` must read whatever `seal` wrote for as
/// long as rows are kept, also after a change of secrets.
pub trait Seal: Send + Sync {
    /// Seals.
    ///
    /// # Errors
    ///
    /// As the implementation says; nothing is stored then.
    fn seal(&self, key: &Key, plain: &[u8]) -> Result<Vec<u8>, SealError>;

    /// Opens.
    ///
    /// # Errors
    ///
    /// Where the bytes are not what `seal` wrote for this key.
    fn open(&self, key: &Key, sealed: &[u8]) -> Result<Vec<u8>, SealError>;
}

/// Bytes are stored as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Seal for Plain {
    fn seal(&self, _: &Key, plain: &[u8]) -> Result<Vec<u8>, SealError> {
        Ok(plain.to_vec())
    }

    fn open(&self, _: &Key, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        Ok(sealed.to_vec())
    }
}
