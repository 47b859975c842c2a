//! The tower layer, in front of axum and over raw connections.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

mod app;
mod derived;
mod dialects;
mod first;
mod grpc;
mod outcomes;
mod payments;
mod refused;
mod repeats;
mod shadow;
mod wire;
