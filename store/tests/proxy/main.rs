//! `intentkey-proxy` as a process: killed, ended, cut off, and side by side with others, in front of a
//! service that counts its effects.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

mod answers;
mod ends;
mod grpc;
mod http2;
mod lies;
#[path = "../http/payments.rs"]
#[expect(dead_code, reason = "what the other tests need of it")]
mod payments;
mod process;
mod secrets;
mod service;
mod shadow;
mod shared;
#[path = "../store/support/mod.rs"]
#[expect(dead_code, unused_macros, unused_imports, reason = "what the other tests need of it")]
mod support;
mod unknown;
