//! Requests over HTTP/2, those that lie about their length or their key among them.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, StreamBody, combinators::BoxBody};
use hyper::body::Frame;
use hyper::client::conn::http2::handshake;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;

use crate::process::Proxy;
use crate::service::Service;
use crate::support::{Db, on_both};

on_both! {
    a_key_has_one_effect_and_what_lies_has_none
}

type Body = BoxBody<Bytes, std::io::Error>;

fn whole(bytes: &'static [u8]) -> Body {
    Full::new(Bytes::from_static(bytes)).map_err(|never| match never {}).boxed()
}

/// A body that ends in an error, for which its stream is reset.
fn cut() -> Body {
    let frames = [Ok(Frame::data(Bytes::from_static(b"ab"))), Err(std::io::Error::other("cut"))];
    BoxBody::new(StreamBody::new(tokio_stream::iter(frames)))
}

/// A body that does not end.
fn endless() -> Body {
    BoxBody::new(StreamBody::new(tokio_stream::pending()))
}

/// The status and whether it is a replay; `None` where the stream was reset.
async fn post(at: SocketAddr, headers: &[(&str, &str)], body: Body) -> Option<(u16, bool)> {
    let stream = TokioIo::new(TcpStream::connect(at).await.unwrap());
    let (mut sender, connection) = handshake(TokioExecutor::new(), stream).await.unwrap();
    tokio::spawn(connection);
    let mut request = Request::post(format!("http://{at}/pay"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response: Response<_> = sender.send_request(request.body(body).unwrap()).await.ok()?;
    Some((response.status().as_u16(), response.headers().contains_key("idempotent-replayed")))
}

async fn a_key_has_one_effect_and_what_lies_has_none(db: Db) {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, &db.url, &[]);
    let key = ("idempotency-key", "\"k\"");
    for (what, headers, body, status) in [
        ("no key", &[][..], whole(b"abc"), Some(400)),
        ("key twice", &[key, key], whole(b"abc"), Some(400)),
        ("key unclosed", &[("idempotency-key", "\"k")], whole(b"abc"), Some(400)),
        ("length too long", &[key, ("content-length", "9")], whole(b"abc"), None),
        ("length too short", &[key, ("content-length", "2")], whole(b"abc"), None),
        ("two lengths", &[key, ("content-length", "3"), ("content-length", "4")], whole(b"abc"), None),
        ("length above the limit", &[key, ("content-length", "99999999")], endless(), Some(413)),
        ("cut off", &[key], cut(), None),
    ] {
        let answer = post(proxy.address, headers, body).await;
        assert_eq!(answer.map(|(status, _)| status), status, "{what}");
        assert_eq!(service.heads().len(), 0, "{what}");
    }
    for is_replay in [false, true] {
        assert_eq!(post(proxy.address, &[key], whole(b"abc")).await, Some((201, is_replay)));
    }
    assert_eq!(service.effects(), 1);
}
