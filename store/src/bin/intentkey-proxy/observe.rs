//! Logs and metrics. Of requests they show method, status and time; of keys, the first 8 characters of the
//! stored one; of tenants, paths, queries, headers and bodies, nothing: paths hold account numbers and
//! addresses as often as bodies do.

use std::time::Instant;

use http::{Method, StatusCode};
use intentkey_core::Key;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Upper ends of the histogram, in seconds.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// Starts logging to standard error, as JSON lines, and counting.
pub(crate) fn start(level: Option<&str>) -> Result<PrometheusHandle, String> {
    let level: LevelFilter =
        level.unwrap_or("info").parse().map_err(|_| "--log is error, warn, info or debug")?;
    // Other crates may log what passes through them.
    let ours = Targets::new().with_target("intentkey", level);
    let lines = tracing_subscriber::fmt::layer().json().with_writer(std::io::stderr);
    tracing_subscriber::registry().with(lines).with(ours).try_init().map_err(|error| error.to_string())?;
    let metrics = PrometheusBuilder::new().set_buckets(&SECONDS).map_err(|error| error.to_string())?;
    metrics.install_recorder().map_err(|error| error.to_string())
}

/// What became of a request.
pub(crate) fn answered(
    method: &Method,
    status: StatusCode,
    is_replay: bool,
    key: Option<&Key>,
    begun: Instant,
) {
    let seconds = begun.elapsed().as_secs_f64();
    let class = match status.as_u16() {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    };
    // Methods are a client's text: those that are not common are one label.
    let method = match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    };
    metrics::histogram!("intentkey_proxy_seconds", "method" => method, "status" => class).record(seconds);
    let key = key.map(Key::prefix);
    tracing::info!(method, status = status.as_u16(), is_replay, key, seconds, "answered");
}
