//! What is shown of keys, payloads and tenants: of keys 8 characters, of the others nothing.

use std::fmt::Debug;

use intentkey_store::{Claimed, Executed, Filter, Looked, Recorded, Resolution, Response};

use crate::recovery::LEASE;
use crate::support::*;

on_both! {
    nothing_secret_is_in_debug_forms
}

on_postgres! {
    an_error_shows_no_row
}

/// What is to be seen nowhere.
const CANARY: &str = "canary-4711";

fn assert_silent(shown: &dyn Debug, key: &str) {
    for shown in [format!("{shown:?}"), format!("{shown:#?}")] {
        assert!(!shown.contains(CANARY), "{shown}");
        assert!(!shown.contains(key.get(..9).unwrap()), "{shown}");
        // Bytes would be shown as numbers: those of the canary's first letters.
        let shown: String = shown.split_whitespace().collect();
        assert!(!shown.contains("99,97,110,97"), "{shown}");
    }
}

async fn nothing_secret_is_in_debug_forms(db: Db) {
    let store = db.open().await;
    let mut claim = claim_at("A", intentkey_core::protocol::Terms::idempotent_by_key(DAY));
    claim.tenant = CANARY.into();
    claim.edge = Some((key("E"), fingerprint(1)));
    let response = Response::new(200, CANARY).with_header("X-Secret", CANARY);
    let recorded = Recorded::new(claim.clone(), CANARY);
    let full = claim.key.to_string();
    let silent = |shown: &dyn Debug| assert_silent(shown, &full);
    silent(&claim);
    silent(&recorded);
    silent(&response);
    silent(&Looked::Found(response.clone()));
    silent(&Executed::Done(response.clone()));
    silent(&Resolution::Found(response.clone()));
    silent(&Filter::default().after(claim.key));
    let _ = store.record(&recorded).await.unwrap();
    silent(&store.resume(&claim.target, 1, LEASE).await.unwrap());
    let claimed = store.claim(&claim).await.unwrap();
    silent(&claimed);
    db.age(30 * SECOND).await;
    let due = [store.due(&claim.target, 1, LEASE).await.unwrap().remove(0).unwrap()];
    silent(&due);
    let advanced = store.advance(&due[0], &intentkey_store::Step::TakeUp, &claim.target).await.unwrap();
    silent(&advanced);
    let intentkey_store::Advanced::Execute(owner) = advanced else { panic!("{advanced:?}") };
    let _ = store.settle(&owner, &response).await.unwrap();
    let replay = store.claim(&claim).await.unwrap();
    assert!(matches!(replay, Claimed::Replay(_)));
    silent(&replay);
    silent(&store.get(&claim.key).await.unwrap());
}

/// The server's details of an error show the whole row that failed.
async fn an_error_shows_no_row(db: Db) {
    let store = db.open().await;
    db.execute("ALTER TABLE intentkey_intents ADD CONSTRAINT short CHECK (length(tenant) < 5)").await;
    let mut claim = claim("A");
    claim.tenant = CANARY.into();
    let intentkey_store::StoreError::Database(error) = store.claim(&claim).await.unwrap_err() else {
        panic!()
    };
    assert_eq!(error.code(), Some("23514"));
    let mut shown = format!("{error} {error:?} {error:#?}");
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        shown.push_str(&format!("{error} {error:?}"));
        cause = error.source();
    }
    assert!(shown.contains("short") && !shown.contains(CANARY), "{shown}");
}
