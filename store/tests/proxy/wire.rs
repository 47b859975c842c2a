//! Requests that are no good HTTP, over bare connections: they are refused, nothing is claimed, and the
//! service gets nothing.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::process::Proxy;
use crate::service::{Service, header};

/// Sends bytes, and reads all that comes.
async fn exchange(proxy: &Proxy, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(proxy.address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    // What is refused unread may end with a reset.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or_default()
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
