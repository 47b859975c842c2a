//! The harness of intentkey: develop, test and use the policies that idempotency keys are derived
//! with.
//!
//! The command `intentkey` is a thin layer over this library.

pub mod cli;
mod lines;
pub mod policy_file;
mod result_line;
pub mod secrets;
