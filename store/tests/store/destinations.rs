//! Repeats that are sent to another destination than the first attempt was.

use intentkey_core::protocol::{Status, Terms};
use intentkey_store::{Claim, Looked, Recovered, Settled, Target};

use crate::recovery::{LEASE, NOTHING, Psp, due, round, status};
use crate::support::*;

on_both! {
    an_unknown_outcome_is_left_to_its_own_destination
    a_repeat_that_takes_over_takes_the_row_along
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
