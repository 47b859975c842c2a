//! Repeats that are sent to another destination than the first attempt was.

use intentkey_core::protocol::{Status, Terms};
use intentkey_store::{Claim, Looked, Reconciled, Recovered, Settled, Target, reconcile};

use crate::recovery::{LEASE, NOTHING, Psp, due, round, status};
use crate::support::*;

on_both! {
    an_unknown_outcome_is_left_to_its_own_destination
    a_repeat_that_takes_over_takes_the_row_along
    what_was_sent_without_a_promise_is_judged_without_it
    the_shorter_retention_and_the_longer_delay_count
    a_statement_has_to_cover_the_longer_delay
    what_never_happened_is_sent_under_the_terms_of_now
}

/// A claim to a destination of this name.
fn claim_to(name: &str, terms: Terms) -> Claim {
    let mut claim = claim("A");
    claim.target = Target::new(name, terms, 30 * SECOND);
    claim
}

fn psp(name: &str, terms: Terms) -> Psp {
    let mut psp = Psp::new(terms);
    psp.target.name = name.into();
    psp
}

async fn an_unknown_outcome_is_left_to_its_own_destination(db: Db) {
    let store = db.open().await;
    let (first, other) = (claim_to("one", Terms::neither()), claim_to("two", Terms::idempotent_by_key(DAY)));
    let _dead = owned(store.claim(&first).await.unwrap());
    db.age(30 * SECOND).await;
    // The other destination would execute it as new, whatever it says of keys.
    assert_eq!(word(&store.claim(&other).await.unwrap()), "in flight");
    assert_eq!(status(&*store, "A").await, Status::InFlight, "nothing is written");
    assert_eq!(round(&*store, &psp("two", Terms::idempotent_by_key(DAY))).await, NOTHING);
    // Nor does a worker of another destination take it a step further.
    let rows = [store.due(&first.target, 1, LEASE).await.unwrap().remove(0).unwrap()];
    let step = intentkey_store::Step::TakeUp;
    let advanced = store.advance(&rows[0], &step, &other.target).await.unwrap();
    assert!(matches!(advanced, intentkey_store::Advanced::Left), "{advanced:?}");
    // Its own gives up on it.
    assert_eq!(word(&store.claim(&first).await.unwrap()), "unsettled");
    assert_eq!(word(&store.claim(&other).await.unwrap()), "unsettled");
}

async fn a_repeat_that_takes_over_takes_the_row_along(db: Db) {
    let store = db.open().await;
    let terms = Terms::look_up(SECOND);
    let (one, two) = (psp("one", terms).says(Looked::Absent), psp("two", terms).says(Looked::Found(paid())));
    let first = owned(store.claim(&claim_to("one", terms)).await.unwrap());
    assert_eq!(store.release(&first).await.unwrap(), Settled::Written);
    // Known not to have happened: the repeat may go elsewhere, and dies there after it has sent.
    let _second = owned(store.claim(&claim_to("two", terms)).await.unwrap());
    assert_eq!(store.get(&key("A")).await.unwrap().unwrap().destination, "two");
    db.age(31 * SECOND).await;
    // The first destination knows nothing of it, and is not asked.
    assert_eq!(round(&*store, &one).await, NOTHING);
    assert_eq!(round(&*store, &two).await, due(Recovered { done: 1, ..NOTHING }));
    assert_eq!(word(&store.claim(&claim_to("one", terms)).await.unwrap()), "replay");
}

/// The service was changed to send its keys, and declares so: what it sent before had none.
async fn what_was_sent_without_a_promise_is_judged_without_it(db: Db) {
    let store = db.open().await;
    let promised = Terms::idempotent_by_key(DAY).and_look_up(SECOND);
    for name in ["repeated", "recovered"] {
        let _dead = owned(store.claim(&claim(name)).await.unwrap());
        assert_eq!(store.get(&key(name)).await.unwrap().unwrap().terms, Some(Terms::neither()));
    }
    db.age(40 * SECOND).await;
    assert_eq!(word(&store.claim(&claim_at("repeated", promised)).await.unwrap()), "unsettled");
    let psp = Psp::new(promised).says(Looked::Absent);
    assert_eq!(round(&*store, &psp).await, due(Recovered { gave_up: 1, ..NOTHING }));
    assert_eq!(status(&*store, "recovered").await, Status::Unsettled);
    // What is claimed from now on is sent with its key.
    let _dead = owned(store.claim(&claim_at("new", promised)).await.unwrap());
    db.age(40 * SECOND).await;
    let again = owned(store.claim(&claim_at("new", promised)).await.unwrap());
    assert!(again.taken_over);
}

async fn the_shorter_retention_and_the_longer_delay_count(db: Db) {
    let store = db.open().await;
    let (short, long) = (Terms::idempotent_by_key(70 * SECOND), Terms::idempotent_by_key(DAY));
    let _dead = owned(store.claim(&claim_at("keyed", short)).await.unwrap());
    let (late, soon) = (Terms::look_up(90 * SECOND), Terms::look_up(SECOND));
    let _dead = owned(store.claim(&claim_at("asked", late)).await.unwrap());
    db.age(30 * SECOND).await;
    // Within both, the row is taken over, and keeps what was declared first.
    let _dead = owned(store.claim(&claim_at("keyed", long)).await.unwrap());
    assert_eq!(store.get(&key("keyed")).await.unwrap().unwrap().terms, Some(short));
    db.age(30 * SECOND).await;
    assert_eq!(word(&store.claim(&claim_at("keyed", long)).await.unwrap()), "unsettled");
    // Nor does absence count before the request must have arrived: 120 seconds after the claim.
    let psp = Psp::new(soon).says(Looked::Absent);
    db.execute("UPDATE intentkey_intents SET next_look_at = execute_by").await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { left: 1, ..NOTHING }));
    db.age(60 * SECOND).await;
    assert_eq!(round(&*store, &psp).await, due(Recovered { released: 1, ..NOTHING }));
}

async fn a_statement_has_to_cover_the_longer_delay(db: Db) {
    let store = db.open().await;
    let (late, soon) = (Terms::look_up(90 * SECOND), Terms::look_up(SECOND));
    for name in ["absent", "found"] {
        let _dead = owned(store.claim(&claim_at(name, late)).await.unwrap());
    }
    // They were to be executed until 170 seconds ago, and may have arrived until 80 seconds ago.
    db.age(200 * SECOND).await;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    for (until, expected) in [
        (now - 120, Reconciled { found: 1, left: 1, ..Reconciled::default() }),
        (now - 60, Reconciled { never_happened: 1, ..Reconciled::default() }),
    ] {
        let statement = format!(
            "{{\"covers_from\": 0, \"covers_until\": {until}, \"effects\": 1}}\n{{\"key\": \"{}\"}}",
            key("found")
        );
        let reconciled = reconcile(&*store, &target(soon), statement.as_bytes(), "bank").await.unwrap();
        assert_eq!(reconciled, expected);
    }
}

async fn what_never_happened_is_sent_under_the_terms_of_now(db: Db) {
    let store = db.open().await;
    let first = owned(store.claim(&claim("A")).await.unwrap());
    assert_eq!(store.release(&first).await.unwrap(), Settled::Written);
    let terms = Terms::idempotent_by_key(DAY);
    let _dead = owned(store.claim(&claim_at("A", terms)).await.unwrap());
    assert_eq!(store.get(&key("A")).await.unwrap().unwrap().terms, Some(terms));
    db.age(30 * SECOND).await;
    let _second = owned(store.claim(&claim_at("A", terms)).await.unwrap());
}
