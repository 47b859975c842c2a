//! A payload from any type that implements `serde::Serialize`.

mod collect;
mod name;

use alloc::borrow::ToOwned as _;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt;

use serde::ser::{Serialize, Serializer};

use super::{Name, Number, Value};
use crate::json::LEVELS;
use collect::{Elements, Members};

/// Why a type could not be serialized: its own implementation gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerializeError(());

impl fmt::Display for SerializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What the implementation says may hold a value of the payload.
        f.write_str("the payload's own Serialize implementation failed")
    }
}

impl core::error::Error for SerializeError {}

impl serde::ser::Error for SerializeError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        SerializeError(())
    }
}

impl Value<'static> {
    /// Takes any serializable value as a payload.
    ///
    /// It is what JSON text of the value would mean: structs and maps are objects, options are
    /// null or their value, unit variants are strings. Bytes, and maps whose names are not
    /// strings, are [`Value::Foreign`]. Below 64 levels nothing is looked at, as elsewhere.
    ///
    /// # Errors
    ///
    /// Where the type's own implementation fails.
    ///
    /// ```
    /// use intentkey_core::Value;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Refund<'a> {
    ///     order: &'a str,
    ///     amount: f64,
    /// }
    ///
    /// let payload = Value::from_serialize(&Refund { order: "A-1", amount: 10.5 })?;
    /// assert_eq!(payload, Value::object([("order", Value::from("A-1")), ("amount", Value::from(10.5))]));
    /// # Ok::<(), intentkey_core::SerializeError>(())
    /// ```
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, SerializeError> {
        value.serialize(ToValue { level: 1 })
    }
}

/// Serializes one value; an object or a list would be at `level`.
#[derive(Clone, Copy)]
struct ToValue {
    level: usize,
}

impl ToValue {
    /// Serializes what lies in an object or a list. Past the last level that is ever looked at
    /// only the kind is kept, so that a deep value at an ignored place costs nothing.
    fn inside<T: Serialize + ?Sized>(self, value: &T) -> Result<Value<'static>, SerializeError> {
        if self.level > LEVELS {
            return Ok(Value::Null);
        }
        value.serialize(ToValue { level: self.level + 1 })
    }
}

macro_rules! numbers {
    ($($method:ident: $number:ty),+ $(,)?) => {$(
        fn $method(self, number: $number) -> Result<Self::Ok, Self::Error> {
            Ok(Value::Number(Number::from(number)))
        }
    )+};
}

impl Serializer for ToValue {
    type Ok = Value<'static>;
    type Error = SerializeError;
    type SerializeSeq = Elements;
    type SerializeTuple = Elements;
    type SerializeTupleStruct = Elements;
    type SerializeTupleVariant = Elements;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    numbers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
        serialize_f32: f32, serialize_f64: f64,
    }

    fn serialize_bool(self, value: bool) -> Result<Self::Ok, Self::Error> {
        Ok(Value::Boolean(value))
    }

    fn serialize_char(self, value: char) -> Result<Self::Ok, Self::Error> {
        Ok(Value::from(value.to_string()))
    }

    fn serialize_str(self, value: &str) -> Result<Self::Ok, Self::Error> {
        Ok(Value::from(value.to_owned()))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Self::Ok, Self::Error> {
        Ok(Value::Foreign)
    }

    fn serialize_none(self) -> Result<Self::Ok, Self::Error> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Self::Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Self::Ok, Self::Error> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Self::Error> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Self::Ok, Self::Error> {
        Ok(Value::from(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Self::Ok, Self::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Self::Ok, Self::Error> {
        Ok(Value::object([(variant, self.inside(value)?)]))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements, Self::Error> {
        Ok(Elements::new(self, None))
    }

    fn serialize_tuple(self, _: usize) -> Result<Elements, Self::Error> {
        Ok(Elements::new(self, None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Elements, Self::Error> {
        Ok(Elements::new(self, None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Elements, Self::Error> {
        Ok(Elements::new(ToValue { level: self.level + 1 }, Some(variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members, Self::Error> {
        Ok(Members::new(self, None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members, Self::Error> {
        Ok(Members::new(self, None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members, Self::Error> {
        Ok(Members::new(ToValue { level: self.level + 1 }, Some(variant)))
    }
}

/// The value of a variant with content, as JSON has it: an object with one member.
fn in_variant(variant: Option<&'static str>, value: Value<'static>) -> Value<'static> {
    match variant {
        Some(variant) => Value::object([(variant, value)]),
        None => value,
    }
}

type OwnedMembers = Vec<(Name<'static>, Value<'static>)>;
