//! Outcomes that nobody knows: connections that the service cuts.

use std::path::PathBuf;

use crate::process::Proxy;
use crate::service::Service;
use crate::support::{Db, on_both};

on_both! {
    a_connection_cut_after_the_request_is_unknown_and_ends_unsettled
    a_look_up_finds_the_effect_or_its_absence
}

async fn a_connection_cut_after_the_request_is_unknown_and_ends_unsettled(db: Db) {
    let service = Service::start().await;
    let proxy = Proxy::start(&service, &db.url, &["--execution-seconds", "1"]);
    for (nth, path) in (1..).zip(["/cut-after", "/cut-within"]) {
        let got = proxy.post(path, path, "a").await;
        assert_eq!((got.status, &*got.problem()), (502, "outcome-unknown"));
        assert!(got.body.contains("same key"), "{}", got.body);
        assert_eq!(proxy.post(path, path, "a").await.problem(), "in-flight");
        let got = proxy.settled(path, path, "a").await;
        assert_eq!((got.status, &*got.problem(), service.effects()), (409, "unsettled", nth));
    }
    let unsettled: serde_json::Value = serde_json::from_str(&proxy.ask("/unsettled").await.body).unwrap();
    assert_eq!(unsettled["unsettled"].as_array().unwrap().len(), 2);
    let row = unsettled["unsettled"][0].as_object().unwrap();
    assert_eq!((&row["tenant"], &row["status"]), (&"acme".into(), &"unsettled".into()));
    // As `intentkey store unsettled` has them.
    let names = [
        "action",
        "created_at",
        "destination",
        "execute_by",
        "expires_at",
        "idempotent_for",
        "key",
        "look_up_after",
        "next_look_at",
        "policy_digest",
        "recovery_attempts",
        "secret_id",
        "status",
        "tenant",
    ];
    let mut shown: Vec<&str> = row.keys().map(String::as_str).collect();
    shown.sort_unstable();
    assert_eq!(shown, names);
}

/// A configuration with a look-up.
pub(crate) fn look_up(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("proxy.toml");
    let text = "execution_seconds = 1\n\
                [look_up]\n\
                get = \"/effects/{key}\"\n\
                longest_delay_seconds = 1\n\
                found = { status = 200, pointer = \"/paid\", equals = true }\n\
                absent = { status = 404, pointer = \"/code\", equals = \"unknown\" }\n\
                answer_status = 201\n";
    std::fs::write(&path, text).unwrap();
    path
}

async fn a_look_up_finds_the_effect_or_its_absence(db: Db) {
    let folder = tempfile::tempdir().unwrap();
    let config = look_up(&folder);
    let service = Service::start().await;
    let proxy = Proxy::start(&service, &db.url, &["--config", config.to_str().unwrap()]);
    assert_eq!(proxy.post("/cut-after", "found", "a").await.status, 502);
    assert_eq!(proxy.post("/cut-before", "absent", "a").await.status, 502);
    let found = proxy.settled("/cut-after", "found", "a").await;
    assert_eq!((found.status, found.is_replay(), &*found.body), (201, true, r#"{"paid": true}"#));
    assert_eq!(service.effects(), 1);
    // It never happened, so it is executed: the service cuts it off again.
    let before = service.heads().len();
    let again = proxy.settled("/cut-before", "absent", "a").await;
    assert_eq!((again.status, &*again.problem()), (502, "outcome-unknown"));
    assert!(service.heads().len() > before);
    assert_eq!(service.effects(), 1);
}
