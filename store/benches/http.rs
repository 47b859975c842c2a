//! Requests a second through the HTTP layer, as ratios in one run, over connections that are kept.
//!
//! `cargo bench -p intentkey-store --features proxy --bench http`, on SQLite in a temporary folder:
//!
//! 1. First-time requests, to those of the same handler with one bare insert at the same durability, on a
//!    thread that has the connection as the store's has. The layer commits twice: claim, and outcome.
//! 2. Replays, to first-time requests.
//! 3. GETs that pass the proxy, to those that pass the same proxy without the layer.
//!
//! With the 99th percentile of each, in milliseconds.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark may panic")]

use std::env;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::request::Parts;
use axum::http::{Method, Request};
use axum::routing::{get, post};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use intentkey_core::protocol::Terms;
use intentkey_store::http::IdempotencyLayer;
use intentkey_store::{Options, Store, Target, open};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

/// Clients at once.
const CLIENTS: u64 = 16;
/// How long one side runs before the other takes its turn.
const TURN: Duration = Duration::from_millis(500);
/// Turns of each side.
const TURNS: u32 = 12;

static NEXT: AtomicU64 = AtomicU64::new(0);

type Http = Client<HttpConnector, Full<bytes::Bytes>>;

/// What is sent, and where.
#[derive(Clone)]
struct Side {
    name: &'static str,
    at: SocketAddr,
    method: Method,
    /// Under a new key each time, or always under one.
    new_keys: bool,
}

fn main() {
    // `cargo test` runs benchmarks to see that they run.
    if env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(run());
}

async fn run() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = |name: &str| folder.path().join(name).display().to_string();
    let layered = layered(&format!("sqlite:{}", in_folder("layer.db"))).await;
    let bare = bare(&in_folder("bare.db")).await;
    let side = |name, at, new_keys| Side { name, at, method: Method::POST, new_keys };
    let first = side("first-time", layered, true);
    compare(&first, &side("one bare insert", bare, true)).await;
    compare(&side("replay", layered, false), &first).await;

    let service = serve(Router::new().route("/", get(|| async { "ok" }))).await;
    let with = Proxy::start(service, &format!("sqlite:{}", in_folder("proxy.db")), &[]);
    let without = Proxy::start(service, "sqlite::memory:", &["--without-layer"]);
    let passed = |name, at| Side { name, at, method: Method::GET, new_keys: true };
    compare(&passed("GET through the proxy", with.at), &passed("without the layer", without.at)).await;
}

async fn compare(one: &Side, other: &Side) {
    let http: Http = Client::builder(TokioExecutor::new()).build_http();
    let mut all = [Vec::new(), Vec::new()];
    // The first turn warms up.
    for number in 0..=TURNS {
        for (side, times) in [one, other].into_iter().zip(&mut all) {
            let took = turn(&http, side).await;
            if number > 0 {
                times.extend(took);
            }
        }
    }
    let seconds = (TURN * TURNS).as_secs_f64();
    let of = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        (times.len() as f64 / seconds, times[times.len() * 99 / 100].as_secs_f64() * 1000.0)
    };
    let ((rate, p99), (other_rate, other_p99)) = (of(&mut all[0]), of(&mut all[1]));
    println!(
        "{}: {rate:.0}/s, p99 {p99:.1} ms; {}: {other_rate:.0}/s, p99 {other_p99:.1} ms; ratio {:.2}",
        one.name,
        other.name,
        rate / other_rate
    );
}

/// What requests take, one after another in each client.
async fn turn(http: &Http, side: &Side) -> Vec<Duration> {
    let end = Instant::now() + TURN;
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let (http, side) = (http.clone(), side.clone());
        clients.spawn(async move {
            let mut times = Vec::new();
            while Instant::now() < end {
                let key = if side.new_keys { NEXT.fetch_add(1, Ordering::Relaxed) } else { 0 };
                let request = Request::builder().method(&side.method).uri(format!("http://{}/", side.at));
                let request = request.header("idempotency-key", format!("\"{key}\""));
                let begun = Instant::now();
                let request = request.body(Full::from("amount=1&currency=brl")).unwrap();
                let response = http.request(request).await.unwrap();
                assert!(response.status().is_success(), "{}", response.status());
                response.into_body().collect().await.unwrap();
                times.push(begun.elapsed());
            }
            times
        });
    }
    clients.join_all().await.into_iter().flatten().collect()
}

async fn serve(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    at
}

async fn layered(url: &str) -> SocketAddr {
    let store: Arc<dyn Store> = open(url, Options::default()).await.unwrap().into();
    let here = Target::new("bench", Terms::neither(), Duration::from_secs(30));
    let layer = IdempotencyLayer::new(store, here, |_: &Parts| Some("acme".into()));
    serve(Router::new().route("/", post(async |body: String| body)).layer(layer)).await
}

/// The same handler, with one insert before its answer.
async fn bare(path: &str) -> SocketAddr {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.pragma_update(None, "synchronous", "FULL").unwrap();
    connection.execute_batch("CREATE TABLE bare (key text PRIMARY KEY, body text NOT NULL)").unwrap();
    let (insert, mut inserts) = mpsc::unbounded_channel::<(String, oneshot::Sender<()>)>();
    std::thread::spawn(move || {
        while let Some((body, done)) = inserts.blocking_recv() {
            let mut statement = connection.prepare_cached("INSERT INTO bare VALUES (?1, ?2)").unwrap();
            let key = format!("{:064}", NEXT.fetch_add(1, Ordering::Relaxed));
            statement.execute((key, body)).unwrap();
            let _ = done.send(());
        }
    });
    let handler = async move |body: String| {
        let (done, is_done) = oneshot::channel();
        insert.send((body.clone(), done)).unwrap();
        is_done.await.unwrap();
        body
    };
    serve(Router::new().route("/", post(handler))).await
}

struct Proxy {
    child: Child,
    at: SocketAddr,
}

impl Proxy {
    fn start(service: SocketAddr, database: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_intentkey-proxy"));
        command.args([
            "--upstream",
            &format!("http://{service}"),
            "--database",
            database,
            "--tenant",
            "acme",
        ]);
        command.args(["--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"]).args(arguments);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let ready: serde_json::Value = serde_json::from_str(&lines.next().unwrap()).unwrap();
        // Somebody must read what it logs.
        std::thread::spawn(move || lines.for_each(drop));
        Proxy { child, at: ready["fields"]["listen"].as_str().unwrap().parse().unwrap() }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
