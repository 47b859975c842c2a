//! A tonic server behind the layer, and a tonic client.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::uri::PathAndQuery;
use axum::http::{Request as HttpRequest, Response as HttpResponse};
use futures_core::future::BoxFuture;
use intentkey_store::http::{IdempotencyLayer, OutcomeUnknown};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_stream::{StreamExt as _, iter};
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::MetadataValue;
use tonic::server::NamedService;
use tonic::transport::{Channel, Server};
use tonic::{Code, Request, Response, Status};
use tower::{Service, service_fn};

use crate::app::{layer, store};

/// Messages are their bytes.
#[derive(Clone, Copy, Default)]
struct Plain;

impl Codec for Plain {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Plain;
    type Decoder = Plain;

    fn encoder(&mut self) -> Plain {
        Plain
    }

    fn decoder(&mut self) -> Plain {
        Plain
    }
}

impl Encoder for Plain {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        bytes::BufMut::put(to, item);
        Ok(())
    }
}

impl Decoder for Plain {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        let length = bytes::Buf::remaining(from);
        Ok(Some(bytes::Buf::copy_to_bytes(from, length)))
    }
}

/// Payments, counted. The method says how it behaves.
#[derive(Clone, Default)]
struct Payments(Arc<AtomicU64>);

impl NamedService for Payments {
    const NAME: &'static str = "test.Payments";
}

impl Service<HttpRequest<Body>> for Payments {
    type Response = HttpResponse<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<HttpResponse<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequest<Body>) -> Self::Future {
        let effects = self.0.clone();
        let mut grpc = tonic::server::Grpc::new(Plain);
        Box::pin(async move {
            let method = request.uri().path().rsplit('/').next().unwrap().to_owned();
            if method == "Stream" {
                let stream = service_fn(move |_: Request<Bytes>| {
                    effects.fetch_add(1, Ordering::SeqCst);
                    let parts = ["one", "two", "three"].map(|part| Ok::<_, Status>(Bytes::from(part)));
                    let parts = iter(parts).throttle(Duration::from_millis(100));
                    std::future::ready(Ok::<_, Status>(Response::new(parts)))
                });
                return Ok(grpc.server_streaming(stream, request).await);
            }
            let pay = service_fn(move |request: Request<Bytes>| {
                let (effects, method) = (effects.clone(), method.clone());
                async move { answer(&method, &request.into_inner(), &effects).await }
            });
            Ok(grpc.unary(pay, request).await)
        })
    }
}

async fn answer(method: &str, message: &[u8], effects: &AtomicU64) -> Result<Response<Bytes>, Status> {
    let count = effects.fetch_add(1, Ordering::SeqCst) + 1;
    match method {
        "Decline" => {
            let details = Bytes::from_static(b"\x08\x09");
            return Err(Status::with_details(Code::FailedPrecondition, "100 % déclined", details));
        }
        "Slow" => tokio::time::sleep(Duration::from_millis(500)).await,
        "Large" => return Ok(Response::new(Bytes::from(vec![b'x'; 2 << 20]))),
        _ => {}
    }
    let text = format!("paid {count} {}", String::from_utf8_lossy(message));
    let mut response = Response::new(Bytes::from(text));
    if method == "Unknown" {
        response.extensions_mut().insert(OutcomeUnknown);
    }
    Ok(response)
}

struct Client {
    grpc: tonic::client::Grpc<Channel>,
    effects: Arc<AtomicU64>,
}

impl Client {
    /// Of a server of its own, behind a layer.
    async fn of(layer: IdempotencyLayer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let payments = Payments::default();
        let effects = payments.0.clone();
        let server = Server::builder().layer(layer).add_service(payments);
        tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
        let channel = Channel::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap();
        let grpc = tonic::client::Grpc::new(channel).max_decoding_message_size(8 << 20);
        Client { grpc, effects }
    }

    fn count(&self) -> u64 {
        self.effects.load(Ordering::SeqCst)
    }

    async fn call(&self, method: &str, key: Option<&str>, body: &'static str) -> Result<Got, Status> {
        let mut grpc = self.grpc.clone();
        grpc.ready().await.unwrap();
        let response = grpc.unary(request(key, body), path(method), Plain).await?;
        let is_replay = response.metadata().get("idempotent-replayed").is_some();
        // With the trailers, tonic gives them as one.
        let status = response.metadata().get("grpc-status").map(|value| value.to_str().unwrap().to_owned());
        let text = String::from_utf8_lossy(response.get_ref()).into_owned();
        Ok(Got { text, is_replay, status })
    }
}

#[derive(Debug, PartialEq)]
struct Got {
    text: String,
    is_replay: bool,
    status: Option<String>,
}

fn got(text: &str, is_replay: bool) -> Got {
    Got { text: text.to_owned(), is_replay, status: Some("0".to_owned()) }
}

fn request(key: Option<&str>, body: &'static str) -> Request<Bytes> {
    let mut request = Request::new(Bytes::from(body));
    request.metadata_mut().insert("tenant", MetadataValue::from_static("acme"));
    if let Some(key) = key {
        request.metadata_mut().insert("idempotency-key", format!("\"{key}\"").parse().unwrap());
    }
    request
}

fn path(method: &str) -> PathAndQuery {
    format!("/test.Payments/{method}").parse().unwrap()
}

#[tokio::test]
async fn a_call_with_a_key_runs_once_and_one_without_as_often_as_it_comes() {
    let client = Client::of(layer(store().await).optional()).await;
    assert_eq!(client.call("Pay", None, "a").await.unwrap(), got("paid 1 a", false));
    assert_eq!(client.call("Pay", None, "a").await.unwrap(), got("paid 2 a", false));
    assert_eq!(client.call("Pay", Some("k"), "a").await.unwrap(), got("paid 3 a", false));
    assert_eq!(client.call("Pay", Some("k"), "a").await.unwrap(), got("paid 3 a", true));
    assert_eq!(client.count(), 3);
}

#[tokio::test]
async fn an_error_is_an_answer_and_is_replayed_with_its_details() {
    let client = Client::of(layer(store().await)).await;
    for is_replay in [false, true] {
        let status = client.call("Decline", Some("k"), "a").await.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::FailedPrecondition, "100 % déclined"));
        assert_eq!(status.details(), b"\x08\x09");
        assert_eq!(status.metadata().get("idempotent-replayed").is_some(), is_replay);
    }
    assert_eq!(client.count(), 1);
}

#[tokio::test]
async fn a_stream_without_a_key_passes_and_with_one_is_replayed() {
    let client = Client::of(layer(store().await).optional()).await;
    for (key, count, streams) in [(None, 1, true), (Some("k"), 2, false), (Some("k"), 2, false)] {
        let mut grpc = client.grpc.clone();
        grpc.ready().await.unwrap();
        let response = grpc.server_streaming(request(key, "a"), path("Stream"), Plain).await.unwrap();
        let (mut stream, begun) = (response.into_inner(), std::time::Instant::now());
        assert_eq!(stream.message().await.unwrap().as_deref(), Some(&b"one"[..]));
        for part in ["two", "three"] {
            assert_eq!(stream.message().await.unwrap().as_deref(), Some(part.as_bytes()));
        }
        assert_eq!(stream.message().await.unwrap(), None);
        // Under a key it is recorded first, and then comes at once.
        assert_eq!(begun.elapsed() > Duration::from_millis(150), streams, "{:?}", begun.elapsed());
        assert_eq!(client.count(), count);
    }
}

#[tokio::test]
async fn refusals_are_statuses() {
    let store = store().await;
    let client = Client::of(layer(store).largest_request(64)).await;
    let refused = async |method: &str, key: Option<&str>, body| {
        let status = client.call(method, key, body).await.unwrap_err();
        let name = status.message().split(':').next().unwrap().to_owned();
        let pushback = status.metadata().get("grpc-retry-pushback-ms").is_some();
        (status.code(), name, pushback)
    };
    let is = |code, name: &str, pushback| (code, name.to_owned(), pushback);
    assert_eq!(refused("Pay", None, "a").await, is(Code::InvalidArgument, "key-missing", false));
    let long = "0123456789".repeat(26);
    let malformed = refused("Pay", Some(&long), "a").await;
    assert_eq!(malformed, is(Code::InvalidArgument, "key-malformed", false));
    let body = "0123456789012345678901234567890123456789012345678901234567890123456789";
    let large = refused("Pay", Some("large"), body).await;
    assert_eq!(large, is(Code::ResourceExhausted, "body-too-large", false));
    assert_eq!(client.count(), 0);
    let slow = client.call("Slow", Some("k"), "a");
    let repeat = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        refused("Slow", Some("k"), "a").await
    };
    let (slow, repeat) = tokio::join!(slow, repeat);
    assert_eq!(repeat, is(Code::Unavailable, "in-flight", true));
    assert_eq!(slow.unwrap(), got("paid 1 a", false));
    let reused = refused("Slow", Some("k"), "b").await;
    assert_eq!(reused, is(Code::InvalidArgument, "key-reused", false));
    assert_eq!(client.count(), 1);
}

#[tokio::test]
async fn of_an_answer_too_large_the_loss_is_replayed() {
    let client = Client::of(layer(store().await)).await;
    assert_eq!(client.call("Large", Some("k"), "a").await.unwrap().text.len(), 2 << 20);
    let status = client.call("Large", Some("k"), "a").await.unwrap_err();
    assert_eq!(status.code(), Code::DataLoss);
    assert!(status.message().starts_with("answer-not-kept: "), "{status:?}");
    assert_eq!(client.count(), 1);
}

#[tokio::test]
async fn a_handler_says_by_an_extension_that_nobody_knows() {
    let client = Client::of(layer(store().await)).await;
    assert_eq!(client.call("Unknown", Some("k"), "a").await.unwrap(), got("paid 1 a", false));
    let status = client.call("Unknown", Some("k"), "a").await.unwrap_err();
    assert_eq!((status.code(), client.count()), (Code::Unavailable, 1));
    assert!(status.message().starts_with("in-flight: "), "{status:?}");
}
