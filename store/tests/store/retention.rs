//! For how long outcomes are kept that came late, and rows whose repeats may come later than they.

use intentkey_core::protocol::{Terms, Validity};
use intentkey_store::{Claim, Claimed, Looked, Recovered, Resolution, Response, Settled, Store, reconcile};

use crate::recovery::{NOTHING, Psp, due, round};
use crate::support::*;

on_both! {
    an_outcome_that_came_late_is_kept_for_a_whole_time
    a_row_is_kept_until_every_key_of_it_comes_too_late
    a_raised_time_to_live_moves_rows_on
}

on_postgres! {
    a_repeat_leaves_a_large_body_where_it_is
}

/// A client's key, kept for a day.
fn claim_for_a_day(name: &str, terms: Terms) -> Claim {
    claim_at(name, terms).keep_for(DAY)
}

async fn replays(store: &dyn Store, claim: &Claim) -> bool {
    word(&store.claim(claim).await.unwrap()) == "replay"
}

/// Nothing of it may be deleted before the clients that wait for it have repeated: they would execute.
async fn an_outcome_that_came_late_is_kept_for_a_whole_time(db: Db) {
    let store = db.open().await;
    let terms = Terms::look_up(SECOND);
    let claims = ["settled", "resolved", "in the statement", "found"]
        .map(|name| claim_for_a_day(&name.replace(' ', "-"), terms));
    let mut owners = Vec::new();
    for claim in &claims {
        owners.push(owned(store.claim(claim).await.unwrap()));
    }
    // Two days later they have expired, and are still not known.
    db.age(2 * DAY).await;
    assert_eq!(store.settle(&owners[0], &paid()).await.unwrap(), Settled::Written);
    let _ = store.resolve(&claims[1].key, &Resolution::Found(paid()), "ana", "").await.unwrap();
    let statement = format!(
        "{{\"covers_from\": 0, \"covers_until\": 1, \"effects\": 1}}\n{{\"key\": \"{}\"}}",
        claims[2].key
    );
    let reconciled = reconcile(&*store, &claims[2].target, statement.as_bytes(), "bank").await.unwrap();
    assert_eq!((reconciled.found, reconciled.left), (1, 1));
    let psp = Psp::new(terms).says(Looked::Found(Response::new(201, "")));
    assert_eq!(round(&*store, &psp).await, due(Recovered { done: 1, ..NOTHING }));
    assert_eq!(store.sweep(100).await.unwrap(), 0);
    db.age(DAY - 60 * SECOND).await;
    assert_eq!(store.sweep(100).await.unwrap(), 0);
    for claim in &claims {
        assert!(replays(&*store, claim).await, "{claim:?}");
    }
    db.age(2 * DAY).await;
    assert_eq!(store.sweep(100).await.unwrap(), 4);
}

/// A row that was claimed in the middle of its bucket is repeated near the end of it, where the repeat's
/// keys are those of the next bucket too: that repeat may come a bucket longer.
async fn a_row_is_kept_until_every_key_of_it_comes_too_late(db: Db) {
    let store = db.open().await;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let mut middle = claim_for_a_day("A", Terms::neither());
    middle.validity = Validity::between(now - 400, Some(now + 100));
    let mut edge = middle.clone();
    edge.edge = Some((key("E"), fingerprint(1)));
    edge.validity = Validity::between(now, Some(now + 1000));
    let owner = owned(store.claim(&middle).await.unwrap());
    let _ = store.settle(&owner, &paid()).await.unwrap();
    assert!(replays(&*store, &edge).await);
    // The first one's keys come too late now, by more than the sweep's margin; the second's do not.
    let passed = DAY + 500 * SECOND;
    db.age(passed).await;
    assert_eq!(store.sweep(100).await.unwrap(), 0);
    edge.validity = Validity::between(now - passed.as_secs(), Some(now + 1000 - passed.as_secs()));
    assert!(replays(&*store, &edge).await, "and is not executed as new");
}

/// Rows that are still there are kept for as long as repeats are taken; those that are gone are not there
/// to be found: see what the crate says of raising a time to live.
async fn a_raised_time_to_live_moves_rows_on(db: Db) {
    let store = db.open().await;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let mut claim = claim_for_a_day("A", Terms::neither());
    claim.validity = Validity::between(now, Some(now + 900));
    let owner = owned(store.claim(&claim).await.unwrap());
    let _ = store.settle(&owner, &paid()).await.unwrap();
    assert!(replays(&*store, &claim.clone().keep_for(7 * DAY)).await);
    let row = store.get(&claim.key).await.unwrap().unwrap();
    assert_eq!(row.expires_at.seconds(), now + 900 + 7 * 86_400);
}

/// A repeat that moves the expiry writes the row, and not the body with it, which is stored beside the table.
async fn a_repeat_leaves_a_large_body_where_it_is(db: Db) {
    let store = db.open().await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    // Such as cannot be compressed.
    let body: Vec<u8> = (0_u32..65_536).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let response = Response::new(200, body);
    assert_eq!(store.settle(&owner, &response).await.unwrap(), Settled::Written);
    let name = "SELECT reltoastrelid::regclass::text FROM pg_class WHERE oid = 'intentkey_intents'::regclass";
    let name: String = postgres::connect(&db.url).await.query_one(name, &[]).await.unwrap().get(0);
    let chunks = format!("SELECT max(chunk_id)::bigint FROM {name}");
    let before = db.number(&chunks).await;
    db.age(DAY).await;
    let aged = store.get(&key("A")).await.unwrap().unwrap();
    let Claimed::Replay(replayed) = store.claim(&claim("A")).await.unwrap() else { panic!() };
    let row = store.get(&key("A")).await.unwrap().unwrap();
    assert!(row.expires_at > aged.expires_at);
    assert_eq!(db.number(&chunks).await, before);
    assert_eq!(replayed, response);
}
