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

use alloc::string::String;
use alloc::vec::Vec;

use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::{Empty, Table, quoted};
use crate::unicode;
use crate::value::Value;

pub(crate) use currency::minor_unit;

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
    /// Whether a canonical form can hold what material escapes: quotes, backslashes, controls. It has
    /// them from the value: a rule adds none, and in Unicode nothing folds or normalizes to them.
    const MAY_NEED_ESCAPES: bool = false;

    /// Reads the rule's own parameters.
    fn read(parameters: &mut Table<'_>) -> Result<Self, Refusal>;

    /// Every parameter with its value, defaults too, in a form that two equal rules share.
    fn parameters(&self) -> Vec<String> {
        Vec::new()
    }

    /// Appends the canonical form to `out`; nothing appended means empty.
    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code>;
}

/// What a rule wants to be done around it; looked up once for each leaf of a policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manners {
    pub(crate) takes: Takes,
    pub(crate) emptiness: Emptiness,
    pub(crate) trims: bool,
    pub(crate) may_need_escapes: bool,
}

impl Manners {
    fn of<R: Canonical>() -> Self {
        Manners {
            takes: R::TAKES,
            emptiness: R::EMPTINESS,
            trims: R::TRIMS,
            may_need_escapes: R::MAY_NEED_ESCAPES,
        }
    }

    /// Whether canonical forms are JSON booleans rather than strings.
    pub(crate) fn is_bare(self) -> bool {
        self.takes == Takes::Booleans
    }

    /// Judges the kind of a value and gives its text as the rule wants it: a number as its exact
    /// decimal text, a boolean as `true` or `false`, trimmed unless white space counts.
    ///
    /// `scratch` holds the text of numbers.
    #[inline]
    pub(crate) fn text_of<'s>(self, value: &'s Value<'_>, scratch: &'s mut String) -> Result<&'s str, Code> {
        let text: &str = match (self.takes, value) {
            (Takes::Strings | Takes::Numbers, Value::String(text)) => text,
            (Takes::Strings | Takes::Numbers, Value::NotUnicode) => return Err(Code::TextNotUnicode),
            (Takes::Numbers, Value::Number(number)) => number.decimal_text(scratch)?,
            (Takes::Numbers, Value::BigInteger(digits)) => digits,
            (Takes::Booleans, Value::Boolean(true)) => "true",
            (Takes::Booleans, Value::Boolean(false)) => "false",
            _ => return Err(Code::FieldType),
        };
        Ok(if self.trims { unicode::trim(text) } else { text })
    }
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

            /// What the rule wants to be done around it.
            pub(crate) fn manners(&self) -> Manners {
                match self { $(Rule::$rule(_) => Manners::of::<$rule>()),+ }
            }

            /// Every parameter with its value, such as `scale=2`, defaults written out.
            #[must_use]
            pub fn parameters(&self) -> Vec<String> {
                match self { $(Rule::$rule(rule) => Canonical::parameters(rule)),+ }
            }

            /// Appends the canonical form of a prepared text that is not empty by trimming.
            pub(crate) fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
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
        let known = || quoted(&mut Rule::NAMES.iter().copied());
        let Some(name) = table.string("rule")? else {
            return Err(table.refuse(
                "rule",
                ["is missing (in TOML a path with a dot is quoted: \"creditor.key\"); it must be ", &known()]
                    .concat(),
            ));
        };
        match Rule::read(name, table) {
            Some(rule) => rule,
            None => Err(table.refuse("rule", ["must be ", &known()].concat())),
        }
    }

    /// What an empty value means where the policy does not say.
    pub(crate) fn default_empty(&self) -> Option<Empty> {
        match self.manners().emptiness {
            Emptiness::None => None,
            Emptiness::Meaningful => Some(Empty::Keep),
            Emptiness::Nothing => Some(Empty::Refuse),
        }
    }

    /// The path of the currency field that fixes an amount's scale.
    pub(crate) fn currency_field(&self) -> Option<&crate::policy::Path> {
        match self {
            Rule::Decimal(decimal) => decimal.currency_field(),
            _ => None,
        }
    }
}

/// Appends the ASCII digits of `text`, passing over the separators; refuses all else.
pub(crate) fn digits_without(text: &str, separators: &[u8], out: &mut Buffer) -> Result<(), Code> {
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => out.push_byte(byte),
            _ if separators.contains(&byte) => {}
            _ => return Err(Code::ValueMalformed),
        }
    }
    Ok(())
}

/// `name=word`, the word being that of the value in the rule's list of words.
pub(crate) fn parameter<T: PartialEq>(name: &str, words: &[(&str, T)], value: &T) -> String {
    let word = words.iter().find(|word| word.1 == *value).map_or("", |word| word.0);
    [name, "=", word].concat()
}
