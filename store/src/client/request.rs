//! Requests as they are recorded: a line of JSON with method, URL and headers, and then the body's bytes.

use intentkey_core::Fingerprint;
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue, PROXY_AUTHORIZATION};
use reqwest::{Method, Request, Url};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Sets these fingerprints apart from all others.
const LABEL: &[u8] = b"intentkey client fingerprint v1";

#[derive(Serialize, Deserialize)]
struct Head {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
}

/// A request's bytes for the store; `None` where its body is a stream.
pub(super) fn write(request: &Request) -> Option<Vec<u8>> {
    let body = body(request)?;
    let is_kept = |name: &HeaderName| ![AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION].contains(name);
    let headers = request.headers().iter().filter(|(name, _)| is_kept(name));
    let text = |(name, value): (&HeaderName, &HeaderValue)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    };
    let head = Head {
        method: request.method().to_string(),
        url: request.url().to_string(),
        headers: headers.filter_map(text).collect(),
    };
    let mut bytes = serde_json::to_vec(&head).ok()?;
    bytes.push(b'\n');
    bytes.extend_from_slice(body);
    Some(bytes)
}

/// The request of recorded bytes.
pub(super) fn read(bytes: &[u8]) -> Option<Request> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (head, body) = bytes.split_at_checked(end)?;
    let head: Head = serde_json::from_slice(head).ok()?;
    let mut request = Request::new(Method::try_from(&*head.method).ok()?, Url::parse(&head.url).ok()?);
    for (name, value) in head.headers {
        request.headers_mut().append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
    }
    *request.body_mut() = Some(body.get(1..)?.to_vec().into());
    Some(request)
}

/// Over method, URL and body.
pub(super) fn fingerprint(request: &Request) -> Fingerprint {
    let mut digest = Sha256::new();
    let url = request.url().as_str().as_bytes();
    let parts = [LABEL, request.method().as_str().as_bytes(), url, body(request).unwrap_or_default()];
    for part in parts {
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part);
    }
    Fingerprint::from_bytes(digest.finalize().into())
}

fn body(request: &Request) -> Option<&[u8]> {
    match request.body() {
        None => Some(&[]),
        Some(body) => body.as_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_comes_back_without_its_secrets() {
        let mut request = Request::new(Method::POST, Url::parse("http://psp/pay?x=1").unwrap());
        for (name, value) in [("content-type", "a/b"), ("authorization", "Bearer x"), ("cookie", "a=x")] {
            request.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        *request.body_mut() = Some(b"two\nlines\xff".to_vec().into());
        let bytes = write(&request).unwrap();
        let again = read(&bytes).unwrap();
        assert_eq!((again.method(), again.url()), (request.method(), request.url()));
        assert_eq!(again.headers().len(), 1);
        assert_eq!(body(&again), body(&request));
        assert_eq!(fingerprint(&again), fingerprint(&request));
        for bytes in [&b""[..], b"{}\n", b"no line"] {
            assert!(read(bytes).is_none());
        }
    }
}
