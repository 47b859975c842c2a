//! Repeats: replayed, refused while the original runs, and waited for.

use std::time::Duration;

use axum::http::Request;
use tokio::task::JoinSet;

use crate::app::{app, layer, pay, post, send, store, until};

#[tokio::test]
async fn a_repeat_gets_the_same_answer_whatever_it_was() {
    let store = store().await;
    let (app, effects) = app(&layer(store));
    for (nth, path) in (1..).zip(["/pay", "/400", "/402", "/429", "/500", "/503", "/204"]) {
        let (first, again) = (pay(&app, path, "k", "a").await, pay(&app, path, "k", "a").await);
        // The same key on another path is another request.
        if nth > 1 {
            assert_eq!((first.status, &*first.problem()), (422, "key-reused"), "{path}");
            continue;
        }
        assert_eq!((first.status, &*first.body), (201, &b"pay 1 a"[..]));
        assert_eq!((again.status, &again.body), (first.status, &first.body));
        assert!(!first.is_replay() && again.is_replay());
    }
    for path in ["/400", "/402", "/429", "/500", "/503"] {
        let (first, again) = (pay(&app, path, path, "a").await, pay(&app, path, path, "a").await);
        assert_eq!((first.status, &first.body), (again.status, &again.body), "{path}");
        assert_eq!(first.status, path.trim_start_matches('/').parse::<u16>().unwrap());
        assert!(!first.is_replay() && again.is_replay(), "{path}");
    }
    assert_eq!(effects.count(), 6);
}

#[tokio::test]
async fn only_headers_that_describe_the_answer_are_replayed() {
    let layer = layer(store().await).replay_header("x-request-id".parse().unwrap());
    let (app, _) = app(&layer.replay_header("set-cookie".parse().unwrap()));
    let (first, again) = (pay(&app, "/pay", "k", "a").await, pay(&app, "/pay", "k", "a").await);
    assert_eq!(first.header("set-cookie"), Some("session=secret"), "the first answer is untouched");
    let replayed: Vec<(&str, &str)> =
        again.headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
    assert_eq!(
        replayed,
        [
            ("content-type", "application/vnd.paid"),
            ("location", "/paid/1"),
            ("content-disposition", "inline"),
            ("x-request-id", "first"),
            ("idempotent-replayed", "true"),
            ("content-length", "7"),
        ]
    );
}

#[tokio::test]
async fn trailers_are_replayed() {
    let (app, effects) = app(&layer(store().await));
    let (first, again) = (pay(&app, "/trailers", "k", "a").await, pay(&app, "/trailers", "k", "a").await);
    for got in [&first, &again] {
        assert_eq!(got.body, b"message");
        assert_eq!(got.trailers.as_ref().unwrap()["grpc-status"], "0");
    }
    assert_eq!((again.is_replay(), effects.count()), (true, 1));
}

#[tokio::test]
async fn another_request_under_the_key_is_a_conflict_and_another_tenant_is_another_key() {
    let (app, effects) = app(&layer(store().await));
    assert_eq!(pay(&app, "/pay", "k", "a").await.status, 201);
    let key = |request: axum::http::request::Builder| request.header("idempotency-key", "\"k\"");
    for other in [
        key(post("/pay")).body("b".into()).unwrap(),
        key(post("/pay?x=1")).body("a".into()).unwrap(),
        key(post("/other")).body("a".into()).unwrap(),
        key(post("/pay")).header("content-type", "text/plain").body("a".into()).unwrap(),
        key(Request::patch("/pay").header("tenant", "acme")).body("a".into()).unwrap(),
    ] {
        let got = send(&app, other).await;
        assert_eq!((got.status, &*got.problem()), (422, "key-reused"));
        assert_eq!(got.json()["title"], "Idempotency-Key is already used");
    }
    assert_eq!(effects.count(), 1);
    let other = key(Request::post("/pay").header("tenant", "umbrella")).body("a".into()).unwrap();
    assert_eq!((send(&app, other).await.status, effects.count()), (201, 2));
}

#[tokio::test]
async fn while_the_original_runs_repeats_are_told_to_wait() {
    let (app, effects) = app(&layer(store().await));
    let original = tokio::spawn({
        let app = app.clone();
        async move { pay(&app, "/slow", "k", "a").await }
    });
    until(async || effects.count() == 1).await;
    let got = pay(&app, "/slow", "k", "a").await;
    assert_eq!((got.status, &*got.problem()), (409, "in-flight"));
    assert!((1..=30).contains(&got.header("retry-after").unwrap().parse::<u64>().unwrap()));
    assert_eq!(got.json()["title"], "A request is outstanding for this Idempotency-Key");
    let original = original.await.unwrap();
    assert_eq!((original.status, effects.count()), (201, 1));
    assert!(pay(&app, "/slow", "k", "a").await.is_replay());
}

#[tokio::test]
async fn a_repeat_may_wait_for_the_original() {
    let (app, effects) = app(&layer(store().await).wait(Duration::from_secs(10)));
    let mut repeats = JoinSet::new();
    for _ in 0..16 {
        let app = app.clone();
        repeats.spawn(async move { pay(&app, "/slow", "k", "a").await });
    }
    let got = repeats.join_all().await;
    assert_eq!(effects.count(), 1);
    assert!(got.iter().all(|got| (got.status, &*got.body) == (201, b"slow 1 a")));
    assert_eq!(got.iter().filter(|got| got.is_replay()).count(), 15);
}

#[tokio::test]
async fn of_256_at_once_one_is_executed() {
    let (app, effects) = app(&layer(store().await));
    let mut repeats = JoinSet::new();
    for _ in 0..256 {
        let app = app.clone();
        repeats.spawn(async move { pay(&app, "/slow", "k", "a").await });
    }
    let got = repeats.join_all().await;
    assert_eq!(effects.count(), 1);
    assert_eq!(got.iter().filter(|got| got.status == 201 && !got.is_replay()).count(), 1);
    assert!(got.iter().all(|got| got.is_replay() || matches!(got.status, 201 | 409)));
}
