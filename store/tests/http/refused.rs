//! What is refused before anything is claimed.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::Request;
use http_body::Frame;
use intentkey_core::protocol::Problem;
use intentkey_store::{Counts, Options, SqliteStore, Store};

use crate::app::{app, layer, pay, post, send, store};

#[tokio::test]
async fn a_key_that_is_none_is_refused_and_nothing_is_claimed() {
    let store = store().await;
    let (app, effects) = app(&layer(store.clone()));
    let long = format!("\"{}\"", "k".repeat(256));
    let with = |values: &[&[u8]]| {
        values.iter().fold(post("/pay"), |request, value| request.header("idempotency-key", *value))
    };
    for values in [
        &[b"\"a\"".as_slice(), b"\"a\""][..],
        &[b""],
        &[b"\"\""],
        &[b"\"unclosed"],
        &[long.as_bytes()],
        &[b"\"tab\there\""],
        &[b"\"h\xc3\xa9\""],
        &[b"bare"],
        &[b"\"a\", \"b\""],
        &[b":YQ==:"],
        &[b"42"],
    ] {
        let got = send(&app, with(values).body("a".into()).unwrap()).await;
        assert_eq!((got.status, &*got.problem()), (400, "key-malformed"), "{values:?}");
    }
    let missing = send(&app, post("/pay").body("a".into()).unwrap()).await;
    assert_eq!((missing.status, &*missing.problem()), (400, "key-missing"));
    assert_eq!(missing.json()["title"], Problem::KeyMissing.title());
    assert_eq!(missing.header("content-language"), Some("en"));
    assert_eq!(missing.header("retry-after"), None);
    let longest = format!("\"{}\"", "k".repeat(255));
    assert_eq!(effects.count(), 0);
    assert_eq!(store.counts().await.unwrap(), Counts::default());
    let got = send(&app, with(&[longest.as_bytes()]).body("a".into()).unwrap()).await;
    assert_eq!((got.status, effects.count()), (201, 1));
}

#[tokio::test]
async fn without_a_tenant_nothing_happens() {
    let store = store().await;
    let (app, effects) = app(&layer(store.clone()));
    for tenant in [None, Some("")] {
        let request = Request::post("/pay").header("idempotency-key", "\"k\"");
        let request = tenant.into_iter().fold(request, |request, tenant| request.header("tenant", tenant));
        let got = send(&app, request.body(Body::empty()).unwrap()).await;
        assert_eq!((got.status, &*got.problem()), (403, "tenant-unknown"));
    }
    assert_eq!((effects.count(), store.counts().await.unwrap()), (0, Counts::default()));
}

/// A body that sends pieces, and then breaks off or falls silent.
struct Broken {
    pieces: u32,
    then: Then,
}

#[derive(Clone, Copy)]
enum Then {
    BreaksOff,
    FallsSilent,
}

impl http_body::Body for Broken {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<std::result::Result<Frame<Bytes>, std::io::Error>>> {
        use std::task::Poll;
        match self.pieces.checked_sub(1) {
            Some(left) => {
                self.pieces = left;
                Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![b'x'; 1024])))))
            }
            None => match self.then {
                Then::BreaksOff => Poll::Ready(Some(Err(std::io::Error::other("gone")))),
                Then::FallsSilent => Poll::Pending,
            },
        }
    }
}

#[tokio::test]
async fn a_body_is_read_within_a_limit_and_a_time() {
    let store = store().await;
    let layer = layer(store.clone()).largest_request(4096).slowest_body(Duration::from_millis(50));
    let (app, effects) = app(&layer);
    let body = |pieces, then| Body::new(Broken { pieces, then });
    for (body, status, problem) in [
        (body(1, Then::BreaksOff), 400, "body-broken"),
        (body(1, Then::FallsSilent), 408, "body-too-slow"),
        (body(1000, Then::FallsSilent), 413, "body-too-large"),
        (Body::from(vec![b'x'; 4097]), 413, "body-too-large"),
    ] {
        let request = post("/pay").header("idempotency-key", "\"k\"").body(body).unwrap();
        let got = send(&app, request).await;
        assert_eq!((got.status, &*got.problem()), (status, problem));
    }
    assert_eq!((effects.count(), store.counts().await.unwrap()), (0, Counts::default()));
    let request = post("/pay").header("idempotency-key", "\"k\"").body(vec![b'x'; 4096].into()).unwrap();
    assert_eq!((send(&app, request).await.status, effects.count()), (201, 1));
}

/// Somebody else holds the database's lock, longer than the store or the layer waits.
#[tokio::test]
async fn without_the_store_the_handler_does_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("intents.db");
    for longest_claim in [Duration::from_millis(50), Duration::from_secs(2)] {
        let options = Options::default().longest_claim(longest_claim);
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path, options).unwrap());
        let layer = layer(store).slowest_store(Duration::from_millis(500));
        let (app, effects) = app(&layer);
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let got = pay(&app, "/pay", "k", "a").await;
        assert_eq!((got.status, &*got.problem()), (503, "store-unavailable"));
        assert_eq!((got.header("retry-after"), effects.count()), (Some("1"), 0));
        let untouched = send(&app, Request::get("/200").body(Body::empty()).unwrap()).await;
        assert_eq!((untouched.status, effects.count()), (200, 1), "what is not covered needs no store");
        other.execute_batch("ROLLBACK").unwrap();
        let got = pay(&app, "/pay", &format!("{longest_claim:?}"), "a").await;
        assert_eq!((got.status, effects.count()), (201, 2), "and then it goes on");
    }
}
