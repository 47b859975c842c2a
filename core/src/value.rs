//! The typed input tree: what a payload is before any rule looks at it.

mod nearest;
mod number;
#[cfg(feature = "serde")]
mod serialize;

pub use number::Number;
#[cfg(feature = "serde")]
pub use serialize::SerializeError;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// One value of a payload.
///
/// The kinds of JSON (RFC 8259), and what other hosts have beside them, so that each host can
/// say what it saw and the rules refuse it under the same code everywhere.
///
/// ```
/// use intentkey_core::Value;
///
/// let payload = Value::object([
///     ("amount", Value::from(10.5)),
///     ("currency", Value::from("BRL")),
/// ]);
/// assert_eq!(payload.kind(), "object");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number: the IEEE 754 double nearest to what was written (RFC 7493, section 2.2).
    Number(Number<'a>),
    /// An integer of any size from a host that has them (a JavaScript BigInt), as its exact
    /// decimal digits. Only the rules `decimal` and `integer` take it.
    BigInteger(Cow<'a, str>),
    /// A string of Unicode scalar values.
    String(Cow<'a, str>),
    /// A string with a lone surrogate, which is no Unicode text. Its content is not kept.
    NotUnicode,
    /// Elements in order.
    List(Vec<Value<'a>>),
    /// Members in the order of the source; a name may occur twice, and is then refused.
    Object(Vec<(Name<'a>, Value<'a>)>),
    /// What JSON has no kind for: a date object, a function, an accessor. Refused as
    /// `field_type` wherever a rule meets it.
    Foreign,
}

/// The name of a member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Name<'a> {
    /// A name of Unicode scalar values, compared exactly.
    Unicode(Cow<'a, str>),
    /// A name with a lone surrogate. Its content is not kept.
    NotUnicode,
}

impl<'a> Value<'a> {
    /// An object with the members given, in that order.
    pub fn object<N, I>(members: I) -> Self
    where
        N: Into<Name<'a>>,
        I: IntoIterator<Item = (N, Value<'a>)>,
    {
        Value::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// The name of the value's kind, for people: `null`, `boolean`, `number`, `big integer`,
    /// `string`, `list`, `object` or `foreign`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Boolean(_) => "boolean",
            Value::Number(_) => "number",
            Value::BigInteger(_) => "big integer",
            Value::String(_) | Value::NotUnicode => "string",
            Value::List(_) => "list",
            Value::Object(_) => "object",
            Value::Foreign => "foreign",
        }
    }
}

impl<'a> Name<'a> {
    /// The name, where it is Unicode text.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Name::Unicode(name) => Some(name),
            Name::NotUnicode => None,
        }
    }
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(name: &'a str) -> Self {
        Name::Unicode(Cow::Borrowed(name))
    }
}

impl From<String> for Name<'_> {
    fn from(name: String) -> Self {
        Name::Unicode(Cow::Owned(name))
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::String(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::String(Cow::Owned(text))
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Value::Boolean(value)
    }
}

macro_rules! from_numbers {
    ($($number:ty),+) => {$(
        impl From<$number> for Value<'_> {
            fn from(number: $number) -> Self {
                Value::Number(Number::from(number))
            }
        }
    )+};
}

from_numbers!(f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

impl<'a> From<Vec<Value<'a>>> for Value<'a> {
    fn from(elements: Vec<Value<'a>>) -> Self {
        Value::List(elements)
    }
}
