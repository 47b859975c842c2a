//! What is planted in requests shows nowhere that operators look.

use crate::process::{Proxy, request};
use crate::service::Service;
use crate::support::{Db, on_both};

on_both! { nothing_of_a_request_is_in_logs_and_metrics }

/// Planted everywhere.
const CANARY: &str = "canary7f3a9c";

async fn nothing_of_a_request_is_in_logs_and_metrics(db: Db) {
    let service = Service::start().await;
    let arguments = ["--tenant-header", "tenant", "--log", "debug", "--execution-seconds", "1"];
    let proxy = Proxy::before(service.address, &db.url, &arguments);
    for path in ["/pay", "/400", "/cut-after", "/busy", "/slow"] {
        let target = format!("{path}?card={CANARY}");
        let headers = format!(
            "idempotency-key: \"{CANARY}-{}\"\r\nauthorization: Bearer {CANARY}\r\ncookie: a={CANARY}\r\n\
             tenant: {CANARY}\r\nx-{CANARY}: {CANARY}\r\nuser-agent: {CANARY}\r\n",
            path.trim_start_matches('/')
        );
        for body in [CANARY, CANARY, "another"] {
            request(proxy.address, "POST", &target, &headers, body).await;
        }
        request(proxy.address, CANARY, &target, &headers, CANARY).await;
        let malformed = headers.replace("\"\r\n", "\r\n");
        request(proxy.address, "POST", &target, &malformed, CANARY).await;
        request(proxy.address, "GET", &target, &headers, "").await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(2500)).await;
    let (log, metrics) = (proxy.log(), proxy.ask("/metrics").await.body);
    assert!(log.contains("claimed") && log.contains("given up on"), "it was logged at all: {log}");
    assert!(metrics.contains("intentkey_http_requests_total"));
    for place in [&log, &metrics] {
        assert!(!place.to_lowercase().contains(CANARY), "{place}");
    }
    // Of stored keys, 8 characters at most.
    let stored: Vec<String> =
        service.heads().iter().filter_map(|head| crate::service::header(head, "intent-key")).collect();
    assert!(stored.len() > 4);
    for key in stored {
        // By the prefix an answer is found in the log.
        let prefix = format!("\"key\":\"{}\"", key.get(..8).unwrap());
        assert!(log.lines().any(|line| line.contains("\"answered\"") && line.contains(&prefix)), "{prefix}");
        let nine = key.get(..9).unwrap();
        assert!(!log.contains(nine) && !metrics.contains(nine), "{nine}");
    }
}
