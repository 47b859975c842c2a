//! Keys that are derived, and bodies that are compared in their canonical form.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::http::{HeaderName, Method};
use intentkey_core::{Policies, Secret};
use intentkey_store::http::{Derivation, EpochFrom};

use crate::app::{Effects, Got, app, layer, pay, post, send, store};

const POLICY: &str = r#"{
    "name": "pix-payment", "actions": ["pix.transfer"], "bucket_seconds": 900, "edge_seconds": 20,
    "identity": {"to": {"rule": "pix_key"}, "amount": {"rule": "decimal"}},
    "checked": {"note": {"rule": "text", "required": false}},
    "ignored": {"request_id": "new on every attempt"}
}"#;

async fn derived() -> (Router, Effects) {
    let epoch = EpochFrom::Header(HeaderName::from_static("intent-epoch"));
    let policies = Policies::from_json(POLICY).unwrap();
    let derivation = Derivation::new(policies, Secret::new([7; 32]).unwrap(), epoch).unwrap();
    let derivation = derivation.route(Method::POST, "/pix/{account}", "pix.transfer").unwrap();
    app(&layer(store().await).derivation(derivation))
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// The middle of a bucket that is over.
fn decided() -> u64 {
    now() / 900 * 900 - 450
}

async fn transfer(app: &Router, epoch: &str, body: &'static str) -> Got {
    let request = post("/pix/1").header("content-type", "application/json").header("intent-epoch", epoch);
    send(app, request.body(body.into()).unwrap()).await
}

#[tokio::test]
async fn equal_intents_are_executed_once_without_a_key() {
    let (app, effects) = derived().await;
    let (at, later) = (decided().to_string(), (decided() + 100).to_string());
    let first = transfer(&app, &at, r#"{"to": "529.982.247-25", "amount": "10.5"}"#).await;
    assert_eq!(first.status, 201);
    let spelled = r#"{"request_id": 7, "amount": 10.50, "to": "52998224725"}"#;
    assert!(transfer(&app, &later, spelled).await.is_replay());
    let checked = r#"{"to": "52998224725", "amount": "10.50", "note": "rent"}"#;
    let conflict = transfer(&app, &at, checked).await;
    assert_eq!((conflict.status, &*conflict.problem(), effects.count()), (422, "key-reused", 1));
    let other = transfer(&app, &at, r#"{"to": "52998224725", "amount": "10.51"}"#).await;
    assert_eq!((other.status, effects.count()), (201, 2));
    let next_bucket = (decided() - 900).to_string();
    let again = transfer(&app, &next_bucket, r#"{"to": "52998224725", "amount": "10.5"}"#).await;
    assert_eq!((again.status, effects.count()), (201, 3));
}

#[tokio::test]
async fn both_sides_of_an_edge_are_one_intent() {
    let (app, effects) = derived().await;
    let edge = now() / 900 * 900 - 900;
    let body = r#"{"to": "52998224725", "amount": "10.5"}"#;
    assert_eq!(transfer(&app, &(edge - 5).to_string(), body).await.status, 201);
    assert!(transfer(&app, &(edge + 5).to_string(), body).await.is_replay());
    assert_eq!(effects.count(), 1);
}

#[tokio::test]
async fn what_the_policy_refuses_is_not_executed() {
    let (app, effects) = derived().await;
    let at = decided().to_string();
    let good = r#"{"to": "52998224725", "amount": "10.5"}"#;
    for (epoch, body, status, problem) in [
        ("", good, 400, "epoch-missing"),
        ("now", good, 400, "epoch-missing"),
        ("-1", good, 400, "epoch-missing"),
        ("1767225600000", good, 422, "intent-refused"),
        (&*(now() + 1000).to_string(), good, 422, "intent-too-early"),
        (&*(now() - 30 * 86_400).to_string(), good, 422, "intent-too-late"),
        (&*at, "{", 400, "intent-refused"),
        (&*at, "", 400, "intent-refused"),
        (&*at, r#"{"to": "52998224725", "amount": "10.5", "secret": "x"}"#, 422, "intent-refused"),
    ] {
        let got = transfer(&app, epoch, body).await;
        assert_eq!((got.status, &*got.problem()), (status, problem), "{epoch} {body}");
        assert!(!String::from_utf8(got.body).unwrap().contains("52998224725"));
    }
    let unclassified = transfer(&app, &at, r#"{"to": "52998224725", "amount": "1", "x": 1}"#).await.json();
    assert_eq!(unclassified["code"], "field_unclassified");
    assert_eq!(unclassified["fields"], serde_json::json!(["x"]));
    let request = post("/pix/1").header("content-type", "text/plain").header("intent-epoch", &at);
    let lies = send(&app, request.body(good.into()).unwrap()).await;
    assert_eq!((lies.status, &*lies.problem()), (415, "not-json"));
    let request = post("/pix/1").header("content-type", "application/json").header("intent-epoch", &at);
    let packed = send(&app, request.header("content-encoding", "gzip").body(good.into()).unwrap()).await;
    assert_eq!((packed.status, &*packed.problem()), (415, "not-json"));
    assert_eq!(effects.count(), 0);
}

#[tokio::test]
async fn a_clients_key_compares_canonical_bodies() {
    let (app, effects) = derived().await;
    let pix = |body: &'static str| {
        let request = post("/pix/1").header("content-type", "application/json");
        let request = request.header("idempotency-key", "\"k\"");
        send(&app, request.body(body.into()).unwrap())
    };
    assert_eq!(pix(r#"{"to": "52998224725", "amount": "10.5"}"#).await.status, 201);
    assert!(pix(r#"{"amount": 10.50, "to": "529.982.247-25", "request_id": 1}"#).await.is_replay());
    assert_eq!(pix(r#"{"to": "52998224725", "amount": "10.6"}"#).await.problem(), "key-reused");
    assert_eq!(effects.count(), 1);
}

#[tokio::test]
async fn other_routes_still_need_a_key() {
    let (app, effects) = derived().await;
    let got = send(&app, post("/pay").body("a".into()).unwrap()).await;
    assert_eq!((got.status, &*got.problem()), (400, "key-missing"));
    assert_eq!(pay(&app, "/pay", "k", "a").await.status, 201);
    tokio::time::sleep(Duration::ZERO).await;
    assert_eq!(effects.count(), 1);
}
