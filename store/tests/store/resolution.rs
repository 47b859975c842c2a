//! What people and statements say of outcomes that are unknown.

use intentkey_core::protocol::{Status, Terms};
use intentkey_store::{
    Claimed, Filter, Owned, Reconciled, Resolution, Resolved, Response, Settled, Store, StoreError, reconcile,
};

use crate::recovery::status;
use crate::support::*;

on_both! {
    what_is_unsettled_is_resolved_on_record
    what_is_overdue_is_listed_and_resolved
    an_edge_key_is_not_resolved
    a_resolution_is_of_the_attempt_that_was_seen
    a_statement_resolves_what_it_covers
    a_statement_that_was_cut_off_resolves_nothing
    a_key_in_another_spelling_is_no_proof_of_absence
}

async fn unsettle(db: &Db, store: &dyn Store, name: &str) -> Owned {
    let owner = owned(store.claim(&claim(name)).await.unwrap());
    db.age(30 * SECOND).await;
    assert_eq!(word(&store.claim(&claim(name)).await.unwrap()), "unsettled");
    owner
}

async fn what_is_unsettled_is_resolved_on_record(db: Db) {
    let store = db.open().await;
    let (a, b) = (key("A"), key("B"));
    let owner = unsettle(&db, &*store, "A").await;
    let found = Resolution::Found(paid());
    assert_eq!(store.resolve(&a, &found, "ana", "seen in the statement").await.unwrap(), Resolved::Written);
    assert_eq!(word(&store.claim(&claim("A")).await.unwrap()), "replay");
    assert_eq!(store.settle(&owner, &Response::new(500, "")).await.unwrap(), Settled::AlreadySettled);
    // Only what is unsettled is resolved.
    assert_eq!(store.resolve(&a, &found, "ana", "").await.unwrap(), Resolved::NotUnsettled);
    assert_eq!(store.resolve(&b, &found, "ana", "").await.unwrap(), Resolved::NotFound);

    let first = unsettle(&db, &*store, "B").await;
    let never = Resolution::NeverHappened;
    assert_eq!(store.resolve(&b, &never, "ana", "not in the statement").await.unwrap(), Resolved::Written);
    assert_eq!(status(&*store, "B").await, Status::Released);
    let _second = owned(store.claim(&claim("B")).await.unwrap());
    assert_eq!(store.settle(&first, &paid()).await.unwrap(), Settled::NotOwner);

    let on_record = "SELECT count(*) FROM intentkey_resolutions WHERE resolved_by = 'ana' \
                     AND resolution || ' ' || note IN ('found seen in the statement', \
                     'never_happened not in the statement')";
    assert_eq!(db.number(on_record).await, 2);
    assert_eq!(db.number("SELECT count(*) FROM intentkey_resolutions").await, 2);
}

/// Nobody has looked at it since `execute_by`, as where its destination is not configured any more.
async fn what_is_overdue_is_listed_and_resolved(db: Db) {
    let store = db.open().await;
    let owner = owned(store.claim(&claim("A")).await.unwrap());
    let never = Resolution::NeverHappened;
    assert!(store.list(&Filter::unknown()).await.unwrap().is_empty(), "its owner is running");
    assert_eq!(store.resolve(&key("A"), &never, "ana", "").await.unwrap(), Resolved::NotUnsettled);
    db.age(30 * SECOND).await;
    assert_eq!(store.list(&Filter::status(Status::Unsettled)).await.unwrap().len(), 0);
    let unknown = store.list(&Filter::unknown().at("psp")).await.unwrap();
    assert_eq!((unknown.len(), unknown[0].key, unknown[0].status), (1, key("A"), Status::InFlight));
    assert_eq!(store.list(&Filter::unknown().at("other")).await.unwrap().len(), 0);
    assert_eq!(store.resolve(&key("A"), &never, "ana", "").await.unwrap(), Resolved::Written);
    assert_eq!(status(&*store, "A").await, Status::Released);
    assert_eq!(store.list(&Filter::unknown()).await.unwrap().len(), 0);
    // Its owner knows better, in time.
    assert_eq!(store.settle(&owner, &paid()).await.unwrap(), Settled::Written);
}

/// Whoever asked the destination for an edge key knows nothing of the intent: it was sent another key.
async fn an_edge_key_is_not_resolved(db: Db) {
    let store = db.open().await;
    let mut claim = claim("A");
    claim.edge = Some((key("edge"), fingerprint(2)));
    let _owner = owned(store.claim(&claim).await.unwrap());
    db.age(30 * SECOND).await;
    let never = Resolution::NeverHappened;
    assert_eq!(store.get(&key("edge")).await.unwrap().unwrap().key, key("A"));
    assert_eq!(store.resolve(&key("edge"), &never, "ana", "").await.unwrap(), Resolved::NotFound);
    assert_eq!(db.number("SELECT count(*) FROM intentkey_resolutions").await, 0);
    assert_eq!(store.resolve(&key("A"), &never, "ana", "").await.unwrap(), Resolved::Written);
}

async fn a_resolution_is_of_the_attempt_that_was_seen(db: Db) {
    let store = db.open().await;
    let _first = unsettle(&db, &*store, "A").await;
    let seen = store.get(&key("A")).await.unwrap().unwrap();
    let never = Resolution::NeverHappened;
    // Meanwhile somebody else has resolved it, and the next attempt was given up on as well.
    assert_eq!(store.resolve(&key("A"), &never, "ana", "").await.unwrap(), Resolved::Written);
    let _second = unsettle(&db, &*store, "A").await;
    assert_eq!(store.resolve_seen(&seen, &never, "bank", "").await.unwrap(), Resolved::NotUnsettled);
    assert_eq!(status(&*store, "A").await, Status::Unsettled);
    let seen = store.get(&key("A")).await.unwrap().unwrap();
    assert_eq!(store.resolve_seen(&seen, &never, "bank", "").await.unwrap(), Resolved::Written);
}

async fn a_statement_resolves_what_it_covers(db: Db) {
    let store = db.open().await;
    let looked_up = target(Terms::look_up(SECOND));
    for name in ["found", "absent", "before"] {
        let _owner = unsettle(&db, &*store, name).await;
        if name == "before" {
            db.execute(&format!(
                "UPDATE intentkey_intents SET claimed_at = {} WHERE key = '{}'",
                if db.kind() == Kind::Sqlite { "1000000" } else { "to_timestamp(1000)" },
                key(name)
            ))
            .await;
        }
    }
    let statement = format!(
        "{{\"covers_from\": 2000, \"covers_until\": 99999999999, \"effects\": 2}}\n\n\
         {{\"key\": \"{}\", \"status\": 201, \"body\": \"ok\"}}\n{{\"key\": \"{}\"}}\n",
        key("found"),
        key("not-ours")
    );
    let mut malformed = statement.clone();
    malformed.push_str("{\"key\": \"short\"}\n");
    for (malformed, line) in [(malformed.as_str(), 5), ("{}", 1), ("", 1)] {
        let error = reconcile(&*store, &looked_up, malformed.as_bytes(), "bank").await.unwrap_err();
        assert!(matches!(error, StoreError::Statement { line: at, .. } if at == line), "{error}");
    }
    assert_eq!(db.number("SELECT count(*) FROM intentkey_resolutions").await, 0);
    // Without a declared delay nobody can say what a statement would have.
    let neither = target(Terms::neither());
    let only_found = reconcile(&*store, &neither, statement.as_bytes(), "bank").await.unwrap();
    assert_eq!(only_found, Reconciled { found: 1, never_happened: 0, left: 2, unmatched: 1 });
    let rest = reconcile(&*store, &looked_up, statement.as_bytes(), "bank").await.unwrap();
    assert_eq!(rest, Reconciled { found: 0, never_happened: 1, left: 1, unmatched: 1 });
    let Claimed::Replay(response) = store.claim(&claim("found")).await.unwrap() else { panic!() };
    assert_eq!(response, Response::new(201, "ok"));
    assert_eq!(status(&*store, "absent").await, Status::Released);
    assert_eq!(status(&*store, "before").await, Status::Unsettled);
}

/// A statement with every effect of all time, as its first line says.
fn statement(effects: usize, keys: &[String]) -> String {
    let first = format!("{{\"covers_from\": 0, \"covers_until\": 99999999999, \"effects\": {effects}}}");
    let lines = keys.iter().map(|key| format!("{{\"key\": \"{key}\"}}"));
    [first].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

async fn a_statement_that_was_cut_off_resolves_nothing(db: Db) {
    let store = db.open().await;
    let looked_up = target(Terms::look_up(SECOND));
    for name in ["A", "B"] {
        let _owner = unsettle(&db, &*store, name).await;
    }
    let (a, b) = (key("A").to_string(), key("B").to_string());
    let cut_off = statement(2, std::slice::from_ref(&a));
    let twice = statement(2, &[a.clone(), a.clone()]);
    let of_something_else = statement(1, &[key("not-ours").to_string()]);
    for (unfit, line) in [(cut_off, 2), (twice, 3), (of_something_else, 1)] {
        let error = reconcile(&*store, &looked_up, unfit.as_bytes(), "bank").await.unwrap_err();
        assert!(matches!(error, StoreError::Statement { line: at, .. } if at == line), "{error}");
        assert_eq!(store.list(&Filter::status(Status::Unsettled)).await.unwrap().len(), 2);
    }
    let whole = reconcile(&*store, &looked_up, statement(2, &[a, b]).as_bytes(), "bank").await.unwrap();
    assert_eq!(whole, Reconciled { found: 2, ..Reconciled::default() });
}

async fn a_key_in_another_spelling_is_no_proof_of_absence(db: Db) {
    let store = db.open().await;
    let looked_up = target(Terms::look_up(SECOND));
    for name in ["A", "B"] {
        let _owner = unsettle(&db, &*store, name).await;
    }
    let keys = [key("A").to_string().to_uppercase(), key("B").to_string()];
    let reconciled = reconcile(&*store, &looked_up, statement(2, &keys).as_bytes(), "bank").await.unwrap();
    assert_eq!(reconciled, Reconciled { found: 1, never_happened: 0, left: 1, unmatched: 1 });
    assert_eq!(status(&*store, "A").await, Status::Unsettled);
}
