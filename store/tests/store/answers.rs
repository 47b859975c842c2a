//! What claims and settlements come to, one after another.

use std::time::Duration;

use intentkey_core::protocol::{Problem, RetentionError, Status, Terms, Validity};
use intentkey_core::{Deriver, Intent, Payload, Policy, Secret};
use intentkey_store::{Claim, Claimed, Options, Response, Settled, Target};

use crate::support::*;

on_both! {
    a_finished_intent_is_replayed_byte_for_byte
    a_running_one_is_in_flight
    another_payload_or_tenant_conflicts
    a_client_may_repeat_across_a_rotation
    a_release_lets_the_next_repeat_execute
    an_unknown_outcome_is_given_up_on_at_a_destination_with_neither
    a_destination_that_honours_keys_gets_the_same_key_again
    a_row_taken_over_while_unknown_cannot_be_released
    only_the_holder_settles
    a_holder_settles_late_and_after_it_was_given_up_on
    an_intent_older_than_its_retention_is_refused
    an_intent_from_the_future_is_refused
    repeats_move_expiry_on
    derived_intents_are_claimed_with_their_edge_keys
    a_derived_intent_is_kept_for_as_long_as_its_callers_repeat
    the_owner_knows_how_much_time_is_left
}

async fn a_finished_intent_is_replayed_byte_for_byte(db: Db) {
    let store = db.open().await;
    let response = Response::new(500, [0, 255, b'{', b'\\', b'u', 0])
        .with_header("Set-Cookie", "a=1")
        .with_header("set-cookie", "b=2")
        .with_header("X-Latin", [0xe9]);
    let owned = owned(store.claim(&claim("A")).await.unwrap());
    assert_eq!(owned.key, key("A"));
    assert_eq!(store.settle(&owned, &response).await.unwrap(), Settled::Written);
    let Claimed::Replay(replayed) = store.claim(&claim("A")).await.unwrap() else { panic!() };
    assert_eq!(replayed, response);
    // Another process sees the same.
    let Claimed::Replay(replayed) = db.open().await.claim(&claim("A")).await.unwrap() else { panic!() };
    assert_eq!(replayed, response);
}

async fn a_running_one_is_in_flight(db: Db) {
    let store = db.open().await;
    let _owned = owned(store.claim(&claim("A")).await.unwrap());
    let repeat = store.claim(&claim("A")).await.unwrap();
    assert_eq!(repeat.problem(), Some(Problem::InFlight { retry_after: 30 }));
    db.age(25 * SECOND).await;
    let Claimed::InFlight { retry_after } = store.claim(&claim("A")).await.unwrap() else { panic!() };
    assert!((1..=5).contains(&retry_after), "{retry_after}");
    let _other = owned(store.claim(&claim("B")).await.unwrap());
}

async fn another_payload_or_tenant_conflicts(db: Db) {
    let store = db.open().await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    let mut payload = claim("A");
    payload.fingerprint = fingerprint(2);
    let mut tenant = claim("A");
    tenant.tenant = "evil".into();
    for other in [&payload, &tenant] {
        assert_eq!(store.claim(other).await.unwrap().problem(), Some(Problem::KeyReused));
    }
    let _ = store.settle(&owner, &paid()).await.unwrap();
    for other in [&payload, &tenant] {
        assert_eq!(store.claim(other).await.unwrap().problem(), Some(Problem::KeyReused));
    }
    assert_eq!(word(&store.claim(&claim("A")).await.unwrap()), "replay");
}

/// A client's key is the same before and after a secret's rotation; its fingerprint is not.
async fn a_client_may_repeat_across_a_rotation(db: Db) {
    let store = db.open().await;
    let policy = Policy::from_json(
        r#"{"name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
            "identity": {"order": {"rule": "exact"}}}"#,
    )
    .unwrap();
    let entry = |id: &str, from_epoch, byte| intentkey_core::KeyringEntry {
        id: id.into(),
        from_epoch,
        secret: Secret::new([byte; 32]).unwrap(),
    };
    let ring = intentkey_core::Keyring::new(vec![entry("old", 0, 7), entry("new", 900_000, 8)]).unwrap();
    let deriver = Deriver::new(policy, ring).unwrap();
    let repeat = |epoch: u64, order: &str| {
        let payload = format!(r#"{{"order": "{order}"}}"#);
        let (tenant, action) = ("acme".into(), "refund.create".into());
        let intent = Intent { tenant, action, epoch: epoch.into(), payload: Payload::Json(&payload) };
        let mut claim = claim("A").formerly(deriver.fingerprints(&intent).unwrap());
        claim.fingerprint = deriver.fingerprint(&intent).unwrap();
        claim
    };
    let owner = owned(store.claim(&repeat(899_000, "A-1")).await.unwrap());
    assert_eq!(word(&store.claim(&repeat(901_000, "A-1")).await.unwrap()), "in flight");
    let _ = store.settle(&owner, &paid()).await.unwrap();
    assert_eq!(word(&store.claim(&repeat(901_000, "A-1")).await.unwrap()), "replay");
    assert_eq!(word(&store.claim(&repeat(901_000, "A-2")).await.unwrap()), "payload conflict");
}

async fn a_release_lets_the_next_repeat_execute(db: Db) {
    let store = db.open().await;
    let first = owned(store.claim(&claim("A")).await.unwrap());
    assert_eq!(store.release(&first).await.unwrap(), Settled::Written);
    assert_eq!(store.get(&key("A")).await.unwrap().unwrap().status, Status::Released);
    let second = owned(store.claim(&claim("A")).await.unwrap());
    assert_ne!(second.token, first.token);
    assert_eq!(store.settle(&first, &paid()).await.unwrap(), Settled::NotOwner);
    assert_eq!(store.settle(&second, &paid()).await.unwrap(), Settled::Written);
}

async fn an_unknown_outcome_is_given_up_on_at_a_destination_with_neither(db: Db) {
    let store = db.open().await;
    let _owned = owned(store.claim(&claim("A")).await.unwrap());
    db.age(29 * SECOND).await;
    assert_eq!(word(&store.claim(&claim("A")).await.unwrap()), "in flight");
    db.age(SECOND).await;
    for _ in 0..2 {
        assert_eq!(store.claim(&claim("A")).await.unwrap().problem(), Some(Problem::Unsettled));
        assert_eq!(store.get(&key("A")).await.unwrap().unwrap().status, Status::Unsettled);
    }
}

async fn a_destination_that_honours_keys_gets_the_same_key_again(db: Db) {
    let store = db.open().await;
    let claim = claim_at("A", Terms::idempotent_by_key(DAY));
    let first = owned(store.claim(&claim).await.unwrap());
    db.age(30 * SECOND).await;
    let second = owned(store.claim(&claim).await.unwrap());
    assert_eq!(second.key, first.key);
    assert_eq!((first.taken_over, second.taken_over), (false, true));
    assert_eq!(word(&store.claim(&claim).await.unwrap()), "in flight");
    // The destination forgets the key a day after the first claim.
    db.age(DAY - 60 * SECOND).await;
    assert_eq!(word(&store.claim(&claim).await.unwrap()), "unsettled");
}

async fn a_row_taken_over_while_unknown_cannot_be_released(db: Db) {
    let store = db.open().await;
    let claim = claim_at("A", Terms::idempotent_by_key(DAY));
    let _first = owned(store.claim(&claim).await.unwrap());
    db.age(30 * SECOND).await;
    let second = owned(store.claim(&claim).await.unwrap());
    // The second could not connect; what the first did is unknown all the same.
    assert_eq!(store.release(&second).await.unwrap(), Settled::StillUnknown);
    assert_eq!(store.get(&key("A")).await.unwrap().unwrap().status, Status::InFlight);
}

async fn only_the_holder_settles(db: Db) {
    let store = db.open().await;
    let claim = claim_at("A", Terms::idempotent_by_key(DAY));
    let first = owned(store.claim(&claim).await.unwrap());
    db.age(30 * SECOND).await;
    let second = owned(store.claim(&claim).await.unwrap());
    assert_eq!(store.settle(&first, &paid()).await.unwrap(), Settled::NotOwner);
    assert_eq!(store.release(&first).await.unwrap(), Settled::NotOwner);
    assert_eq!(store.get(&key("A")).await.unwrap().unwrap().status, Status::InFlight);
    assert_eq!(store.settle(&second, &paid()).await.unwrap(), Settled::Written);
    // The same again is fine, another outcome is not written.
    assert_eq!(store.settle(&second, &paid()).await.unwrap(), Settled::Written);
    assert_eq!(store.settle(&second, &Response::new(500, "")).await.unwrap(), Settled::AlreadySettled);
    assert_eq!(store.release(&second).await.unwrap(), Settled::AlreadySettled);
    let Claimed::Replay(response) = store.claim(&claim).await.unwrap() else { panic!() };
    assert_eq!(response, paid());
}

async fn a_holder_settles_late_and_after_it_was_given_up_on(db: Db) {
    let store = db.open().await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    db.age(DAY).await;
    assert_eq!(word(&store.claim(&claim("A")).await.unwrap()), "unsettled");
    assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
    assert_eq!(word(&store.claim(&claim("A")).await.unwrap()), "replay");
}

fn seconds_now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs()
}

async fn an_intent_older_than_its_retention_is_refused(db: Db) {
    let store = db.open().await;
    let now = seconds_now();
    let mut old = claim("A");
    old.ttl = DAY;
    old.validity = Validity::between(now - 2 * 86_400, Some(now - 86_400 - 1));
    assert_eq!(store.claim(&old).await.unwrap().problem(), Some(Problem::IntentTooLate));
    assert!(store.get(&key("A")).await.unwrap().is_none(), "nothing is stored of it");
    // What is stored is answered, however old.
    old.validity = Validity::between(now - 2 * 86_400, Some(now - 86_400 + 3_600));
    let owner = owned(store.claim(&old).await.unwrap());
    let _ = store.settle(&owner, &paid()).await.unwrap();
    old.validity = Validity::between(now - 2 * 86_400, Some(now - 86_400 - 1));
    assert_eq!(word(&store.claim(&old).await.unwrap()), "replay");
    // Close to the end, too, the claim is judged by the clock that is read after the insertion.
    let mut close = claim("B");
    close.ttl = DAY;
    close.validity = Validity::between(now - 2 * 86_400, Some(now - 86_400 + 5));
    let _owner = owned(store.claim(&close).await.unwrap());
}

async fn an_intent_from_the_future_is_refused(db: Db) {
    let store = db.open().await;
    let now = seconds_now();
    let mut early = claim("A");
    early.validity = Validity::between(now + 310, Some(now + 1000));
    assert_eq!(store.claim(&early).await.unwrap().problem(), Some(Problem::IntentTooEarly));
    assert!(store.get(&key("A")).await.unwrap().is_none(), "nothing is stored of it");
    early.validity = Validity::between(now + 290, Some(now + 1000));
    let _owner = owned(store.claim(&early).await.unwrap());
}

async fn repeats_move_expiry_on(db: Db) {
    let store = db.open_with(Options::default().longest_claim(SECOND).sweep_margin(2 * SECOND)).await;
    let claim = claim("A").keep_for(100 * SECOND);
    let owner = owned(store.claim(&claim).await.unwrap());
    let _ = store.settle(&owner, &paid()).await.unwrap();
    let expires_at = async || store.get(&key("A")).await.unwrap().unwrap().expires_at;
    db.age(90 * SECOND).await;
    let before = expires_at().await;
    assert_eq!(word(&store.claim(&claim).await.unwrap()), "replay");
    let moved = expires_at().await.since(before);
    assert!(moved >= 90 * SECOND && moved < 100 * SECOND, "{moved:?}");
    // Without the repeat it would be swept now: the margin has at least 62 seconds.
    db.age(90 * SECOND).await;
    assert_eq!(store.sweep(100).await.unwrap(), 0);
    db.age(75 * SECOND).await;
    assert_eq!(store.sweep(100).await.unwrap(), 1);
    assert!(store.get(&key("A")).await.unwrap().is_none());
}

/// Two keyrings' worth of producers around the edge of a bucket, the secret rotating there.
async fn derived_intents_are_claimed_with_their_edge_keys(db: Db) {
    let store = db.open().await;
    let policy = Policy::from_json(
        r#"{"name": "refund", "actions": ["refund.create"], "bucket_seconds": 900, "edge_seconds": 20,
            "identity": {"order": {"rule": "exact"}}, "checked": {"note": {"rule": "exact"}}}"#,
    )
    .unwrap();
    let edge = (seconds_now() / 900) * 900;
    let entry = |id: &str, from_epoch, byte| intentkey_core::KeyringEntry {
        id: id.into(),
        from_epoch,
        secret: Secret::new([byte; 32]).unwrap(),
    };
    let ring = intentkey_core::Keyring::new(vec![entry("old", 0, 7), entry("new", edge, 8)]).unwrap();
    let deriver = Deriver::new(policy.clone(), ring).unwrap();
    let claim = |epoch: u64, payload: &'static str| {
        let intent = Intent {
            tenant: "acme".into(),
            action: "refund.create".into(),
            epoch: epoch.into(),
            payload: Payload::Json(payload),
        };
        let derived = deriver.derive(&intent).unwrap();
        let target = Target::new("psp", Terms::neither(), 30 * SECOND);
        Claim::derived(&derived, &policy, epoch, "acme", "refund.create", target).unwrap()
    };
    let payload = r#"{"order": "A-1", "note": "damaged"}"#;
    let (before, after) = (claim(edge - 5, payload), claim(edge + 5, payload));
    assert_ne!(before.key, after.key);
    assert_eq!(before.edge.unwrap().0, after.edge.unwrap().0);
    assert_eq!((before.secret_id.as_deref(), after.secret_id.as_deref()), (Some("old"), Some("new")));

    let owner = owned(store.claim(&before).await.unwrap());
    // Only the edge key is taken: a repeat of the row it points to, and no false conflict.
    assert_eq!(word(&store.claim(&after).await.unwrap()), "in flight");
    let _ = store.settle(&owner, &paid()).await.unwrap();
    assert_eq!(word(&store.claim(&after).await.unwrap()), "replay");
    assert_eq!(store.get(&before.edge.unwrap().0).await.unwrap().unwrap().key, before.key);
    // A checked field that changed is a conflict across the edge as well.
    let changed = claim(edge + 5, r#"{"order": "A-1", "note": "lost"}"#);
    assert_eq!(word(&store.claim(&changed).await.unwrap()), "payload conflict");
    // The key itself stays free for others of its bucket, further from the edge.
    let later = claim(edge + 100, payload);
    assert_eq!(later.key, after.key);
    if edge + 100 <= seconds_now() + 300 {
        let _owner = owned(store.claim(&later).await.unwrap());
        // Now the key and the edge key belong to two rows: it is a repeat of the key's.
        assert_eq!(word(&store.claim(&after).await.unwrap()), "in flight");
        assert_eq!(word(&store.claim(&before).await.unwrap()), "replay");
    }
}

/// With one bucket for all time nothing is ever too late: the row alone protects.
async fn a_derived_intent_is_kept_for_as_long_as_its_callers_repeat(db: Db) {
    let store = db.open().await;
    let claim = |retention: &str| {
        let policy = Policy::from_json(&format!(
            r#"{{"name": "refund", "actions": ["refund.create"], "bucket_seconds": 0,
                "identity": {{"order": {{"rule": "exact"}}}}, "retention": {retention}}}"#
        ))
        .unwrap();
        let deriver = Deriver::new(policy.clone(), Secret::new([7; 32]).unwrap()).unwrap();
        let epoch = seconds_now();
        let payload = Payload::Json(r#"{"order": "A-1"}"#);
        let intent =
            Intent { tenant: "acme".into(), action: "refund.create".into(), epoch: epoch.into(), payload };
        let derived = deriver.derive(&intent).unwrap();
        Claim::derived(&derived, &policy, epoch, "acme", "refund.create", target(Terms::neither()))
    };
    let refused = claim(r#"{"callers": {"queue": "unmeasured"}}"#).unwrap_err();
    assert_eq!(refused, RetentionError::Unmeasured { caller: "queue".into() });
    // The queue redelivers for 14 days.
    let claim = claim(r#"{"callers": {"queue": 1209600}}"#).unwrap();
    let owner = owned(store.claim(&claim).await.unwrap());
    let _ = store.settle(&owner, &paid()).await.unwrap();
    db.age(10 * DAY).await;
    assert_eq!(store.sweep(100).await.unwrap(), 0);
    assert_eq!(word(&store.claim(&claim).await.unwrap()), "replay");
}

async fn the_owner_knows_how_much_time_is_left(db: Db) {
    let store = db.open().await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    assert!(owner.time_left() <= 30 * SECOND && owner.time_left() > 20 * SECOND);
    let mut none = claim("B");
    none.target.execution = Duration::ZERO;
    assert!(owned(store.claim(&none).await.unwrap()).time_left().is_zero());
}
