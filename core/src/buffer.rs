//! UTF-8 text while it is written.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::swar;

/// UTF-8 text while it is written, as bytes: a `String` without `unsafe` checks all ASCII that goes
/// in, which cost a tenth of a derivation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Buffer(Vec<u8>);

impl Buffer {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Buffer(Vec::with_capacity(bytes))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// What was appended from `start` on.
    #[inline]
    pub(crate) fn tail(&self, start: usize) -> &[u8] {
        self.0.get(start..).unwrap_or_default()
    }

    /// What was appended from `start` on, as text.
    pub(crate) fn text(&self, start: usize) -> &str {
        // Only text is ever appended, and every start lies between two characters.
        core::str::from_utf8(self.tail(start)).unwrap_or_default()
    }

    pub(crate) fn into_string(self) -> String {
        String::from_utf8(self.0).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn push(&mut self, character: char) {
        self.push_str(character.encode_utf8(&mut [0; 4]));
    }

    /// Appends bytes of another buffer, cut between two characters.
    #[inline]
    pub(crate) fn push_utf8(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Appends ASCII characters.
    #[inline]
    pub(crate) fn push_ascii(&mut self, characters: &[u8]) {
        debug_assert!(characters.is_ascii(), "other bytes are no UTF-8");
        self.0.extend_from_slice(characters);
    }

    /// Appends one ASCII character.
    #[inline]
    pub(crate) fn push_byte(&mut self, character: u8) {
        debug_assert!(character.is_ascii(), "other bytes are no UTF-8");
        self.0.push(character);
    }

    /// Appends text with its ASCII letters lower-cased.
    #[inline]
    pub(crate) fn push_lowercase(&mut self, text: &str) {
        let (eights, rest) = text.as_bytes().as_chunks();
        for &eight in eights {
            self.0.extend_from_slice(&swar::lowercase(eight));
        }
        match text.as_bytes().last_chunk() {
            // Eight bytes again, some of them a second time: how many are left is hard to predict.
            Some(&last) => {
                self.0.truncate(self.0.len() + rest.len() - 8);
                self.0.extend_from_slice(&swar::lowercase(last));
            }
            None => self.0.extend(rest.iter().map(u8::to_ascii_lowercase)),
        }
    }

    /// Lower-cases the ASCII letters of what was appended from `start` on.
    pub(crate) fn make_ascii_lowercase(&mut self, start: usize) {
        self.0.get_mut(start..).unwrap_or_default().make_ascii_lowercase();
    }

    /// The bytes, for one who leaves text behind.
    pub(crate) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }

    #[inline]
    pub(crate) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// Takes what was appended from `start` on.
    pub(crate) fn split_off(&mut self, start: usize) -> String {
        Buffer(self.0.split_off(start.min(self.0.len()))).into_string()
    }
}

impl fmt::Write for Buffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }

    fn write_char(&mut self, character: char) -> fmt::Result {
        self.push(character);
        Ok(())
    }
}

impl From<&str> for Buffer {
    fn from(text: &str) -> Self {
        Buffer(Vec::from(text))
    }
}
