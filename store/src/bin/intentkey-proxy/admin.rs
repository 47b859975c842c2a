//! For operators: health, metrics, and what is unsettled.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use intentkey_core::Key;
use intentkey_core::protocol::Status;
use intentkey_store::{Filter, Row, Store};
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::json;
use tokio::net::TcpListener;

/// How long the store may take to be healthy.
const HEALTHY: Duration = Duration::from_secs(2);
/// Prometheus' text format.
const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";
/// Rows of `/unsettled`.
const LISTED: u32 = 1000;

#[derive(Clone)]
pub(crate) struct Admin {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) metrics: PrometheusHandle,
}

/// Serves until it is dropped.
pub(crate) async fn serve(listener: TcpListener, admin: Admin) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let admin = admin.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let admin = admin.clone();
                async move { Ok::<_, Infallible>(admin.answer(&request).await) }
            });
            let connection = hyper::server::conn::http1::Builder::new();
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

impl Admin {
    async fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return text(StatusCode::METHOD_NOT_ALLOWED, "GET\n");
        }
        match request.uri().path() {
            "/healthz" => self.health().await,
            "/metrics" => typed(StatusCode::OK, EXPOSITION, self.metrics.render()),
            "/unsettled" => self.unsettled().await,
            _ => text(StatusCode::NOT_FOUND, "/healthz /metrics /unsettled\n"),
        }
    }

    async fn health(&self) -> Response<Full<Bytes>> {
        let nobodys = Key::recorded([0; 16]);
        match tokio::time::timeout(HEALTHY, self.store.get(&nobodys)).await {
            Ok(Ok(_)) => text(StatusCode::OK, "ok\n"),
            _ => text(StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n"),
        }
    }

    /// The keys are the stored ones, whole: `intentkey store resolve` takes them.
    async fn unsettled(&self) -> Response<Full<Bytes>> {
        let filter = Filter::status(Status::Unsettled).limit(LISTED);
        let Ok(rows) = self.store.list(&filter).await else {
            return text(StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n");
        };
        let rows: Vec<_> = rows.iter().map(Row::to_json).collect();
        typed(StatusCode::OK, "application/json", json!({ "unsettled": rows }).to_string())
    }
}

fn text(status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    typed(status, "text/plain; charset=utf-8", text)
}

fn typed(status: StatusCode, media_type: &'static str, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    let media_type = http::HeaderValue::from_static(media_type);
    response.headers_mut().insert(http::header::CONTENT_TYPE, media_type);
    response
}
