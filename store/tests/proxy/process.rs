//! The proxy as a process, and requests to it.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::service::{Service, header};

pub(crate) struct Proxy {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) admin: SocketAddr,
    /// What it has logged.
    log: Arc<Mutex<String>>,
}

impl Proxy {
    /// Starts a proxy of one tenant in front of a service, and waits until it is ready.
    pub(crate) fn start(service: &Service, database: &str, arguments: &[&str]) -> Self {
        Proxy::before(service.address, database, &[&["--tenant", "acme"], arguments].concat())
    }

    pub(crate) fn before(service: SocketAddr, database: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_intentkey-proxy"));
        command.args(["--upstream", &format!("http://{service}"), "--database", database]);
        command.args(["--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--upkeep-seconds", "1"]);
        let mut child = command.args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let (ready, is_ready) = mpsc::channel();
        let (lines, written) = (BufReader::new(child.stderr.take().unwrap()), log.clone());
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                let fields = serde_json::from_str::<Value>(&line).unwrap_or_default()["fields"].clone();
                if fields["message"] == "ready" {
                    let address = |name: &str| fields[name].as_str().unwrap().parse::<SocketAddr>().unwrap();
                    let _ = ready.send((address("listen"), address("admin")));
                }
                let mut written = written.lock().unwrap();
                written.push_str(&line);
                written.push('\n');
            }
        });
        let Ok((address, admin)) = is_ready.recv_timeout(Duration::from_secs(30)) else {
            panic!("the proxy is not ready: {}", log.lock().unwrap());
        };
        Proxy { child, address, admin, log }
    }

    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM.
    pub(crate) fn terminate(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }

    /// Waits for its end, for 20 seconds.
    pub(crate) async fn ended(mut self) -> bool {
        for _ in 0..200 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        false
    }

    pub(crate) async fn post(&self, path: &str, key: &str, body: &str) -> Got {
        let key = format!("idempotency-key: \"{key}\"\r\n");
        request(self.address, "POST", path, &key, body).await
    }

    pub(crate) async fn ask(&self, path: &str) -> Got {
        request(self.admin, "GET", path, "", "").await
    }

    /// Repeats until the answer is another than "in flight", for 20 seconds.
    pub(crate) async fn settled(&self, path: &str, key: &str, body: &str) -> Got {
        for _ in 0..200 {
            let got = self.post(path, key, body).await;
            if got.problem() != "in-flight" {
                return got;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("it stays in flight");
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Got {
    pub(crate) fn is_replay(&self) -> bool {
        header(&self.head, "idempotent-replayed").as_deref() == Some("true")
    }

    /// The name of the problem, or nothing.
    pub(crate) fn problem(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        body["type"].as_str().and_then(|kind| kind.split('#').nth(1)).unwrap_or_default().to_owned()
    }
}

/// One request on a connection of its own. Status 0 is no answer.
pub(crate) async fn request(at: SocketAddr, method: &str, path: &str, headers: &str, body: &str) -> Got {
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
    );
    let mut answer = Vec::new();
    if let Ok(mut stream) = TcpStream::connect(at).await {
        let _ = stream.write_all(text.as_bytes()).await;
        let _ = tokio::time::timeout(Duration::from_secs(30), stream.read_to_end(&mut answer)).await;
    }
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0);
    Got { status, head: head.to_owned(), body: body.to_owned() }
}
