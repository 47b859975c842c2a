//! A PostgreSQL server that is killed with SIGKILL, and what it remembers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use intentkey_store::{Claimed, Options, Settled, Store};
use tokio::task::JoinSet;

use crate::support::postgres::Server;
use crate::support::{claim, paid, word};

/// How often it is killed.
const KILLS: usize = 6;
/// How many claim at once.
const CLAIMERS: usize = 4;

/// What was confirmed to a claimer: keys that it owned, and those of them that it settled.
#[derive(Default)]
struct Confirmed {
    owned: Vec<String>,
    settled: Vec<String>,
}

/// Claims and settles key after key, whatever fails between.
async fn work(store: Arc<dyn Store>, worker: usize, ends: Arc<AtomicBool>) -> Confirmed {
    let mut confirmed = Confirmed::default();
    for n in 0.. {
        if ends.load(Ordering::SeqCst) {
            break;
        }
        let name = format!("{worker}-{n}");
        let Ok(Claimed::Owned(owned)) = store.claim(&claim(&name)).await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        confirmed.owned.push(name.clone());
        if n % 2 == 0 && matches!(store.settle(&owned, &paid()).await, Ok(Settled::Written)) {
            confirmed.settled.push(name);
        }
    }
    confirmed
}

/// What a server has confirmed is there when it comes back, whenever it is killed.
#[test]
fn a_server_that_is_killed_forgets_nothing() {
    let Some(server) = Server::own() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        let url = server.database().await;
        let store: Arc<dyn Store> = intentkey_store::open(&url, Options::default()).await.unwrap().into();
        let ends = Arc::new(AtomicBool::new(false));
        let mut workers = JoinSet::new();
        for worker in 0..CLAIMERS {
            workers.spawn(work(store.clone(), worker, ends.clone()));
        }
        for kill in 0..KILLS {
            tokio::time::sleep(Duration::from_millis(700 + 130 * kill as u64)).await;
            server.kill();
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
        ends.store(true, Ordering::SeqCst);
        let (mut owned, mut settled) = (0, 0);
        for confirmed in workers.join_all().await {
            for name in &confirmed.owned {
                let word = word(&until(&*store, name).await);
                let expected = if confirmed.settled.contains(name) { "replay" } else { "in flight" };
                // A settlement whose answer was lost may have been written.
                assert!(word == expected || word == "replay", "{name} is {word}, and was to be {expected}");
            }
            owned += confirmed.owned.len();
            settled += confirmed.settled.len();
        }
        assert!(owned > 50 && settled > 20, "{owned} were owned, {settled} settled");
    });
}

/// What a repeat comes to, once the server is back.
async fn until(store: &dyn Store, name: &str) -> Claimed {
    for _ in 0..200 {
        if let Ok(claimed) = store.claim(&claim(name)).await {
            return claimed;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the server did not come back");
}
