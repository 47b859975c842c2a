//! Rounds of recovery and resumption: what is wrong with one row, and what was recorded beside it.

use intentkey_core::Key;
use intentkey_core::protocol::{Status, Terms, Validity};
use intentkey_store::{
    Claim, Executed, Options, Part, Recorded, RecordedAs, Recovered, Response, Seal, SealError, Settled,
    Store, Why, resume,
};

use crate::recovery::{LEASE, NOTHING, Psp, due, round, status};
use crate::support::*;

on_both! {
    a_request_of_another_payload_is_not_executed
    what_is_recorded_is_compared_with_the_row
    what_a_settlement_has_missed_is_not_executed_again
    what_belongs_to_another_payload_is_parked
    what_comes_too_late_is_parked
    a_request_that_does_not_open_stops_nobody
    an_outcome_that_cannot_be_stored_stops_nobody
    a_row_that_cannot_be_read_stops_nobody
    what_could_not_be_started_is_released
    a_request_that_is_recorded_late_is_executed
    a_lease_may_be_for_ever
    a_text_that_a_database_cannot_store_is_refused_by_both
}

fn keyed() -> Terms {
    Terms::idempotent_by_key(DAY)
}

/// A claim with another payload than the usual one.
fn other(name: &str) -> Claim {
    let mut claim = claim_at(name, keyed());
    claim.fingerprint = fingerprint(2);
    claim
}

async fn a_request_of_another_payload_is_not_executed(db: Db) {
    let store = db.open().await;
    let psp = Psp::new(keyed());
    // Recorded first, claimed with another payload afterwards; and with another destination.
    let _ = store.record(&Recorded::new(other("A"), "of the other payload")).await.unwrap();
    let mut elsewhere = claim_at("B", keyed());
    elsewhere.target.name = "elsewhere".into();
    let _ = store.record(&Recorded::new(elsewhere, "in the other destination's form")).await.unwrap();
    for name in ["A", "B"] {
        let _owner = owned(store.claim(&claim_at(name, keyed())).await.unwrap());
    }
    db.age(30 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, Recovered { due: 2, left: 2, ..NOTHING });
    assert!(psp.executions(&key("A")).is_empty() && psp.executions(&key("B")).is_empty());
}

async fn what_is_recorded_is_compared_with_the_row(db: Db) {
    let store = db.open().await;
    let _owner = owned(store.claim(&claim_at("A", keyed())).await.unwrap());
    let of_other = Recorded::new(other("A"), "");
    assert_eq!(store.record(&of_other).await.unwrap(), RecordedAs::PayloadConflict);
    let mut tenant = claim_at("A", keyed());
    tenant.tenant = "other".into();
    assert_eq!(store.record(&Recorded::new(tenant, "")).await.unwrap(), RecordedAs::PayloadConflict);
    assert_eq!(store.counts().await.unwrap().recorded, 0);
    let same = Recorded::new(claim_at("A", keyed()), "");
    assert_eq!(store.record(&same).await.unwrap(), RecordedAs::New);
    assert_eq!(store.record(&of_other).await.unwrap(), RecordedAs::PayloadConflict);
}

/// What `record` leaves behind where its snapshot is older than the settlement it waited for.
async fn leave_behind(db: &Db, store: &dyn Store, name: &str) {
    let recorded = Recorded::new(claim_at(name, keyed()), "again");
    let owner = owned(store.claim(&recorded.claim).await.unwrap());
    let _ = store.record(&recorded).await.unwrap();
    db.execute("CREATE TABLE IF NOT EXISTS kept AS SELECT * FROM intentkey_recorded WHERE false").await;
    db.execute("INSERT INTO kept SELECT * FROM intentkey_recorded").await;
    assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
    db.execute("INSERT INTO intentkey_recorded SELECT * FROM kept").await;
    db.execute("DELETE FROM kept").await;
}

async fn what_a_settlement_has_missed_is_not_executed_again(db: Db) {
    let store = db.open().await;
    let psp = Psp::new(keyed());
    leave_behind(&db, &*store, "A").await;
    assert_eq!(store.counts().await.unwrap().recorded, 1);
    assert_eq!(resume(&*store, &psp, 100, LEASE).await.unwrap(), NOTHING);
    assert_eq!(store.counts().await.unwrap().recorded, 0);
    // Nobody has resumed before the row is swept: its key is free then.
    leave_behind(&db, &*store, "B").await;
    db.age(30 * DAY).await;
    assert_eq!(store.sweep(100).await.unwrap(), 2);
    assert_eq!(resume(&*store, &psp, 100, LEASE).await.unwrap(), NOTHING);
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.recorded, counts.parked), (0, 0));
    assert!(psp.executions(&key("A")).is_empty() && psp.executions(&key("B")).is_empty());
}

async fn what_belongs_to_another_payload_is_parked(db: Db) {
    let store = db.open().await;
    let psp = Psp::new(keyed());
    for name in ["A", "B"] {
        let _ = store.record(&Recorded::new(other(name), "")).await.unwrap();
        let owner = owned(store.claim(&claim_at(name, keyed())).await.unwrap());
        let _ = store.settle(&owner, &paid()).await.unwrap();
    }
    // The settlement of another payload has not deleted it.
    assert_eq!(store.counts().await.unwrap().recorded, 2);
    // One is found out before its row is swept, one by the sweep.
    let first = resume(&*store, &psp, 1, LEASE).await.unwrap();
    assert_eq!(first, Recovered { due: 1, parked: 1, ..NOTHING });
    db.age(30 * DAY).await;
    assert_eq!(store.sweep(100).await.unwrap(), 2);
    assert_eq!(resume(&*store, &psp, 100, LEASE).await.unwrap(), NOTHING, "never executed as new");
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.recorded, counts.parked), (0, 2));
    let parked = store.parked(None, 100).await.unwrap();
    assert_eq!(parked.iter().map(|parked| parked.why).collect::<Vec<_>>(), [Why::PayloadConflict; 2]);
    assert!(parked.is_sorted_by_key(|parked| parked.key));
    assert_eq!(store.parked(Some(&parked[0].key), 100).await.unwrap().len(), 1);
    assert!(store.forget(&parked[0].key).await.unwrap());
    assert_eq!(store.counts().await.unwrap().parked, 1);
}

async fn what_comes_too_late_is_parked(db: Db) {
    let store = db.open().await;
    let psp = Psp::new(keyed());
    let mut late = claim_at("A", keyed());
    late.validity = Validity::between(1000, Some(2000));
    let _ = store.record(&Recorded::new(late, "")).await.unwrap();
    assert_eq!(resume(&*store, &psp, 100, LEASE).await.unwrap(), due(Recovered { parked: 1, ..NOTHING }));
    assert_eq!(resume(&*store, &psp, 100, LEASE).await.unwrap(), NOTHING);
    let parked = store.parked(None, 100).await.unwrap();
    assert_eq!((parked.len(), parked[0].key, parked[0].why), (1, key("A"), Why::TooLate));
}

/// Opens everything but what says that it is lost.
struct Rotated;

impl Seal for Rotated {
    fn seal(&self, _: &Key, _: Part, plain: &[u8]) -> Result<Vec<u8>, SealError> {
        Ok(plain.to_vec())
    }

    fn open(&self, _: &Key, _: Part, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        if sealed == b"lost" { Err("the sealing key is gone".into()) } else { Ok(sealed.to_vec()) }
    }
}

async fn a_request_that_does_not_open_stops_nobody(db: Db) {
    let store = db.open_with(Options::default().seal(Rotated)).await;
    let psp = Psp::new(keyed());
    for (name, request) in [("A", "lost"), ("B", "request B")] {
        let _ = store.record(&Recorded::new(claim_at(name, keyed()), request)).await.unwrap();
    }
    assert_eq!(
        resume(&*store, &psp, 100, LEASE).await.unwrap(),
        Recovered { due: 2, done: 1, failed: 1, ..NOTHING }
    );
    for (name, request) in [("C", "lost"), ("D", "request D")] {
        let recorded = Recorded::new(claim_at(name, keyed()), request);
        let _ = store.record(&recorded).await.unwrap();
        let _owner = owned(store.claim(&recorded.claim).await.unwrap());
    }
    db.age(30 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, Recovered { due: 2, done: 1, failed: 1, ..NOTHING });
    assert_eq!(psp.executions(&key("D")), [b"request D"]);
    // It was recorded, and is not taken for what was not.
    assert_eq!(status(&*store, "C").await, Status::InFlight);
    db.age(LEASE).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { failed: 1, ..NOTHING }));
}

async fn an_outcome_that_cannot_be_stored_stops_nobody(db: Db) {
    let store = db.open().await;
    let mut psp = Psp::new(keyed());
    psp.executes = Executed::Done(Response::new(200, "").with_header("X", "a\nb"));
    for name in ["A", "B"] {
        let _ = store.record(&Recorded::new(claim_at(name, keyed()), "")).await.unwrap();
    }
    assert_eq!(resume(&*store, &psp, 100, LEASE).await.unwrap(), Recovered { due: 2, failed: 2, ..NOTHING });
    db.age(30 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, Recovered { due: 2, failed: 2, ..NOTHING });
    assert_eq!((psp.executions(&key("A")).len(), psp.executions(&key("B")).len()), (2, 2));
}

async fn a_row_that_cannot_be_read_stops_nobody(db: Db) {
    let store = db.open().await;
    let psp = Psp::new(Terms::neither());
    for name in ["A", "B"] {
        let _owner = owned(store.claim(&claim(name)).await.unwrap());
    }
    db.age(30 * SECOND).await;
    let token = if db.kind() == Kind::Sqlite { "x'01'" } else { "'\\x01'::bytea" };
    db.execute(&format!("UPDATE intentkey_intents SET owner_token = {token} WHERE key = '{}'", key("A")))
        .await;
    assert_eq!(round(&*store, &psp).await, Recovered { due: 2, gave_up: 1, failed: 1, ..NOTHING });
    assert_eq!(status(&*store, "B").await, Status::Unsettled);
    assert_eq!(round(&*store, &psp).await, NOTHING, "it is leased");
}

async fn what_could_not_be_started_is_released(db: Db) {
    let store = db.open().await;
    let mut psp = Psp::new(Terms::neither());
    // No time at all is left when the claim's answer arrives.
    psp.target.execution = std::time::Duration::ZERO;
    let mut claim = claim("A");
    claim.target = psp.target.clone();
    let _ = store.record(&Recorded::new(claim, "request A")).await.unwrap();
    assert_eq!(resume(&*store, &psp, 100, LEASE).await.unwrap(), due(Recovered { released: 1, ..NOTHING }));
    assert_eq!(status(&*store, "A").await, Status::Released, "and not unsettled: nothing was sent");
    assert!(psp.executions(&key("A")).is_empty());
}

async fn a_request_that_is_recorded_late_is_executed(db: Db) {
    let store = db.open().await;
    let psp = Psp::new(keyed());
    let recorded = Recorded::new(claim_at("A", keyed()), "request A");
    let _owner = owned(store.claim(&recorded.claim).await.unwrap());
    db.age(30 * SECOND).await;
    // Without the request it is left until the destination forgets the key.
    assert_eq!(round(&*store, &psp).await, due(Recovered { left: 1, ..NOTHING }));
    assert_eq!(store.record(&recorded).await.unwrap(), RecordedAs::New);
    assert_eq!(round(&*store, &psp).await, due(Recovered { done: 1, ..NOTHING }));
    assert_eq!(psp.executions(&key("A")), [b"request A"]);
}

async fn a_lease_may_be_for_ever(db: Db) {
    let store = db.open().await;
    let psp = Psp::new(Terms::neither());
    let _owner = owned(store.claim(&claim("A")).await.unwrap());
    let _ = store.record(&Recorded::new(claim("B"), "")).await.unwrap();
    db.age(30 * SECOND).await;
    let forever = std::time::Duration::MAX;
    assert_eq!(store.due(&psp.target, 1, forever).await.unwrap().len(), 1);
    assert_eq!(store.resume(&psp.target, 1, forever).await.unwrap().len(), 1);
    let mut long = claim("C").keep_for(forever);
    long.target.execution = forever;
    let _owner = owned(store.claim(&long).await.unwrap());
    let _ = db
        .open_with(Options::default().longest_claim(forever).sweep_margin(forever))
        .await
        .sweep(1)
        .await
        .unwrap();
}

async fn a_text_that_a_database_cannot_store_is_refused_by_both(db: Db) {
    let store = db.open().await;
    let texts: [fn(&mut Claim) -> &mut String; 3] =
        [|claim| &mut claim.tenant, |claim| &mut claim.action, |claim| &mut claim.target.name];
    for text in texts {
        let mut claim = claim("A");
        text(&mut claim).push('\0');
        let refused = store.claim(&claim).await.map(drop);
        assert!(matches!(refused, Err(intentkey_store::StoreError::Text(_))), "{refused:?}");
        assert!(store.record(&Recorded::new(claim, "")).await.is_err());
    }
    assert_eq!(db.number("SELECT count(*) FROM intentkey_intents").await, 0);
}
