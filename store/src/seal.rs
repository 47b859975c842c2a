//! A hook to seal what is stored of responses and requests.

use intentkey_core::Key;

/// Why a body could not be sealed or opened. It is shown: nothing secret may be in it.
pub type SealError = Box<dyn std::error::Error + Send + Sync>;

/// What is sealed of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The headers of a response.
    Headers,
    /// The body of a response.
    Body,
    /// A recorded request.
    Request,
}

impl Part {
    /// Its name, to be bound in: it never changes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Part::Headers => "headers",
            Part::Body => "body",
            Part::Request => "request",
        }
    }
}

/// Seals and opens what is stored of headers, bodies and recorded requests, such as an AEAD with a key
/// that the database does not have.
///
/// The row's key and the part are given to be bound in (as associated data), so that what is sealed for
/// one row, or one part of it, does not open in another. Sealing need not be deterministic. `open` must read whatever `seal` wrote for as
/// long as rows are kept, also after a change of secrets.
pub trait Seal: Send + Sync {
    /// Seals.
    ///
    /// # Errors
    ///
    /// As the implementation says; nothing is stored then.
    fn seal(&self, key: &Key, part: Part, plain: &[u8]) -> Result<Vec<u8>, SealError>;

    /// Opens.
    ///
    /// # Errors
    ///
    /// Where the bytes are not what `seal` wrote for this key and part.
    fn open(&self, key: &Key, part: Part, sealed: &[u8]) -> Result<Vec<u8>, SealError>;
}

/// Bytes are stored as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Seal for Plain {
    fn seal(&self, _: &Key, _: Part, plain: &[u8]) -> Result<Vec<u8>, SealError> {
        Ok(plain.to_vec())
    }

    fn open(&self, _: &Key, _: Part, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        Ok(sealed.to_vec())
    }
}
