//! Owner tokens: who may write a row's outcome.

use std::fmt;

use crate::error::{Result, StoreError};

/// Who owns an effect: 16 random bytes, drawn anew for every claim. Only its holder settles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token([u8; 16]);

impl Token {
    /// Draws a token from the operating system.
    pub(crate) fn draw() -> Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(StoreError::database)?;
        Ok(Token(bytes))
    }

    /// A token that was kept outside of the process, as an operator's command does.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Token(bytes)
    }

    /// Its bytes. Whoever holds them can settle.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        bytes.try_into().map(Token).map_err(|_| StoreError::Corrupt("owner_token"))
    }
}

/// It is not shown: whoever reads a log could settle.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}
