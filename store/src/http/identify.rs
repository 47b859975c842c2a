//! From a request to its claim: key, tenant, action and fingerprint.

use bytes::Bytes;
use http::header::CONTENT_ENCODING;
use http::request::Parts;
use intentkey_core::protocol::{ClientKey, Problem};
use intentkey_core::{Fingerprint, Key};

use super::fingerprint::{self, Content};
use super::options::Settings;
use super::policy::Derivation;
use super::problem::{Answer, HttpProblem};
use crate::claim::Claim;

/// Where a request's key comes from.
pub(super) enum Source {
    /// The client chose it.
    Client(ClientKey),
    /// It is derived.
    Derived,
    /// There is none, and none is required.
    None,
}

impl Source {
    /// The stored key, where the client chose it: a derived one follows from the body.
    pub(super) fn key(&self, tenant: &str) -> Option<Key> {
        match self {
            Source::Client(key) => Some(key.stored(tenant)),
            Source::Derived | Source::None => None,
        }
    }
}

/// What the header says.
pub(super) fn source(settings: &Settings, request: &Parts) -> Result<Source, Answer> {
    let values: Vec<&[u8]> =
        request.headers.get_all(&settings.header).iter().map(|value| value.as_bytes()).collect();
    if !values.is_empty() {
        // Sent twice, it is a list, and no key.
        let value = values.join(b", ".as_slice());
        let key = settings.reading.read(&value).map_err(|_| Problem::KeyMalformed)?;
        return Ok(Source::Client(key));
    }
    if route(settings, request).is_some() {
        return Ok(Source::Derived);
    }
    if settings.required { Err(Problem::KeyMissing.into()) } else { Ok(Source::None) }
}

/// Whose request it is.
pub(super) fn tenant(settings: &Settings, request: &Parts) -> Result<String, Answer> {
    let tenant = settings.tenant.tenant(request).filter(|tenant| !tenant.is_empty());
    tenant.ok_or_else(|| HttpProblem::TenantUnknown.into())
}

/// The claim of a request whose body has been read.
pub(super) fn claim(
    settings: &Settings,
    request: &Parts,
    source: &Source,
    tenant: &str,
    body: &Bytes,
) -> Result<Claim, Answer> {
    match (source, route(settings, request)) {
        (Source::Client(key), routed) => chosen(settings, request, key, routed, tenant, body),
        (_, Some((derivation, action))) => derived(settings, request, derivation, tenant, action, body),
        (_, None) => Err(Problem::KeyMissing.into()),
    }
}

fn chosen(
    settings: &Settings,
    request: &Parts,
    key: &ClientKey,
    routed: Option<(&Derivation, &str)>,
    tenant: &str,
    body: &Bytes,
) -> Result<Claim, Answer> {
    let (action, fingerprint) = match routed {
        Some((derivation, action)) => {
            let canonical = derivation.canonical(request, tenant, action, json(request, body)?);
            let canonical = canonical.map_err(HttpProblem::IntentRefused)?;
            (action.to_owned(), fingerprint::of(request, &Content::Canonical(&canonical)))
        }
        None => {
            let action = [request.method.as_str(), " ", request.uri.path()].concat();
            (action, fingerprint::of(request, &Content::Bytes(body)))
        }
    };
    let claim = Claim::new(key.stored(tenant), fingerprint, tenant, action, settings.target.clone());
    Ok(claim.keep_for(settings.ttl))
}

fn derived(
    settings: &Settings,
    request: &Parts,
    derivation: &Derivation,
    tenant: &str,
    action: &str,
    body: &Bytes,
) -> Result<Claim, Answer> {
    let intent = derivation.derive(request, tenant, action, json(request, body)?);
    let mut intent = intent.ok_or(HttpProblem::EpochMissing)?.map_err(HttpProblem::IntentRefused)?;
    let of_request = |canonical: &Fingerprint| fingerprint::of(request, &Content::Canonical(canonical));
    intent.derived.fingerprint = of_request(&intent.derived.fingerprint);
    if let Some(edge) = &mut intent.derived.edge {
        edge.fingerprint = of_request(&edge.fingerprint);
    }
    let target = settings.target.clone();
    // The retention was checked when the derivation was made.
    Claim::derived(&intent.derived, intent.policy, intent.epoch, tenant, action, target)
        .map_err(|_| HttpProblem::StoreUnavailable.into())
}

fn route<'s>(settings: &'s Settings, request: &Parts) -> Option<(&'s Derivation, &'s str)> {
    let derivation = settings.derivation.as_deref()?;
    Some((derivation, derivation.action(request)?))
}

/// The body as JSON text.
fn json<'b>(request: &Parts, body: &'b Bytes) -> Result<&'b str, Answer> {
    let media_type = fingerprint::media_type(request);
    let is_json = media_type == "application/json" || media_type.ends_with("+json");
    if !is_json || request.headers.contains_key(CONTENT_ENCODING) {
        return Err(HttpProblem::NotJson.into());
    }
    std::str::from_utf8(body).map_err(|_| HttpProblem::NotJson.into())
}
