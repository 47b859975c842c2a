//! What a shadow reports.

use std::time::Duration;

use intentkey_core::protocol::ClientKey;

use crate::process::Proxy;
use crate::service::Service;

/// Waits until the metrics have a line, for 10 seconds.
async fn counted(proxy: &Proxy, line: &str) {
    for _ in 0..100 {
        if proxy.ask("/metrics").await.body.lines().any(|found| found == line) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{line} is not in {}", proxy.ask("/metrics").await.body);
}

/// Waits until the log has so many lines of a message with a key, for 10 seconds.
async fn logged(proxy: &Proxy, message: &str, prefix: &str, count: usize) {
    for _ in 0..100 {
        let log = proxy.log();
        if log.lines().filter(|line| line.contains(message) && line.contains(prefix)).count() == count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{message}: {}", proxy.log());
}

#[tokio::test]
async fn a_shadow_says_of_which_key_it_would_have_answered() {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, "sqlite::memory:", &["--shadow"]);
    assert_eq!(proxy.post("/pay", "k", "a").await.body, "1 a");
    counted(&proxy, r#"intentkey_http_shadow_total{would="execute",same=""} 1"#).await;
    // The first answer is recorded after it was counted.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(proxy.post("/pay", "k", "a").await.body, "2 a", "it is sent on all the same");
    counted(&proxy, r#"intentkey_http_shadow_total{would="replay",same="no"} 1"#).await;
    assert_eq!(proxy.post("/pay", "k", "b").await.body, "3 b");
    counted(&proxy, r#"intentkey_http_shadow_total{would="key-reused",same=""} 1"#).await;
    // A service that cuts the connection answered nothing.
    assert_eq!(proxy.post("/cut-after", "cut", "a").await.status, 502);
    counted(&proxy, r#"intentkey_http_shadow_total{would="execute",same=""} 2"#).await;
    assert_eq!(proxy.post("/cut-after", "cut", "a").await.status, 502);
    counted(&proxy, r#"intentkey_http_shadow_total{would="in-flight",same=""} 1"#).await;
    let stored = ClientKey::strict(b"\"k\"").unwrap().stored("acme");
    let prefix = format!("\"key\":\"{}\"", stored.prefix());
    logged(&proxy, "\"shadow\"", &prefix, 3).await;
    logged(&proxy, "\"answered\"", &prefix, 3).await;
}

#[tokio::test]
async fn a_refusal_before_the_claim_names_its_key_in_the_log() {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, "sqlite::memory:", &["--largest-body", "2"]);
    assert_eq!(proxy.post("/pay", "k", "long").await.problem(), "body-too-large");
    let stored = ClientKey::strict(b"\"k\"").unwrap().stored("acme");
    let prefix = format!("\"key\":\"{}\"", stored.prefix());
    logged(&proxy, "\"answered\"", &prefix, 1).await;
    assert_eq!(service.effects(), 0);
}
