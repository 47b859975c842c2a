//! The flat message that the JavaScript glue writes, read into core's values.
//!
//! Reading JavaScript objects from Rust takes an imported call for each name and each value, and
//! what `serde-wasm-bindgen` makes of them loses what must be seen here (lone surrogates,
//! accessors, `undefined`). So the glue walks an object itself and writes it, little-endian:
//!
//! | tag | then | means |
//! | --- | --- | --- |
//! | 0 | | null |
//! | 1, 2 | | false, true |
//! | 3 | 8 bytes | a number |
//! | 4 | u32 length, that many bytes | a string |
//! | 5 | as 4 | the decimal digits of a BigInt |
//! | 6 | | what JSON has no kind for |
//! | 7 | u32 count, that many values | a list |
//! | 8 | u32 count, that many names each with its value | an object |
//!
//! A name is a u16, its place in the list of names that the policies declare; or `0xffff` and a
//! text as in 4. A text that is not UTF-8 is how the glue writes a lone surrogate: three bytes
//! that no UTF-8 has. Nothing is copied: values borrow from the message.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use intentkey_core::{Name, Number, Value};

/// The name that stands for one that is written out.
const WRITTEN_OUT: u16 = 0xffff;

/// The most levels that are read. The glue writes at most 64, and says itself when there are more.
const LEVELS: usize = 65;

/// Reads one message.
pub struct Reader<'m> {
    rest: &'m [u8],
    names: &'m [Box<str>],
}

/// A message that the glue does not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Garbled;

impl<'m> Reader<'m> {
    /// A reader of a message in which names are places in `names`.
    #[must_use]
    pub fn new(message: &'m [u8], names: &'m [Box<str>]) -> Self {
        Reader { rest: message, names }
    }

    /// Reads one value.
    ///
    /// # Errors
    ///
    /// [`Garbled`] for what the table above does not hold.
    pub fn value(&mut self) -> Result<Value<'m>, Garbled> {
        self.value_at(LEVELS)
    }

    /// Reads a text, or `None` for one that is not Unicode.
    ///
    /// # Errors
    ///
    /// [`Garbled`] where the message ends before it does.
    #[inline]
    pub fn text(&mut self) -> Result<Option<&'m str>, Garbled> {
        self.bytes().map(|bytes| core::str::from_utf8(bytes).ok())
    }

    /// Reads bytes with their length before them.
    ///
    /// # Errors
    ///
    /// [`Garbled`] where the message ends before they do.
    #[inline]
    pub fn bytes(&mut self) -> Result<&'m [u8], Garbled> {
        let length = self.count()?;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(Garbled)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads a count.
    ///
    /// # Errors
    ///
    /// [`Garbled`] where the message ends before it does.
    #[inline]
    pub fn count(&mut self) -> Result<usize, Garbled> {
        usize::try_from(u32::from_le_bytes(self.take()?)).map_err(|_| Garbled)
    }

    /// Reads one byte.
    ///
    /// # Errors
    ///
    /// [`Garbled`] at the end of the message.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, Garbled> {
        let (&byte, rest) = self.rest.split_first().ok_or(Garbled)?;
        self.rest = rest;
        Ok(byte)
    }

    fn value_at(&mut self, levels: usize) -> Result<Value<'m>, Garbled> {
        Ok(match self.byte()? {
            0 => Value::Null,
            1 => Value::Boolean(false),
            2 => Value::Boolean(true),
            3 => Value::Number(Number::from(f64::from_le_bytes(self.take()?))),
            4 => self.text()?.map_or(Value::NotUnicode, Value::from),
            5 => Value::BigInteger(Cow::Borrowed(self.text()?.ok_or(Garbled)?)),
            6 => Value::Foreign,
            7 => Value::List(self.elements(levels.checked_sub(1).ok_or(Garbled)?)?),
            8 => Value::Object(self.members(levels.checked_sub(1).ok_or(Garbled)?)?),
            _ => return Err(Garbled),
        })
    }

    fn elements(&mut self, levels: usize) -> Result<Vec<Value<'m>>, Garbled> {
        let count = self.count_of_items()?;
        let mut elements = Vec::with_capacity(count);
        for _ in 0..count {
            elements.push(self.value_at(levels)?);
        }
        Ok(elements)
    }

    fn members(&mut self, levels: usize) -> Result<Vec<(Name<'m>, Value<'m>)>, Garbled> {
        let count = self.count_of_items()?;
        let mut members = Vec::with_capacity(count);
        for _ in 0..count {
            let name = self.name()?;
            members.push((name, self.value_at(levels)?));
        }
        Ok(members)
    }

    fn name(&mut self) -> Result<Name<'m>, Garbled> {
        Ok(match u16::from_le_bytes(self.take()?) {
            WRITTEN_OUT => self.text()?.map_or(Name::NotUnicode, Name::from),
            place => Name::from(&**self.names.get(usize::from(place)).ok_or(Garbled)?),
        })
    }

    /// A count of items, each of which takes a byte at least: room for more is never set aside.
    fn count_of_items(&mut self) -> Result<usize, Garbled> {
        let count = self.count()?;
        if count > self.rest.len() { Err(Garbled) } else { Ok(count) }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Garbled> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Garbled)?;
        self.rest = rest;
        Ok(*bytes)
    }
}

#[cfg(test)]
mod tests;
