//! Claims that have waited: for others, for locks, for connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use intentkey_core::Key;
use intentkey_core::protocol::{Status, Terms};
use intentkey_store::{Claim, Options, Part, Response, Seal, SealError, Settled, StoreError};

use crate::support::*;

on_both! {
    an_overdue_look_up_says_when_to_come_back
    a_settlement_is_the_same_whatever_its_seal_draws
}

on_postgres! {
    an_insertion_that_waited_is_not_seen_overdue
    a_claim_that_waited_for_a_lock_has_its_whole_time
    a_row_that_was_replaced_is_compared_anew
    a_pool_that_is_used_up_is_contended
    a_session_without_its_timeout_claims_carefully
}

on_sqlite! {
    a_claim_that_waited_for_the_file_has_its_whole_time
}

const TENTH: Duration = Duration::from_millis(100);

/// A claim whose execution takes half a second at most.
fn short(name: &str, terms: Terms) -> Claim {
    let mut claim = claim_at(name, terms);
    claim.target.execution = 5 * TENTH;
    claim
}

/// Two claims wait for one that is rolled back: whoever wins has its whole time, and the other finds it in
/// flight, not given up on.
async fn an_insertion_that_waited_is_not_seen_overdue(db: Db) {
    let store = db.open().await;
    let own = db.postgres(Options::default()).await;
    for round in 0..5 {
        let claim = short(&format!("A-{round}"), Terms::neither());
        let mut client = postgres::connect(&db.url).await;
        let transaction = client.transaction().await.unwrap();
        let _first = owned(own.claim_in(&transaction, &claim).await.unwrap());
        let claiming: Vec<_> = (0..4)
            .map(|_| {
                let (store, claim) = (store.clone(), claim.clone());
                tokio::spawn(async move {
                    let claimed = store.claim(&claim).await.unwrap();
                    if let intentkey_store::Claimed::Owned(owner) = &claimed {
                        assert!(owner.time_left() > 3 * TENTH, "{:?}", owner.time_left());
                    }
                    word(&claimed)
                })
            })
            .collect();
        tokio::time::sleep(10 * TENTH).await;
        transaction.rollback().await.unwrap();
        let mut words = Vec::new();
        for claiming in claiming {
            words.push(claiming.await.unwrap());
        }
        words.sort_unstable();
        assert_eq!(words, ["in flight", "in flight", "in flight", "owned"]);
    }
}

async fn a_claim_that_waited_for_a_lock_has_its_whole_time(db: Db) {
    let store = db.open().await;
    let claim = short("A", Terms::idempotent_by_key(DAY));
    let _first = owned(store.claim(&claim).await.unwrap());
    db.age(31 * SECOND).await;
    let mut client = postgres::connect(&db.url).await;
    let blocking = client.transaction().await.unwrap();
    blocking.execute("SELECT FROM intentkey_intents FOR UPDATE", &[]).await.unwrap();
    let claiming = tokio::spawn({
        let store = store.clone();
        async move { store.claim(&claim).await.unwrap() }
    });
    tokio::time::sleep(10 * TENTH).await;
    blocking.rollback().await.unwrap();
    let owner = owned(claiming.await.unwrap());
    assert!(owner.time_left() > 3 * TENTH && owner.time_left() <= 5 * TENTH, "{:?}", owner.time_left());
}

async fn a_claim_that_waited_for_the_file_has_its_whole_time(db: Db) {
    let store = db.open().await;
    let path = db.path();
    let holding = tokio::task::spawn_blocking(move || {
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        std::thread::sleep(10 * TENTH);
        connection.execute_batch("ROLLBACK").unwrap();
    });
    tokio::time::sleep(TENTH).await;
    let owner = owned(store.claim(&short("A", Terms::neither())).await.unwrap());
    assert!(owner.time_left() > 3 * TENTH && owner.time_left() <= 5 * TENTH, "{:?}", owner.time_left());
    holding.await.unwrap();
}

/// The row that a repeat was compared with is another one when it gets the lock: it is compared again.
async fn a_row_that_was_replaced_is_compared_anew(db: Db) {
    let store = db.open().await;
    let claim = claim("A");
    let owner = owned(store.claim(&claim).await.unwrap());
    let _ = store.settle(&owner, &paid()).await.unwrap();
    // So that the repeat has something to write.
    db.age(DAY).await;
    let mut client = postgres::connect(&db.url).await;
    let replacing = client.transaction().await.unwrap();
    // An insertion waits for whoever updates a row, but not for whoever has locked it.
    replacing.execute("SELECT FROM intentkey_intents FOR UPDATE", &[]).await.unwrap();
    let claiming = tokio::spawn({
        let store = store.clone();
        async move { word(&store.claim(&claim).await.unwrap()) }
    });
    tokio::time::sleep(3 * TENTH).await;
    let other = "UPDATE intentkey_intents SET fingerprint = decode(repeat('02', 32), 'hex')";
    replacing.execute(other, &[]).await.unwrap();
    replacing.commit().await.unwrap();
    assert_eq!(claiming.await.unwrap(), "payload conflict", "and not the other's response");
}

async fn a_pool_that_is_used_up_is_contended(db: Db) {
    let options = Options::default().connections(1).longest_claim(10 * TENTH);
    let store = db.open_with(options).await;
    let own = db.postgres(Options::default()).await;
    let mut client = postgres::connect(&db.url).await;
    let transaction = client.transaction().await.unwrap();
    let _first = owned(own.claim_in(&transaction, &claim("A")).await.unwrap());
    let begun = Instant::now();
    let waiting = (0..4).map(|n| {
        let store = store.clone();
        let claim = if n == 0 { claim("A") } else { claim("B") };
        tokio::spawn(async move {
            tokio::time::sleep(n * TENTH).await;
            store.claim(&claim).await
        })
    });
    let mut contended = 0;
    for waiting in waiting.collect::<Vec<_>>() {
        contended += u32::from(matches!(waiting.await.unwrap(), Err(StoreError::Contended)));
    }
    assert!(contended >= 1, "nobody waits for ever");
    assert!(begun.elapsed() < 5 * SECOND, "{:?}", begun.elapsed());
}

/// In a pool of the caller's somebody has switched the timeout off: no claim rests on it then.
async fn a_session_without_its_timeout_claims_carefully(db: Db) {
    let mut config: tokio_postgres::Config = db.url.parse().unwrap();
    config.options("-c statement_timeout=9s");
    let manager = deadpool_postgres::Manager::new(config, tokio_postgres::NoTls);
    let pool = deadpool_postgres::Pool::builder(manager).max_size(1).build().unwrap();
    let store = intentkey_store::PostgresStore::with_pool(pool.clone(), Options::default()).await.unwrap();
    let counter = |name: &str| {
        let store: Arc<dyn intentkey_store::Store> = Arc::new(store.clone());
        let claim = claim(name);
        async move { word(&store.claim(&claim).await.unwrap()) }
    };
    assert_eq!(counter("A").await, "owned");
    for timeout in ["0", "11s"] {
        pool.get()
            .await
            .unwrap()
            .batch_execute(&format!("SET statement_timeout = '{timeout}'"))
            .await
            .unwrap();
        assert_eq!(counter(&format!("B-{timeout}")).await, "owned");
        // What it did last was the end of a transaction of several statements.
        let last =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = 'COMMIT'";
        assert_eq!(db.number(last).await, 1);
    }
}

async fn an_overdue_look_up_says_when_to_come_back(db: Db) {
    let store = db.open().await;
    let claim = claim_at("A", Terms::look_up(20 * SECOND));
    let _owner = owned(store.claim(&claim).await.unwrap());
    db.age(35 * SECOND).await;
    // Nobody looks before 15 seconds have passed.
    let intentkey_store::Claimed::InFlight { retry_after } = store.claim(&claim).await.unwrap() else {
        panic!()
    };
    assert!((10..=15).contains(&retry_after), "{retry_after}");
    assert_eq!(store.get(&key("A")).await.unwrap().unwrap().status, Status::InFlight);
}

/// Draws something new each time, as an AEAD with a nonce does.
struct Drawing(AtomicU8);

impl Seal for Drawing {
    fn seal(&self, _: &Key, _: Part, plain: &[u8]) -> Result<Vec<u8>, SealError> {
        let drawn = self.0.fetch_add(1, Ordering::Relaxed);
        Ok([&[drawn], plain].concat())
    }

    fn open(&self, _: &Key, _: Part, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        Ok(sealed.get(1..).ok_or("too short")?.to_vec())
    }
}

async fn a_settlement_is_the_same_whatever_its_seal_draws(db: Db) {
    let store = db.open_with(Options::default().seal(Drawing(AtomicU8::new(0)))).await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    for _ in 0..2 {
        assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
    }
    let other = Response::new(201, "");
    assert_eq!(store.settle(&owner, &other).await.unwrap(), Settled::AlreadySettled);
}
