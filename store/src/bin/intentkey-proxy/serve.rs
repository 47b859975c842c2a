//! Accepting, and ending without losing anything.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use intentkey_core::Key;
use intentkey_store::http::{Body, IdempotencyLayer};
use tokio::net::TcpListener;
use tower_service::Service;

use crate::upstream::Peer;
use crate::{framing, observe};

/// How long a request's head may take, and the first request of a connection may be waited for.
const HEAD: Duration = Duration::from_secs(30);

/// Serves until `ends` resolves; then ends within `grace`.
pub(crate) async fn serve<S, B>(
    listener: TcpListener,
    service: S,
    layer: IdempotencyLayer,
    ends: impl Future<Output = ()>,
    grace: Duration,
) where
    S: Service<Request<Incoming>, Response = Response<Body<B>>, Error = Infallible> + Clone + Send + 'static,
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
        let is_used = Arc::new(AtomicBool::new(false));
        let used = is_used.clone();
        let handle = service_fn(move |mut request: Request<Incoming>| {
            used.store(true, Ordering::Relaxed);
            let (begun, method) = (Instant::now(), request.method().clone());
            request.extensions_mut().insert(Peer(peer));
            let refused = framing::refused(&request);
            let answering = refused.is_none().then(|| service.clone().call(request));
            async move {
                let mut response = match answering {
                    Some(answering) => answering.await?,
                    None => Response::new(Body::empty()),
                };
                if let Some(status) = refused {
                    *response.status_mut() = status;
                }
                let is_replay = response.headers().contains_key("idempotent-replayed");
                let key = response.extensions().get::<Key>();
                observe::answered(&method, response.status(), is_replay, key, begun);
                Ok::<_, Infallible>(response)
            }
        });
        let connection = server.serve_connection(TokioIo::new(stream), handle).into_owned();
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            used_within(HEAD, &is_used, watched).await;
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

/// Runs a connection to its end, or as long as its first request may be waited for. Until its protocol is
/// known hyper waits without a limit: for silence, or for the rest of HTTP/2's preface.
async fn used_within(longest: Duration, is_used: &AtomicBool, connection: impl Future) {
    let mut connection = std::pin::pin!(connection);
    let first = tokio::time::timeout(longest, &mut connection).await;
    if first.is_err() && is_used.load(Ordering::Relaxed) {
        // Clients that break off are no news.
        connection.await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_a_connection_that_is_used_is_kept() {
        let (short, long) = (Duration::from_millis(20), Duration::from_millis(100));
        for (is_used, ends) in [(false, false), (true, true)] {
            let mut has_ended = false;
            let connection = async {
                tokio::time::sleep(long).await;
                has_ended = true;
            };
            used_within(short, &AtomicBool::new(is_used), connection).await;
            assert_eq!(has_ended, ends);
        }
    }
}
