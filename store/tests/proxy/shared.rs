//! Proxies side by side.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::process::Proxy;
use crate::service::Service;
use crate::support::{Db, on_both};

on_both! { two_proxies_share_a_database }

async fn two_proxies_share_a_database(db: Db) {
    let service = Service::start().await;
    let proxies = [(); 2].map(|()| Arc::new(Proxy::start(&service, &db.url, &[])));
    let mut repeats = JoinSet::new();
    for number in 0..128_usize {
        let proxy = proxies[number % 2].clone();
        let key = (number / 16).to_string();
        repeats.spawn(async move { proxy.post("/slow", &key, "a").await });
    }
    let got = repeats.join_all().await;
    assert_eq!((service.effects(), service.most()), (8, 1));
    assert!(got.iter().all(|got| matches!(got.status, 201 | 409)), "{got:?}");
    for key in 0..8 {
        let [one, other] = &proxies;
        let (one, other) = (
            one.post("/slow", &key.to_string(), "a").await,
            other.post("/slow", &key.to_string(), "a").await,
        );
        assert_eq!(one.body, other.body);
        assert!(one.is_replay() && other.is_replay());
    }
    assert_eq!(service.effects(), 8);
}
