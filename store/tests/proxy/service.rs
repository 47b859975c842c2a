//! A service that counts its effects, over bare connections, so that it can cut them.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    /// Effects by stored key.
    effects: Arc<Mutex<HashMap<String, u64>>>,
    /// The heads of all requests.
    heads: Arc<Mutex<Vec<String>>>,
}

impl Service {
    pub(crate) async fn start() -> Self {
        Service::on(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    pub(crate) fn on(listener: TcpListener) -> Self {
        let address = listener.local_addr().unwrap();
        let service = Service { address, effects: Arc::default(), heads: Arc::default() };
        let serving = service.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let serving = serving.clone();
                tokio::spawn(async move {
                    let _ = serving.connection(stream).await;
                });
            }
        });
        service
    }

    /// All effects.
    pub(crate) fn effects(&self) -> u64 {
        self.effects.lock().unwrap().values().sum()
    }

    /// The most effects of one key.
    pub(crate) fn most(&self) -> u64 {
        self.effects.lock().unwrap().values().copied().max().unwrap_or(0)
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    fn effect(&self, key: &str) {
        *self.effects.lock().unwrap().entry(key.to_owned()).or_default() += 1;
    }

    async fn connection(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let (head, body) = read(&mut stream).await?;
        self.heads.lock().unwrap().push(head.clone());
        let path = head.split([' ', '?']).nth(1).unwrap_or_default().to_owned();
        let key = header(&head, "intent-key").unwrap_or_default();
        if let Some(asked) = path.strip_prefix("/effects/") {
            let found = self.effects.lock().unwrap().contains_key(asked);
            let (status, body) =
                if found { (200, r#"{"paid": true}"#) } else { (404, r#"{"code": "unknown"}"#) };
            return answer(&mut stream, status, "content-type: application/json\r\n", body).await;
        }
        match &*path {
            "/stream" => {
                stream
                    .write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n")
                    .await?;
                tokio::time::sleep(Duration::from_millis(700)).await;
                return stream.write_all(b"3\r\ntwo\r\n0\r\nx-trailer: yes\r\n\r\n").await;
            }
            "/cut-before" => return Ok(()),
            "/busy" => {
                self.effect(&key);
                return answer(&mut stream, 503, "Intentkey-Effect: none\r\n", "busy").await;
            }
            _ => {}
        }
        self.effect(&key);
        match &*path {
            "/cut-after" => return Ok(()),
            "/cut-within" => {
                return stream.write_all(b"HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\nhalf").await;
            }
            "/slow" => tokio::time::sleep(Duration::from_millis(700)).await,
            _ => {}
        }
        let status = path.trim_start_matches('/').parse().unwrap_or(201);
        let headers = "content-type: text/plain\r\nset-cookie: session=1\r\nlocation: /paid\r\n";
        answer(&mut stream, status, headers, &format!("{} {body}", self.effects())).await
    }
}

async fn answer(stream: &mut TcpStream, status: u16, headers: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status} Status\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).await
}

pub(crate) fn header(head: &str, name: &str) -> Option<String> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    let mut values = lines.filter(|(found, _)| found.eq_ignore_ascii_case(name));
    values.next().map(|(_, value)| value.trim().to_owned())
}

/// Reads a head, and a body of its length.
async fn read(stream: &mut TcpStream) -> std::io::Result<(String, String)> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length: usize =
                header(&head, "content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
            while bytes.len() < end + 4 + length {
                more(stream, &mut bytes).await?;
            }
            return Ok((head, String::from_utf8_lossy(&bytes[end + 4..]).into_owned()));
        }
        more(stream, &mut bytes).await?;
    }
}

async fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    if stream.read_buf(bytes).await? == 0 {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}
