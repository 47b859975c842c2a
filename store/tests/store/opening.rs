//! Opening: schemas, durability, URLs.

use intentkey_core::protocol::{Status, Terms};
use intentkey_store::{Claimed, Options, Owned, PostgresStore, Settled, StoreError, Token, open};

use crate::support::*;

on_both! {
    a_migration_is_applied_with_rows_in_flight
    many_open_an_empty_database_at_once
    a_schema_from_the_future_is_refused
    a_schema_of_no_version_is_refused
}

on_postgres! {
    a_database_that_may_forget_is_refused
    a_row_that_cannot_be_is_refused_when_it_is_read
    what_would_be_read_by_others_is_refused
    a_pool_whose_sessions_wait_for_ever_is_refused
}

#[cfg(feature = "tls")]
on_postgres! {
    a_server_is_known_by_its_certificate
}

on_sqlite! {
    a_file_is_durable
    the_version_of_the_applications_schema_is_its_own
    a_long_list_does_not_hold_claims_up
    open_rows_are_found_by_their_index
}

/// The first version of the schema, as it was released, and a row in flight in it.
async fn a_migration_is_applied_with_rows_in_flight(db: Db) {
    let (first, set_version) = match db.kind() {
        Kind::Sqlite => (
            include_str!("../../migrations/sqlite/0001_intents.sql"),
            "CREATE TABLE intentkey_migrations (version integer PRIMARY KEY, applied_at integer NOT NULL); \
             INSERT INTO intentkey_migrations VALUES (1, 0)",
        ),
        Kind::Postgres => (
            include_str!("../../migrations/postgres/0001_intents.sql"),
            "CREATE TABLE intentkey_migrations (version integer PRIMARY KEY, \
               applied_at timestamptz NOT NULL DEFAULT clock_timestamp()); \
             INSERT INTO intentkey_migrations (version) VALUES (1)",
        ),
    };
    db.execute(first).await;
    db.execute(set_version).await;
    let (bytes, now) = match db.kind() {
        Kind::Sqlite => (
            (
                "unhex(replace(hex(zeroblob(32)), '00', '01'))",
                "unhex(replace(hex(zeroblob(16)), '00', '07'))",
            ),
            "unixepoch() * 1000",
        ),
        Kind::Postgres => (("decode(repeat('01', 32), 'hex')", "decode(repeat('07', 16), 'hex')"), "now()"),
    };
    let later = if db.kind() == Kind::Sqlite { "+ 30000" } else { "+ interval '30 s'" };
    for name in ["A", "B"] {
        db.execute(&format!(
            "INSERT INTO intentkey_intents (key, fingerprint, tenant, action, destination, status, created_at, \
             claimed_at, expires_at, owner_token, execute_by, next_look_at) \
             VALUES ('{}', {}, 'acme', 'pay', 'psp', 'in_flight', {now}, {now}, {now} {later}, {}, {now} {later}, \
             {now} {later})",
            key(name),
            bytes.0,
            bytes.1,
        ))
        .await;
    }
    // Somebody is in the middle of writing to it while the migration wants its lock.
    let busy = match db.kind() {
        Kind::Postgres => {
            let mut client = postgres::connect(&db.url).await;
            Some(tokio::spawn(async move {
                let transaction = client.transaction().await.unwrap();
                transaction.execute("UPDATE intentkey_intents SET tenant = tenant", &[]).await.unwrap();
                tokio::time::sleep(SECOND).await;
                transaction.commit().await.unwrap();
            }))
        }
        Kind::Sqlite => None,
    };
    tokio::time::sleep(SECOND / 5).await;
    let store = db.open().await;
    if let Some(busy) = busy {
        busy.await.unwrap();
    }
    assert_eq!(word(&store.claim(&claim("A")).await.unwrap()), "in flight");
    let row = store.get(&key("A")).await.unwrap().unwrap();
    assert_eq!((row.status, row.secret_id, row.policy_digest), (Status::InFlight, None, None));
    assert_eq!(row.terms, None);
    let owner = Owned::to_settle(key("A"), Token::from_bytes([7; 16]));
    assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
    let Claimed::Replay(response) = store.claim(&claim("A")).await.unwrap() else { panic!() };
    assert_eq!(response, paid());
    assert_eq!(db.number("SELECT count(*) FROM intentkey_recorded").await, 0);
    // Nobody wrote down what its destination was declared to be: what it is now counts, and is kept.
    db.age(30 * SECOND).await;
    let honours_keys = Terms::idempotent_by_key(DAY);
    let owner = owned(store.claim(&claim_at("B", honours_keys)).await.unwrap());
    assert_eq!(store.get(&key("B")).await.unwrap().unwrap().terms, Some(honours_keys));
    assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
}

async fn many_open_an_empty_database_at_once(db: Db) {
    let url = db.url.clone();
    let opened = (0..8).map(|_| {
        let url = url.clone();
        tokio::spawn(async move { open(&url, Options::default()).await.map(drop) })
    });
    for opening in opened.collect::<Vec<_>>() {
        opening.await.unwrap().unwrap();
    }
    let _owner = owned(db.open().await.claim(&claim("A")).await.unwrap());
}

async fn a_schema_from_the_future_is_refused(db: Db) {
    drop(db.open().await);
    db.execute(match db.kind() {
        Kind::Sqlite => "INSERT INTO intentkey_migrations VALUES (99, 0)",
        Kind::Postgres => "INSERT INTO intentkey_migrations (version) VALUES (99)",
    })
    .await;
    let known_here = if db.kind() == Kind::Sqlite { 4 } else { 5 };
    let opened = open(&db.url, Options::default()).await.map(drop);
    let Err(StoreError::SchemaTooNew { found: 99, known }) = opened else { panic!("{opened:?}") };
    assert_eq!(known, known_here);
}

/// PostgreSQL's table has no checks: they would cost every claim.
async fn a_row_that_cannot_be_is_refused_when_it_is_read(db: Db) {
    let store = db.open().await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    db.execute("CREATE TABLE in_flight AS SELECT * FROM intentkey_intents").await;
    assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
    db.execute("CREATE TABLE done AS SELECT * FROM intentkey_intents").await;
    for (row, broken) in [
        ("in_flight", "status = 'In_flight'"),
        ("in_flight", "next_look_at = NULL"),
        ("in_flight", "response_code = 200"),
        ("in_flight", "status = 'edge', owner_key = key"),
        ("done", "response_code = NULL"),
        ("done", "response_body = NULL"),
        ("done", "status = 'released'"),
    ] {
        db.execute(&format!(
            "DELETE FROM intentkey_intents; INSERT INTO intentkey_intents SELECT * FROM {row}"
        ))
        .await;
        db.execute(&format!("UPDATE intentkey_intents SET {broken}")).await;
        let claimed = store.claim(&claim("A")).await;
        assert!(matches!(claimed, Err(StoreError::Corrupt(_))), "{row}, {broken}: {claimed:?}");
    }
}

async fn a_database_that_may_forget_is_refused(db: Db) {
    let name = db.url.rsplit('/').next().unwrap();
    db.execute(&format!("ALTER DATABASE {name} SET synchronous_commit = off")).await;
    let opened = open(&db.url, Options::default()).await.map(drop);
    assert!(matches!(opened, Err(StoreError::NotDurable("synchronous_commit"))), "{opened:?}");
    let store = open(&db.url, Options::default().unsafe_without_durability()).await.unwrap();
    let _owner = owned(store.claim(&claim("A")).await.unwrap());
    // What a replica confirms does not matter to what this server forgets.
    db.execute(&format!("ALTER DATABASE {name} SET synchronous_commit = local")).await;
    assert!(open(&db.url, Options::default()).await.is_ok());
}

async fn what_would_be_read_by_others_is_refused(db: Db) {
    for url in ["mysql://x", "intents.db", "sqlite:", "postgres://host:port"] {
        let opened = open(url, Options::default()).await.map(drop);
        assert!(matches!(opened, Err(StoreError::Url(_))), "{url}: {opened:?}");
    }
    // Without TLS another machine is reached in the clear only where the URL says so.
    let encrypted = [
        format!("{}?sslmode=require", db.url),
        "postgres://u:secret@192.0.2.1/db".into(),
        "postgres://u:secret@localhost,db.internal/db?sslmode=prefer".into(),
        "postgres://u:secret@localhost/db?hostaddr=192.0.2.1".into(),
    ];
    if cfg!(not(feature = "tls")) {
        let can_encrypt = postgres::server().unwrap().root.is_some();
        for url in encrypted {
            let opened = open(&url, Options::default()).await.map(drop);
            assert!(
                matches!(opened, Err(StoreError::Url(_))),
                "{opened:?}, the server has TLS: {can_encrypt}"
            );
        }
    }
    // No machine answers there.
    let options = Options::default().longest_claim(SECOND / 5);
    let opened = open("postgres://u:secret@192.0.2.1/db?sslmode=disable", options).await.map(drop);
    assert!(matches!(opened, Err(StoreError::Database(_))), "{opened:?}");
}

#[cfg(feature = "tls")]
async fn a_server_is_known_by_its_certificate(db: Db) {
    let url = format!("{}?sslmode=require", db.url);
    // Nobody whom the operating system trusts has signed it.
    let opened = open(&url, Options::default()).await.map(drop);
    assert!(matches!(opened, Err(StoreError::Database(_) | StoreError::Url(_))), "{opened:?}");
    let root = postgres::server().unwrap().root.clone().unwrap();
    let store = open(&url, Options::default().root_certificates(root.clone())).await.unwrap();
    let _owner = owned(store.claim(&claim("A")).await.unwrap());
    let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE ssl AND datname = current_database()";
    assert_eq!(db.number(encrypted).await, 1);
    // The certificate is of an address, and of no name.
    let other = url.replace("127.0.0.1", "localhost");
    let opened = open(&other, Options::default().root_certificates(root)).await.map(drop);
    assert!(matches!(opened, Err(StoreError::Database(_))), "{opened:?}");
    let opened = open(&url, Options::default().root_certificates("no PEM")).await.map(drop);
    assert!(matches!(opened, Err(StoreError::Url(_))), "{opened:?}");
}

async fn a_pool_whose_sessions_wait_for_ever_is_refused(db: Db) {
    let config: tokio_postgres::Config = db.url.parse().unwrap();
    let pool = |options: &str| {
        let mut config = config.clone();
        config.options(options);
        let manager = deadpool_postgres::Manager::new(config, tokio_postgres::NoTls);
        deadpool_postgres::Pool::builder(manager).build().unwrap()
    };
    for options in [
        "",
        "-c statement_timeout=11s",
        "-c statement_timeout=9s -c default_transaction_isolation=serializable",
    ] {
        let opened = PostgresStore::with_pool(pool(options), Options::default()).await.map(drop);
        assert!(matches!(opened, Err(StoreError::Url(_))), "{options}: {opened:?}");
    }
    assert!(PostgresStore::with_pool(pool("-c statement_timeout=9s"), Options::default()).await.is_ok());
}

async fn a_file_is_durable(db: Db) {
    drop(db.open().await);
    let connection = rusqlite::Connection::open(db.path()).unwrap();
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}

async fn a_schema_of_no_version_is_refused(db: Db) {
    drop(db.open().await);
    db.execute("DROP TABLE intentkey_migrations").await;
    let opened = open(&db.url, Options::default()).await.map(drop);
    assert!(matches!(opened, Err(StoreError::SchemaUnversioned)), "{opened:?}");
}

/// An application with migrations of its own, in the file that `claim_in` requires it to share.
async fn the_version_of_the_applications_schema_is_its_own(db: Db) {
    for version in [0, 1, 2, 5] {
        db.execute(&format!("PRAGMA user_version = {version}")).await;
        drop(db.open().await);
        assert_eq!(db.number("SELECT user_version FROM pragma_user_version").await, version);
    }
    let _owner = owned(db.open().await.claim(&claim("A")).await.unwrap());
}

/// Somebody reads the whole table on another thread than that of the claims.
async fn a_long_list_does_not_hold_claims_up(db: Db) {
    let store = db.open().await;
    let _first = owned(store.claim(&claim("A")).await.unwrap());
    let rows = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300000) \
                INSERT INTO intentkey_intents SELECT 'key' || n || substr(i.key, 1, 40), owner_key, edge_key, \
                fingerprint, tenant, action, destination, status, response_code, response_headers, \
                response_body, created_at, claimed_at, expires_at, owner_token, execute_by, uncertain, \
                recovery_attempts, next_look_at, secret_id, policy_digest, key_retention_ms, longest_delay_ms FROM n, intentkey_intents AS i";
    db.execute(rows).await;
    let counting = tokio::spawn({
        let store = store.clone();
        async move {
            let begun = std::time::Instant::now();
            let counts = store.counts().await.unwrap();
            (counts, begun.elapsed())
        }
    });
    tokio::time::sleep(SECOND / 100).await;
    let begun = std::time::Instant::now();
    let _owner = owned(store.claim(&claim("B")).await.unwrap());
    let claimed = begun.elapsed();
    let (counts, counted) = counting.await.unwrap();
    assert!(counts.running + counts.overdue > 300_000);
    assert!(claimed + SECOND / 100 < counted, "{claimed:?} beside {counted:?}");
}

/// What is due and what is unknown is looked for in the small index, and not in the whole table.
async fn open_rows_are_found_by_their_index(db: Db) {
    drop(db.open().await);
    let verbs = include_str!("../../src/sqlite/verbs.rs");
    assert_eq!(verbs.matches("open!()").count(), 7, "statements that look for open rows");
    let condition = "i.status IN ('in_flight', 'released', 'unsettled')";
    assert!(include_str!("../../src/sqlite/rows.rs").contains(condition));
    let connection = rusqlite::Connection::open(db.path()).unwrap();
    for rest in ["i.status = 'in_flight' AND i.next_look_at <= 1", "i.status = 'unsettled' AND i.key > 'a'"] {
        let plan =
            format!("EXPLAIN QUERY PLAN SELECT * FROM intentkey_intents AS i WHERE {condition} AND {rest}");
        let detail: String = connection.query_row(&plan, [], |row| row.get(3)).unwrap();
        assert!(detail.contains("USING INDEX intentkey_open"), "{detail}");
    }
}
