//! The service behind the proxy.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{Request, Response, StatusCode, Uri, Version};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use intentkey_store::http::{Body, Execution, HttpProblem, IdempotencyLayer, NoEffect, OutcomeUnknown};
use tower_service::Service;

/// The header by which the service says that nothing happened: `none`.
const EFFECT: HeaderName = HeaderName::from_static("intentkey-effect");
/// The header by which it gets the stored key.
const KEY: HeaderName = HeaderName::from_static("intent-key");

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);
/// For how long an answer is waited for after its time, so that it is recorded late.
const ABANDON: Duration = Duration::from_secs(900);

/// Headers that belong to a connection (RFC 9110, section 7.6.1). `TE` and `Trailer` are handled apart.
const HOP_BY_HOP: [HeaderName; 7] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::PROXY_AUTHORIZATION,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::TE,
];

/// Who sent a request to the proxy.
#[derive(Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// The service, as the layer calls it.
#[derive(Clone)]
pub(crate) struct Upstream(Arc<Parts>);

struct Parts {
    /// Connections are kept for what passes.
    pooled: Client<HttpConnector, Body<Incoming>>,
    /// What is claimed gets a connection of its own: on one that was kept, the service may just close it
    /// while the request is sent, and then nobody knows.
    fresh: Client<HttpConnector, Body<Incoming>>,
    authority: Authority,
    http2: bool,
    key_header: HeaderName,
    layer: IdempotencyLayer,
}

/// Reads the service's URL.
pub(crate) fn authority(url: &str) -> Result<Authority, String> {
    let wanted = "--upstream is http://host:port, without a path; end TLS elsewhere";
    let parts = url.parse::<Uri>().map_err(|_| wanted)?.into_parts();
    let is_root = parts.path_and_query.as_ref().is_none_or(|path| path == "/");
    match (parts.scheme, parts.authority) {
        (Some(scheme), Some(authority)) if scheme == Scheme::HTTP && is_root => Ok(authority),
        _ => Err(wanted.into()),
    }
}

/// A client that speaks plain HTTP.
pub(crate) fn client<B>(http2: bool, idle: usize) -> Client<HttpConnector, B>
where
    B: http_body::Body + Send,
    B::Data: Send,
{
    let mut connector = HttpConnector::new();
    connector.set_connect_timeout(Some(CONNECT));
    connector.set_nodelay(true);
    connector.set_keepalive(Some(Duration::from_secs(60)));
    let mut builder = Client::builder(TokioExecutor::new());
    builder.pool_timer(TokioTimer::new()).timer(TokioTimer::new());
    builder.pool_max_idle_per_host(idle).http2_only(http2).build(connector)
}

impl Upstream {
    pub(crate) fn new(
        authority: Authority,
        http2: bool,
        key_header: HeaderName,
        layer: IdempotencyLayer,
    ) -> Self {
        let fresh = if http2 { usize::MAX } else { 0 };
        Upstream(Arc::new(Parts {
            pooled: client(http2, usize::MAX),
            fresh: client(http2, fresh),
            authority,
            http2,
            key_header,
            layer,
        }))
    }
}

impl Parts {
    async fn send(&self, request: Request<Body<Incoming>>) -> Response<Body<Incoming>> {
        let execution = request.extensions().get::<Execution>().copied();
        let request = match self.forwarded(request, execution) {
            Ok(request) => request,
            Err(response) => return *response,
        };
        let Some(execution) = execution else {
            return match self.pooled.request(request).await {
                Ok(response) => passed(response),
                Err(error) if error.is_connect() => self.unreachable(),
                // In shadow it is told from an answer of the service.
                Err(_) => {
                    let mut response = status(StatusCode::BAD_GATEWAY);
                    response.extensions_mut().insert(OutcomeUnknown);
                    response
                }
            };
        };
        let longest = execution.time_left() + ABANDON;
        match tokio::time::timeout(longest, self.fresh.request(request)).await {
            Ok(Ok(response)) => passed(response),
            // Nothing was sent.
            Ok(Err(error)) if error.is_connect() => self.unreachable(),
            Ok(Err(_)) => self.unknown(StatusCode::BAD_GATEWAY),
            Err(_) => self.unknown(StatusCode::GATEWAY_TIMEOUT),
        }
    }

    fn unreachable(&self) -> Response<Body<Incoming>> {
        let mut response = self.layer.answer(HttpProblem::UpstreamUnreachable);
        response.extensions_mut().insert(NoEffect);
        response
    }

    fn unknown(&self, status: StatusCode) -> Response<Body<Incoming>> {
        let mut response = self.layer.answer(HttpProblem::OutcomeUnknown(status));
        response.extensions_mut().insert(OutcomeUnknown);
        response
    }

    /// The request as the service gets it.
    fn forwarded(
        &self,
        mut request: Request<Body<Incoming>>,
        execution: Option<Execution>,
    ) -> Result<Request<Body<Incoming>>, Box<Response<Body<Incoming>>>> {
        if *request.method() == http::Method::CONNECT {
            return Err(Box::new(status(StatusCode::NOT_IMPLEMENTED)));
        }
        let incoming = request.uri().clone();
        let path = incoming.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
        let uri = Uri::builder().scheme(Scheme::HTTP).authority(self.authority.clone()).path_and_query(path);
        let uri = uri.build().map_err(|_| Box::new(status(StatusCode::BAD_REQUEST)))?;
        let peer = request.extensions().get::<Peer>().copied();
        let headers = request.headers_mut();
        let trailers =
            headers.get(header::TE).is_some_and(|te| te.as_bytes().eq_ignore_ascii_case(b"trailers"));
        without_hop_by_hop(headers);
        headers.remove(header::EXPECT);
        headers.remove(KEY);
        if trailers {
            headers.insert(header::TE, HeaderValue::from_static("trailers"));
        }
        // A target that names the host, as all of HTTP/2 do, goes before the header (RFC 9112, section 3.2.2).
        if let Some(authority) = incoming.authority()
            && let Some(host) = authority.as_str().rsplit('@').next()
            && let Ok(host) = HeaderValue::try_from(host)
        {
            headers.insert(header::HOST, host);
        }
        forwarded_for(headers, peer);
        if let Some(execution) = execution {
            // The body has been read: its length is what it is.
            headers.remove(header::CONTENT_LENGTH);
            let key = execution.key;
            if let Ok(value) = HeaderValue::try_from(key.as_str()) {
                headers.insert(KEY, value);
            }
            if let (false, Ok(quoted)) =
                (headers.contains_key(&self.key_header), HeaderValue::try_from(format!("\"{key}\"")))
            {
                headers.insert(self.key_header.clone(), quoted);
            }
        }
        *request.version_mut() = if self.http2 { Version::HTTP_2 } else { Version::HTTP_11 };
        if self.http2 {
            request.headers_mut().remove(header::HOST);
        }
        *request.uri_mut() = uri;
        Ok(request)
    }
}

/// The answer as the client gets it, with what it says of its effect.
fn passed(response: Response<Incoming>) -> Response<Body<Incoming>> {
    let mut response = response.map(Body::from);
    let says_none = response.headers().get(EFFECT).is_some_and(|value| value == "none");
    // The client's connection has a version of its own.
    *response.version_mut() = Version::default();
    let headers = response.headers_mut();
    headers.remove(EFFECT);
    without_hop_by_hop(headers);
    if says_none {
        response.extensions_mut().insert(NoEffect);
    }
    response
}

fn status(status: StatusCode) -> Response<Body<Incoming>> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

fn without_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| HeaderName::try_from(name.trim()).ok())
        .collect();
    for name in named.iter().chain(&HOP_BY_HOP) {
        headers.remove(name);
    }
}

/// Says who asked, as proxies do.
fn forwarded_for(headers: &mut HeaderMap, peer: Option<Peer>) {
    let name = HeaderName::from_static("x-forwarded-for");
    if let Some(Peer(address)) = peer {
        let before = headers.get(&name).and_then(|value| value.to_str().ok());
        let all =
            before.map_or_else(|| address.ip().to_string(), |before| format!("{before}, {}", address.ip()));
        if let Ok(value) = HeaderValue::try_from(all) {
            headers.insert(name, value);
        }
    }
    let host = headers.get(header::HOST).cloned();
    if let Some(host) = host {
        headers.entry("x-forwarded-host").or_insert(host);
    }
    headers.entry("x-forwarded-proto").or_insert(HeaderValue::from_static("http"));
}

impl Service<Request<Body<Incoming>>> for Upstream {
    type Response = Response<Body<Incoming>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body<Incoming>>) -> Self::Future {
        let parts = self.0.clone();
        Box::pin(async move { Ok(parts.send(request).await) })
    }
}

/// The service without the layer.
#[derive(Clone)]
pub(crate) struct Bare(pub(crate) Upstream);

impl Service<Request<Incoming>> for Bare {
    type Response = Response<Body<Incoming>>;
    type Error = Infallible;
    type Future = <Upstream as Service<Request<Body<Incoming>>>>::Future;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Incoming>) -> Self::Future {
        self.0.call(request.map(Body::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_plain_http_without_a_path() {
        assert_eq!(authority("http://127.0.0.1:5000").unwrap(), "127.0.0.1:5000");
        assert_eq!(authority("http://app:5000/").unwrap(), "app:5000");
        for url in ["https://app", "app:5000", "http://app/api", "http://app/?x", "", "/"] {
            assert!(authority(url).is_err(), "{url}");
        }
    }

    #[test]
    fn what_belongs_to_the_connection_goes_no_further() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "close, x-mine"),
            ("x-mine", "1"),
            ("keep-alive", "timeout=5"),
            ("transfer-encoding", "chunked"),
            ("content-type", "text/plain"),
        ] {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        without_hop_by_hop(&mut headers);
        assert_eq!(headers.keys().collect::<Vec<_>>(), ["content-type"]);
    }
}
