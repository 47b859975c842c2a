//! A client that repeats: retry middleware for reqwest (feature `client`).
//!
//! ```no_run
//! # async fn pay() -> Result<(), Box<dyn std::error::Error>> {
//! use std::{sync::Arc, time::Duration};
//! use intentkey_core::protocol::Terms;
//! use intentkey_store::client::{Intent, Keyed, Resend};
//! use intentkey_store::{Options, Store, Target, open, recover, resume};
//!
//! let store: Arc<dyn Store> = open("sqlite:outbox.db", Options::default()).await?.into();
//! let day = Duration::from_secs(86_400);
//! let psp = Target::new("psp", Terms::idempotent_by_key(day), Duration::from_secs(120));
//! let plain = reqwest::Client::new();
//! let keyed = Keyed::new(store.clone(), psp.clone(), Duration::from_secs(10));
//! let client = reqwest_middleware::ClientBuilder::new(plain.clone()).with(keyed).build();
//!
//! let paid = client.post("https://psp.example/payments").body("amount=1");
//! let paid = paid.with_extension(Intent::new("acme", "pay")?).send().await?;
//!
//! // Every few seconds, in any process: what a dead one has left goes on, with the same key.
//! let again = Resend::new(plain, psp, Duration::from_secs(10));
//! recover(&*store, &again, 16, Duration::from_secs(300)).await?;
//! resume(&*store, &again, 16, Duration::from_secs(300)).await?;
//! # Ok(())
//! # }
//! ```
//!
//! 1. A request with an [`Intent`] is recorded with its key before the first attempt; where the store
//!    cannot do that, nothing is sent. One without passes as it is.
//! 2. Every attempt has the same key, in `Idempotency-Key`, and the same bytes.
//! 3. What follows an attempt is [`RetryPlan`](intentkey_core::protocol::RetryPlan)'s: pauses with full
//!    jitter, `Retry-After` in both forms, 409 in flight waited for, 409 unsettled the end. The end lies
//!    within the destination's retention, and within the target's time to execute.
//! 4. A final answer is recorded before it is returned. The same intent again gets it from the store, and
//!    nothing is sent.
//! 5. Where the attempts end without one, the error says which: nothing was sent
//!    ([`ClientError::NotSent`]), or nobody knows ([`ClientError::StillUnknown`]). Never make a new key of
//!    the second: [`recover`](crate::recover) goes on with this one, or finds its outcome out.
//! 6. Recorded requests have no `Authorization` and no cookies; [`Resend`]'s client adds its own. Give the
//!    store a [`Seal`](crate::Seal) where bodies are secret.

mod attempt;
mod error;
mod intent;
mod keyed;
mod request;
mod resend;

pub use error::ClientError;
pub use intent::Intent;
pub use keyed::Keyed;
pub use resend::Resend;
