//! A tonic server behind the layer, and a tonic client.

use std::time::Duration;

use intentkey_store::http::IdempotencyLayer;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::Code;
use tonic::transport::Server;

use crate::app::{layer, store};
use crate::payments::{Client, Payments, Plain, got, path, request};

/// The client of a server of its own, behind a layer.
async fn client_of(layer: IdempotencyLayer) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let payments = Payments::default();
    let server = Server::builder().layer(layer).add_service(payments.clone());
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    Client::of(address, &payments).await
}

#[tokio::test]
async fn a_call_with_a_key_runs_once_and_one_without_as_often_as_it_comes() {
    let client = client_of(layer(store().await).optional()).await;
    assert_eq!(client.call("Pay", None, "a").await.unwrap(), got("paid 1 a", false));
    assert_eq!(client.call("Pay", None, "a").await.unwrap(), got("paid 2 a", false));
    assert_eq!(client.call("Pay", Some("k"), "a").await.unwrap(), got("paid 3 a", false));
    assert_eq!(client.call("Pay", Some("k"), "a").await.unwrap(), got("paid 3 a", true));
    assert_eq!(client.count(), 3);
}

#[tokio::test]
async fn an_error_is_an_answer_and_is_replayed_with_its_details() {
    let client = client_of(layer(store().await)).await;
    for is_replay in [false, true] {
        let status = client.call("Decline", Some("k"), "a").await.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::FailedPrecondition, "100 % déclined"));
        assert_eq!(status.details(), b"\x08\x09");
        assert_eq!(status.metadata().get("idempotent-replayed").is_some(), is_replay);
    }
    assert_eq!(client.count(), 1);
}

#[tokio::test]
async fn a_stream_without_a_key_passes_and_with_one_is_replayed() {
    let client = client_of(layer(store().await).optional()).await;
    for (key, count, streams) in [(None, 1, true), (Some("k"), 2, false), (Some("k"), 2, false)] {
        let mut grpc = client.grpc.clone();
        grpc.ready().await.unwrap();
        let response = grpc.server_streaming(request(key, "a"), path("Stream"), Plain).await.unwrap();
        let (mut stream, begun) = (response.into_inner(), std::time::Instant::now());
        assert_eq!(stream.message().await.unwrap().as_deref(), Some(&b"one"[..]));
        for part in ["two", "three"] {
            assert_eq!(stream.message().await.unwrap().as_deref(), Some(part.as_bytes()));
        }
        assert_eq!(stream.message().await.unwrap(), None);
        // Under a key it is recorded first, and then comes at once.
        assert_eq!(begun.elapsed() > Duration::from_millis(150), streams, "{:?}", begun.elapsed());
        assert_eq!(client.count(), count);
    }
}

#[tokio::test]
async fn refusals_are_statuses() {
    let store = store().await;
    let client = client_of(layer(store).largest_request(64)).await;
    let refused = async |method: &str, key: Option<&str>, body| {
        let status = client.call(method, key, body).await.unwrap_err();
        let name = status.message().split(':').next().unwrap().to_owned();
        let pushback = status.metadata().get("grpc-retry-pushback-ms").is_some();
        (status.code(), name, pushback)
    };
    let is = |code, name: &str, pushback| (code, name.to_owned(), pushback);
    assert_eq!(refused("Pay", None, "a").await, is(Code::InvalidArgument, "key-missing", false));
    let long = "0123456789".repeat(26);
    let malformed = refused("Pay", Some(&long), "a").await;
    assert_eq!(malformed, is(Code::InvalidArgument, "key-malformed", false));
    let body = "0123456789012345678901234567890123456789012345678901234567890123456789";
    let large = refused("Pay", Some("large"), body).await;
    assert_eq!(large, is(Code::ResourceExhausted, "body-too-large", false));
    assert_eq!(client.count(), 0);
    let slow = client.call("Slow", Some("k"), "a");
    let repeat = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        refused("Slow", Some("k"), "a").await
    };
    let (slow, repeat) = tokio::join!(slow, repeat);
    assert_eq!(repeat, is(Code::Unavailable, "in-flight", true));
    assert_eq!(slow.unwrap(), got("paid 1 a", false));
    let reused = refused("Slow", Some("k"), "b").await;
    assert_eq!(reused, is(Code::InvalidArgument, "key-reused", false));
    assert_eq!(client.count(), 1);
}

#[tokio::test]
async fn of_an_answer_too_large_the_loss_is_replayed() {
    let client = client_of(layer(store().await)).await;
    assert_eq!(client.call("Large", Some("k"), "a").await.unwrap().text.len(), 2 << 20);
    let status = client.call("Large", Some("k"), "a").await.unwrap_err();
    assert_eq!(status.code(), Code::DataLoss);
    assert!(status.message().starts_with("answer-not-kept: "), "{status:?}");
    assert_eq!(client.count(), 1);
}

#[tokio::test]
async fn a_handler_says_by_an_extension_that_nobody_knows() {
    let client = client_of(layer(store().await)).await;
    assert_eq!(client.call("Unknown", Some("k"), "a").await.unwrap(), got("paid 1 a", false));
    let status = client.call("Unknown", Some("k"), "a").await.unwrap_err();
    assert_eq!((status.code(), client.count()), (Code::Unavailable, 1));
    assert!(status.message().starts_with("in-flight: "), "{status:?}");
}

#[tokio::test]
async fn a_compressed_answer_is_replayed_as_one() {
    let client = client_of(layer(store().await)).await.compressed();
    for is_replay in [false, true] {
        let got = client.call("Pay", Some("k"), "a").await.unwrap();
        assert_eq!((&*got.text, got.is_replay, got.is_compressed), ("paid 1 a", is_replay, true));
    }
    assert_eq!(client.count(), 1);
}
