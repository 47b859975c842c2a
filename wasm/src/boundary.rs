//! The plain types that both shells show, and the one mapping of refusals.

pub mod json;
mod keyring;
mod policies;

pub use keyring::{HeldSecret, keyring};
pub use policies::{Dated, PolicySource, policies};

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use intentkey_core::{Code, Refusal};

/// A refusal as every surface shows it: `code`, `field` and `fields` are the same on each.
///
/// ```
/// use intentkey_core::Policy;
/// use intentkey_wasm::boundary::Refused;
///
/// let refused = Refused::from(Policy::from_json("{}").unwrap_err());
/// assert_eq!((refused.code, refused.field.as_deref()), ("policy_invalid", Some("name")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The code, such as `field_missing`.
    pub code: &'static str,
    /// The one field concerned.
    pub field: Option<String>,
    /// The fields concerned; empty for all codes but `field_unclassified`.
    pub fields: Vec<String>,
    /// What is wrong and what to do, for people.
    pub message: String,
}

impl Refused {
    /// A refusal that a shell makes itself, without a field.
    #[must_use]
    pub fn new(code: Code) -> Self {
        Refused { code: code.as_str(), field: None, fields: Vec::new(), message: code.remedy().to_owned() }
    }

    /// The same refusal at a field.
    #[must_use]
    pub fn at(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }

    /// The same refusal with a message that says more. The text must come from this crate, never
    /// from a payload or a secret.
    #[must_use]
    pub fn because(mut self, message: &'static str) -> Self {
        self.message = message.to_owned();
        self
    }

    /// The same refusal, its place being below another.
    #[must_use]
    pub fn below(mut self, place: &str) -> Self {
        self.field = Some(match self.field {
            Some(inner) if !inner.is_empty() => [place, ".", &inner].concat(),
            _ => place.to_owned(),
        });
        self
    }
}

/// The one mapping of refusals.
impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Refused {
            code: refusal.code().as_str(),
            field: refusal.field().map(ToOwned::to_owned),
            fields: refusal.fields().to_vec(),
            message: refusal.message().to_owned(),
        }
    }
}

/// The seconds that a host's number means: `None` for what is no integral number from 0.
#[must_use]
pub fn seconds(number: f64) -> Option<u64> {
    let seconds = number as u64;
    // The cast saturates and takes NaN to 0: only integral numbers come back unchanged.
    (seconds as f64 == number).then_some(seconds)
}

#[cfg(test)]
mod tests;
