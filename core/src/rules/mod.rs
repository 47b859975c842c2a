//! The rules: each takes one value of a payload to one canonical form, or refuses it.
//!
//! A rule is a file here and a line in [`rules!`] below. Canonical forms are fixed points:
//! a canonical value fed back gives itself (only `text` with `form = "nfc_first"` does not
//! promise that).

mod boolean;
mod currency;
mod date;
mod decimal;
mod digits;
mod email;
mod exact;
mod identifier;
mod integer;
mod listed;
mod phone;
mod pix_key;
mod text;
mod timestamp;
mod uuid;

pub use boolean::Boolean;
pub use currency::{Currency, ISO_4217_DATE};
pub use date::Date;
pub use decimal::{Decimal, Rounding, Scale};
pub use digits::Digits;
pub use email::Email;
pub use exact::Exact;
pub use identifier::Identifier;
pub use integer::Integer;
pub use listed::Enum;
pub use phone::Phone;
pub use pix_key::{PixKey, PixKeyKind};
pub use text::{Case, Form, Space, Text};
pub use timestamp::{Precision, Timestamp};
pub use uuid::Uuid;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Code, Refusal};
use crate::policy::{Empty, Table, quoted};
use crate::unicode;
use crate::value::Value;

pub(crate) use currency::minor_units;

/// The kinds of values that a rule takes; all else is `field_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Strings,
    Booleans,
    /// Strings, numbers and big integers.
    Numbers,
}

/// What empty means to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Emptiness {
    /// There is no empty value; the option `empty` is not for this rule.
    None,
    /// An empty text is a text; the default is `keep`.
    Meaningful,
    /// Nothing is left; the default is `refuse`, and `keep` is not for this rule.
    Nothing,
}

/// One value on its way into a rule, of a kind that the rule takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'i> {
    /// The text; a number as its exact decimal text. Trimmed unless the rule says otherwise.
    pub(crate) text: &'i str,
    /// The minor unit of the amount's currency, for a rule that names a currency field.
    pub(crate) minor_unit: Option<u8>,
}

/// What each rule is.
pub(crate) trait Canonical: Sized {
    /// The name in policies.
    const NAME: &'static str;
    const TAKES: Takes = Takes::Strings;
    const EMPTINESS: Emptiness = Emptiness::Nothing;
    /// Whether values are trimmed before the rule sees them.
    const TRIMS: bool = true;

    /// Reads the rule's own parameters.
    fn read(parameters: &mut Table<'_>) -> Result<Self, Refusal>;

    /// Every parameter with its value, defaults too, in a form that two equal rules share.
    fn parameters(&self) -> Vec<String> {
        Vec::new()
    }

    /// Appends the canonical form to `out`; nothing appended means empty.
    fn canonical(&self, input: Input<'_>, out: &mut String) -> Result<(), Code>;
}

macro_rules! rules {
    ($($rule:ident),+ $(,)?) => {
        /// A rule with its parameters.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Rule {
            $(
                #[doc = concat!("See [`", stringify!($rule), "`].")]
                $rule($rule),
            )+
        }

        impl Rule {
            /// The name of every rule, as policies write it.
            pub const NAMES: &'static [&'static str] = &[$(<$rule as Canonical>::NAME),+];

            /// The rule's name, as policies write it.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $(Rule::$rule(_) => <$rule as Canonical>::NAME),+ }
            }

            pub(crate) fn takes(&self) -> Takes {
                match self { $(Rule::$rule(_) => <$rule as Canonical>::TAKES),+ }
            }

            pub(crate) fn emptiness(&self) -> Emptiness {
                match self { $(Rule::$rule(_) => <$rule as Canonical>::EMPTINESS),+ }
            }

            fn trims(&self) -> bool {
                match self { $(Rule::$rule(_) => <$rule as Canonical>::TRIMS),+ }
            }

            /// Every parameter with its value, such as `scale=2`, defaults written out.
            #[must_use]
            pub fn parameters(&self) -> Vec<String> {
                match self { $(Rule::$rule(rule) => Canonical::parameters(rule)),+ }
            }

            /// Appends the canonical form of a prepared text that is not empty by trimming.
            pub(crate) fn canonical(&self, input: Input<'_>, out: &mut String) -> Result<(), Code> {
                match self { $(Rule::$rule(rule) => rule.canonical(input, out)),+ }
            }

            /// Reads the rule that `name` means, with its parameters.
            fn read(name: &str, parameters: &mut Table<'_>) -> Option<Result<Rule, Refusal>> {
                match name {
                    $(<$rule as Canonical>::NAME => {
                        Some(<$rule as Canonical>::read(parameters).map(Rule::$rule))
                    })+
                    _ => None,
                }
            }
        }
    };
}

// Registration: one line a rule.
rules! {
    Text,
    Exact,
    Identifier,
    PixKey,
    Email,
    Phone,
    Uuid,
    Digits,
    Decimal,
    Integer,
    Currency,
    Boolean,
    Enum,
    Timestamp,
    Date,
}

impl Rule {
    /// Reads `rule` and its parameters from a field's table.
    pub(crate) fn from_table(table: &mut Table<'_>) -> Result<Rule, Refusal> {
        let known = || quoted(Rule::NAMES.iter().copied());
        let Some(name) = table.string("rule")? else {
            return Err(table.refuse("rule", format!("is missing; it must be {}", known())));
        };
        match Rule::read(name, table) {
            Some(rule) => rule,
            None => Err(table.refuse("rule", format!("must be {}", known()))),
        }
    }

    /// What an empty value means where the policy does not say.
    pub(crate) fn default_empty(&self) -> Option<Empty> {
        match self.emptiness() {
            Emptiness::None => None,
            Emptiness::Meaningful => Some(Empty::Keep),
            Emptiness::Nothing => Some(Empty::Refuse),
        }
    }

    /// Judges the kind of a value: a string's text, a number's exact decimal text.
    ///
    /// `scratch` holds the text of numbers. A boolean's text is `true` or `false`.
    pub(crate) fn text_of<'s>(&self, value: &'s Value<'_>, scratch: &'s mut String) -> Result<&'s str, Code> {
        match (self.takes(), value) {
            (Takes::Strings | Takes::Numbers, Value::String(text)) => Ok(text),
            (Takes::Strings | Takes::Numbers, Value::NotUnicode) => Err(Code::TextNotUnicode),
            (Takes::Numbers, Value::Number(number)) => number.decimal_text(scratch),
            (Takes::Numbers, Value::BigInteger(digits)) => Ok(digits),
            (Takes::Booleans, Value::Boolean(true)) => Ok("true"),
            (Takes::Booleans, Value::Boolean(false)) => Ok("false"),
            _ => Err(Code::FieldType),
        }
    }

    /// The text as the rule wants it: trimmed, unless it keeps white space.
    pub(crate) fn prepare<'t>(&self, text: &'t str) -> &'t str {
        if self.trims() { unicode::trim(text) } else { text }
    }

    /// The path of the currency field that fixes an amount's scale.
    pub(crate) fn currency_field(&self) -> Option<&crate::policy::Path> {
        match self {
            Rule::Decimal(decimal) => decimal.currency_field(),
            _ => None,
        }
    }

    /// Whether the canonical form is a JSON boolean rather than a string.
    pub(crate) fn is_bare(&self) -> bool {
        self.takes() == Takes::Booleans
    }
}

/// Appends the ASCII digits of `text`, passing over the separators; refuses all else.
pub(crate) fn digits_without(text: &str, separators: &[u8], out: &mut String) -> Result<(), Code> {
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => out.push(char::from(byte)),
            _ if separators.contains(&byte) => {}
            _ => return Err(Code::ValueMalformed),
        }
    }
    Ok(())
}

/// `name=word`, the word being that of the value in the rule's list of words.
pub(crate) fn parameter<T: PartialEq>(name: &str, words: &[(&str, T)], value: &T) -> String {
    let word = words.iter().find(|word| word.1 == *value).map_or("", |word| word.0);
    format!("{name}={word}")
}
