//! Asking the service what became of a key.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::uri::{Authority, Scheme};
use http::{HeaderName, HeaderValue, Request, Uri, header};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use intentkey_core::Key;
use intentkey_store::{Destination, Executed, Looked, Owned, Response, Target};
use serde::Deserialize;
use serde_json::Value;

use crate::upstream::client;

/// How long a look-up may take, and how much it may answer.
const LONGEST: Duration = Duration::from_secs(10);
const LARGEST: usize = 1 << 20;

/// How the service is asked, and what its answers mean. What is neither found nor absent is unknown.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookUp {
    /// The path, with `{key}` for the stored key, which the service got as `Intent-Key`.
    pub(crate) get: String,
    /// How long after its sender stopped a request may still arrive, in seconds.
    pub(crate) longest_delay_seconds: u64,
    /// What says that the effect happened. Repeats get this answer's body.
    pub(crate) found: Meaning,
    /// What says that the service does not know the key: an answer that follows its writes.
    pub(crate) absent: Meaning,
    /// The status that repeats get with it; 200.
    #[serde(default = "ok")]
    pub(crate) answer_status: u16,
    /// Headers of the look-up.
    #[serde(default)]
    pub(crate) headers: std::collections::BTreeMap<String, String>,
}

/// What an answer must be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Meaning {
    status: u16,
    /// A place in the JSON body (RFC 6901), and what must stand there.
    pointer: Option<String>,
    equals: Option<Value>,
}

fn ok() -> u16 {
    200
}

impl Meaning {
    fn is(&self, status: u16, body: &[u8]) -> bool {
        let stands = |pointer: &String| {
            let body: Option<Value> = serde_json::from_slice(body).ok();
            let found = body.as_ref().and_then(|body| body.pointer(pointer));
            found.is_some() && (self.equals.is_none() || found == self.equals.as_ref())
        };
        self.status == status && self.pointer.as_ref().is_none_or(stands)
    }
}

impl LookUp {
    pub(crate) fn check(&self) -> Result<(), String> {
        if !self.get.starts_with('/') || !self.get.contains("{key}") {
            return Err("look_up.get is a path with {key} in it".into());
        }
        for (name, value) in &self.headers {
            if HeaderName::try_from(name).is_err() || HeaderValue::try_from(value).is_err() {
                return Err(format!("look_up.headers.{name} is no header"));
            }
        }
        for (name, meaning) in [("found", &self.found), ("absent", &self.absent)] {
            if meaning.equals.is_some() && meaning.pointer.is_none() {
                return Err(format!("look_up.{name}.equals needs a pointer"));
            }
        }
        Ok(())
    }
}

/// The service, as recovery asks it.
pub(crate) struct Asked {
    target: Target,
    authority: Authority,
    look_up: Option<LookUp>,
    client: Client<HttpConnector, Empty<Bytes>>,
}

impl Asked {
    pub(crate) fn new(target: Target, authority: Authority, look_up: Option<LookUp>, http2: bool) -> Self {
        Asked { target, authority, look_up, client: client(http2, 8) }
    }

    async fn ask(&self, look_up: &LookUp, key: &Key) -> Option<Looked> {
        // The key is of letters, digits, `-` and `_`.
        let path = look_up.get.replace("{key}", key.as_str());
        let uri = Uri::builder().scheme(Scheme::HTTP).authority(self.authority.clone()).path_and_query(path);
        let mut request = Request::get(uri.build().ok()?);
        for (name, value) in &look_up.headers {
            request = request.header(name, value);
        }
        let response = self.client.request(request.body(Empty::new()).ok()?).await.ok()?;
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, LARGEST).collect().await.ok()?.to_bytes();
        let status = parts.status.as_u16();
        if look_up.found.is(status, &body) {
            let mut found = Response::new(look_up.answer_status, body.to_vec());
            if let Some(media_type) = parts.headers.get(header::CONTENT_TYPE) {
                found = found.with_header("content-type", media_type.as_bytes());
            }
            return Some(Looked::Found(found));
        }
        look_up.absent.is(status, &body).then_some(Looked::Absent)
    }
}

#[async_trait]
impl Destination for Asked {
    fn target(&self) -> &Target {
        &self.target
    }

    /// The proxy records no requests: whoever repeats sends them.
    async fn execute(&self, _: &Owned, _: &[u8]) -> Executed {
        Executed::NotExecuted
    }

    async fn look_up(&self, key: &Key) -> Looked {
        let Some(look_up) = &self.look_up else { return Looked::Unknown };
        let asked = tokio::time::timeout(LONGEST, self.ask(look_up, key)).await;
        asked.ok().flatten().unwrap_or(Looked::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_means_what_the_configuration_says() {
        let meaning = |text| toml::from_str::<Meaning>(text).unwrap();
        let (plain, exact) =
            (meaning("status = 404"), meaning("status = 404\npointer = \"/code\"\nequals = \"unknown_key\""));
        let there = meaning("status = 200\npointer = \"/id\"");
        for (meaning, status, body, means) in [
            (&plain, 404, "", true),
            (&plain, 410, "", false),
            (&exact, 404, "", false),
            (&exact, 404, r#"{"code": "no_route"}"#, false),
            (&exact, 404, r#"{"code": "unknown_key"}"#, true),
            (&there, 200, "{}", false),
            (&there, 200, r#"{"id": 7}"#, true),
        ] {
            assert_eq!(meaning.is(status, body.as_bytes()), means, "{status} {body}");
        }
    }
}
