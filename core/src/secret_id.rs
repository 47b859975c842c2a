//! The ids of secrets, which every result carries.

use alloc::sync::Arc;
use core::fmt;
use core::ops::Deref;

/// The id of a secret on a keyring, which is no secret itself.
///
/// ```
/// use intentkey_core::{Deriver, Intent, Payload, Policy, Secret};
///
/// let policy = Policy::from_json(
///     r#"{"name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
///         "identity": {"order": {"rule": "exact"}}}"#,
/// )?;
/// let derived = Deriver::new(policy, Secret::new([7; 32])?)?.derive_key(&Intent {
///     tenant: "acme".into(),
///     action: "refund.create".into(),
///     epoch: 1_767_225_600_u64.into(),
///     payload: Payload::Json(r#"{"order": "A-1"}"#),
/// })?;
/// assert_eq!(derived.secret_id.as_str(), "default");
/// # Ok::<(), intentkey_core::Refusal>(())
/// ```
#[derive(Clone)]
pub struct SecretId(Text);

/// The longest id that is held in place, where counting references would cost more than a copy.
const SHORT: usize = 22;

#[derive(Clone)]
enum Text {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Arc<str>),
}

impl SecretId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Text::Short { bytes, length } => {
                // A whole text was put in.
                bytes.get(..usize::from(*length)).and_then(|id| core::str::from_utf8(id).ok()).unwrap_or("")
            }
            Text::Long(id) => id,
        }
    }
}

impl From<&str> for SecretId {
    fn from(id: &str) -> Self {
        let mut bytes = [0; SHORT];
        SecretId(match bytes.get_mut(..id.len()) {
            Some(start) => {
                start.copy_from_slice(id.as_bytes());
                Text::Short { bytes, length: id.len() as u8 }
            }
            None => Text::Long(id.into()),
        })
    }
}

impl Deref for SecretId {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for SecretId {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for SecretId {}

impl fmt::Display for SecretId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl fmt::Debug for SecretId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn ids_of_any_length_are_kept() {
        for id in ["a", "2026-11", "exactly-22-characters!", "twenty-three-characters", "\u{e9}\u{1f511}"] {
            let held = SecretId::from(id);
            assert_eq!((held.as_str(), held.to_string().as_str(), &*held.clone()), (id, id, id));
            assert_eq!(held, SecretId::from(id));
        }
        assert_ne!(SecretId::from("a"), SecretId::from("b"));
        assert_eq!(alloc::format!("{:?}", SecretId::from("a")), "\"a\"");
    }
}
