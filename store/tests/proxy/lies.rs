//! Requests that lie about their key, their length, their chunks or their host, over bare connections.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::process::Proxy;
use crate::service::{Service, header};

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or_default()
}

/// Sends bytes, ends the sending side, and reads the answer.
async fn exchange(proxy: &Proxy, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(proxy.address).await.unwrap();
    // An answer may come, and the connection end, before all is sent.
    let _ = stream.write_all(bytes).await;
    let _ = stream.shutdown().await;
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn lies_are_refused_and_nothing_is_sent_on_or_claimed() {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, "sqlite::memory:", &[]);
    let head = "POST /pay HTTP/1.1\r\nhost: a\r\nconnection: close\r\n";
    let (key, body) = ("idempotency-key: \"k\"\r\n", "content-length: 3\r\n\r\nabc");
    let chunked = "transfer-encoding: chunked\r\n\r\n";
    let long = format!("idempotency-key: \"{}\"\r\n", "x".repeat(256));
    let extension = format!("1;{}\r\na\r\n0\r\n\r\n", "x".repeat(65_536));
    let endless = ["10000\r\n", &"x".repeat(65_536), "\r\n"].concat().repeat(32);
    for (what, parts, status) in [
        ("key twice", &[key, key, body][..], 400),
        ("key empty", &["idempotency-key:\r\n", body], 400),
        ("key unclosed", &["idempotency-key: \"k\r\n", body], 400),
        ("key too long", &[&long, body], 400),
        ("key with a control", &["idempotency-key: \"k\u{1}\"\r\n", body], 400),
        ("key over two lines", &["idempotency-key: \"k\r\n k\"\r\n", body], 400),
        ("two lengths", &[key, "content-length: 3\r\ncontent-length: 4\r\n\r\nabc"], 400),
        ("length with a sign", &[key, "content-length: +3\r\n\r\nabc"], 400),
        ("length too long", &[key, "content-length: 9\r\n\r\nabc"], 400),
        ("length above the limit", &[key, "content-length: 99999999\r\n\r\nabc"], 413),
        ("chunks not last", &[key, "transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n"], 400),
        ("chunks without end", &[key, chunked, &endless], 413),
        ("chunks cut off", &[key, chunked, "1\r\na\r\n"], 400),
        ("chunk longer than it says", &[key, chunked, "1\r\nabc\r\n0\r\n\r\n"], 400),
        ("chunk of too many digits", &[key, chunked, "FFFFFFFFFFFFFFFFF\r\na\r\n0\r\n\r\n"], 400),
        ("extension with controls", &[key, chunked, "1;\0\u{1}\n\r\na\r\n0\r\n\r\n"], 400),
        ("extension without end", &[key, chunked, &extension], 400),
        ("trailers that are none", &[key, chunked, "1\r\na\r\n0\r\n\0bad\r\n\r\n"], 400),
    ] {
        let answer = exchange(&proxy, [head, &parts.concat()].concat().as_bytes()).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{what}: {answer}");
        assert_eq!(service.heads().len(), 0, "{what}");
    }
    let got = proxy.post("/pay", "k", "abc").await;
    assert_eq!((got.status, got.is_replay(), service.effects()), (201, false, 1), "the key was free");
}

#[tokio::test]
async fn of_two_lengths_the_service_gets_the_chunks() {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, "sqlite::memory:", &[]);
    let put = "PUT /pay HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 30\r\n\
               transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n";
    let answer = exchange(&proxy, put.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    let heads = service.heads().concat().to_lowercase();
    assert!(heads.contains("transfer-encoding: chunked") && !heads.contains("content-length"), "{heads}");
}

#[tokio::test]
async fn what_could_be_read_in_two_ways_is_refused() {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, "sqlite::memory:", &[]);
    let key = "idempotency-key: \"k\"\r\nconnection: close\r\n";
    let coded = "3\r\nabc\r\n0\r\n\r\n";
    for method in ["POST", "PUT"] {
        for (wanted, rest) in [
            ("400", "content-length: 3\r\n\r\nabc"),
            ("400", "host: a\r\nhost: b\r\ncontent-length: 3\r\n\r\nabc"),
            ("400", "host: a\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd"),
            ("400", "host: a\r\ncontent-length: +3\r\n\r\nabc"),
            ("400", "host: a\r\ntransfer-encoding: chunked, gzip\r\n\r\n{coded}"),
            ("501", "host: a\r\ntransfer-encoding: gzip, chunked\r\n\r\n{coded}"),
            ("400", "host: a\r\nx-folded: a\r\n b\r\ncontent-length: 3\r\n\r\nabc"),
            ("400", "host: a\r\nx-space : a\r\ncontent-length: 3\r\n\r\nabc"),
        ] {
            let rest = rest.replace("{coded}", coded);
            let answer = exchange(&proxy, format!("{method} /pay HTTP/1.1\r\n{key}{rest}").as_bytes()).await;
            assert_eq!(status(&answer), wanted, "{rest}: {answer}");
        }
    }
    assert_eq!((service.effects(), service.heads().len()), (0, 0));
    assert_eq!(proxy.post("/pay", "k", "abc").await.status, 201, "the key is still free");
}

#[tokio::test]
async fn chunks_go_before_a_length() {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, "sqlite::memory:", &[]);
    let request = "POST /pay HTTP/1.1\r\nhost: a\r\nidempotency-key: \"k\"\r\nconnection: close\r\n\
                   content-length: 99\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    let answer = exchange(&proxy, request.as_bytes()).await;
    assert_eq!((status(&answer), answer.ends_with("1 abc")), ("201", true), "{answer}");
    assert_eq!(header(&service.heads()[0], "content-length").as_deref(), Some("3"));
    assert_eq!(header(&service.heads()[0], "transfer-encoding"), None);
}

#[tokio::test]
async fn a_host_in_the_target_goes_before_the_header() {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, "sqlite::memory:", &[]);
    let request = "POST http://user@shop.example:81/pay HTTP/1.1\r\nhost: other\r\nidempotency-key: \"k\"\r\n\
                   connection: close\r\ncontent-length: 3\r\n\r\nabc";
    assert_eq!(status(&exchange(&proxy, request.as_bytes()).await), "201");
    assert_eq!(header(&service.heads()[0], "host").as_deref(), Some("shop.example:81"));
}
