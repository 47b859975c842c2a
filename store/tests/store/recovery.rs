//! Recovery, resolution, recorded intents.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::{Status, Terms};
use intentkey_store::{
    Claimed, Destination, Executed, Filter, Looked, Options, Owned, Part, Recorded, RecordedAs, Recovered,
    Response, Seal, SealError, Settled, Store, StoreError, Target, recover, resume,
};

use crate::support::*;

on_both! {
    a_look_up_that_finds_it_settles
    absence_counts_after_the_longest_delay
    the_unknown_is_looked_up_four_times_and_given_up_on
    neither_is_given_up_on_at_execute_by
    a_recorded_request_is_executed_again_with_its_key
    without_a_record_recovery_waits_for_a_repeat
    past_the_retention_of_keys_it_is_looked_up
    a_look_up_of_a_row_that_changed_is_dropped
    a_recorded_intent_is_resumed_with_its_key
    an_intent_recorded_twice_conflicts_or_is_known
    an_outbox_commits_with_what_it_follows_from
    what_was_recorded_under_another_key_of_its_edge_is_forgotten
    bodies_are_sealed
    rows_are_listed_and_counted
}

pub(crate) const DELAY: Duration = Duration::from_secs(45);
pub(crate) const LEASE: Duration = Duration::from_secs(60);

/// A destination that answers as it is told, and counts what it executes.
pub(crate) struct Psp {
    pub(crate) target: Target,
    pub(crate) looked: Mutex<Looked>,
    pub(crate) executed: Mutex<HashMap<Key, Vec<Vec<u8>>>>,
    pub(crate) executes: Executed,
}

impl Psp {
    pub(crate) fn new(terms: Terms) -> Self {
        Psp {
            target: target(terms),
            looked: Mutex::new(Looked::Unknown),
            executed: Mutex::default(),
            executes: Executed::Done(paid()),
        }
    }

    pub(crate) fn says(self, looked: Looked) -> Self {
        *self.looked.lock().unwrap() = looked;
        self
    }

    pub(crate) fn executions(&self, key: &Key) -> Vec<Vec<u8>> {
        self.executed.lock().unwrap().get(key).cloned().unwrap_or_default()
    }
}

#[async_trait]
impl Destination for Psp {
    fn target(&self) -> &Target {
        &self.target
    }

    async fn execute(&self, owned: &Owned, request: &[u8]) -> Executed {
        self.executed.lock().unwrap().entry(owned.key).or_default().push(request.to_vec());
        self.executes.clone()
    }

    async fn look_up(&self, _: &Key) -> Looked {
        self.looked.lock().unwrap().clone()
    }
}

pub(crate) async fn round(store: &dyn Store, psp: &Psp) -> Recovered {
    recover(store, psp, 100, LEASE).await.unwrap()
}

pub(crate) fn due(recovered: Recovered) -> Recovered {
    Recovered { due: 1, ..recovered }
}

pub(crate) const NOTHING: Recovered =
    Recovered { due: 0, done: 0, released: 0, gave_up: 0, left: 0, parked: 0, failed: 0 };

pub(crate) async fn status(store: &dyn Store, name: &str) -> Status {
    store.get(&key(name)).await.unwrap().unwrap().status
}

async fn a_look_up_that_finds_it_settles(db: Db) {
    let store = db.open().await;
    let terms = Terms::look_up(DELAY);
    let psp = Psp::new(terms).says(Looked::Found(paid()));
    let _owner = owned(store.claim(&claim_at("A", terms)).await.unwrap());
    db.age(30 * SECOND).await;
    // Overdue, but a request may still be under way: nobody looks before it has arrived.
    assert_eq!(round(&*store, &psp).await, NOTHING);
    assert_eq!(word(&store.claim(&claim_at("A", terms)).await.unwrap()), "in flight");
    db.age(DELAY).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { done: 1, ..NOTHING }));
    let Claimed::Replay(response) = store.claim(&claim_at("A", terms)).await.unwrap() else { panic!() };
    assert_eq!(response, paid());
}

async fn absence_counts_after_the_longest_delay(db: Db) {
    let store = db.open().await;
    let terms = Terms::look_up(DELAY);
    let psp = Psp::new(terms).says(Looked::Absent);
    let first = owned(store.claim(&claim_at("A", terms)).await.unwrap());
    db.age(30 * SECOND + DELAY).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { released: 1, ..NOTHING }));
    assert_eq!(status(&*store, "A").await, Status::Released);
    // An owner who had executed all the same says so in time: nothing is executed again.
    assert_eq!(store.settle(&first, &paid()).await.unwrap(), Settled::Written);
    assert_eq!(word(&store.claim(&claim_at("A", terms)).await.unwrap()), "replay");
    // Otherwise the next repeat takes over.
    let _first = owned(store.claim(&claim_at("B", terms)).await.unwrap());
    db.age(30 * SECOND + DELAY).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { released: 1, ..NOTHING }));
    let second = owned(store.claim(&claim_at("B", terms)).await.unwrap());
    // Its outcome is its own: not "uncertain".
    assert_eq!(store.release(&second).await.unwrap(), Settled::Written);
}

async fn the_unknown_is_looked_up_four_times_and_given_up_on(db: Db) {
    let store = db.open().await;
    let terms = Terms::look_up(DELAY);
    let psp = Psp::new(terms);
    let _owner = owned(store.claim(&claim_at("A", terms)).await.unwrap());
    db.age(30 * SECOND + DELAY).await;
    for (attempts, pause) in [(1, 60), (2, 120), (3, 240)] {
        assert_eq!(round(&*store, &psp).await, due(Recovered { left: 1, ..NOTHING }));
        let row = store.get(&key("A")).await.unwrap().unwrap();
        assert_eq!((row.status, row.recovery_attempts), (Status::InFlight, attempts));
        assert_eq!(word(&store.claim(&claim_at("A", terms)).await.unwrap()), "in flight");
        db.age((pause - 5) * SECOND).await;
        assert_eq!(round(&*store, &psp).await, NOTHING, "not before {pause} seconds");
        // The schedule is in the database: another process goes on with it.
        let store = db.open().await;
        assert_eq!(round(&*store, &psp).await, NOTHING);
        db.age(5 * SECOND).await;
    }
    assert_eq!(round(&*store, &psp).await, due(Recovered { gave_up: 1, ..NOTHING }));
    assert_eq!(word(&store.claim(&claim_at("A", terms)).await.unwrap()), "unsettled");
    db.age(DAY).await;
    assert_eq!(round(&*store, &psp).await, NOTHING);
}

async fn neither_is_given_up_on_at_execute_by(db: Db) {
    let store = db.open().await;
    let psp = Psp::new(Terms::neither()).says(Looked::Found(paid()));
    let _owner = owned(store.claim(&claim("A")).await.unwrap());
    assert_eq!(round(&*store, &psp).await, NOTHING);
    db.age(30 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { gave_up: 1, ..NOTHING }));
    assert_eq!(status(&*store, "A").await, Status::Unsettled);
    assert!(psp.executions(&key("A")).is_empty());
}

async fn a_recorded_request_is_executed_again_with_its_key(db: Db) {
    let store = db.open().await;
    let terms = Terms::idempotent_by_key(DAY);
    let psp = Psp::new(terms);
    let claim = claim_at("A", terms);
    assert_eq!(store.record(&Recorded::new(claim.clone(), "amount=1")).await.unwrap(), RecordedAs::New);
    let first = owned(store.claim(&claim).await.unwrap());
    db.age(30 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { done: 1, ..NOTHING }));
    assert_eq!(psp.executions(&key("A")), [b"amount=1"]);
    assert_eq!(store.settle(&first, &Response::new(500, "")).await.unwrap(), Settled::NotOwner);
    assert_eq!(word(&store.claim(&claim).await.unwrap()), "replay");
    assert_eq!(store.counts().await.unwrap().recorded, 0, "what is done is not recorded any more");
}

async fn without_a_record_recovery_waits_for_a_repeat(db: Db) {
    let store = db.open().await;
    let terms = Terms::idempotent_by_key(3600 * SECOND);
    let psp = Psp::new(terms);
    let _owner = owned(store.claim(&claim_at("A", terms)).await.unwrap());
    db.age(30 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { left: 1, ..NOTHING }));
    assert!(psp.executions(&key("A")).is_empty());
    // Nobody looks at it again before the destination forgets the key.
    db.age(3500 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, NOTHING);
    db.age(100 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { gave_up: 1, ..NOTHING }));
}

async fn past_the_retention_of_keys_it_is_looked_up(db: Db) {
    let store = db.open().await;
    let terms = Terms::idempotent_by_key(3600 * SECOND).and_look_up(DELAY);
    let psp = Psp::new(terms).says(Looked::Found(paid()));
    let recorded = Recorded::new(claim_at("A", terms), "amount=1");
    let _ = store.record(&recorded).await.unwrap();
    let _owner = owned(store.claim(&recorded.claim).await.unwrap());
    db.age(3600 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { done: 1, ..NOTHING }));
    assert!(psp.executions(&key("A")).is_empty(), "it would be executed as new");
}

async fn a_look_up_of_a_row_that_changed_is_dropped(db: Db) {
    let store = db.open().await;
    let terms = Terms::look_up(DELAY);
    let psp = Psp::new(terms);
    let _first = owned(store.claim(&claim_at("A", terms)).await.unwrap());
    db.age(30 * SECOND + DELAY).await;
    let rows = [store.due(&psp.target, 1, LEASE).await.unwrap().remove(0).unwrap()];
    let asked = match store.advance(&rows[0], &intentkey_store::Step::TakeUp, &psp.target).await.unwrap() {
        intentkey_store::Advanced::LookUp { asked } => asked,
        other => panic!("{other:?}"),
    };
    // Meanwhile another worker found that it never happened, and a repeat has taken over.
    let absent = intentkey_store::Step::LookedUp(Looked::Absent, asked);
    let advanced = store.advance(&rows[0], &absent, &psp.target).await.unwrap();
    assert!(matches!(advanced, intentkey_store::Advanced::Released), "{advanced:?}");
    let second = owned(store.claim(&claim_at("A", terms)).await.unwrap());
    for looked in [Looked::Absent, Looked::Found(Response::new(500, "")), Looked::Unknown] {
        let step = intentkey_store::Step::LookedUp(looked, asked);
        let advanced = store.advance(&rows[0], &step, &psp.target).await.unwrap();
        assert!(matches!(advanced, intentkey_store::Advanced::Left), "{advanced:?}");
    }
    assert_eq!(store.settle(&second, &paid()).await.unwrap(), Settled::Written);
}

async fn a_recorded_intent_is_resumed_with_its_key(db: Db) {
    let terms = Terms::look_up(DELAY);
    let psp = Psp::new(terms);
    {
        let store = db.open().await;
        for name in ["A", "B"] {
            let recorded = Recorded::new(claim_at(name, terms), format!("request {name}"));
            assert_eq!(store.record(&recorded).await.unwrap(), RecordedAs::New);
        }
    }
    // After a restart.
    let store = db.open().await;
    let _running = owned(store.claim(&claim_at("B", terms)).await.unwrap());
    let resumed = resume(&*store, &psp, 100, LEASE).await.unwrap();
    assert_eq!(resumed, Recovered { due: 1, done: 1, ..NOTHING });
    assert_eq!(psp.executions(&key("A")), [b"request A"]);
    assert!(psp.executions(&key("B")).is_empty(), "somebody executes it");
    assert_eq!(resume(&*store, &psp, 100, LEASE).await.unwrap(), NOTHING);
    // Known not to have happened: it is executed.
    db.age(30 * SECOND + DELAY).await;
    *psp.looked.lock().unwrap() = Looked::Absent;
    assert_eq!(round(&*store, &psp).await, due(Recovered { released: 1, ..NOTHING }));
    let resumed = resume(&*store, &psp, 100, LEASE).await.unwrap();
    assert_eq!(resumed, Recovered { due: 1, done: 1, ..NOTHING });
    assert_eq!(psp.executions(&key("B")), [b"request B"]);
    assert_eq!(store.counts().await.unwrap().recorded, 0);
}

async fn an_intent_recorded_twice_conflicts_or_is_known(db: Db) {
    let store = db.open().await;
    let recorded = Recorded::new(claim("A"), "request");
    assert_eq!(store.record(&recorded).await.unwrap(), RecordedAs::New);
    assert_eq!(store.record(&recorded).await.unwrap(), RecordedAs::Known);
    let mut other = recorded.clone();
    other.claim.fingerprint = fingerprint(2);
    assert_eq!(store.record(&other).await.unwrap(), RecordedAs::PayloadConflict);
    let owner = owned(store.claim(&recorded.claim).await.unwrap());
    let _ = store.settle(&owner, &paid()).await.unwrap();
    assert_eq!(store.record(&recorded).await.unwrap(), RecordedAs::Known);
    assert_eq!(store.record(&other).await.unwrap(), RecordedAs::PayloadConflict);
    assert_eq!(store.counts().await.unwrap().recorded, 0);
    let _ = store.record(&Recorded::new(claim("B"), "")).await.unwrap();
    assert!(store.forget(&key("B")).await.unwrap());
    assert!(!store.forget(&key("B")).await.unwrap());
}

async fn an_outbox_commits_with_what_it_follows_from(db: Db) {
    let store = db.open().await;
    db.execute("CREATE TABLE orders (id integer)").await;
    let recorded = Recorded::new(claim("A"), "ship it");
    for commits in [false, true] {
        match db.kind() {
            Kind::Sqlite => {
                let (own, path, recorded) = (db.sqlite(Options::default()), db.path(), recorded.clone());
                let work = move || {
                    let mut connection = rusqlite::Connection::open(path).unwrap();
                    let transaction = connection.transaction().unwrap();
                    transaction.execute("INSERT INTO orders VALUES (1)", []).unwrap();
                    own.record_in(&transaction, &recorded).unwrap();
                    if commits {
                        transaction.commit().unwrap();
                    }
                };
                tokio::task::spawn_blocking(work).await.unwrap();
            }
            Kind::Postgres => {
                let own = db.postgres(Options::default()).await;
                let mut client = postgres::connect(&db.url).await;
                let transaction = client.transaction().await.unwrap();
                transaction.execute("INSERT INTO orders VALUES (1)", &[]).await.unwrap();
                own.record_in(&transaction, &recorded).await.unwrap();
                if commits {
                    transaction.commit().await.unwrap();
                }
            }
        }
        let expected = i64::from(commits);
        assert_eq!(db.number("SELECT count(*) FROM orders").await, expected);
        assert_eq!(store.counts().await.unwrap().recorded, u64::from(commits));
    }
}

async fn what_was_recorded_under_another_key_of_its_edge_is_forgotten(db: Db) {
    let store = db.open().await;
    let psp = Psp::new(Terms::neither());
    let edge = Some((key("E"), fingerprint(1)));
    let (mut before, mut after) = (claim("before"), claim("after"));
    (before.edge, after.edge) = (edge, edge);
    let owner = owned(store.claim(&before).await.unwrap());
    let _ = store.settle(&owner, &paid()).await.unwrap();
    let _ = store.record(&Recorded::new(after, "")).await.unwrap();
    let resumed = resume(&*store, &psp, 100, LEASE).await.unwrap();
    assert_eq!(resumed, Recovered { due: 1, done: 1, ..NOTHING });
    assert_eq!(store.counts().await.unwrap().recorded, 0);
    assert!(psp.executions(&key("after")).is_empty() && psp.executions(&key("before")).is_empty());
}

/// Turns bits around, and binds the key and the part in.
struct Turned;

impl Seal for Turned {
    fn seal(&self, key: &Key, part: Part, plain: &[u8]) -> Result<Vec<u8>, SealError> {
        let bound = format!("{key} {} ", part.as_str());
        Ok(bound.into_bytes().into_iter().chain(plain.iter().map(|byte| !byte)).collect())
    }

    fn open(&self, key: &Key, part: Part, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        let bound = format!("{key} {} ", part.as_str());
        let sealed = sealed.strip_prefix(bound.as_bytes()).ok_or("sealed for another row or part")?;
        Ok(sealed.iter().map(|byte| !byte).collect())
    }
}

async fn bodies_are_sealed(db: Db) {
    let store = db.open_with(Options::default().seal(Turned)).await;
    let response = Response::new(200, "canary").with_header("X-Secret", "canary");
    let recorded = Recorded::new(claim("A"), "canary");
    let _ = store.record(&recorded).await.unwrap();
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    let _ = store.settle(&owner, &response).await.unwrap();
    let Claimed::Replay(replayed) = store.claim(&claim("A")).await.unwrap() else { panic!() };
    assert_eq!(replayed, response);
    let shown = match db.kind() {
        Kind::Sqlite => {
            "instr(CAST(response_body AS text), 'canary') + instr(CAST(response_headers AS text), 'canary')"
        }
        Kind::Postgres => {
            "position('canary'::bytea in response_body) + position('canary'::bytea in response_headers)"
        }
    };
    let count = format!("SELECT count(*) FROM intentkey_intents WHERE {shown} > 0");
    assert_eq!(db.number(&count).await, 0);
    // A body that was put into another row does not open.
    let other = owned(store.claim(&claim("B")).await.unwrap());
    let _ = store.settle(&other, &Response::new(200, "other")).await.unwrap();
    let (a, b) = (key("A"), key("B"));
    db.execute(&format!(
        "UPDATE intentkey_intents SET response_body = \
         (SELECT response_body FROM intentkey_intents WHERE key = '{a}') WHERE key = '{b}'"
    ))
    .await;
    assert!(matches!(store.claim(&claim("B")).await, Err(StoreError::Seal(_))));
    // Nor one that was put into the place of the headers.
    db.execute(&format!("UPDATE intentkey_intents SET response_headers = response_body WHERE key = '{a}'"))
        .await;
    assert!(matches!(store.claim(&claim("A")).await, Err(StoreError::Seal(_))));
}

async fn rows_are_listed_and_counted(db: Db) {
    let store = db.open().await;
    for n in 0..7 {
        let owner = owned(store.claim(&claim(&format!("A-{n}"))).await.unwrap());
        if n < 3 {
            let _ = store.settle(&owner, &paid()).await.unwrap();
        } else if n == 3 {
            let _ = store.release(&owner).await.unwrap();
        }
    }
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.running, counts.overdue, counts.done, counts.released), (3, 0, 3, 1));
    db.age(30 * SECOND).await;
    let _ = round(&*store, &Psp::new(Terms::neither())).await;
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.running, counts.overdue, counts.unsettled, counts.done), (0, 0, 3, 3));
    let mut keys = Vec::new();
    let mut filter = Filter::default().limit(3);
    loop {
        let rows = store.list(&filter).await.unwrap();
        let Some(last) = rows.last() else { break };
        filter = filter.after(last.key);
        keys.extend(rows.iter().map(|row| row.key));
    }
    assert_eq!(keys.len(), 7);
    assert!(keys.is_sorted());
    let unsettled = Filter::status(Status::Unsettled);
    assert_eq!(store.list(&unsettled.clone().at("psp")).await.unwrap().len(), 3);
    assert_eq!(store.list(&unsettled.at("other")).await.unwrap().len(), 0);
}
