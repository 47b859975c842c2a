//! Fingerprints of requests.
//!
//! SHA-256 over a label and then each part, with its length as eight bytes before it: method, path, query,
//! media type, and the content. Another label, or another count of parts, never gives the same bytes.

use http::header::CONTENT_TYPE;
use http::request::Parts;
use intentkey_core::Fingerprint;
use sha2::{Digest as _, Sha256};

/// Sets these fingerprints apart from all others.
const LABEL: &[u8] = b"intentkey http fingerprint v1";

/// What of a body counts.
pub(super) enum Content<'a> {
    /// Its bytes.
    Bytes(&'a [u8]),
    /// Its canonical form under a policy.
    Canonical(&'a Fingerprint),
}

pub(super) fn of(request: &Parts, content: &Content<'_>) -> Fingerprint {
    let media_type = media_type(request);
    let (kind, content) = match content {
        Content::Bytes(bytes) => (b"bytes".as_slice(), *bytes),
        Content::Canonical(fingerprint) => (b"canonical".as_slice(), fingerprint.as_bytes().as_slice()),
    };
    // A query that is empty is another target than none (RFC 3986, section 6.2.3).
    let query = request.uri.query().map(|query| ["?", query].concat()).unwrap_or_default();
    let parts = [
        LABEL,
        request.method.as_str().as_bytes(),
        request.uri.path().as_bytes(),
        query.as_bytes(),
        media_type.as_bytes(),
        kind,
        content,
    ];
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part);
    }
    Fingerprint::from_bytes(digest.finalize().into())
}

/// The media type without parameters, in lower case; empty where there is none.
pub(super) fn media_type(request: &Parts) -> String {
    let value = request.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(method: &str, target: &str, media_type: &str, body: &[u8]) -> String {
        let request = http::Request::builder().method(method).uri(target).header(CONTENT_TYPE, media_type);
        let (parts, ()) = request.body(()).unwrap().into_parts();
        of(&parts, &Content::Bytes(body)).to_hex()
    }

    #[test]
    fn every_part_counts() {
        let first = fingerprint("POST", "/a?b=1", "application/json", b"{}");
        for other in [
            fingerprint("PATCH", "/a?b=1", "application/json", b"{}"),
            fingerprint("POST", "/b?b=1", "application/json", b"{}"),
            fingerprint("POST", "/a?b=2", "application/json", b"{}"),
            fingerprint("POST", "/a", "application/json", b"{}"),
            fingerprint("POST", "/a?b=1", "text/plain", b"{}"),
            fingerprint("POST", "/a?b=1", "application/json", b"{} "),
        ] {
            assert_ne!(first, other);
        }
        assert_ne!(fingerprint("POST", "/a?", "", b""), fingerprint("POST", "/a", "", b""));
        assert_eq!(first, fingerprint("POST", "/a?b=1", "Application/JSON; charset=utf-8", b"{}"));
    }

    /// Stored fingerprints must be found again by later versions.
    #[test]
    fn the_bytes_are_pinned() {
        // Python: h = hashlib.sha256(); [h.update(len(p).to_bytes(8, "big") + p) for p in (b"intentkey
        // http fingerprint v1", b"POST", b"/pay", b"?x=1", b"application/json", b"bytes", b"{}")]
        assert_eq!(fingerprint("POST", "/pay?x=1", "application/json", b"{}"), PINNED);
    }

    const PINNED: &str = "21702d72b92c91aae39e58e45d7feb4c9c1b6afce64b8edcb0ba172f43adbe45";
}
