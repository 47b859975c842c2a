//! In shadow nothing is enforced, and nothing is held.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post as routed;
use http_body_util::BodyExt as _;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tower::ServiceExt as _;

use crate::app::{app, layer, pay, post, send, store, until};

#[tokio::test]
async fn a_shadow_waits_for_nobody() {
    let (app, effects) = app(&layer(store().await).wait(Duration::from_secs(20)).shadow());
    let begun = std::time::Instant::now();
    // The original never ends: its claim stays in flight.
    assert_eq!(pay(&app, "/unknown", "k", "a").await.status, 502);
    assert_eq!(pay(&app, "/unknown", "k", "a").await.status, 502);
    assert_eq!(effects.count(), 2);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_shadow_enforces_nothing() {
    let store = store().await;
    let layer = layer(store.clone()).shadow();
    let (app, effects) = app(&layer);
    for count in 1..=3 {
        let got = pay(&app, "/pay", "k", "a").await;
        assert_eq!((got.status, got.is_replay(), effects.count()), (201, false, count));
    }
    for (key, body) in [("\"k\"", "b"), ("\"unclosed", "a"), ("", "a")] {
        let request = post("/pay").header("idempotency-key", key).body(body.into()).unwrap();
        assert_eq!(send(&app, request).await.status, 201);
    }
    assert_eq!(send(&app, post("/pay").body("a".into()).unwrap()).await.status, 201);
    assert_eq!(effects.count(), 7);
    layer.finish().await;
    assert_eq!(store.counts().await.unwrap().done, 1, "the first answer is there to compare with");
}

/// Answers with the request's own body as it comes, or tells that it broke off.
fn echo() -> Router {
    let told = |body: Body| async move {
        match body.collect().await {
            Ok(_) => StatusCode::OK,
            Err(_) => StatusCode::IM_A_TEAPOT,
        }
    };
    Router::new()
        .route("/echo", routed(|body: Body| async { Response::new(body) }))
        .route("/told", routed(told))
}

type Part = Result<Bytes, std::io::Error>;

fn streamed(path: &str) -> (mpsc::Sender<Part>, axum::http::Request<Body>) {
    let (parts, stream) = mpsc::channel(4);
    let body = Body::from_stream(ReceiverStream::new(stream));
    (parts, post(path).header("idempotency-key", "\"k\"").body(body).unwrap())
}

#[tokio::test]
async fn bodies_stream_in_both_directions() {
    let store = store().await;
    let layer = layer(store.clone()).shadow();
    let app = echo().layer(layer.clone());
    let (parts, request) = streamed("/echo");
    let mut body = app.oneshot(request).await.unwrap().into_body();
    for part in ["one", "two"] {
        // The next part is sent when this one has come back.
        parts.send(Ok(part.into())).await.unwrap();
        let frame = body.frame().await.unwrap().unwrap();
        assert_eq!(frame.into_data().unwrap(), part);
    }
    assert_eq!(store.counts().await.unwrap().running, 0, "the key's request is not known before its end");
    drop(parts);
    assert!(body.frame().await.is_none());
    layer.finish().await;
    assert_eq!(store.counts().await.unwrap().done, 1);
}

#[tokio::test]
async fn a_broken_request_is_the_handlers_business() {
    let store = store().await;
    let layer = layer(store.clone()).shadow();
    let (parts, request) = streamed("/told");
    parts.send(Ok("one".into())).await.unwrap();
    parts.send(Err(std::io::Error::other("gone"))).await.unwrap();
    let response = echo().layer(layer.clone()).oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::IM_A_TEAPOT);
    layer.finish().await;
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.done, counts.running), (0, 0), "of half a request nothing is claimed");
}

#[tokio::test]
async fn a_broken_answer_breaks_off_at_the_client() {
    let store = store().await;
    let layer = layer(store.clone()).shadow();
    let (app, _) = app(&layer);
    let request = post("/breaks-off").header("idempotency-key", "\"k\"").body(Body::from("a")).unwrap();
    let response = app.oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body();
    assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "beg");
    assert!(body.frame().await.unwrap().is_err());
    drop(body);
    layer.finish().await;
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.done, counts.running), (0, 1));
}

#[tokio::test]
async fn a_client_that_leaves_cancels_the_handler() {
    let store = store().await;
    let layer = layer(store.clone()).shadow();
    let (began, mut begun) = mpsc::channel::<()>(1);
    let app = Router::new().route(
        "/hangs",
        routed(async move |_: Bytes| {
            // Dropped when the handler is.
            let began = began.clone();
            began.send(()).await.unwrap();
            std::future::pending::<()>().await;
            "never".into_response()
        }),
    );
    let app = app.layer(layer.clone());
    let request = post("/hangs").header("idempotency-key", "\"k\"").body(Body::from("a")).unwrap();
    let asking = tokio::spawn(app.oneshot(request));
    begun.recv().await.unwrap();
    until(async || store.counts().await.unwrap().running == 1).await;
    asking.abort();
    let _ = asking.await;
    tokio::time::timeout(Duration::from_secs(5), layer.finish()).await.unwrap();
    assert!(begun.recv().await.is_none(), "nothing of the handler is left");
    assert_eq!(store.counts().await.unwrap().running, 1, "whether it had an effect, nobody knows");
}
