//! What many do at once, and what breaks between.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use intentkey_core::protocol::{Status, Terms, Validity};
use intentkey_store::{Claim, Claimed, Filter, Options, Settled, Store, StoreError};
use tokio::task::JoinSet;

use crate::support::proxy::Proxy;
use crate::support::*;

on_both! {
    sixty_four_claimers_of_one_key
    a_loser_of_a_winner_that_rolls_back_owns
    claim_in_beside_a_plain_claim
    keys_claimed_in_opposite_order
    an_edge_key_has_one_owner
    only_one_takes_over
    a_future_dropped_at_every_await
    sweep_leaves_what_is_in_flight_or_unsettled
    sweep_beside_repeats
    times_are_the_databases
    recovery_is_shared_by_many_workers
}

on_postgres! {
    repeatable_read_by_default_changes_nothing
    a_transaction_in_repeatable_read_is_told_to_begin_again
    the_answer_of_a_commit_is_lost
    the_answer_of_a_settlement_is_lost
    a_claim_that_waited_behind_a_sweep
    a_claim_that_waited_has_its_whole_time
    a_pooled_connection_is_dropped_in_a_transaction
    connections_that_the_server_ends
}

on_sqlite! {
    a_busy_database_is_waited_for
    a_database_that_stays_busy
}

/// Claims all at once, and the words for what that came to, sorted.
async fn claim_all(claims: Vec<(Arc<dyn Store>, Claim)>) -> Vec<&'static str> {
    let mut tasks = JoinSet::new();
    for (store, claim) in claims {
        tasks.spawn(async move { word(&store.claim(&claim).await.unwrap()) });
    }
    let mut words = tasks.join_all().await;
    words.sort_unstable();
    words
}

fn one_of(count: usize, word: &'static str, others: &'static str) -> Vec<&'static str> {
    let mut words = vec![others; count - 1];
    words.push(word);
    words.sort_unstable();
    words
}

async fn sixty_four_claimers_of_one_key(db: Db) {
    // Two stores, as in two processes.
    let stores = [db.open().await, db.open().await];
    let (first, second) = (stores[0].clone(), stores[1].clone());
    let _ = tokio::join!(first.counts(), second.counts());
    let begun = Instant::now();
    let words = claim_all((0..64).map(|n| (stores[n % 2].clone(), claim("A"))).collect()).await;
    // The effect runs for seconds; nobody waits for it.
    assert!(begun.elapsed() < 2 * SECOND, "{:?}", begun.elapsed());
    assert_eq!(words, one_of(64, "owned", "in flight"));
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 1);
}

async fn a_loser_of_a_winner_that_rolls_back_owns(db: Db) {
    let store = db.open().await;
    let begun = Instant::now();
    let loser = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        store.claim(&claim("A")).await.unwrap()
    };
    let winner = in_transaction(&db, claim("A"), Duration::from_millis(600), End::Rollback);
    let (_, claimed) = tokio::join!(winner, loser);
    let _owned = owned(claimed);
    assert!(begun.elapsed() >= Duration::from_millis(600), "it waited: {:?}", begun.elapsed());
}

async fn claim_in_beside_a_plain_claim(db: Db) {
    let store = db.open().await;
    let plain = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        store.claim(&claim("A")).await.unwrap()
    };
    let inside = in_transaction(&db, claim("A"), Duration::from_millis(600), End::SettleAndCommit);
    let (_, claimed) = tokio::join!(inside, plain);
    // It waited for the transaction and has its outcome, not 409.
    let Claimed::Replay(response) = claimed else { panic!("{claimed:?}") };
    assert_eq!(response, paid());
    // A repeat inside a transaction sees what is there.
    assert_eq!(in_transaction(&db, claim("A"), Duration::ZERO, End::Rollback).await, "replay");
    assert_eq!(in_transaction(&db, claim("B"), Duration::ZERO, End::SettleAndCommit).await, "owned");
    assert_eq!(in_transaction(&db, claim("B"), Duration::ZERO, End::SettleAndCommit).await, "replay");
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    SettleAndCommit,
    Rollback,
}

/// Claims in a transaction, sleeps, and ends it.
async fn in_transaction(db: &Db, claim: Claim, sleep: Duration, end: End) -> &'static str {
    match db.kind() {
        Kind::Sqlite => {
            let (store, path) = (db.sqlite(Options::default()), db.path());
            let work = move || {
                let mut connection = rusqlite::Connection::open(path).unwrap();
                connection.busy_timeout(10 * SECOND).unwrap();
                let behavior = rusqlite::TransactionBehavior::Immediate;
                let transaction = connection.transaction_with_behavior(behavior).unwrap();
                let claimed = store.claim_in(&transaction, &claim).unwrap();
                std::thread::sleep(sleep);
                if end == End::SettleAndCommit {
                    if let Claimed::Owned(owned) = &claimed {
                        assert_eq!(store.settle_in(&transaction, owned, &paid()).unwrap(), Settled::Written);
                    }
                    transaction.commit().unwrap();
                }
                word(&claimed)
            };
            tokio::task::spawn_blocking(work).await.unwrap()
        }
        Kind::Postgres => {
            let store = db.postgres(Options::default()).await;
            let mut client = postgres::connect(&db.url).await;
            let transaction = client.transaction().await.unwrap();
            let claimed = store.claim_in(&transaction, &claim).await.unwrap();
            tokio::time::sleep(sleep).await;
            if end == End::SettleAndCommit {
                if let Claimed::Owned(owned) = &claimed {
                    let settled = store.settle_in(&transaction, owned, &paid()).await.unwrap();
                    assert_eq!(settled, Settled::Written);
                }
                transaction.commit().await.unwrap();
            } else {
                transaction.rollback().await.unwrap();
            }
            word(&claimed)
        }
    }
}

fn with_edge(name: &str, edge: &str) -> Claim {
    let mut claim = claim(name);
    claim.edge = Some((key(edge), fingerprint(1)));
    claim
}

async fn keys_claimed_in_opposite_order(db: Db) {
    let stores = [db.open().await, db.open().await];
    for round in 0..25 {
        let (one, other) = (format!("one-{round}"), format!("other-{round}"));
        let claims = (0..8).map(|n| {
            let claim = if n % 2 == 0 { with_edge(&one, &other) } else { with_edge(&other, &one) };
            (stores[n % 2].clone(), claim)
        });
        assert_eq!(claim_all(claims.collect()).await, one_of(8, "owned", "in flight"), "round {round}");
    }
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 50);
}

async fn an_edge_key_has_one_owner(db: Db) {
    let stores = [db.open().await, db.open().await];
    for round in 0..25 {
        let (before, after) = (format!("before-{round}"), format!("after-{round}"));
        let edge = format!("edge-{round}");
        let claims = (0..8).map(|n| {
            let name = if n % 2 == 0 { &before } else { &after };
            (stores[n % 2].clone(), with_edge(name, &edge))
        });
        assert_eq!(claim_all(claims.collect()).await, one_of(8, "owned", "in flight"), "round {round}");
    }
    // The key of whoever came second stays free.
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 50);
    // Already taken by two different rows: a repeat of the key's.
    let store = &stores[0];
    let (one, two) = (claim("X"), with_edge("Y", "E"));
    let first = owned(store.claim(&one).await.unwrap());
    let _second = owned(store.claim(&two).await.unwrap());
    let _ = store.settle(&first, &paid()).await.unwrap();
    assert_eq!(word(&store.claim(&with_edge("X", "E")).await.unwrap()), "replay");
    assert_eq!(word(&store.claim(&with_edge("Z", "E")).await.unwrap()), "in flight");
}

async fn only_one_takes_over(db: Db) {
    let stores = [db.open().await, db.open().await];
    for round in 0..10 {
        let claim = claim_at(&format!("A-{round}"), Terms::idempotent_by_key(DAY));
        let _first = owned(stores[0].claim(&claim).await.unwrap());
        db.age(31 * SECOND).await;
        let words = claim_all((0..16).map(|n| (stores[n % 2].clone(), claim.clone())).collect()).await;
        assert_eq!(words, one_of(16, "owned", "in flight"), "round {round}");
    }
}

/// The outcome of a future, or nothing where it is polled more often than so many times.
async fn at_most<T>(polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(move |context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

/// Whatever is left behind by a dropped claim or settlement: no lock, no transaction, no second owner.
async fn a_future_dropped_at_every_await(db: Db) {
    // One connection: the next user gets what the dropped one left.
    let store = db.open_with(Options::default().connections(1)).await;
    let terms = Terms::idempotent_by_key(DAY);
    let mut finished = 0;
    for polls in 0..60 {
        // With an edge key, so that the claim is a transaction of several statements.
        let mut claim = claim_at(&format!("A-{polls}"), terms);
        claim.edge = Some((key(&format!("E-{polls}")), fingerprint(1)));
        let claimed = at_most(polls, store.claim(&claim)).await;
        finished += usize::from(claimed.is_some());
        // Nobody else is held up.
        let other = self::claim_at(&format!("B-{polls}"), terms);
        let other_claimed = tokio::time::timeout(5 * SECOND, store.claim(&other)).await.unwrap();
        let owner = owned(other_claimed.unwrap());
        // A repeat owns it, or finds it in flight and takes over afterwards.
        if claimed.is_none() {
            match store.claim(&claim).await.unwrap() {
                Claimed::Owned(_) => {}
                Claimed::InFlight { .. } => {
                    db.age(31 * SECOND).await;
                    let _taken_over = owned(store.claim(&claim).await.unwrap());
                }
                other => panic!("{other:?}"),
            }
            assert_eq!(word(&store.claim(&claim).await.unwrap()), "in flight");
        }
        // A settlement that is dropped is written or not, and can be repeated.
        let _ = at_most(polls, store.settle(&owner, &paid())).await;
        let settled = store.settle(&owner, &paid()).await.unwrap();
        assert_eq!(settled, Settled::Written, "after {polls} polls");
    }
    assert!((1..60).contains(&finished), "some were dropped, some finished: {finished}");
    if db.kind() == Kind::Postgres {
        let idle = "SELECT count(*) FROM pg_stat_activity \
                    WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
        assert_eq!(db.number(idle).await, 0);
    }
}

async fn sweep_leaves_what_is_in_flight_or_unsettled(db: Db) {
    let store = db.open().await;
    let mut rows = Vec::new();
    for name in ["done", "running", "released", "unsettled", "kept"] {
        let claim = if name == "kept" {
            claim("kept").keep_for(100 * DAY)
        } else {
            with_edge(name, &format!("{name}-edge"))
        };
        rows.push(owned(store.claim(&claim).await.unwrap()));
    }
    let _ = store.settle(&rows[0], &paid()).await.unwrap();
    let _ = store.release(&rows[2]).await.unwrap();
    db.age(31 * SECOND).await;
    assert_eq!(word(&store.claim(&with_edge("unsettled", "unsettled-edge")).await.unwrap()), "unsettled");
    let _ = store.settle(&rows[4], &paid()).await.unwrap();
    db.age(30 * DAY).await;
    assert_eq!(store.sweep(100).await.unwrap(), 1);
    // With its edge key.
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 4 + 3);
    assert!(store.get(&key("done")).await.unwrap().is_none());
    assert!(store.get(&key("done-edge")).await.unwrap().is_none());
    for (name, status) in [
        ("running", Status::InFlight),
        ("released", Status::Released),
        ("unsettled", Status::Unsettled),
        ("kept", Status::Done),
    ] {
        assert_eq!(store.get(&key(name)).await.unwrap().unwrap().status, status, "{name}");
    }
}

/// A repeat either has the outcome or, the row being swept, is refused: it never owns.
async fn sweep_beside_repeats(db: Db) {
    let store = db.open().await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    for round in 0..10 {
        let mut claims = Vec::new();
        for n in 0..8 {
            let mut claim = with_edge(&format!("A-{round}-{n}"), &format!("E-{round}-{n}"));
            claim.ttl = SECOND;
            claim.validity = Validity::between(now - 5, Some(now + 3600));
            let owner = owned(store.claim(&claim).await.unwrap());
            let _ = store.settle(&owner, &paid()).await.unwrap();
            claim.validity = Validity::between(now - 7200, Some(now - 3600));
            claims.push((store.clone(), claim));
        }
        db.age(2 * DAY).await;
        let sweeping = tokio::spawn({
            let store = store.clone();
            async move { store.sweep(4).await.unwrap() + store.sweep(4).await.unwrap() }
        });
        let words = claim_all(claims).await;
        assert!(words.iter().all(|word| ["replay", "too late"].contains(word)), "{words:?}");
        let _ = sweeping.await.unwrap();
        while store.sweep(100).await.unwrap() > 0 {}
    }
}

async fn times_are_the_databases(db: Db) {
    let store = db.open().await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    let row = store.get(&key("A")).await.unwrap().unwrap();
    assert_eq!(row.execute_by, owner.execute_by);
    assert_eq!(row.execute_by.since(row.claimed_at), 30 * SECOND);
    assert_eq!(row.expires_at.since(row.claimed_at), 7 * DAY);
    // No program's clock is read: only durations are measured, with `Instant`.
    for folder in ["src", "src/sqlite", "src/postgres"] {
        for file in std::fs::read_dir(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap()
        {
            let path = file.unwrap().path();
            if path.is_file() {
                let source = std::fs::read_to_string(&path).unwrap();
                assert!(!source.contains("SystemTime::now") && !source.contains("Utc"), "{}", path.display());
            }
        }
    }
}

async fn recovery_is_shared_by_many_workers(db: Db) {
    let stores = [db.open().await, db.open().await];
    for n in 0..40 {
        let _owned = owned(stores[0].claim(&claim(&format!("A-{n}"))).await.unwrap());
    }
    let psp = target(Terms::neither());
    assert!(
        stores[0].due(&psp, 100, 60 * SECOND).await.unwrap().is_empty(),
        "nothing is due before execute_by"
    );
    db.age(30 * SECOND).await;
    // Whoever only looks leases nothing.
    for (filter, listed) in [
        (Filter::due(), 40),
        (Filter::due().at("psp").limit(3), 3),
        (Filter::due().at("other"), 0),
        (Filter::due().at("psp"), 40),
    ] {
        assert_eq!(stores[0].list(&filter).await.unwrap().len(), listed, "{filter:?}");
    }
    let mut tasks = JoinSet::new();
    for n in 0..8 {
        let (store, psp) = (stores[n % 2].clone(), psp.clone());
        tasks.spawn(async move { store.due(&psp, 5, 60 * SECOND).await.unwrap() });
    }
    let mut keys: Vec<String> =
        tasks.join_all().await.into_iter().flatten().map(|due| due.unwrap().row.key.to_string()).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 40, "every row is leased to one of them");
    assert!(stores[0].due(&psp, 100, 60 * SECOND).await.unwrap().is_empty());
    assert!(stores[0].list(&Filter::due()).await.unwrap().is_empty());
    // A worker that died leaves its rows to the next one, after the lease.
    db.age(60 * SECOND).await;
    assert_eq!(stores[0].due(&psp, 100, 60 * SECOND).await.unwrap().len(), 40);
}

async fn repeatable_read_by_default_changes_nothing(db: Db) {
    let name = db.url.rsplit('/').next().unwrap();
    db.execute(&format!("ALTER DATABASE {name} SET default_transaction_isolation = 'repeatable read'")).await;
    let store = db.open().await;
    for round in 0..10 {
        let name = format!("A-{round}");
        let claims = (0..16).map(|_| (store.clone(), claim(&name))).collect();
        assert_eq!(claim_all(claims).await, one_of(16, "owned", "in flight"));
        let name = format!("B-{round}");
        let claims = (0..16).map(|_| (store.clone(), with_edge(&name, &format!("E-{round}")))).collect();
        assert_eq!(claim_all(claims).await, one_of(16, "owned", "in flight"));
    }
}

async fn a_transaction_in_repeatable_read_is_told_to_begin_again(db: Db) {
    let store = db.postgres(Options::default()).await;
    let mut client = postgres::connect(&db.url).await;
    let level = tokio_postgres::IsolationLevel::RepeatableRead;
    let transaction = client.build_transaction().isolation_level(level).start().await.unwrap();
    // Its snapshot is older than the claim that comes first.
    transaction.query("SELECT 1", &[]).await.unwrap();
    let _first = owned(store.claim(&claim("A")).await.unwrap());
    let met = store.claim_in(&transaction, &claim("A")).await;
    assert!(matches!(met, Err(StoreError::Serialization)), "{met:?}");
    transaction.rollback().await.unwrap();
    let transaction = client.build_transaction().isolation_level(level).start().await.unwrap();
    assert_eq!(word(&store.claim_in(&transaction, &claim("A")).await.unwrap()), "in flight");
}

pub(crate) async fn behind_a_proxy(db: &Db, word: &'static str) -> (Proxy, Arc<dyn Store>) {
    let config: tokio_postgres::Config = db.url.parse().unwrap();
    let port = config.get_ports()[0];
    let proxy = Proxy::start(port, word).await;
    let url = db.url.replace(&format!(":{port}/"), &format!(":{}/", proxy.port));
    let store = intentkey_store::open(&url, Options::default().connections(1)).await.unwrap();
    (proxy, store.into())
}

async fn the_answer_of_a_commit_is_lost(db: Db) {
    // The key is in the message that executes the claim.
    let stored: &'static str = key("A").to_string().leak();
    let (proxy, store) = behind_a_proxy(&db, stored).await;
    proxy.lose_next();
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    assert!(proxy.has_lost());
    // The row is that of the first try, found by its token.
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 1);
    assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
    // With an edge key the COMMIT is a message of its own.
    let (proxy, store) = behind_a_proxy(&db, "COMMIT").await;
    proxy.lose_next();
    let _owner = owned(store.claim(&with_edge("B", "E")).await.unwrap());
    assert!(proxy.has_lost());
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 3);
}

async fn the_answer_of_a_settlement_is_lost(db: Db) {
    let (proxy, store) = behind_a_proxy(&db, "COMMIT").await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    proxy.lose_next();
    assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
    assert!(proxy.has_lost());
    assert_eq!(word(&store.claim(&claim("A")).await.unwrap()), "replay");
}

/// The claim reads a clock at which it is in time, waits for the sweep, and must not execute as new.
async fn a_claim_that_waited_behind_a_sweep(db: Db) {
    let store = db.open().await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    // In time for two to three seconds.
    let mut late = with_edge("A", "E");
    late.ttl = SECOND;
    late.validity = Validity::between(now - 100, Some(now + 2));
    let owner = owned(store.claim(&late).await.unwrap());
    let _ = store.settle(&owner, &paid()).await.unwrap();
    let mut client = postgres::connect(&db.url).await;
    let sweep = client.transaction().await.unwrap();
    sweep.execute("DELETE FROM intentkey_intents", &[]).await.unwrap();
    let claiming = tokio::spawn({
        let store = store.clone();
        async move { store.claim(&late).await.unwrap() }
    });
    tokio::time::sleep(Duration::from_millis(3500)).await;
    let waited = "SELECT count(*) FROM pg_stat_activity \
                  WHERE datname = current_database() AND wait_event_type = 'Lock'";
    assert_eq!(db.number(waited).await, 1, "it waits");
    sweep.commit().await.unwrap();
    assert_eq!(word(&claiming.await.unwrap()), "too late");
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 0);
}

async fn a_claim_that_waited_has_its_whole_time(db: Db) {
    let store = db.open().await;
    let mut client = postgres::connect(&db.url).await;
    let other = db.postgres(Options::default()).await;
    let transaction = client.transaction().await.unwrap();
    let _first = owned(other.claim_in(&transaction, &claim("A")).await.unwrap());
    let claiming = tokio::spawn({
        let store = store.clone();
        async move { store.claim(&claim("A")).await.unwrap() }
    });
    tokio::time::sleep(SECOND).await;
    transaction.rollback().await.unwrap();
    let owner = owned(claiming.await.unwrap());
    let row = store.get(&key("A")).await.unwrap().unwrap();
    assert_eq!(row.execute_by, owner.execute_by);
    assert!(row.execute_by.since(row.claimed_at) >= 31 * SECOND - Duration::from_millis(200), "{row:?}");
}

async fn a_pooled_connection_is_dropped_in_a_transaction(db: Db) {
    let store = db.open_with(Options::default().connections(1)).await;
    let claim_a = claim_at("A", Terms::idempotent_by_key(DAY));
    let _first = owned(store.claim(&claim_a).await.unwrap());
    db.age(31 * SECOND).await;
    // Somebody else has the row: whoever takes over waits in its transaction, and is dropped there.
    let mut client = postgres::connect(&db.url).await;
    let blocking = client.transaction().await.unwrap();
    blocking.execute("SELECT FROM intentkey_intents FOR UPDATE", &[]).await.unwrap();
    let waiting = tokio::time::timeout(Duration::from_millis(300), store.claim(&claim_a)).await;
    assert!(waiting.is_err(), "it waited");
    // The one connection is in the middle of a statement of a transaction that nobody wants any more.
    let next = tokio::spawn({
        let store = store.clone();
        async move { store.claim(&claim("B")).await.unwrap() }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    blocking.rollback().await.unwrap();
    let _b = owned(tokio::time::timeout(5 * SECOND, next).await.unwrap().unwrap());
    let idle = "SELECT count(*) FROM pg_stat_activity \
                WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    assert_eq!(db.number(idle).await, 0);
    // What was dropped was rolled back: the row is free to be taken over.
    let _second = owned(store.claim(&claim_a).await.unwrap());
    // B was committed, not lost with the other's transaction.
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 2);
}

async fn connections_that_the_server_ends(db: Db) {
    let store = db.open_with(Options::default().connections(4)).await;
    let killer = postgres::connect(&db.url).await;
    let killing = tokio::spawn(async move {
        let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                    WHERE datname = current_database() AND pid <> pg_backend_pid()";
        for _ in 0..20 {
            killer.execute(kill, &[]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let mut owners = 0;
    for n in 0..60 {
        // At most one owner, whatever breaks.
        let words = claim_all_or_fail(&store, &format!("A-{n}")).await;
        let owned = words.iter().filter(|word| **word == "owned").count();
        assert!(owned <= 1, "{words:?}");
        owners += owned;
    }
    killing.await.unwrap();
    assert!(owners >= 50, "{owners} of 60 had an owner");
}

async fn claim_all_or_fail(store: &Arc<dyn Store>, name: &str) -> Vec<&'static str> {
    let mut tasks = JoinSet::new();
    for _ in 0..4 {
        let (store, claim) = (store.clone(), claim(name));
        tasks.spawn(async move { store.claim(&claim).await.map_or("failed", |claimed| word(&claimed)) });
    }
    tasks.join_all().await
}

/// Holds the write lock for a while.
fn hold(db: &Db, held: Duration) -> tokio::task::JoinHandle<()> {
    let path = db.path();
    tokio::task::spawn_blocking(move || {
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        std::thread::sleep(held);
        connection.execute_batch("ROLLBACK").unwrap();
    })
}

async fn a_busy_database_is_waited_for(db: Db) {
    let store = db.open().await;
    let holding = hold(&db, Duration::from_millis(700));
    tokio::time::sleep(Duration::from_millis(100)).await;
    let begun = Instant::now();
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    assert!(begun.elapsed() >= Duration::from_millis(400), "it waited: {:?}", begun.elapsed());
    // The time to execute counts from when the lock was there.
    let row = store.get(&key("A")).await.unwrap().unwrap();
    assert_eq!((row.execute_by, row.execute_by.since(row.claimed_at)), (owner.execute_by, 30 * SECOND));
    holding.await.unwrap();
}

async fn a_database_that_stays_busy(db: Db) {
    let store = db.open_with(Options::default().longest_claim(Duration::from_millis(200))).await;
    let holding = hold(&db, SECOND);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let claimed = store.claim(&claim("A")).await;
    assert!(matches!(claimed, Err(StoreError::Contended)), "{claimed:?}");
    holding.await.unwrap();
    assert!(store.get(&key("A")).await.unwrap().is_none());
    let _owner = owned(store.claim(&claim("A")).await.unwrap());
}
