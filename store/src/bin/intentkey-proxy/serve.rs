//! Accepting, and ending without losing anything.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use intentkey_core::Key;
use intentkey_store::http::IdempotencyLayer;
use tokio::net::TcpListener;
use tower_service::Service;

use crate::observe;
use crate::upstream::Peer;

/// How long a request's head may take.
const HEAD: Duration = Duration::from_secs(30);

/// Serves until `ends` resolves; then ends within `grace`.
pub(crate) async fn serve<S, B>(
    listener: TcpListener,
    service: S,
    layer: IdempotencyLayer,
    ends: impl Future<Output = ()>,
    grace: Duration,
) where
    S: Service<Request<Incoming>, Response = http::Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: http_body::Body<Data = bytes::Bytes> + Send + 'static,
    B::Error: std::error::Error + Send + Sync,
{
    let mut server = auto::Builder::new(TokioExecutor::new());
    server.http1().timer(TokioTimer::new()).header_read_timeout(HEAD).half_close(true);
    server.http2().timer(TokioTimer::new()).keep_alive_interval(Some(Duration::from_secs(30)));
    let graceful = GracefulShutdown::new();
    let mut ends = std::pin::pin!(ends);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut ends => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of descriptors, mostly: others must end first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let service = service.clone();
        let handle = service_fn(move |mut request: Request<Incoming>| {
            let (begun, method) = (Instant::now(), request.method().clone());
            request.extensions_mut().insert(Peer(peer));
            let answering = service.clone().call(request);
            async move {
                let response = answering.await?;
                let is_replay = response.headers().contains_key("idempotent-replayed");
                let key = response.extensions().get::<Key>();
                observe::answered(&method, response.status(), is_replay, key, begun);
                Ok::<_, Infallible>(response)
            }
        });
        let connection = server.serve_connection(TokioIo::new(stream), handle).into_owned();
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            // Clients that break off are no news.
            let _ = watched.await;
        });
    }
    drop(listener);
    tracing::info!(running = layer.running(), "ending");
    let ended = tokio::time::timeout(grace, async {
        graceful.shutdown().await;
        layer.finish().await;
    });
    if ended.await.is_err() {
        tracing::error!(running = layer.running(), "ended before all outcomes were recorded");
    }
}
