//! A tonic server behind the proxy, and a tonic client.

use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::Code;
use tonic::transport::Server;

use crate::payments::{Client, Payments, got};
use crate::process::Proxy;
use crate::support::{Db, on_both};

on_both! {
    a_call_with_a_key_runs_once
}

async fn a_call_with_a_key_runs_once(db: Db) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let payments = Payments::default();
    let server = Server::builder().add_service(payments.clone());
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    let proxy = Proxy::before(address, &db.url, &["--tenant", "acme", "--upstream-http2"]);

    let client = Client::of(proxy.address, &payments).await;
    assert_eq!(client.call("Pay", Some("k"), "a").await.unwrap(), got("paid 1 a", false));
    assert_eq!(client.call("Pay", Some("k"), "a").await.unwrap(), got("paid 1 a", true));
    for is_replay in [false, true] {
        let status = client.call("Decline", Some("declined"), "a").await.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::FailedPrecondition, "100 % déclined"));
        assert_eq!(status.details(), b"\x08\x09");
        assert_eq!(status.metadata().get("idempotent-replayed").is_some(), is_replay);
    }
    for (key, body, name) in [(None, "a", "key-missing: "), (Some("k"), "b", "key-reused: ")] {
        let status = client.call("Pay", key, body).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().starts_with(name), "{status:?}");
    }
    assert_eq!(client.count(), 2);
}
