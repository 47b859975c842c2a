//! A service with effects to count, and requests to it.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, DATE, LOCATION, SET_COOKIE};
use axum::http::request::{Builder, Parts};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use axum::{Extension, Router};
use intentkey_core::protocol::Terms;
use intentkey_store::http::{IdempotencyLayer, NoEffect, OutcomeUnknown};
use intentkey_store::{Options, Store, Target, open};
use tower::ServiceExt as _;

/// What happened behind the layer.
#[derive(Clone, Default)]
pub(crate) struct Effects(Arc<AtomicU64>);

impl Effects {
    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

pub(crate) async fn store() -> Arc<dyn Store> {
    open("sqlite::memory:", Options::default()).await.unwrap().into()
}

/// A layer whose tenants are named by a header, over a destination that nobody can ask.
pub(crate) fn layer(store: Arc<dyn Store>) -> IdempotencyLayer {
    layer_over(store, Target::new("app", Terms::neither(), Duration::from_secs(30)))
}

pub(crate) fn layer_over(store: Arc<dyn Store>, target: Target) -> IdempotencyLayer {
    let tenant = |request: &Parts| request.headers.get("tenant")?.to_str().ok().map(str::to_owned);
    IdempotencyLayer::new(store, target, tenant)
}

/// The service behind a layer: the path says how it behaves, and each request that reaches it counts.
pub(crate) fn app(layer: &IdempotencyLayer) -> (Router, Effects) {
    let effects = Effects::default();
    let app = Router::new().route("/{*how}", any(handle)).with_state(effects.clone());
    (app.layer(layer.clone()), effects)
}

async fn handle(State(effects): State<Effects>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let count = effects.0.fetch_add(1, Ordering::SeqCst) + 1;
    let how = parts.uri.path().trim_start_matches('/').to_owned();
    let text = format!("{how} {count} {}", String::from_utf8_lossy(&body));
    match &*how {
        "slow" => tokio::time::sleep(Duration::from_millis(300)).await,
        "panics" => panic!("it does"),
        "no-effect" => {
            return (StatusCode::TOO_MANY_REQUESTS, Extension(NoEffect), text).into_response();
        }
        "unknown" => {
            return (StatusCode::BAD_GATEWAY, Extension(OutcomeUnknown), text).into_response();
        }
        "large" => return "x".repeat(2 << 20).into_response(),
        "breaks-off" => {
            let frames = [Ok(Bytes::from("beg")), Err(std::io::Error::other("gone"))];
            return Body::from_stream(tokio_stream(frames)).into_response();
        }
        "trailers" => return trailers(),
        _ => {}
    }
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/vnd.paid"));
    headers.insert(LOCATION, HeaderValue::from_static("/paid/1"));
    headers.insert("content-disposition", HeaderValue::from_static("inline"));
    headers.insert("x-request-id", HeaderValue::from_static("first"));
    headers.insert(DATE, HeaderValue::from_static("Sun, 06 Nov 1994 08:49:37 GMT"));
    headers.append(SET_COOKIE, HeaderValue::from_static("session=secret"));
    headers.insert("www-authenticate", HeaderValue::from_static("Basic"));
    headers.insert("authorization", HeaderValue::from_static("Bearer secret"));
    headers.insert("keep-alive", HeaderValue::from_static("timeout=5"));
    let status = how.parse().unwrap_or(201);
    (StatusCode::from_u16(status).unwrap(), headers, text).into_response()
}

/// A stream of what is there.
fn tokio_stream<T: Send + Unpin + 'static>(
    items: impl IntoIterator<Item = T>,
) -> impl futures_core::Stream<Item = T> + Send {
    Items(items.into_iter().collect::<Vec<_>>().into_iter())
}

struct Items<T>(std::vec::IntoIter<T>);

impl<T: Unpin> futures_core::Stream for Items<T> {
    type Item = T;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<T>> {
        std::task::Poll::Ready(self.0.next())
    }
}

fn trailers() -> Response {
    use http_body_util::BodyExt as _;
    let trailers = HeaderMap::from_iter([("grpc-status".parse().unwrap(), HeaderValue::from_static("0"))]);
    let body = http_body_util::Full::new(Bytes::from("message")).with_trailers(async { Some(Ok(trailers)) });
    Response::new(Body::new(body))
}

pub(crate) fn post(path: &str) -> Builder {
    Request::builder().method(Method::POST).uri(path).header("tenant", "acme")
}

/// An answer, read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    pub(crate) trailers: Option<HeaderMap>,
}

impl Got {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The name of the problem, after the `#`.
    pub(crate) fn problem(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        assert_eq!(self.json()["status"], self.status);
        let link = self.header("link").unwrap();
        assert_eq!(
            link, "</.well-known/idempotency>; rel=\"describedby\"; type=\"application/json\"",
            "every problem links to the rules"
        );
        let kind = self.json()["type"].as_str().unwrap().to_owned();
        kind.rsplit('#').next().unwrap().to_owned()
    }

    pub(crate) fn is_replay(&self) -> bool {
        self.header("idempotent-replayed") == Some("true")
    }
}

pub(crate) async fn send(app: &Router, request: Request<Body>) -> Got {
    use http_body_util::BodyExt as _;
    let (parts, body) = app.clone().oneshot(request).await.unwrap().into_parts();
    let collected = body.collect().await.unwrap();
    let trailers = collected.trailers().cloned();
    Got {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body: collected.to_bytes().to_vec(),
        trailers,
    }
}

/// A request to pay under a key.
pub(crate) async fn pay(app: &Router, path: &str, key: &str, body: &'static str) -> Got {
    let request = post(path).header("idempotency-key", format!("\"{key}\"")).body(body.into()).unwrap();
    send(app, request).await
}

/// Waits until something holds, for 10 seconds.
pub(crate) async fn until<F: Future<Output = bool>>(holds: impl Fn() -> F) {
    for _ in 0..1000 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never held");
}
