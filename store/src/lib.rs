//! The store of intentkey: a database's unique index picks the one attempt that owns an effect.
//!
//! [`Store::claim`] takes a key; whoever gets [`Claimed::Owned`] executes, with that key, and
//! [settles](Store::settle); everybody else gets the stored response, or what to answer instead. An
//! owner that dies is [recovered](recover) by what its destination allows. What is decided when, is one
//! published table in [`intentkey_core::protocol`]; this crate locks, asks and writes.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use std::time::Duration;
//! use intentkey_core::protocol::{ClientKey, Terms};
//! use intentkey_core::Fingerprint;
//! use intentkey_store::{Claim, Claimed, Options, Response, Target, open};
//!
//! let store = open("sqlite::memory:", Options::default()).await?;
//! let psp = Target::new("psp", Terms::idempotent_by_key(Duration::from_secs(86_400)), Duration::from_secs(30));
//! let key = ClientKey::strict(br#""8e03978e-40d5""#).unwrap().stored("acme");
//! let claim = Claim::new(key, Fingerprint::from_bytes([7; 32]), "acme", "pay", psp);
//!
//! let Claimed::Owned(owned) = store.claim(&claim).await? else { panic!("nobody else is here") };
//! // Execute, sending owned.key, within owned.time_left().
//! let _ = store.settle(&owned, &Response::new(201, "paid")).await?;
//!
//! let Claimed::Replay(response) = store.claim(&claim).await? else { panic!("it is done") };
//! assert_eq!((response.status, &*response.body), (201, &b"paid"[..]));
//! # Ok::<(), intentkey_store::StoreError>(())
//! # }).unwrap();
//! ```
//!
//! # What is promised
//!
//! | destination | an owner that dies | effects of an intent |
//! | --- | --- | --- |
//! | the same database (`claim_in`) | its transaction is rolled back | exactly one, once committed |
//! | [honours keys](intentkey_core::protocol::Terms::idempotent_by_key) | the next repeat, or recovery where the request was [recorded](Store::record), executes with the same key | one, within the destination's retention |
//! | [can be looked up](intentkey_core::protocol::Terms::look_up) | found: done; absent, late enough: the next repeat executes; else it is looked up three times more, then given up on | one, or listed as unsettled |
//! | [neither](intentkey_core::protocol::Terms::neither) | given up on at `execute_by` | never two; what is unknown is listed as unsettled |
//!
//! This holds where
//!
//! - destinations are what they were declared to be;
//! - owners start nothing once [`Owned::time_left`] is zero. One that sleeps past that time and then
//!   sends, to a destination that does not honour keys, is outside of every promise. Its clock stands still
//!   while its machine is suspended or its virtual machine is moved: more seems to be left than is;
//! - what a repeat sends depends on identity and checked fields alone, or was [recorded](Store::record):
//!   a destination that honours keys may take either request as the first;
//! - the database forgets nothing that it has confirmed: an asynchronous replica that takes over does;
//! - the database's clock does not jump ahead, by a correction or at a fail-over. Owners would be overdue
//!   while they execute. By how much it may, belongs into the
//!   [longest delay](intentkey_core::protocol::Terms::look_up) that is declared;
//! - outcomes are kept for as long as callers repeat. A time to live that is raised later does not bring
//!   back what was swept: see `DESIGN.md`.
//!
//! What is unknown is what [`Filter::unknown`] lists: given up on, and also what is overdue and was looked
//! at by nobody, such as where no [`recover`] runs for its destination. People [resolve](Store::resolve) it.
//! [`Store::parked`] lists recorded intents that can never be executed as they are.
//!
//! # Databases
//!
//! [`SqliteStore`] and [`PostgresStore`] implement [`Store`]; [`open`] chooses by URL. The schema is
//! versioned and brought up to date when a store is opened.
//!
//! # What operators see
//!
//! Counters of the `metrics` crate: `intentkey_claims_total`, `intentkey_settlements_total` and
//! `intentkey_recoveries_total` (each with the label `outcome`), `intentkey_resolutions_total`,
//! `intentkey_swept_total`; gauges come from [`Store::counts`]. Claims and settlements also have the label
//! `transaction`: what is counted in one of the `callers` may be rolled back. Events of the `tracing`
//! crate, and everything that is shown with `{:?}`, show the first 8 characters of a key, and nothing of
//! payloads, tenants or responses.
#![forbid(unsafe_code)]

mod claim;
mod claiming;
#[cfg(feature = "client")]
pub mod client;
mod engine;
mod error;
#[cfg(feature = "http")]
pub mod http;
mod observe;
mod open;
mod options;
pub mod postgres;
mod reconcile;
mod record;
mod recovery;
mod resolve;
mod response;
mod rounds;
mod row;
mod rows;
mod seal;
mod settle;
pub mod sqlite;
mod store;
mod terms;
mod text;
mod token;

pub use claim::{Claim, Claimed, Owned, Target};
pub use error::{DatabaseError, Result, StoreError};
pub use open::open;
pub use options::Options;
pub use postgres::PostgresStore;
pub use reconcile::{Reconciled, reconcile};
pub use record::{Parked, Recorded, RecordedAs, Why};
pub use recovery::{Advanced, Destination, Due, Executed, Looked, Step};
pub use resolve::{Resolution, Resolved};
pub use response::Response;
pub use rounds::{Recovered, recover, resume};
pub use row::Row;
pub use seal::{Part, Plain, Seal, SealError};
pub use settle::Settled;
pub use sqlite::SqliteStore;
pub use store::{Counts, Filter, Store};
pub use token::Token;
