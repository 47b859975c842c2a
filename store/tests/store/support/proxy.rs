//! A proxy that loses an answer: the request arrives, and the connection breaks before its answer does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// A proxy in front of a server on this machine.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    /// After how many more requests with a word in them the answer is lost; 0: never.
    losing: Arc<AtomicU32>,
    /// How many messages, or batches of them, clients have sent.
    sent: Arc<AtomicU32>,
}

impl Proxy {
    /// A proxy that looks for a word in requests.
    pub(crate) async fn start(server: u16, word: &'static str) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let losing = Arc::new(AtomicU32::new(0));
        let shared = losing.clone();
        let sent = Arc::new(AtomicU32::new(0));
        let counter = sent.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
                tokio::spawn(serve(client, server, word, shared.clone(), counter.clone()));
            }
        });
        Proxy { port, losing, sent }
    }

    /// How many round trips clients have asked for.
    pub(crate) fn sent(&self) -> u32 {
        self.sent.load(Ordering::SeqCst)
    }

    /// Loses the answer of the next request that has the word in it.
    pub(crate) fn lose_next(&self) {
        self.losing.store(1, Ordering::SeqCst);
    }

    /// Whether it was lost.
    pub(crate) fn has_lost(&self) -> bool {
        self.losing.load(Ordering::SeqCst) == 0
    }
}

async fn serve(
    mut client: TcpStream,
    mut server: TcpStream,
    word: &str,
    losing: Arc<AtomicU32>,
    sent: Arc<AtomicU32>,
) {
    let (mut request, mut answer) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut request) => {
                let Ok(length @ 1..) = read else { return };
                sent.fetch_add(1, Ordering::SeqCst);
                if server.write_all(&request[..length]).await.is_err() {
                    return;
                }
                let has_word = request[..length].windows(word.len()).any(|part| part == word.as_bytes());
                if has_word && losing.compare_exchange(1, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
                    // Until the server has done it; what it answers goes nowhere.
                    tokio::time::sleep(Duration::from_millis(300)).await;
                    return;
                }
            }
            read = server.read(&mut answer) => {
                let Ok(length @ 1..) = read else { return };
                if client.write_all(&answer[..length]).await.is_err() {
                    return;
                }
            }
        }
    }
}
