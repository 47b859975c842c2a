//! What the store and its drivers log and count while everything happens that can: of keys 8 characters at
//! most, of payloads, tenants, responses, fingerprints and tokens nothing.
//!
//! All that is logged in this process is taken, at the finest level.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

#[path = "../store/support/mod.rs"]
#[expect(dead_code, unused_macros, unused_imports, reason = "what the other tests need of it")]
mod support;

use std::io::{self, Write};
use std::sync::Mutex;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::Terms;
use intentkey_store::{
    Claim, Claimed, Destination, Executed, Looked, Options, Owned, Part, Recorded, Resolution, Response,
    Seal, SealError, Target, reconcile, recover, resume,
};
use metrics::{Counter, Gauge, Histogram, KeyName, Metadata, Recorder, SharedString, Unit};
use support::*;

on_both! {
    nothing_secret_is_logged_or_counted
}

/// What was logged and counted.
static SHOWN: Mutex<String> = Mutex::new(String::new());

struct Shown;

impl Write for Shown {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        SHOWN.lock().unwrap().push_str(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes down every metric that somebody asks for.
impl Recorder for Shown {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &metrics::Key, _: &Metadata<'_>) -> Counter {
        SHOWN.lock().unwrap().push_str(&format!("{key:?}\n"));
        Counter::noop()
    }

    fn register_gauge(&self, key: &metrics::Key, _: &Metadata<'_>) -> Gauge {
        SHOWN.lock().unwrap().push_str(&format!("{key:?}\n"));
        Gauge::noop()
    }

    fn register_histogram(&self, key: &metrics::Key, _: &Metadata<'_>) -> Histogram {
        SHOWN.lock().unwrap().push_str(&format!("{key:?}\n"));
        Histogram::noop()
    }
}

fn listen() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        metrics::set_global_recorder(Shown).unwrap();
        tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
            .with_ansi(false)
            .with_writer(|| Shown)
            .init();
    });
}

/// What is to be seen nowhere.
const CANARY: &str = "canary-4711";

/// Does not open what says so.
struct Fickle;

impl Seal for Fickle {
    fn seal(&self, _: &Key, _: Part, plain: &[u8]) -> Result<Vec<u8>, SealError> {
        Ok(plain.to_vec())
    }

    fn open(&self, _: &Key, _: Part, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        if sealed.ends_with(b"lost") { Err("the sealing key is gone".into()) } else { Ok(sealed.to_vec()) }
    }
}

struct Psp {
    target: Target,
    executes: Executed,
    looked: Looked,
}

#[async_trait]
impl Destination for Psp {
    fn target(&self) -> &Target {
        &self.target
    }

    async fn execute(&self, _: &Owned, _: &[u8]) -> Executed {
        self.executes.clone()
    }

    async fn look_up(&self, _: &Key) -> Looked {
        self.looked.clone()
    }
}

fn secret_response() -> Response {
    Response::new(201, CANARY).with_header("X-Secret", CANARY)
}

/// Everything that can be done with a store, at destinations of each kind.
async fn everything(db: &Db) -> Vec<Claim> {
    let store = db.open_with(Options::default().seal(Fickle)).await;
    let broken = Response::new(201, CANARY).with_header("X-Secret", format!("{CANARY}\n"));
    let mut claims = Vec::new();
    let mut claim = |name: &str, target: &Target| {
        let mut claim = claim(&format!("{name}-{CANARY}"));
        claim.tenant = CANARY.into();
        claim.target = target.clone();
        claims.push(claim.clone());
        claim
    };
    for terms in [Terms::idempotent_by_key(DAY), Terms::look_up(SECOND), Terms::neither()] {
        for executes in [
            Executed::Done(secret_response()),
            Executed::Done(broken.clone()),
            Executed::NotExecuted,
            Executed::Unknown,
        ] {
            for looked in [Looked::Found(secret_response()), Looked::Absent, Looked::Unknown] {
                let name = format!("psp-{}", claims_so_far());
                let psp = Psp {
                    target: Target::new(name.clone(), terms, 30 * SECOND),
                    executes: executes.clone(),
                    looked,
                };
                let recorded = Recorded::new(claim(&format!("{name}-r"), &psp.target), CANARY);
                let lost = Recorded::new(claim(&format!("{name}-l"), &psp.target), format!("{CANARY} lost"));
                let mut edge = claim(&format!("{name}-e"), &psp.target);
                edge.edge = Some((key(&format!("{name}-edge-{CANARY}")), fingerprint(1)));
                let mut other = recorded.claim.clone();
                other.fingerprint = fingerprint(2);
                for recorded in [&recorded, &lost, &Recorded::new(other.clone(), CANARY)] {
                    let _ = store.record(recorded).await;
                }
                let _ = resume(&*store, &psp, 100, SECOND).await;
                for claim in [&recorded.claim, &lost.claim, &edge, &other] {
                    if let Ok(Claimed::Owned(owned)) = store.claim(claim).await {
                        let stranger =
                            Owned::to_settle(owned.key, intentkey_store::Token::from_bytes([9; 16]));
                        let _ = store.settle(&stranger, &secret_response()).await;
                        let _ = store.settle(&owned, &broken).await;
                    }
                }
                db.age(40 * SECOND).await;
                for _ in 0..5 {
                    let _ = recover(&*store, &psp, 100, SECOND).await;
                    let _ = store.claim(&edge).await;
                    db.age(300 * SECOND).await;
                }
                let found = Resolution::Found(secret_response());
                let _ = store.resolve(&edge.key, &found, CANARY, CANARY).await;
                let statement = format!(
                    "{{\"covers_from\": 0, \"covers_until\": 9, \"effects\": 1}}\n{{\"key\": \"{}\", \"body\": \"{CANARY}\"}}",
                    recorded.claim.key
                );
                let _ = reconcile(&*store, &psp.target, statement.as_bytes(), CANARY).await;
                for claim in [&recorded.claim, &lost.claim, &edge] {
                    let _ = store.claim(claim).await;
                    let _ = store.forget(&claim.key).await;
                }
            }
        }
    }
    db.age(30 * DAY).await;
    assert!(store.sweep(1000).await.unwrap() > 0);
    claims
}

/// A number for each destination.
fn claims_so_far() -> u32 {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

async fn nothing_secret_is_logged_or_counted(db: Db) {
    listen();
    let claims = everything(&db).await;
    let shown = SHOWN.lock().unwrap().clone();
    for expected in ["claimed", "settled", "recovered", "given up on", "swept", "intentkey_claims_total"] {
        assert!(shown.contains(expected), "{expected} was not shown");
    }
    if db.kind() == Kind::Postgres {
        assert!(shown.contains("executing statement"), "the driver logs what it does");
    }
    assert!(!shown.contains(CANARY), "{}", line_with(&shown, CANARY));
    assert!(!shown.contains("0101010101"), "{}", line_with(&shown, "0101010101"));
    assert!(!shown.contains("1, 1, 1, 1, 1"), "{}", line_with(&shown, "1, 1, 1, 1, 1"));
    assert!(!shown.contains("99, 97, 110, 97"), "{}", line_with(&shown, "99, 97, 110, 97"));
    let mut seen = 0;
    for claim in claims {
        let key = claim.key.as_str();
        let (prefix, more) = (key.get(..8).unwrap(), key.get(..9).unwrap());
        seen += usize::from(shown.contains(prefix));
        assert!(!shown.contains(more), "{}", line_with(&shown, more));
    }
    assert!(seen > 50, "{seen} keys were shown by their first characters");
}

fn line_with<'s>(shown: &'s str, word: &str) -> &'s str {
    shown.lines().find(|line| line.contains(word)).unwrap_or_default()
}
