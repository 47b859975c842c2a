//! Objects and lists while they are serialized.

use alloc::vec::Vec;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::name::ToName;
use super::{OwnedMembers, SerializeError, ToValue, in_variant};
use crate::value::{Name, Value};

/// A list while it is serialized.
pub(super) struct Elements {
    to_value: ToValue,
    variant: Option<&'static str>,
    elements: Vec<Value<'static>>,
}

impl Elements {
    pub(super) fn new(to_value: ToValue, variant: Option<&'static str>) -> Self {
        Elements { to_value, variant, elements: Vec::new() }
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerializeError> {
        self.elements.push(self.to_value.inside(value)?);
        Ok(())
    }

    fn finish(self) -> Value<'static> {
        in_variant(self.variant, Value::List(self.elements))
    }
}

/// An object while it is serialized.
pub(super) struct Members {
    to_value: ToValue,
    variant: Option<&'static str>,
    members: OwnedMembers,
    /// The name whose value comes next; `None` where a name was no string.
    name: Option<Name<'static>>,
    /// Whether every name so far was a string.
    named: bool,
}

impl Members {
    pub(super) fn new(to_value: ToValue, variant: Option<&'static str>) -> Self {
        Members { to_value, variant, members: Vec::new(), name: None, named: true }
    }

    fn push<T: Serialize + ?Sized>(&mut self, name: Name<'static>, value: &T) -> Result<(), SerializeError> {
        self.members.push((name, self.to_value.inside(value)?));
        Ok(())
    }

    fn finish(self) -> Value<'static> {
        let value = if self.named { Value::Object(self.members) } else { Value::Foreign };
        in_variant(self.variant, value)
    }
}

macro_rules! elements {
    ($($part:ident: $method:ident),+) => {$(
        impl $part for Elements {
            type Ok = Value<'static>;
            type Error = SerializeError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerializeError> {
                self.push(value)
            }

            fn end(self) -> Result<Value<'static>, SerializeError> {
                Ok(self.finish())
            }
        }
    )+};
}

elements! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
}

macro_rules! members {
    ($($part:ident),+) => {$(
        impl $part for Members {
            type Ok = Value<'static>;
            type Error = SerializeError;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), SerializeError> {
                self.push(Name::from(name), value)
            }

            fn end(self) -> Result<Value<'static>, SerializeError> {
                Ok(self.finish())
            }
        }
    )+};
}

members! { SerializeStruct, SerializeStructVariant }

impl SerializeMap for Members {
    type Ok = Value<'static>;
    type Error = SerializeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), SerializeError> {
        self.name = name.serialize(ToName)?.map(Name::from);
        self.named &= self.name.is_some();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerializeError> {
        match self.name.take() {
            Some(name) => self.push(name, value),
            None => Ok(()),
        }
    }

    fn end(self) -> Result<Value<'static>, SerializeError> {
        Ok(self.finish())
    }
}
