//! Claims a second, as ratios to a bare `INSERT ... ON CONFLICT DO NOTHING` through the same driver, the
//! same pool and the same durability, interleaved in one run; a claim with an edge key, which makes two rows,
//! as a ratio to one of them too.
//!
//! `cargo bench -p intentkey-store`: on SQLite in a temporary folder, and on PostgreSQL where
//! `INTENTKEY_BENCH_POSTGRES` is the URL of a database that may be written to. With `INTENTKEY_BENCH_ROWS`
//! both tables are then filled with so many rows and measured again, and the rates of claims compared.
#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::env;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use intentkey_core::protocol::{ClientKey, Terms};
use intentkey_core::{Fingerprint, Key};
use intentkey_store::{Claim, Claimed, Options, PostgresStore, SqliteStore, Store, Target};
use tokio::task::JoinSet;

/// Claimers at once.
const CLAIMERS: u64 = 16;
/// How long one side runs before the other takes its turn.
const TURN: Duration = Duration::from_millis(500);
/// Turns of each side.
const TURNS: u32 = 20;

/// A claim on its way.
type Claiming = Pin<Box<dyn Future<Output = ()> + Send>>;

static NEXT: AtomicU64 = AtomicU64::new(0);

fn next_key() -> Key {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    ClientKey::lenient(format!("{}-{number}", std::process::id()).as_bytes()).unwrap().stored("acme")
}

const BARE: &str = "CREATE TABLE IF NOT EXISTS bare (key text PRIMARY KEY, fingerprint {bytes} NOT NULL, \
                    tenant text NOT NULL, status text NOT NULL)";
const INSERT: &str = "INSERT INTO bare (key, fingerprint, tenant, status) VALUES ($1, $2, $3, $4) ON CONFLICT (key) DO NOTHING";

fn main() {
    // `cargo test` runs benchmarks to see that they run.
    if env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        sqlite().await;
        match env::var("INTENTKEY_BENCH_POSTGRES") {
            Ok(url) => postgres(&url).await,
            Err(_) => eprintln!("PostgreSQL was left out: set INTENTKEY_BENCH_POSTGRES"),
        }
    });
}

/// Runs one side for a turn, and how many operations that were.
async fn turn<F: Future<Output = ()> + Send + 'static>(
    operation: impl Fn() -> F + Clone + Send + 'static,
) -> u64 {
    let end = Instant::now() + TURN;
    let mut tasks = JoinSet::new();
    for _ in 0..CLAIMERS {
        let operation = operation.clone();
        tasks.spawn(async move {
            let mut count = 0;
            while Instant::now() < end {
                operation().await;
                count += 1;
            }
            count
        });
    }
    tasks.join_all().await.into_iter().sum()
}

/// Runs both sides in turns; claims a second.
async fn compare<C, B>(
    name: &str,
    claim: impl Fn() -> C + Clone + Send + 'static,
    bare: impl Fn() -> B + Clone + Send + 'static,
) -> f64
where
    C: Future<Output = ()> + Send + 'static,
    B: Future<Output = ()> + Send + 'static,
{
    let (mut claims, mut inserts) = (0, 0);
    // The first turn warms up.
    for number in 0..=TURNS {
        let (claimed, inserted) = (turn(claim.clone()).await, turn(bare.clone()).await);
        if number > 0 {
            claims += claimed;
            inserts += inserted;
        }
    }
    let seconds = (TURN * TURNS).as_secs_f64();
    println!(
        "{name}: {:.0} claims/s, {:.0} bare inserts/s, ratio {:.2}",
        claims as f64 / seconds,
        inserts as f64 / seconds,
        claims as f64 / inserts as f64
    );
    claims as f64 / seconds
}

/// With how many rows the tables are filled.
fn rows() -> Option<i64> {
    env::var("INTENTKEY_BENCH_ROWS").ok().map(|rows| rows.parse().unwrap())
}

/// What a claim costs in a full table, as a multiple of an empty one.
fn report(name: &str, rows: i64, empty: f64, full: f64) {
    println!("{name}: a claim takes {:.2} times as long with {rows} rows as with none", empty / full);
}

fn claiming(store: Arc<dyn Store>, has_edge: bool) -> impl Fn() -> Claiming + Clone + Send + 'static {
    move || {
        let store = store.clone();
        Box::pin(async move {
            let target = Target::new("psp", Terms::neither(), Duration::from_secs(30));
            let fingerprint = Fingerprint::from_bytes([1; 32]);
            let mut claim = Claim::new(next_key(), fingerprint, "acme", "pay", target);
            claim.edge = has_edge.then(|| (next_key(), fingerprint));
            assert!(matches!(store.claim(&claim).await.unwrap(), Claimed::Owned(_)));
        })
    }
}

async fn sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["claims.db", "bare.db"].map(|name| folder.path().join(name));
    let store = SqliteStore::open(&paths[0], Options::default()).unwrap();
    let connection = rusqlite::Connection::open(&paths[1]).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.pragma_update(None, "synchronous", "FULL").unwrap();
    connection.execute_batch(&BARE.replace("{bytes}", "blob")).unwrap();
    // The same way in: a thread that has the connection.
    let (jobs, queue) = std::sync::mpsc::channel::<(Key, tokio::sync::oneshot::Sender<()>)>();
    std::thread::spawn(move || {
        for (key, done) in queue {
            let mut insert = connection.prepare_cached(INSERT).unwrap();
            insert.execute((key.as_str(), [1_u8; 32], "acme", "in_flight")).unwrap();
            let _ = done.send(());
        }
    });
    let bare = move || {
        let jobs = jobs.clone();
        async move {
            let (done, is_done) = tokio::sync::oneshot::channel();
            jobs.send((next_key(), done)).unwrap();
            is_done.await.unwrap();
        }
    };
    let store = Arc::new(store);
    let empty = compare("SQLite", claiming(store.clone(), false), bare.clone()).await;
    compare("SQLite, with an edge key", claiming(store.clone(), true), bare.clone()).await;
    if let Some(rows) = rows() {
        for path in &paths {
            fill_sqlite(&rusqlite::Connection::open(path).unwrap(), rows);
        }
        report("SQLite", rows, empty, compare("SQLite, full", claiming(store, false), bare).await);
    }
}

async fn postgres(url: &str) {
    let mut config: tokio_postgres::Config = url.parse().unwrap();
    config.options("-c statement_timeout=10s");
    let manager = deadpool_postgres::Manager::new(config, tokio_postgres::NoTls);
    let pool = deadpool_postgres::Pool::builder(manager).max_size(CLAIMERS as usize).build().unwrap();
    let store = PostgresStore::with_pool(pool.clone(), Options::default()).await.unwrap();
    let client = pool.get().await.unwrap();
    client.batch_execute(&BARE.replace("{bytes}", "bytea")).await.unwrap();
    let bare = move || {
        let pool = pool.clone();
        async move {
            let client = pool.get().await.unwrap();
            let statement = client.prepare_cached(INSERT).await.unwrap();
            let key = next_key();
            let fingerprint = [1_u8; 32].as_slice();
            client.execute(&statement, &[&key.as_str(), &fingerprint, &"acme", &"in_flight"]).await.unwrap();
        }
    };
    let store = Arc::new(store);
    let empty = compare("PostgreSQL", claiming(store.clone(), false), bare.clone()).await;
    compare("PostgreSQL, with an edge key", claiming(store.clone(), true), bare.clone()).await;
    if let Some(rows) = rows() {
        fill_postgres(&client, rows).await;
        report("PostgreSQL", rows, empty, compare("PostgreSQL, full", claiming(store, false), bare).await);
    }
}

/// Finished rows, whose keys are spread evenly among those that are claimed, and come in their order.
async fn fill_postgres(client: &tokio_postgres::Client, rows: i64) {
    for statement in [
        "SET statement_timeout = 0",
        "INSERT INTO intentkey_intents (key, fingerprint, tenant, action, destination, status, response_code, \
           response_headers, response_body, created_at, claimed_at, expires_at, owner_token, execute_by, \
           next_look_at) \
         SELECT lpad(to_hex(n * (4294967296 / {rows})), 8, '0') || repeat('0', 56), sha256('a'), 'acme', \
           'pay', 'psp', 'done', 200, '', '', now(), now(), now() + interval '7 days', \
           substr(sha256(n::text::bytea), 1, 16), now(), now() \
         FROM generate_series(1, {rows}) AS n ON CONFLICT (key) DO NOTHING",
        "INSERT INTO bare SELECT key, fingerprint, tenant, status FROM intentkey_intents ON CONFLICT DO NOTHING",
        "VACUUM ANALYZE intentkey_intents",
        "VACUUM ANALYZE bare",
        "CHECKPOINT",
        "SET statement_timeout = '10s'",
    ] {
        client.execute(&statement.replace("{rows}", &rows.to_string()), &[]).await.unwrap();
    }
}

fn fill_sqlite(connection: &rusqlite::Connection, rows: i64) {
    let is_bare = connection.prepare("SELECT 1 FROM bare").is_ok();
    let (columns, values) = match is_bare {
        true => ("bare (key, fingerprint, tenant, status)", "zeroblob(32), 'acme', 'done'"),
        false => (
            "intentkey_intents (key, fingerprint, tenant, action, destination, status, response_code, \
               response_headers, response_body, created_at, claimed_at, expires_at, owner_token, execute_by, \
               next_look_at)",
            "zeroblob(32), 'acme', 'pay', 'psp', 'done', 200, x'', x'', t.now, t.now, t.now + 604800000, \
               randomblob(16), t.now, t.now",
        ),
    };
    let filling = format!(
        "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {rows}) \
         INSERT INTO {columns} SELECT printf('%08x', n * (4294967296 / {rows})) || \
           '00000000000000000000000000000000000000000000000000000000', {values} \
         FROM numbers, (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now) AS t \
         WHERE true ON CONFLICT (key) DO NOTHING"
    );
    connection.execute_batch(&filling).unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}
