//! What clients get.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::process::{Proxy, request};
use crate::service::{Service, header};
use crate::support::{Db, on_both};

on_both! {
    repeats_are_replayed_whatever_the_status
    of_256_at_once_one_has_an_effect
    only_the_agreed_header_releases
}

async fn repeats_are_replayed_whatever_the_status(db: Db) {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, &db.url, &[]);
    for (nth, path) in (1..).zip(["/pay", "/400", "/429", "/500", "/503"]) {
        let (first, again) = (proxy.post(path, path, "a").await, proxy.post(path, path, "a").await);
        assert_eq!((first.status, &first.body), (again.status, &again.body), "{path}");
        assert_eq!(first.body, format!("{nth} a"));
        assert!(!first.is_replay() && again.is_replay(), "{path}");
        assert_eq!(header(&first.head, "set-cookie").as_deref(), Some("session=1"));
        assert_eq!(header(&again.head, "set-cookie"), None);
        assert_eq!(header(&again.head, "location").as_deref(), Some("/paid"));
        assert_eq!(service.effects(), nth, "a partial effect is not repeated, whatever the status");
    }
    assert_eq!(proxy.post("/pay", "/pay", "b").await.problem(), "key-reused");
    let missing = request(proxy.address, "POST", "/pay", "", "a").await;
    assert_eq!((missing.status, &*missing.problem()), (400, "key-missing"));
    let spoofed = request(proxy.address, "PUT", "/200", "intent-key: mine\r\n", "a").await;
    assert_eq!(spoofed.status, 200);
    assert!(service.heads().iter().all(|head| !head.contains("mine")), "only the proxy says the key");
    let health = proxy.ask("/healthz").await;
    assert_eq!(health.status, 200);
    assert_eq!(header(&health.head, "content-type").as_deref(), Some("text/plain; charset=utf-8"));
    let metrics = header(&proxy.ask("/metrics").await.head, "content-type");
    assert_eq!(metrics.as_deref(), Some("text/plain; version=0.0.4; charset=utf-8"));
}

async fn of_256_at_once_one_has_an_effect(db: Db) {
    let service = Service::start().await;
    let proxy = std::sync::Arc::new(Proxy::start(&service, &db.url, &[]));
    let mut repeats = JoinSet::new();
    for _ in 0..256 {
        let proxy = proxy.clone();
        repeats.spawn(async move { proxy.post("/slow", "k", "a").await });
    }
    let got = repeats.join_all().await;
    assert_eq!(service.effects(), 1);
    assert_eq!(got.iter().filter(|got| got.status == 201 && !got.is_replay()).count(), 1);
    assert!(got.iter().all(|got| got.is_replay() || matches!(got.status, 201 | 409)), "{got:?}");
}

async fn only_the_agreed_header_releases(db: Db) {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, &db.url, &[]);
    for count in 1..=2 {
        let got = proxy.post("/busy", "k", "a").await;
        assert_eq!((got.status, &*got.body, service.effects()), (503, "busy", count));
        assert_eq!(header(&got.head, "intentkey-effect"), None, "it is between the two");
    }
}

#[tokio::test]
async fn where_no_connection_is_made_nothing_happened() {
    let held = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = held.local_addr().unwrap();
    drop(held);
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("p.db").display());
    let proxy = Proxy::before(address, &database, &["--tenant", "acme"]);
    let got = proxy.post("/pay", "k", "a").await;
    assert_eq!((got.status, &*got.problem()), (502, "upstream-unreachable"));
    let service = Service::on(TcpListener::bind(address).await.unwrap());
    let got = proxy.post("/pay", "k", "a").await;
    assert_eq!((got.status, got.is_replay(), service.effects()), (201, false, 1));
}

#[tokio::test]
async fn what_is_not_covered_is_streamed_with_its_trailers() {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, "sqlite::memory:", &[]);
    let begun = Instant::now();
    let mut stream = TcpStream::connect(proxy.address).await.unwrap();
    let get = b"GET /stream HTTP/1.1\r\nhost: a\r\nte: trailers\r\nconnection: te, close\r\n\r\n";
    stream.write_all(get).await.unwrap();
    let mut answer = Vec::new();
    while !String::from_utf8_lossy(&answer).contains("one") {
        assert_ne!(stream.read_buf(&mut answer).await.unwrap(), 0);
    }
    assert!(begun.elapsed() < Duration::from_millis(600), "the first part came before the second was there");
    stream.read_to_end(&mut answer).await.unwrap();
    assert!(String::from_utf8_lossy(&answer).contains("two"));
}

#[tokio::test]
async fn a_body_cut_short_is_refused_and_the_key_stays_free() {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, "sqlite::memory:", &[]);
    let head = "POST /pay HTTP/1.1\r\nhost: a\r\nconnection: close\r\nidempotency-key: \"k\"\r\n";
    for rest in ["content-length: 9\r\n\r\nabc", "transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n"] {
        let mut stream = TcpStream::connect(proxy.address).await.unwrap();
        stream.write_all([head, rest].concat().as_bytes()).await.unwrap();
        // The client ends its side, and still reads.
        stream.shutdown().await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        assert_eq!(service.effects(), 0);
    }
    assert_eq!(proxy.post("/pay", "k", "abc").await.status, 201);
}
