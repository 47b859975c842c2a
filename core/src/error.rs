//! Refusals: one table of codes, what each means, and what to do about it.
//!
//! A [`Refusal`] never holds a value of the payload, a secret, or text that came with the
//! payload, save for the names of fields in `field` and `fields`. Its message is written here
//! or by the policy's schema, never by the caller.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $remedy:literal;)+) => {
        /// Why a derivation, a policy or a keyring was refused.
        ///
        /// Codes only ever get added. [`Code::as_str`] is the spelling on every surface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $variant,)+
        }

        impl Code {
            /// Every code there is, in the order of the design.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// The code as it is written on every surface, such as `field_missing`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// What to do about it, in one sentence.
            #[must_use]
            pub const fn remedy(self) -> &'static str {
                match self { $(Code::$variant => $remedy,)+ }
            }
        }
    };
}

codes! {
    /// The policy does not follow its schema; `field` is the place in the policy.
    PolicyInvalid, "policy_invalid",
        "the policy is not valid at this place";
    /// No policy is in force at the intent's epoch.
    PolicyMissingForEpoch, "policy_missing_for_epoch",
        "no policy begins at or before the intent's epoch: add the policy that was in force then";
    /// The keyring contradicts itself or the policies.
    KeyringInvalid, "keyring_invalid",
        "the keyring is not valid";
    /// A secret is shorter than 16 bytes or all zero.
    SecretWeak, "secret_weak",
        "a secret has at least 16 bytes (32 are advised) and is not all zero: draw one at random";
    /// The text is not JSON (RFC 8259).
    JsonMalformed, "json_malformed",
        "the text is not well-formed JSON: send one JSON value, UTF-8, nothing after it";
    /// More than 65,536 values, 1 MiB of text outside ignored paths, or 4 MiB of JSON.
    PayloadTooLarge, "payload_too_large",
        "outside ignored paths a payload holds at most 65,536 values and 1 MiB of names and strings, and JSON text at most 4 MiB: derive from a summary or a digest of it";
    /// More than 64 levels outside ignored paths.
    PayloadTooDeep, "payload_too_deep",
        "outside ignored paths a payload has at most 64 levels: flatten it, or classify the deep part as ignored";
    /// A member of the intent is missing, repeated, unknown, or not a Unicode string.
    IntentInvalid, "intent_invalid",
        "an intent has exactly the members tenant and action (strings), intent_epoch and payload, each once";
    /// The payload is not an object.
    PayloadNotObject, "payload_not_object",
        "the payload must be an object";
    /// The tenant is the empty string.
    TenantEmpty, "tenant_empty",
        "the tenant must not be empty: it keeps the keys of different customers apart";
    /// The keyring holds the secret of another tenant only.
    TenantNotHeld, "tenant_not_held",
        "this keyring holds another tenant's secret: derive where this tenant's secret is held";
    /// The action is not one of the policy's.
    ActionUnknown, "action_unknown",
        "the action is not in the policy's list of actions, which is compared exactly";
    /// The epoch is not an integral number of seconds from 0.
    EpochInvalid, "epoch_invalid",
        "the intent's epoch must be an integral number of seconds since 1970, not negative, frozen when the intent was decided";
    /// The epoch is 10^11 or more: milliseconds, most likely.
    EpochInMilliseconds, "epoch_in_milliseconds",
        "the intent's epoch is in seconds, and this is too large to be: divide milliseconds by 1000";
    /// A name occurs twice in one object.
    FieldDuplicate, "field_duplicate",
        "a name occurs twice in one object, and readers disagree which one counts: send it once";
    /// A string or a name holds a lone surrogate.
    TextNotUnicode, "text_not_unicode",
        "a string or a name holds a lone surrogate, which is no Unicode text: mend it where it is made";
    /// The payload has leaves that the policy does not classify; `fields` lists them.
    FieldUnclassified, "field_unclassified",
        "the policy does not say what these fields are: classify each as identity, checked or ignored";
    /// A required field is absent.
    FieldMissing, "field_missing",
        "a required field is absent: send it, or make it optional in the policy";
    /// A field is null.
    FieldNull, "field_null",
        "a field is null: send a value, leave it out, or say null = \"absent\" in the policy";
    /// A value is of another kind than the policy expects.
    FieldType, "field_type",
        "a value is of another kind than the policy's rule takes";
    /// A field is empty.
    FieldEmpty, "field_empty",
        "a field is empty: send a value, leave it out, or say in the policy what empty means";
    /// A number that parsers of JSON do not agree on.
    NumberUnsafe, "number_unsafe",
        "a number is beyond what every JSON parser keeps exactly (2^53 - 1), infinite or NaN: send it as a string";
    /// Not a decimal number.
    DecimalMalformed, "decimal_malformed",
        "not a decimal number: ASCII digits with an optional sign, point and exponent";
    /// More than 28 digits.
    DecimalOutOfRange, "decimal_out_of_range",
        "a decimal number has at most 28 digits at the policy's scale";
    /// Rounding would lose digits and the policy refuses that.
    DecimalInexact, "decimal_inexact",
        "a number has more places than the policy's scale, and the policy refuses to round";
    /// Not a currency of ISO 4217, or one without a minor unit where an amount needs it.
    CurrencyUnknown, "currency_unknown",
        "not a currency code of ISO 4217, or one without a minor unit for the amount that needs it";
    /// Not a Pix key, or not of a kind that the policy takes.
    PixKeyUnrecognized, "pix_key_unrecognized",
        "not a Pix key: a CPF or CNPJ with right check digits, a +phone, an e-mail, or a random key (UUID)";
    /// An e-mail, phone, UUID, digits, timestamp or date that is malformed.
    ValueMalformed, "value_malformed",
        "a value does not have the form that the policy's rule takes";
    /// Not one of the listed values.
    ValueNotListed, "value_not_listed",
        "a value is not in the policy's list of values for this field";
    /// No identity field has a value.
    IdentityEmpty, "identity_empty",
        "no identity field has a value: one key would serve every such request";
    /// No secret is in force at the intent's bucket.
    SecretMissingForEpoch, "secret_missing_for_epoch",
        "no secret begins at or before the intent's bucket: add the secret that was in force then";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A refusal: the code, where it applies, and what to do.
///
/// `code`, `field` and `fields` are the same on every surface of intentkey.
///
/// ```
/// use intentkey_core::{Code, Policy};
///
/// let refusal = Policy::from_json("{}").unwrap_err();
/// assert_eq!(refusal.code(), Code::PolicyInvalid);
/// assert_eq!(refusal.field(), Some("name"));
/// assert!(refusal.message().contains("string"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(Box<Parts>);

/// Behind a pointer, so that what succeeds does not carry the room for it around.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    code: Code,
    field: Option<String>,
    fields: Vec<String>,
    message: Cow<'static, str>,
}

impl Refusal {
    /// A refusal without a field.
    #[cold]
    #[inline(never)]
    pub(crate) fn new(code: Code) -> Self {
        let message = Cow::Borrowed(code.remedy());
        Refusal(Box::new(Parts { code, field: None, fields: Vec::new(), message }))
    }

    /// A refusal at one field or place.
    #[cold]
    #[inline(never)]
    pub(crate) fn at(code: Code, field: String) -> Self {
        let mut refusal = Refusal::new(code);
        refusal.0.field = Some(field);
        refusal
    }

    /// A refusal that concerns several fields.
    pub(crate) fn among(code: Code, fields: Vec<String>) -> Self {
        let mut refusal = Refusal::new(code);
        refusal.0.fields = fields;
        refusal
    }

    /// The same refusal with a message that says more than the code's remedy.
    ///
    /// The text must come from this crate: never from a payload or a secret.
    pub(crate) fn because(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.0.message = message.into();
        self
    }

    /// The same refusal, its place being below another.
    pub(crate) fn below(mut self, place: &str) -> Self {
        if !place.is_empty() {
            let inner = self.0.field.take();
            self.0.field = Some(match inner {
                Some(inner) => [place, ".", &inner].concat(),
                None => String::from(place),
            });
        }
        self
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The one field concerned, as a path with indexes (`items[2].sku`); for `policy_invalid`
    /// the place in the policy, for `intent_invalid` the intent's member.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.0.field.as_deref()
    }

    /// The fields concerned, as paths without indexes: at most 16, each of at most 64
    /// characters, unique and sorted. Empty for all codes but `field_unclassified`.
    #[must_use]
    pub fn fields(&self) -> &[String] {
        &self.0.fields
    }

    /// What is wrong and what to do, for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

/// A refusal without a field, for hosts that find the fault before the core sees the intent.
impl From<Code> for Refusal {
    fn from(code: Code) -> Self {
        Refusal::new(code)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code())?;
        if let Some(field) = self.field() {
            write!(f, " at {field}")?;
        }
        for (index, field) in self.fields().iter().enumerate() {
            write!(f, "{}{field}", if index == 0 { ": " } else { ", " })?;
        }
        write!(f, ": {}", self.message())
    }
}

impl core::error::Error for Refusal {}
