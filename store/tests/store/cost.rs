//! What a claim costs, where that does not depend on the machine: round trips, and what is logged ahead.

use intentkey_core::Key;

use crate::races::behind_a_proxy;
use crate::support::*;

on_postgres! {
    a_claim_is_one_round_trip
}

const CLAIMS: u32 = 200;

async fn a_claim_is_one_round_trip(db: Db) {
    let (proxy, store) = behind_a_proxy(&db, "no such word").await;
    // The first ones prepare statements.
    let first = owned(store.claim(&claim("first")).await.unwrap());
    let _ = store.settle(&first, &paid()).await.unwrap();
    let _ = store.claim(&claim("first")).await.unwrap();
    let sent = proxy.sent();
    for n in 0..CLAIMS {
        let _owner = owned(store.claim(&claim(&format!("A-{n}"))).await.unwrap());
    }
    assert_eq!(proxy.sent() - sent, CLAIMS);
    // A repeat inserts nothing, and reads what is there.
    let sent = proxy.sent();
    for _ in 0..CLAIMS {
        assert_eq!(word(&store.claim(&claim("first")).await.unwrap()), "replay");
    }
    assert_eq!(proxy.sent() - sent, 2 * CLAIMS);
}

/// On a server where nobody else writes.
#[test]
fn a_claim_writes_little_more_than_a_bare_insertion() {
    let Some(server) = postgres::Server::own() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async { compare(&server.database().await).await });
}

async fn compare(url: &str) {
    let store = intentkey_store::open(url, intentkey_store::Options::default()).await.unwrap();
    let client = postgres::connect(url).await;
    let bare = "CREATE TABLE bare (key text COLLATE \"C\" PRIMARY KEY, fingerprint bytea NOT NULL, \
                tenant text NOT NULL, status text NOT NULL)";
    client.batch_execute(bare).await.unwrap();
    let insert = "INSERT INTO bare VALUES ($1, $2, $3, $4) ON CONFLICT (key) DO NOTHING";
    let insert = client.prepare(insert).await.unwrap();
    // Pages that are written first after a checkpoint are logged as a whole: there is none meanwhile.
    let written = async || {
        let sql = "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint";
        client.query_one(sql, &[]).await.unwrap().get::<_, i64>(0)
    };
    let keys: Vec<Key> = (0..CLAIMS).map(|n| key(&format!("A-{n}"))).collect();
    client.batch_execute("CHECKPOINT").await.unwrap();
    for warm in ["bare", "claims"] {
        let _ = owned(store.claim(&claim(warm)).await.unwrap());
        client
            .execute(&insert, &[&key(warm).as_str(), &[1_u8; 32].as_slice(), &"acme", &"in_flight"])
            .await
            .unwrap();
    }
    let begun = written().await;
    for key in &keys {
        client
            .execute(&insert, &[&key.as_str(), &[1_u8; 32].as_slice(), &"acme", &"in_flight"])
            .await
            .unwrap();
    }
    let between = written().await;
    for n in 0..CLAIMS {
        let _owner = owned(store.claim(&claim(&format!("A-{n}"))).await.unwrap());
    }
    let (bare, claims) = (between - begun, written().await - between);
    let each = |bytes: i64| bytes / i64::from(CLAIMS);
    println!("bytes of WAL: {} a claim, {} a bare insertion", each(claims), each(bare));
    assert!(claims < 2 * bare, "{} a claim, {} a bare insertion", each(claims), each(bare));
}
