//! Over a connection: requests that lie, that break off, and that come byte by byte.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::app::{Effects, app, layer, store};

async fn serve() -> (SocketAddr, Effects) {
    let (app, effects) = app(&layer(store().await).slowest_body(Duration::from_millis(300)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, effects)
}

const HEAD: &str = "POST /pay HTTP/1.1\r\nhost: a\r\ntenant: acme\r\nidempotency-key: \"k\"\r\n";

/// Sends bytes, ends the sending side, and reads all that comes.
async fn exchange(address: SocketAddr, bytes: &str, ends: bool) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    if ends {
        stream.shutdown().await.unwrap();
    }
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or_default()
}

#[tokio::test]
async fn a_body_that_lies_is_refused_and_nothing_is_claimed() {
    let (address, effects) = serve().await;
    let close = "connection: close\r\n";
    for (what, rest, ends, wanted) in [
        ("shorter than its length", "content-length: 9\r\n\r\nabc", true, "400"),
        ("shorter, and silent", "content-length: 9\r\n\r\nabc", false, "408"),
        ("chunks without an end", "transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", true, "400"),
        ("chunks that are none", "transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n", true, "400"),
        ("two lengths", "content-length: 3\r\ncontent-length: 4\r\n\r\nabc", true, "400"),
        ("no number", "content-length: many\r\n\r\nabc", true, "400"),
        ("longer than may be", "content-length: 99999999\r\n\r\nabc", false, "413"),
    ] {
        let answer = exchange(address, &[HEAD, close, rest].concat(), ends).await;
        // A client that has gone may get no answer at all.
        assert!(status(&answer) == wanted || (ends && answer.is_empty()), "{what}: {answer}");
        assert_eq!(effects.count(), 0, "{what}");
    }
    let whole = exchange(address, &[HEAD, close, "content-length: 3\r\n\r\nabc"].concat(), false).await;
    assert_eq!((status(&whole), effects.count()), ("201", 1), "the key was still free: {whole}");
}

#[tokio::test]
async fn a_request_byte_by_byte_is_the_same_request() {
    let (address, effects) = serve().await;
    let whole = [HEAD, "connection: close\r\ncontent-length: 3\r\n\r\nabc"].concat();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    for byte in whole.bytes() {
        stream.write_all(&[byte]).await.unwrap();
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert_eq!(status(&answer), "201");
    let chunked =
        [HEAD, "connection: close\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"];
    let again = exchange(address, &chunked.concat(), false).await;
    assert!(again.contains("idempotent-replayed: true"), "{again}");
    assert_eq!(effects.count(), 1);
}

#[tokio::test]
async fn a_client_that_cuts_the_connection_leaves_its_outcome() {
    let (address, effects) = serve().await;
    let slow = HEAD.replace("/pay", "/slow");
    let request = [&*slow, "content-length: 3\r\n\r\nabc"].concat();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(stream);
    tokio::time::sleep(Duration::from_millis(400)).await;
    let request = [&*slow, "connection: close\r\ncontent-length: 3\r\n\r\nabc"].concat();
    let again = exchange(address, &request, false).await;
    assert!(again.contains("idempotent-replayed: true") && again.ends_with("slow 1 abc"), "{again}");
    assert_eq!(effects.count(), 1);
}
