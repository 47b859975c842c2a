//! HTTP: a tower layer that answers repeats (feature `http`).
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use std::{sync::Arc, time::Duration};
//! use axum::{Router, http::request::Parts, routing::post};
//! use intentkey_core::protocol::Terms;
//! use intentkey_store::{Options, Store, Target, http::IdempotencyLayer, open};
//!
//! # async fn pay() -> &'static str { "paid" }
//! # fn authenticated(_: &Parts) -> Option<String> { Some("acme".into()) }
//! let store: Arc<dyn Store> = open("sqlite::memory:", Options::default()).await?.into();
//! let here = Target::new("payments", Terms::neither(), Duration::from_secs(30));
//! let app: Router = Router::new()
//!     .route("/payments", post(pay))
//!     .layer(IdempotencyLayer::new(store, here, |request: &Parts| authenticated(request)));
//! # Ok::<(), intentkey_store::StoreError>(())
//! # }).unwrap();
//! ```
//!
//! It works with every service over `http` bodies of [`Bytes`](bytes::Bytes): axum, hyper, tonic.
//!
//! # Requests
//!
//! 1. Methods that change state are covered: POST and PATCH. All others pass untouched, bodies, streams,
//!    trailers and all; a key on them does nothing.
//! 2. The key comes from the header, as [`Dialect`] and [`Reading`] say. Sent twice, empty, unclosed,
//!    too long, or with controls: 400, and nothing is claimed. It is stored as
//!    [`ClientKey::stored`](intentkey_core::protocol::ClientKey::stored) has it.
//! 3. Without the header, and where a [`Derivation`] has a route for the request, the key is derived from
//!    the tenant, the route's action, the epoch that the caller froze, and the JSON body.
//! 4. Without either: 400, or untouched where the key is [optional](IdempotencyLayer::optional).
//! 5. The tenant comes from [`Tenant`], which there is no default of. A request without one: 403.
//! 6. The body is read to its end first, within a limit (413) and a time (408). One that breaks off is
//!    400. In none of these is anything claimed.
//! 7. The fingerprint is over method, path, query, media type, and the body: its canonical form under the
//!    policy where a route has one, else its bytes. The path is the one that the layer sees: put the layer
//!    on the outermost router.
//! 8. Where the store does not answer, or not in time: 503, and the handler does not run.
//!
//! # Answers
//!
//! 9. What is stored is what the handler answered, whatever its status, 500 included: status, body,
//!    trailers, and the headers that may be replayed ([`IdempotencyLayer::replay_header`]).
//! 10. The claim is released only where the answer has the extension [`NoEffect`]. A status alone proves
//!     nothing. With the extension [`OutcomeUnknown`] it stays in flight until its time is over.
//! 11. The handler runs to its end, in a task of its own, and its answer is recorded, also where the client
//!     has gone. It is recorded first and sent then.
//! 12. A handler that panics, fails, or breaks its answer off leaves the outcome unknown. The client gets
//!     a problem that says so. So does it where the declared time is over; the handler goes on.
//! 13. An answer above the limit is sent once, as it comes. What is stored in its place says that it was
//!     too large; repeats get that, and are not executed.
//! 14. A replay has `Idempotent-Replayed: true`. Never replayed are `Set-Cookie`, authentication, `Date`
//!     and what belongs to a connection.
//! 15. What is neither is a problem (RFC 9457) in the dialect's shape, with a link to the rules, which are
//!     served at [`IdempotencyLayer::rules_at`].
//! 16. A request of gRPC is refused as gRPC has it: 200, and `grpc-status` and `grpc-message` without a body.
//!     UNAVAILABLE is what clients may repeat. Messages are compared by their bytes, and protobuf's are not
//!     canonical: a client repeats what it sent. A `tonic::Status` has no extensions, so it cannot say
//!     [`NoEffect`]; a `tonic::Response` can. Streams under a key are read to their end first.
//!
//! Every answer to a request whose key is known, refusals and shadow's included, has the stored
//! [`Key`](intentkey_core::Key) as an extension: logs may show its prefix.
//!
//! # Beside that
//!
//! 17. A repeat may [wait](IdempotencyLayer::wait) for the original's answer instead of getting 409.
//! 18. In [shadow](IdempotencyLayer::shadow) everything is claimed and compared, and nothing enforced or held.
//! 19. [`IdempotencyLayer::finish`] waits until all that runs is recorded: for a shutdown.

mod answer;
mod body;
mod dialect;
mod fingerprint;
mod grpc;
mod handle;
mod identify;
mod layer;
mod observe;
mod options;
mod policy;
mod problem;
mod rules;
mod run;
mod shadow;
mod tenant;
mod wait;
mod watch;

pub use answer::{Execution, NoEffect, OutcomeUnknown};
pub use body::Body;
pub use dialect::{Dialect, Reading};
pub use layer::{Idempotency, IdempotencyLayer};
pub use policy::{ActionUnknown, Derivation, DerivationError, EpochFrom};
pub use problem::{Answer, HttpProblem};
pub use tenant::Tenant;
