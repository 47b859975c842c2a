//! Proxies side by side.

use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::process::{Proxy, request};
use crate::service::Service;
use crate::support::{Db, on_both, on_postgres};

on_both! { two_proxies_share_a_database }
on_postgres! { while_the_database_is_gone_nothing_is_executed }

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

/// A way to a server on this machine, for as long as the task lives.
fn way_to(server: u16, listener: TcpListener) -> tokio::task::JoinHandle<()> {
    tokio::spawn(async move {
        let mut ways = JoinSet::new();
        while let Ok((mut client, _)) = listener.accept().await {
            ways.spawn(async move {
                let mut server = TcpStream::connect(("127.0.0.1", server)).await?;
                tokio::io::copy_bidirectional(&mut client, &mut server).await
            });
        }
    })
}

async fn while_the_database_is_gone_nothing_is_executed(db: Db) {
    let (before, name) = db.url.rsplit_once('/').unwrap();
    let server: u16 = before.rsplit(':').next().unwrap().parse().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let way = way_to(server, listener);
    let service = Service::start().await;
    let proxy = Proxy::start(&service, &format!("postgres://postgres@{at}/{name}"), &[]);
    assert_eq!(proxy.post("/pay", "before", "a").await.status, 201);
    way.abort();
    let _ = way.await;
    let got = proxy.post("/pay", "k", "a").await;
    assert_eq!((got.status, &*got.problem(), service.effects()), (503, "store-unavailable", 1));
    assert_eq!(proxy.post("/pay", "before", "a").await.status, 503, "not even a replay can be told");
    assert_eq!(proxy.ask("/healthz").await.status, 503);
    let untouched = request(proxy.address, "GET", "/200", "", "").await;
    assert_eq!(untouched.status, 200, "what is not covered needs no database");
    let _way = way_to(server, TcpListener::bind(at).await.unwrap());
    let got = proxy.post("/pay", "k", "a").await;
    assert_eq!((got.status, got.is_replay()), (201, false), "and then it goes on: {got:?}");
    assert!(proxy.post("/pay", "before", "a").await.is_replay());
}
