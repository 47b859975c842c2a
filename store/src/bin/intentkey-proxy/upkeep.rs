//! What is done every few seconds: unknown outcomes are found out, old rows deleted, rows counted.

use std::sync::Arc;
use std::time::Duration;

use intentkey_store::{Store, recover};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::look_up::Asked;

/// Rows a round.
const ROWS: u32 = 64;
/// Longer than the look-ups of a round.
const LEASE: Duration = Duration::from_secs(900);
/// Rows are counted so often: that reads the whole table.
const COUNT: Duration = Duration::from_secs(60);

pub(crate) async fn run(store: Arc<dyn Store>, asked: Asked, every: Duration, metrics: PrometheusHandle) {
    metrics::describe_gauge!(
        "intentkey_rows",
        "Rows of the store by state, counted once a minute; /unsettled is read when it is asked for"
    );
    let mut counted: Option<std::time::Instant> = None;
    loop {
        if let Err(error) = recover(&*store, &asked, ROWS, LEASE).await {
            tracing::warn!(%error, "recovery");
        }
        if let Err(error) = store.sweep(1000).await {
            tracing::warn!(%error, "the sweep");
        }
        if counted.is_none_or(|at| at.elapsed() >= COUNT) {
            counted = Some(std::time::Instant::now());
            count(&*store).await;
        }
        metrics.run_upkeep();
        tokio::time::sleep(every).await;
    }
}

async fn count(store: &dyn Store) {
    let Ok(counts) = store.counts().await else { return };
    for (state, rows) in [
        ("running", counts.running),
        ("overdue", counts.overdue),
        ("done", counts.done),
        ("released", counts.released),
        ("unsettled", counts.unsettled),
    ] {
        metrics::gauge!("intentkey_rows", "state" => state).set(rows as f64);
    }
}
