//! A service of gRPC that counts its effects, and its client.

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
use intentkey_store::http::OutcomeUnknown;
use tokio_stream::{StreamExt as _, iter};
use tonic::body::Body;
use tonic::codec::{Codec, CompressionEncoding, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::MetadataValue;
use tonic::server::NamedService;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};
use tower::{Service, service_fn};

/// Messages are their bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Plain;

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
pub(crate) struct Payments(Arc<AtomicU64>);

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
        let mut grpc = tonic::server::Grpc::new(Plain).send_compressed(CompressionEncoding::Gzip);
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

pub(crate) struct Client {
    pub(crate) grpc: tonic::client::Grpc<Channel>,
    effects: Arc<AtomicU64>,
}

impl Client {
    /// Of a server at an address, which counts its effects here.
    pub(crate) async fn of(address: SocketAddr, effects: &Payments) -> Self {
        let channel = Channel::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap();
        let grpc = tonic::client::Grpc::new(channel).max_decoding_message_size(8 << 20);
        Client { grpc, effects: effects.0.clone() }
    }

    /// The same, which takes compressed answers.
    pub(crate) fn compressed(self) -> Self {
        Client { grpc: self.grpc.accept_compressed(CompressionEncoding::Gzip), ..self }
    }

    pub(crate) fn count(&self) -> u64 {
        self.effects.load(Ordering::SeqCst)
    }

    pub(crate) async fn call(
        &self,
        method: &str,
        key: Option<&str>,
        body: &'static str,
    ) -> Result<Got, Status> {
        let mut grpc = self.grpc.clone();
        grpc.ready().await.unwrap();
        let response = grpc.unary(request(key, body), path(method), Plain).await?;
        let is_replay = response.metadata().get("idempotent-replayed").is_some();
        // With the trailers, tonic gives them as one.
        let status = response.metadata().get("grpc-status").map(|value| value.to_str().unwrap().to_owned());
        let is_compressed = response.metadata().get("grpc-encoding").is_some_and(|value| value == "gzip");
        let text = String::from_utf8_lossy(response.get_ref()).into_owned();
        Ok(Got { text, is_replay, is_compressed, status })
    }
}

#[derive(Debug, PartialEq)]
pub(crate) struct Got {
    pub(crate) text: String,
    pub(crate) is_replay: bool,
    pub(crate) is_compressed: bool,
    status: Option<String>,
}

pub(crate) fn got(text: &str, is_replay: bool) -> Got {
    Got { text: text.to_owned(), is_replay, is_compressed: false, status: Some("0".to_owned()) }
}

pub(crate) fn request(key: Option<&str>, body: &'static str) -> Request<Bytes> {
    let mut request = Request::new(Bytes::from(body));
    request.metadata_mut().insert("tenant", MetadataValue::from_static("acme"));
    if let Some(key) = key {
        request.metadata_mut().insert("idempotency-key", format!("\"{key}\"").parse().unwrap());
    }
    request
}

pub(crate) fn path(method: &str) -> PathAndQuery {
    format!("/test.Payments/{method}").parse().unwrap()
}
