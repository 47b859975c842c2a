//! Processes killed with SIGKILL at every step, against a destination that counts effects.
//!
//! A round starts a worker, which records, claims, executes, settles and recovers two intents, and says
//! each step before it takes it; kills it at one of them, up to some milliseconds later; in half of the
//! rounds kills its successor as well; and lets a last worker come to the end. A round counts only where
//! a row was in flight when the kill came. `INTENTKEY_CRASH_ROUNDS` says how many rounds of each kind are
//! to count. In other rounds an owner is stopped instead, and goes on while the next one executes.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

mod destination;
mod rig;
#[path = "../store/support/mod.rs"]
#[expect(dead_code, unused_macros, unused_imports, reason = "what the other tests need of it")]
mod support;
mod table;
mod worker;

use rig::{Kind as Promise, Rig, Tally};
use support::{Db, on_both};

on_both! {
    a_destination_that_honours_keys_has_one_effect
    a_destination_that_can_be_looked_up_has_one_effect
    a_destination_with_neither_has_never_two
    an_owner_that_was_stopped_adds_none
    a_key_for_each_attempt_has_two
    a_look_up_without_the_delay_has_two
    an_expiry_in_flight_has_two
    an_unknown_that_counts_as_absent_has_two
    an_owner_that_sends_late_has_two
    a_settlement_without_the_token_has_two
}

async fn a_destination_that_honours_keys_has_one_effect(db: Db) {
    let tally = Rig::new(&db, Promise::Idempotent).run().await;
    assert_eq!(tally, Tally { doubles: 0, missing: 0, unsettled: 0, ..tally }, "{tally:?}");
}

async fn a_destination_that_can_be_looked_up_has_one_effect(db: Db) {
    let tally = Rig::new(&db, Promise::LookUp).run().await;
    assert_eq!(tally, Tally { doubles: 0, missing: 0, unsettled: 0, ..tally }, "{tally:?}");
}

async fn a_destination_with_neither_has_never_two(db: Db) {
    let tally = Rig::new(&db, Promise::Neither).run().await;
    // What is missing is listed: the rig has checked that every row without an outcome is unsettled.
    assert_eq!(tally.doubles, 0, "{tally:?}");
    assert!(tally.unsettled > 0, "some kills came while the outcome was unknown: {tally:?}");
}

async fn an_owner_that_was_stopped_adds_none(db: Db) {
    let tally = Rig::new(&db, Promise::LookUp).stopped().run().await;
    assert_eq!(tally, Tally { doubles: 0, missing: 0, unsettled: 0, ..tally }, "{tally:?}");
}

// The same rig with one safety rule off: it would see a double effect.

async fn a_key_for_each_attempt_has_two(db: Db) {
    let tally = Rig::new(&db, Promise::Idempotent).without("one-key").run().await;
    assert!(tally.doubles > 0, "{tally:?}");
}

async fn a_look_up_without_the_delay_has_two(db: Db) {
    let tally = Rig::new(&db, Promise::LookUp).without("delay").run().await;
    assert!(tally.doubles > 0, "{tally:?}");
}

async fn an_expiry_in_flight_has_two(db: Db) {
    let tally = Rig::new(&db, Promise::Neither).without("in-flight").run().await;
    assert!(tally.doubles > 0, "{tally:?}");
}

async fn an_unknown_that_counts_as_absent_has_two(db: Db) {
    let tally = Rig::new(&db, Promise::LookUp).without("unknown").run().await;
    assert!(tally.doubles > 0, "{tally:?}");
}

async fn an_owner_that_sends_late_has_two(db: Db) {
    let tally = Rig::new(&db, Promise::LookUp).stopped().without("time-left").run().await;
    assert!(tally.doubles > 0, "{tally:?}");
}

async fn a_settlement_without_the_token_has_two(db: Db) {
    let tally = Rig::new(&db, Promise::LookUp).stopped().without("token").run().await;
    assert!(tally.doubles > 0, "{tally:?}");
}

#[test]
#[ignore = "a process of the other tests"]
fn worker_process() {
    worker::main();
}

#[test]
#[ignore = "a process of the other tests"]
fn destination_process() {
    destination::main();
}
