//! What only several parts of intentkey together show.
//!
//! `conformance.rs` derives one set of cases in every runtime there is and compares bytes and
//! codes; `examples.rs` runs `wasm/examples/`; `http.rs` puts the proxy
//! between clients and services that others wrote; `structure.rs` keeps the parts apart. This library
//! makes the cases, finds what was built, and runs the runtimes.
#![expect(clippy::indexing_slicing, clippy::panic, reason = "tests may panic")]

pub mod cases;
pub mod component;
pub mod json;
pub mod native;
pub mod random;
pub mod report;
pub mod runtimes;
pub mod services;
pub mod workspace;

/// The README's Rust is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
