//! The proxy's end: killed, or asked to.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::process::Proxy;
use crate::service::Service;
use crate::support::{Db, on_both};
use crate::unknown::look_up;

on_both! {
    a_kill_while_a_request_runs_never_doubles_its_effect
    a_kill_is_recovered_by_a_look_up
    an_end_that_is_asked_for_loses_nothing
    a_client_that_leaves_loses_nothing
}

/// Sends a slow request in a task, and waits until it has its effect.
async fn begin(proxy: &Arc<Proxy>, service: &Service) -> tokio::task::JoinHandle<crate::process::Got> {
    let (asking, before) = (proxy.clone(), service.effects());
    let running = tokio::spawn(async move { asking.post("/slow", "k", "a").await });
    while service.effects() == before {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running
}

async fn a_kill_while_a_request_runs_never_doubles_its_effect(db: Db) {
    let service = Service::start().await;
    for round in 1..=3 {
        let arguments = ["--execution-seconds", "1", "--destination", "service"];
        let proxy = Arc::new(Proxy::start(&service, &db.url, &arguments));
        let running = begin_as(&proxy, &service, round).await;
        let proxy = Arc::into_inner(proxy).unwrap_or_else(|| panic!("it is held"));
        proxy.kill();
        running.abort();
        let proxy = Proxy::start(&service, &db.url, &arguments);
        let got = proxy.settled("/slow", &round.to_string(), "a").await;
        assert_eq!((got.status, &*got.problem()), (409, "unsettled"));
        assert_eq!((service.effects(), service.most()), (round, 1));
    }
}

/// The same over a bare connection, so that nothing else holds the proxy.
async fn begin_as(proxy: &Proxy, service: &Service, key: u64) -> tokio::task::JoinHandle<()> {
    let (address, before) = (proxy.address, service.effects());
    let running = tokio::spawn(async move {
        let headers = format!("idempotency-key: \"{key}\"\r\n");
        crate::process::request(address, "POST", "/slow", &headers, "a").await;
    });
    while service.effects() == before {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running
}

async fn a_kill_is_recovered_by_a_look_up(db: Db) {
    let folder = tempfile::tempdir().unwrap();
    let config = look_up(&folder);
    let arguments = ["--config", config.to_str().unwrap()];
    let service = Service::start().await;
    let proxy = Proxy::start(&service, &db.url, &arguments);
    let running = begin_as(&proxy, &service, 1).await;
    proxy.kill();
    running.abort();
    let proxy = Proxy::start(&service, &db.url, &arguments);
    let got = proxy.settled("/slow", "1", "a").await;
    assert_eq!((got.status, got.is_replay(), service.effects()), (201, true, 1));
}

async fn an_end_that_is_asked_for_loses_nothing(db: Db) {
    let service = Service::start().await;
    let proxy = Arc::new(Proxy::start(&service, &db.url, &[]));
    let running = begin(&proxy, &service).await;
    proxy.terminate();
    let got = running.await.unwrap();
    assert_eq!((got.status, service.effects()), (201, 1), "what runs is answered: {got:?}");
    assert!(Arc::into_inner(proxy).unwrap().ended().await);
    let proxy = Proxy::start(&service, &db.url, &[]);
    let again = proxy.post("/slow", "k", "a").await;
    assert_eq!((again.status, again.is_replay(), again.body), (201, true, got.body));
    assert_eq!(service.effects(), 1);
}

async fn a_client_that_leaves_loses_nothing(db: Db) {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, &db.url, &[]);
    let mut stream = TcpStream::connect(proxy.address).await.unwrap();
    let request = "POST /slow HTTP/1.1\r\nhost: a\r\nidempotency-key: \"k\"\r\ncontent-length: 1\r\n\r\na";
    stream.write_all(request.as_bytes()).await.unwrap();
    while service.effects() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(stream);
    // The end waits for it too, though nobody does.
    proxy.terminate();
    assert!(proxy.ended().await);
    let proxy = Proxy::start(&service, &db.url, &[]);
    let again = proxy.post("/slow", "k", "a").await;
    assert_eq!((again.status, again.is_replay(), service.effects()), (201, true, 1));
}
