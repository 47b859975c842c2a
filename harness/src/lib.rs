//! The harness of intentkey: develop, test and use the policies that idempotency keys are derived
//! with.
//!
//! The command `intentkey` is a thin layer over this library.

pub mod audit;
pub mod check;
pub mod cli;
pub mod conform;
pub mod diff;
pub mod events;
pub mod examples;
mod field_path;
mod generate;
pub mod hosts;
pub mod init;
mod invariants;
mod lines;
pub mod lint;
pub mod policy_file;
pub mod policy_json;
pub mod report;
mod result_line;
pub mod secrets;
pub mod simulate;
pub mod vectors;
pub mod why;
