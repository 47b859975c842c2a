//! The names of a map while it is serialized: strings, and nothing else.

use alloc::string::{String, ToString as _};

use serde::ser::{Impossible, Serialize, Serializer};

use super::SerializeError;

/// Serializes a name; `None` for what is no string.
pub(super) struct ToName;

type NoParts = Impossible<Option<String>, SerializeError>;

macro_rules! no_names {
    ($($method:ident: $value:ty),+ $(,)?) => {$(
        fn $method(self, _: $value) -> Result<Option<String>, SerializeError> {
            Ok(None)
        }
    )+};
}

macro_rules! no_parts {
    ($($method:ident($($argument:ty),*)),+ $(,)?) => {$(
        fn $method(self, $(_: $argument),*) -> Result<NoParts, SerializeError> {
            Err(SerializeError(()))
        }
    )+};
}

impl Serializer for ToName {
    type Ok = Option<String>;
    type Error = SerializeError;
    type SerializeSeq = NoParts;
    type SerializeTuple = NoParts;
    type SerializeTupleStruct = NoParts;
    type SerializeTupleVariant = NoParts;
    type SerializeMap = NoParts;
    type SerializeStruct = NoParts;
    type SerializeStructVariant = NoParts;

    no_names! {
        serialize_bool: bool,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
        serialize_f32: f32, serialize_f64: f64,
        serialize_bytes: &[u8],
        serialize_unit_struct: &'static str,
    }

    no_parts! {
        serialize_seq(Option<usize>),
        serialize_tuple(usize),
        serialize_tuple_struct(&'static str, usize),
        serialize_tuple_variant(&'static str, u32, &'static str, usize),
        serialize_map(Option<usize>),
        serialize_struct(&'static str, usize),
        serialize_struct_variant(&'static str, u32, &'static str, usize),
    }

    fn serialize_str(self, name: &str) -> Result<Option<String>, SerializeError> {
        Ok(Some(name.to_string()))
    }

    fn serialize_char(self, name: char) -> Result<Option<String>, SerializeError> {
        Ok(Some(name.to_string()))
    }

    fn serialize_none(self) -> Result<Option<String>, SerializeError> {
        Ok(None)
    }

    fn serialize_unit(self) -> Result<Option<String>, SerializeError> {
        Ok(None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, name: &T) -> Result<Option<String>, SerializeError> {
        name.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Option<String>, SerializeError> {
        Ok(Some(variant.to_string()))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        name: &T,
    ) -> Result<Option<String>, SerializeError> {
        name.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Option<String>, SerializeError> {
        Ok(None)
    }
}
