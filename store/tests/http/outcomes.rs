//! What is recorded of an execution, and what is not.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use intentkey_core::protocol::Terms;
use intentkey_store::Target;
use intentkey_store::http::HttpProblem;
use tower::ServiceExt as _;

use crate::app::{app, layer, layer_over, pay, post, store, until};

#[tokio::test]
async fn only_a_statement_of_no_effect_releases() {
    let store = store().await;
    let (app, effects) = app(&layer(store.clone()));
    for count in 1..=3 {
        let got = pay(&app, "/no-effect", "k", "a").await;
        assert_eq!((got.status, effects.count()), (429, count), "it was executed each time");
    }
    assert_eq!(store.counts().await.unwrap().released, 1);
    // The same status without the statement is an outcome.
    for _ in 0..2 {
        assert_eq!((pay(&app, "/429", "j", "a").await.status, effects.count()), (429, 4));
    }
}

#[tokio::test]
async fn what_is_unknown_stays_in_flight() {
    let store = store().await;
    let (app, effects) = app(&layer(store.clone()));
    for (path, status) in [("/unknown", 502), ("/panics", 500), ("/breaks-off", 502)] {
        let before = effects.count();
        assert_eq!(pay(&app, path, path, "a").await.status, status);
        let again = pay(&app, path, path, "a").await;
        assert_eq!((again.status, &*again.problem()), (409, "in-flight"), "{path}");
        assert_eq!(effects.count(), before + 1);
    }
    assert_eq!(store.counts().await.unwrap().running, 3);
}

#[tokio::test]
async fn an_unknown_outcome_at_a_destination_with_neither_is_unsettled_at_its_time() {
    let target = Target::new("app", Terms::neither(), Duration::from_millis(50));
    let (app, effects) = app(&layer_over(store().await, target));
    assert_eq!(pay(&app, "/unknown", "k", "a").await.status, 502);
    tokio::time::sleep(Duration::from_millis(60)).await;
    let got = pay(&app, "/unknown", "k", "a").await;
    assert_eq!((got.status, &*got.problem(), effects.count()), (409, "unsettled", 1));
    assert_eq!(got.header("retry-after"), None);
}

#[tokio::test]
async fn where_the_time_is_over_the_client_is_told_and_the_handler_goes_on() {
    let target = Target::new("app", Terms::neither(), Duration::from_millis(100));
    let layer = layer_over(store().await, target);
    let (app, effects) = app(&layer);
    let got = pay(&app, "/slow", "k", "a").await;
    assert_eq!((got.status, &*got.problem()), (504, "outcome-unknown"));
    layer.finish().await;
    let again = pay(&app, "/slow", "k", "a").await;
    assert_eq!((again.status, again.is_replay(), effects.count()), (201, true, 1), "settled late");
}

#[tokio::test]
async fn the_outcome_is_recorded_though_the_client_has_gone() {
    let layer = layer(store().await);
    let (app, effects) = app(&layer);
    let request = post("/slow").header("idempotency-key", "\"k\"").body(Body::from("a")).unwrap();
    let gone = tokio::time::timeout(Duration::from_millis(100), app.clone().oneshot(request)).await;
    assert!(gone.is_err());
    assert_eq!(layer.running(), 2, "the claim and the handler");
    layer.finish().await;
    let again = pay(&app, "/slow", "k", "a").await;
    assert_eq!((again.status, again.is_replay(), effects.count()), (201, true, 1));
}

/// A client that leaves at any moment leaves no key in flight that nobody executes.
#[tokio::test]
async fn a_client_that_leaves_at_once_is_executed_or_not_at_all() {
    let store = store().await;
    let layer = layer(store.clone());
    let (app, effects) = app(&layer);
    for number in 0..200_u64 {
        let key = format!("\"{number}\"");
        let request = post("/pay").header("idempotency-key", key).body(Body::from("a")).unwrap();
        let leaves = Duration::from_micros(number * 5);
        let _ = tokio::time::timeout(leaves, app.clone().oneshot(request)).await;
    }
    layer.finish().await;
    until(async || store.counts().await.unwrap().running == 0).await;
    assert_eq!(store.counts().await.unwrap().done, effects.count());
}

#[tokio::test]
async fn an_answer_too_large_leaves_a_tombstone() {
    let (app, effects) = app(&layer(store().await));
    let first = pay(&app, "/large", "k", "a").await;
    assert_eq!((first.status, first.body.len()), (200, 2 << 20), "the first client gets all of it");
    let again = pay(&app, "/large", "k", "a").await;
    assert_eq!((again.status, again.is_replay(), effects.count()), (500, true, 1));
    assert_eq!(again.json()["original_status"], 200);
    assert_eq!(again.json()["type"], HttpProblem::AnswerNotKept(axum::http::StatusCode::OK).type_uri());
}

#[tokio::test]
async fn a_destination_that_honours_keys_is_called_again_with_the_same_key() {
    let day = Duration::from_secs(86_400);
    let target = Target::new("app", Terms::idempotent_by_key(day), Duration::from_millis(50));
    let (app, effects) = app(&layer_over(store().await, target));
    assert_eq!(pay(&app, "/unknown", "k", "a").await.status, 502);
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert_eq!((pay(&app, "/unknown", "k", "a").await.status, effects.count()), (502, 2));
}

#[tokio::test]
async fn what_passes_is_not_waited_for() {
    let layer = layer(store().await);
    let (app, _) = app(&layer);
    let request = Request::get("/slow").body(Body::empty()).unwrap();
    let passing = tokio::spawn(app.clone().oneshot(request));
    layer.finish().await;
    assert_eq!(layer.running(), 0);
    assert_eq!(passing.await.unwrap().unwrap().status(), 201);
}
