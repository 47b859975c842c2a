//! Intents: what somebody wants done, once.

mod read;

pub(crate) use read::{Guide, read};

use alloc::borrow::Cow;

use crate::error::Code;
use crate::value::Value;

/// Epochs from here on are milliseconds by mistake: as seconds they lie past the year 5138.
pub(crate) const MILLISECONDS_FROM: u64 = 100_000_000_000;

/// What somebody wants done, once: tenant, action, payload, and the second at which it was
/// decided.
///
/// ```
/// use intentkey_core::{Intent, Payload};
///
/// let intent = Intent {
///     tenant: "acme".into(),
///     action: "pix.transfer".into(),
///     epoch: 1_767_225_600_i64.into(),
///     payload: Payload::Json(r#"{"amount": "10.00"}"#),
/// };
/// ```
#[derive(Clone, Debug)]
pub struct Intent<'a> {
    /// Whose intent it is; not empty. On a server it comes from authentication.
    pub tenant: Cow<'a, str>,
    /// One of the policy's actions.
    pub action: Cow<'a, str>,
    /// When it was decided: frozen with the intent, never read from the attempt's clock.
    pub epoch: Epoch,
    /// Its fields.
    pub payload: Payload<'a>,
}

/// The fields of an intent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Payload<'a> {
    /// JSON text: an object. Duplicate names are still visible in it.
    Json(&'a str),
    /// A value of the caller's, kept elsewhere.
    Borrowed(&'a Value<'a>),
    /// A value.
    Owned(Value<'a>),
}

impl<'a> From<Value<'a>> for Payload<'a> {
    fn from(value: Value<'a>) -> Self {
        Payload::Owned(value)
    }
}

impl<'a> From<&'a Value<'a>> for Payload<'a> {
    fn from(value: &'a Value<'a>) -> Self {
        Payload::Borrowed(value)
    }
}

/// The second at which an intent was decided, since 1970-01-01T00:00:00Z.
///
/// Any number can be given; what is not an integral number of seconds from 0, or is so large
/// that it must be milliseconds, is refused when the intent is derived.
///
/// ```
/// use intentkey_core::Epoch;
///
/// assert_eq!(Epoch::from(1_767_225_600_u64), Epoch::from(1_767_225_600.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch(Option<u64>);

impl Epoch {
    /// What is no number at all.
    pub(crate) const INVALID: Epoch = Epoch(None);

    pub(crate) fn seconds(self) -> Result<u64, Code> {
        match self.0 {
            None => Err(Code::EpochInvalid),
            Some(MILLISECONDS_FROM..) => Err(Code::EpochInMilliseconds),
            Some(seconds) => Ok(seconds),
        }
    }
}

impl From<u64> for Epoch {
    fn from(seconds: u64) -> Self {
        Epoch(Some(seconds))
    }
}

impl From<i64> for Epoch {
    fn from(seconds: i64) -> Self {
        Epoch(u64::try_from(seconds).ok())
    }
}

impl From<f64> for Epoch {
    fn from(seconds: f64) -> Self {
        // The cast saturates: what is larger than any epoch stays so. Minus zero is zero.
        let integral = seconds as u64;
        let whole = integral as f64 == seconds || (seconds.is_finite() && seconds > MILLISECONDS_FROM as f64);
        Epoch(whole.then_some(integral))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_is_an_integral_number_of_seconds() {
        assert_eq!(Epoch::from(1_767_225_600.0).seconds(), Ok(1_767_225_600));
        assert_eq!(Epoch::from(-0.0).seconds(), Ok(0));
        assert_eq!(Epoch::from(99_999_999_999_u64).seconds(), Ok(99_999_999_999));
        for refused in [-1.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Epoch::from(refused).seconds(), Err(Code::EpochInvalid), "{refused}");
        }
        assert_eq!(Epoch::from(-1_i64).seconds(), Err(Code::EpochInvalid));
        for refused in [100_000_000_000.0, 1_700_000_000_000.0, 1e300] {
            assert_eq!(Epoch::from(refused).seconds(), Err(Code::EpochInMilliseconds), "{refused}");
        }
    }
}
