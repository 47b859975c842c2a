//! Recovery: recorded requests, sent again with the same key.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use async_trait::async_trait;
use intentkey_core::Key;
use intentkey_core::protocol::Attempted;

use super::attempt::{Attempt, with_key};
use super::request;
use crate::claim::{Owned, Target};
use crate::recovery::{Destination, Executed, Looked};

type LookUp = Box<dyn Fn(Key) -> Pin<Box<dyn Future<Output = Looked> + Send>> + Send + Sync>;

/// The destination of recorded requests, for [`recover`](crate::recover) and [`resume`](crate::resume).
pub struct Resend {
    client: reqwest::Client,
    target: Target,
    attempt: Duration,
    look_up: Option<LookUp>,
}

impl Resend {
    /// Sends by a client, which adds what was not recorded: `Authorization`, as a default header.
    #[must_use]
    pub fn new(client: reqwest::Client, target: Target, attempt: Duration) -> Self {
        Resend { client, target, attempt, look_up: None }
    }

    /// Asks the destination what became of a key, where its terms say that it can be asked.
    #[must_use]
    pub fn look_up<F>(mut self, look_up: impl Fn(Key) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Looked> + Send + 'static,
    {
        self.look_up = Some(Box::new(move |key| Box::pin(look_up(key))));
        self
    }
}

#[async_trait]
impl Destination for Resend {
    fn target(&self) -> &Target {
        &self.target
    }

    async fn execute(&self, owned: &Owned, request: &[u8]) -> Executed {
        let request = request::read(request).and_then(|request| with_key(&request, &owned.key));
        // It was not recorded by this client.
        let Some(request) = request else { return Executed::NotExecuted };
        let sending = async {
            Attempt::of(self.client.execute(request).await.map_err(reqwest_middleware::Error::Reqwest)).await
        };
        let attempt = tokio::time::timeout(self.attempt.min(owned.time_left()), sending).await;
        let attempt = attempt.unwrap_or_else(|_| Attempt::without_answer(true));
        match (attempt.attempted, attempt.response) {
            (Attempted::Final, Some(response)) => Executed::Done(response),
            _ if attempt.was_sent => Executed::Unknown,
            _ => Executed::NotExecuted,
        }
    }

    async fn look_up(&self, key: &Key) -> Looked {
        match &self.look_up {
            Some(look_up) => look_up(*key).await,
            None => Looked::Unknown,
        }
    }
}
