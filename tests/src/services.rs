//! `intentkey-proxy` and services that others wrote, as processes, and curl as their client.

use std::fs;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::runtimes::output;
use crate::workspace;

/// How long a process may take to say where it listens.
const START: Duration = Duration::from_secs(60);

/// A process that ends with the test.
pub struct Running {
    child: Child,
    /// Where it listens.
    pub url: String,
    /// Where the proxy is asked for its metrics.
    pub admin: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    /// Starts a service that prints its port.
    pub fn service(mut command: Command) -> Result<Self> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let out = child.stdout.take().context("it has no output")?;
        let port = first(BufReader::new(out), |line| line.trim().parse::<u16>().ok());
        let mut running = Running { child, url: String::new(), admin: String::new() };
        running.url = format!("http://127.0.0.1:{}", port.context("the service did not start")?);
        Ok(running)
    }

    /// Starts the proxy before a service.
    pub fn proxy(upstream: &str, database: &str, arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new(proxy()?);
        command.args(["--upstream", upstream, "--database", database]);
        command.args(["--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"]).args(arguments);
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let out = child.stderr.take().context("it has no output")?;
        let ready = first(BufReader::new(out), |line| {
            let line: Value = serde_json::from_str(line).ok()?;
            let fields = &line["fields"];
            let address = |name: &str| Some(format!("http://{}", fields[name].as_str()?));
            (fields["message"] == "ready").then(|| Some((address("listen")?, address("admin")?)))?
        });
        let mut running = Running { child, url: String::new(), admin: String::new() };
        (running.url, running.admin) = ready.context("the proxy did not start")?;
        Ok(running)
    }
}

/// The first line of which something is made; all that follows is read and dropped.
fn first<T: Send + 'static>(
    lines: impl std::io::BufRead + Send + 'static,
    make: impl Fn(&str) -> Option<T> + Send + 'static,
) -> Option<T> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut lines = lines;
        let mut line = String::new();
        while lines.read_line(&mut line).is_ok_and(|read| read > 0) {
            if let Some(made) = make(&line) {
                let _ = send.send(made);
                break;
            }
            line.clear();
        }
        let mut rest = Vec::new();
        let _ = lines.read_to_end(&mut rest);
    });
    receive.recv_timeout(START).ok()
}

/// The built proxy: what INTENTKEY_PROXY names, or what cargo has built with the store's tests.
fn proxy() -> Result<PathBuf> {
    static PROXY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = PROXY.get_or_init(|| build().map_err(|error| format!("{error:#}")));
    built.clone().map_err(anyhow::Error::msg)
}

fn build() -> Result<PathBuf> {
    if let Some(given) = std::env::var_os("INTENTKEY_PROXY") {
        return Ok(given.into());
    }
    // With the features of `cargo test --all-features`, whose build this then is.
    let built =
        workspace::cargo().args(["test", "--all-features", "--no-run", "--test", "proxy"]).output()?;
    ensure!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let path = workspace::target().join("debug/intentkey-proxy");
    ensure!(path.exists(), "{} was not built", path.display());
    Ok(path)
}

/// The folder of `tests/runners/http`, with its Python packages in `python`.
pub fn folder() -> Result<PathBuf> {
    let folder = workspace::scratch().join("http");
    fs::create_dir_all(&folder)?;
    workspace::copy(&workspace::root().join("tests/runners/http"), &folder)?;
    Ok(folder)
}

/// An answer that curl got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Got {
    /// The status of the last answer.
    pub status: u16,
    /// Its head.
    pub head: String,
    /// Its body.
    pub body: String,
}

impl Got {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// The body as JSON.
    pub fn json(&self) -> Result<Value> {
        Ok(serde_json::from_str(&self.body)?)
    }
}

/// Runs curl.
pub fn curl(arguments: &[&str]) -> Result<Got> {
    let printed = output(Command::new("curl").args(["-sS", "-i", "--max-time", "30"]).args(arguments))?;
    let mut rest = &*printed;
    loop {
        let Some((head, body)) = rest.split_once("\r\n\r\n") else { bail!("curl printed no answer") };
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        // 100 Continue comes before the answer.
        if status >= 200 {
            return Ok(Got { status, head: head.to_owned(), body: body.to_owned() });
        }
        rest = body;
    }
}
