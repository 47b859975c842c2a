//! A position in JSON text, and the tokens that need no more than one byte of it.

use crate::error::Code;
use crate::swar;

/// A position in JSON text.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    /// The bytes that are still to be read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The text between two positions that lie between characters.
    pub(crate) fn between(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Passes over white space (RFC 8259, section 2) and gives the byte after it.
    #[inline]
    pub(crate) fn next_token(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                token => return token,
            }
        }
    }

    /// Passes over white space and one expected byte.
    #[inline]
    pub(crate) fn expect(&mut self, token: u8) -> Result<(), Code> {
        if self.next_token() != Some(token) {
            return Err(Code::JsonMalformed);
        }
        self.at += 1;
        Ok(())
    }

    /// Passes over the byte, where it is next after white space.
    pub(crate) fn take(&mut self, token: u8) -> bool {
        let found = self.next_token() == Some(token);
        if found {
            self.at += 1;
        }
        found
    }

    /// After an element: whether another follows (`,`) or the list or object ends.
    #[inline]
    pub(crate) fn another(&mut self, end: u8) -> Result<bool, Code> {
        let token = self.next_token();
        self.at += 1;
        match token {
            Some(b',') => Ok(true),
            Some(found) if found == end => Ok(false),
            _ => Err(Code::JsonMalformed),
        }
    }

    /// Refuses anything but white space up to the end.
    pub(crate) fn finish(&mut self) -> Result<(), Code> {
        if self.next_token().is_some() { Err(Code::JsonMalformed) } else { Ok(()) }
    }

    /// Passes over `true`, `false` or `null`.
    pub(crate) fn word(&mut self, word: &str) -> Result<(), Code> {
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(Code::JsonMalformed);
        }
        self.at += word.len();
        Ok(())
    }

    /// Passes over a string in which nothing is escaped, and gives its text; the cursor stands at its
    /// opening quote. At any other it does nothing.
    #[inline]
    pub(crate) fn plain_string(&mut self) -> Option<&'a str> {
        let inside = self.text.get(self.at + 1..)?;
        let end = swar::find_special(inside.as_bytes())?;
        if inside.as_bytes().get(end) != Some(&b'"') {
            return None;
        }
        self.at += end + 2;
        inside.get(..end)
    }

    /// Passes over a number (RFC 8259, section 6) and gives its text.
    pub(crate) fn number(&mut self) -> Result<&'a str, Code> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(self.between(start, self.at))
    }

    fn digits(&mut self) -> Result<(), Code> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(Code::JsonMalformed) } else { Ok(()) }
    }
}
