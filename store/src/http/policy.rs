//! Keys that are derived where the caller sends none.

use std::fmt;

use http::Method;
use http::header::HeaderName;
use http::request::Parts;
use intentkey_core::protocol::{RetentionError, time_to_live};
use intentkey_core::{
    Derived, Deriver, Epoch, Fingerprint, Intent, Keyring, Payload, Policies, Policy, Refusal, Secret,
};
use sha2::{Digest as _, Sha256};

/// An epoch by which the last of policies over time is in force.
const LAST_EPOCH: u64 = 99_999_999_999;

/// Where the epoch is that the caller froze with the intent. The clock is no choice.
#[derive(Clone, Debug)]
pub enum EpochFrom {
    /// A header, such as `Intent-Epoch`: seconds since 1970.
    Header(HeaderName),
    /// A member of the body, by its name: a number of seconds since 1970. The policy must know it, usually
    /// as ignored.
    Field(String),
}

/// How requests become intents: policies and secrets, which route is which action, and where the epoch is.
///
/// ```
/// use http::Method;
/// use intentkey_core::{Policies, Secret};
/// use intentkey_store::http::{Derivation, EpochFrom};
///
/// let policies = Policies::from_json(r#"{
///     "name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
///     "identity": { "order": { "rule": "exact" } }
/// }"#)?;
/// let epoch = EpochFrom::Header(http::HeaderName::from_static("intent-epoch"));
/// let derivation = Derivation::new(policies, Secret::new([7; 32])?, epoch)?
///     .route(Method::POST, "/accounts/{account}/refunds", "refund.create")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Derivation {
    deriver: Deriver,
    canonical: Deriver,
    policies: Policies,
    epoch: EpochFrom,
    routes: Vec<Route>,
}

struct Route {
    method: Method,
    /// `None` stands for any segment.
    segments: Vec<Option<String>>,
    action: String,
}

/// What is known of an intent beside its derivation.
pub(super) struct OfIntent<'d> {
    pub(super) derived: Derived,
    pub(super) policy: &'d Policy,
    pub(super) epoch: u64,
}

/// Why nothing can be derived.
#[derive(Debug)]
pub enum DerivationError {
    /// Policies and secrets do not belong together.
    Refused(Refusal),
    /// A policy's callers repeat for longer than outcomes are kept, or nobody knows for how long.
    Retention(RetentionError),
}

impl fmt::Display for DerivationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DerivationError::Refused(refusal) => refusal.fmt(f),
            DerivationError::Retention(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DerivationError {}

impl From<Refusal> for DerivationError {
    fn from(refusal: Refusal) -> Self {
        DerivationError::Refused(refusal)
    }
}

impl From<RetentionError> for DerivationError {
    fn from(error: RetentionError) -> Self {
        DerivationError::Retention(error)
    }
}

/// No policy has the action of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionUnknown;

impl fmt::Display for ActionUnknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no policy has this action")
    }
}

impl std::error::Error for ActionUnknown {}

impl Derivation {
    /// Policies and secrets, and where the epoch is. Routes follow.
    ///
    /// # Errors
    ///
    /// [`DerivationError`].
    pub fn new(
        policies: Policies,
        keyring: impl Into<Keyring>,
        epoch: EpochFrom,
    ) -> Result<Self, DerivationError> {
        policies.iter().try_for_each(|(_, policy)| time_to_live(policy.retention()).map(drop))?;
        let deriver = Deriver::new(policies.clone(), keyring)?;
        // A client's key has no epoch, so no secret may follow from one: a rotation would make repeats
        // conflicts. What is asked for is the canonical form, of which nothing is secret in the store.
        let label = Secret::new(Sha256::digest(b"intentkey http canonical body v1").to_vec())?;
        let canonical = Deriver::new(policies.clone(), label)?;
        Ok(Derivation { deriver, canonical, policies, epoch, routes: Vec::new() })
    }

    /// Requests with this method and path are of an action. A segment in braces stands for any one; it is
    /// not in the key, so what it says must be in the body too where it makes the intent another one.
    ///
    /// # Errors
    ///
    /// Where no policy has the action.
    pub fn route(mut self, method: Method, path: &str, action: &str) -> Result<Self, ActionUnknown> {
        if !self.policies.iter().any(|(_, policy)| policy.actions().any(|known| known == action)) {
            return Err(ActionUnknown);
        }
        let is_any = |segment: &str| segment.starts_with('{') && segment.ends_with('}');
        let segment = |segment: &str| (!is_any(segment)).then(|| segment.to_owned());
        self.routes.push(Route {
            method,
            segments: path.split('/').map(segment).collect(),
            action: action.to_owned(),
        });
        Ok(self)
    }

    /// The action of a request.
    pub(super) fn action(&self, request: &Parts) -> Option<&str> {
        let path = request.uri.path();
        let fits = |route: &&Route| {
            route.method == request.method
                && path.split('/').count() == route.segments.len()
                && path.split('/').zip(&route.segments).all(|(given, wanted)| {
                    wanted.as_ref().map_or(!given.is_empty(), |wanted| wanted == given)
                })
        };
        self.routes.iter().find(fits).map(|route| &*route.action)
    }

    /// Derives the intent of a request; `None` where the request has no epoch.
    pub(super) fn derive(
        &self,
        request: &Parts,
        tenant: &str,
        action: &str,
        body: &str,
    ) -> Option<Result<OfIntent<'_>, Refusal>> {
        let epoch = self.epoch(request, body)?;
        let intent = intent(tenant, action, epoch, body);
        let derived = match self.deriver.derive(&intent) {
            Ok(derived) => derived,
            Err(refusal) => return Some(Err(refusal)),
        };
        // There is one, or nothing would have been derived.
        let in_force = self.policies.iter().filter(|(from, _)| from.is_none_or(|from| from <= epoch));
        let (_, policy) = in_force.last()?;
        Some(Ok(OfIntent { derived, policy, epoch }))
    }

    /// The canonical form of a body, for a key that the client chose: under the policy in force at the
    /// epoch, and the last one where there is none.
    pub(super) fn canonical(
        &self,
        request: &Parts,
        tenant: &str,
        action: &str,
        body: &str,
    ) -> Result<Fingerprint, Refusal> {
        let epoch = self.epoch(request, body).unwrap_or(LAST_EPOCH);
        self.canonical.fingerprint(&intent(tenant, action, epoch, body))
    }

    fn epoch(&self, request: &Parts, body: &str) -> Option<u64> {
        match &self.epoch {
            EpochFrom::Header(name) => {
                let mut values = request.headers.get_all(name).iter();
                let (value, None) = (values.next()?, values.next()) else { return None };
                let digits = value.to_str().ok()?;
                digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
            }
            EpochFrom::Field(name) => {
                serde_json::from_str::<serde_json::Value>(body).ok()?.get(name)?.as_u64()
            }
        }
    }
}

fn intent<'a>(tenant: &'a str, action: &'a str, epoch: u64, body: &'a str) -> Intent<'a> {
    Intent {
        tenant: tenant.into(),
        action: action.into(),
        epoch: Epoch::from(epoch),
        payload: Payload::Json(body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn derivation() -> Derivation {
        let policies = Policies::from_json(
            r#"{"name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
                "identity": {"order": {"rule": "exact"}}, "ignored": {"at": "when it was decided"}}"#,
        );
        let epoch = EpochFrom::Field("at".into());
        Derivation::new(policies.unwrap(), Secret::new([7; 32]).unwrap(), epoch).unwrap()
    }

    fn parts(method: &str, path: &str) -> Parts {
        http::Request::builder().method(method).uri(path).body(()).unwrap().into_parts().0
    }

    #[test]
    fn routes_have_segments_for_anything() {
        let routes = derivation().route(Method::POST, "/a/{id}/refunds", "refund.create").unwrap();
        assert_eq!(routes.action(&parts("POST", "/a/7/refunds")), Some("refund.create"));
        for (method, path) in [
            ("PATCH", "/a/7/refunds"),
            ("POST", "/a//refunds"),
            ("POST", "/a/7/refunds/"),
            ("POST", "/a/7/8/refunds"),
            ("POST", "/b/7/refunds"),
        ] {
            assert_eq!(routes.action(&parts(method, path)), None, "{method} {path}");
        }
        assert!(derivation().route(Method::POST, "/a", "refund.delete").is_err());
    }

    #[test]
    fn the_epoch_is_the_callers() {
        let derivation = derivation();
        let request = parts("POST", "/");
        let of = |body| derivation.derive(&request, "acme", "refund.create", body);
        let derived = of(r#"{"order": "A-1", "at": 1767225700}"#).unwrap().unwrap();
        assert_eq!((derived.epoch, derived.derived.bucket), (1_767_225_700, 1_963_584));
        for body in [r#"{"order": "A-1"}"#, r#"{"order": "A-1", "at": "1767225700"}"#, "[]", "{"] {
            assert!(of(body).is_none(), "{body}");
        }
    }
}
