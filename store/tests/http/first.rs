//! What passes, and what is published.

use axum::body::Body;
use axum::http::{Method, Request};

use crate::app::{app, layer, pay, post, send, store};

#[tokio::test]
async fn methods_that_change_nothing_pass_with_any_key() {
    let (app, effects) = app(&layer(store().await));
    let mut expected = 0;
    for method in [Method::GET, Method::HEAD, Method::OPTIONS, Method::PUT, Method::DELETE] {
        for key in ["\"k\"", "\"k\"", "", "\"unclosed"] {
            let request =
                Request::builder().method(method.clone()).uri("/200").header("idempotency-key", key);
            let got = send(&app, request.body(Body::empty()).unwrap()).await;
            expected += 1;
            assert_eq!((got.status, got.is_replay()), (200, false), "{method} {key}");
        }
    }
    assert_eq!(effects.count(), expected);
}

#[tokio::test]
async fn the_rules_are_published() {
    let (app, effects) = app(&layer(store().await).keep_for(std::time::Duration::from_secs(86_400)));
    let request = Request::get("/.well-known/idempotency").body(Body::empty()).unwrap();
    let rules = send(&app, request).await;
    assert_eq!((rules.status, rules.header("content-type")), (200, Some("application/json")));
    let rules = rules.json();
    assert_eq!(rules["expiry"]["seconds"], 86_400);
    assert_eq!(rules["methods"], serde_json::json!(["POST", "PATCH"]));
    assert_eq!(rules["key"]["header"], "idempotency-key");
    assert_eq!(rules["key"]["required"], true);
    assert_eq!(rules["answers"]["key_of_another_request"], 422);
    assert_eq!(effects.count(), 0);
}

#[tokio::test]
async fn an_optional_key_is_heeded_where_it_is_sent() {
    let (app, effects) = app(&layer(store().await).optional());
    for count in 1..=2 {
        let got = send(&app, post("/pay").body("a".into()).unwrap()).await;
        assert_eq!((got.status, effects.count()), (201, count));
    }
    let (first, again) = (pay(&app, "/pay", "k", "a").await, pay(&app, "/pay", "k", "a").await);
    assert_eq!((first.is_replay(), again.is_replay(), effects.count()), (false, true, 3));
}

#[tokio::test]
async fn patch_is_covered() {
    let (app, effects) = app(&layer(store().await));
    for _ in 0..2 {
        let request = Request::patch("/200").header("tenant", "acme").header("idempotency-key", "\"k\"");
        assert_eq!(send(&app, request.body(Body::empty()).unwrap()).await.status, 200);
    }
    assert_eq!(effects.count(), 1);
}
