//! Connections to PostgreSQL that break while they are set up, and servers that come back or do not.

use std::time::{Duration, Instant};

use intentkey_store::{Claimed, Options, Owned, Settled, Store, StoreError};

use crate::races::behind_a_proxy;
use crate::support::postgres::Server;
use crate::support::*;

on_postgres! {
    a_connection_that_breaks_while_it_is_set_up_is_made_again
    a_session_that_cannot_write_is_left
}

/// The pool's connection has gone, and the next one breaks as well: at the start-up message, at the first
/// statement, and at the question whether the server is durable.
async fn a_connection_that_breaks_while_it_is_set_up_is_made_again(db: Db) {
    for (name, word) in [
        ("A", "client_encoding"),
        ("B", "SET default_transaction_isolation"),
        ("C", "SELECT current_setting('fsync')"),
    ] {
        let (proxy, store) = behind_a_proxy(&db, word).await;
        let owner = owned(store.claim(&claim(name)).await.unwrap());
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .await;
        proxy.lose_next();
        assert_eq!(word_of(&*store, name).await, "in flight", "{word}");
        assert!(proxy.has_lost(), "{word}");
        assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
        assert_eq!(word_of(&*store, name).await, "replay");
    }
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 3);
}

/// As of a standby that the name of the primary stood for, when the connection was made.
async fn a_session_that_cannot_write_is_left(db: Db) {
    let mut config: tokio_postgres::Config = db.url.parse().unwrap();
    config.options("-c statement_timeout=9s");
    let manager = deadpool_postgres::Manager::new(config, tokio_postgres::NoTls);
    let pool = deadpool_postgres::Pool::builder(manager).max_size(1).build().unwrap();
    let store = intentkey_store::PostgresStore::with_pool(pool.clone(), Options::default()).await.unwrap();
    let reading = || async {
        let session = pool.get().await.unwrap();
        session.batch_execute("SET default_transaction_read_only = on").await.unwrap();
    };
    reading().await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    reading().await;
    assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
    reading().await;
    assert!(store.due(&claim("A").target, 10, 30 * SECOND).await.unwrap().is_empty());
    assert_eq!(word_of(&store, "A").await, "replay");
}

async fn word_of(store: &dyn Store, name: &str) -> &'static str {
    word(&store.claim(&claim(name)).await.unwrap())
}

/// A server that is started again between two claims: each is made, or refused at once and made when it is
/// repeated. One that stays away is an error, and no claim waits for it.
#[test]
fn a_server_that_is_gone_is_an_error_and_then_as_before() {
    let Some(server) = Server::own() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        let url = server.database().await;
        let store = intentkey_store::open(&url, Options::default().connections(2)).await.unwrap();
        let mut owners = Vec::new();
        for n in 0..4 {
            owners.push(until_owned(&*store, &format!("A-{n}")).await);
            server.kill();
        }
        let _owner = until_owned(&*store, "B").await;
        for (n, owner) in owners.iter().enumerate() {
            assert_eq!(word_of(&*store, &format!("A-{n}")).await, "in flight");
            assert_eq!(store.settle(owner, &paid()).await.unwrap(), Settled::Written);
            assert_eq!(word_of(&*store, &format!("A-{n}")).await, "replay");
        }
        drop(server);
        // It takes a moment to end.
        let refused = loop {
            let begun = Instant::now();
            match store.claim(&claim("C")).await {
                Ok(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                Err(error) => break (error, begun.elapsed()),
            }
        };
        assert!(matches!(refused.0, StoreError::Database(_)), "{refused:?}");
        assert!(refused.1 < 10 * SECOND, "{refused:?}");
    });
}

/// Claims until the server answers.
async fn until_owned(store: &dyn Store, name: &str) -> Owned {
    for _ in 0..100 {
        match store.claim(&claim(name)).await {
            Ok(Claimed::Owned(owned)) => return owned,
            Ok(other) => panic!("{name} is {other:?}"),
            Err(StoreError::Database(_)) => tokio::time::sleep(Duration::from_millis(100)).await,
            Err(other) => panic!("{name}: {other:?}"),
        }
    }
    panic!("the server did not come back");
}
