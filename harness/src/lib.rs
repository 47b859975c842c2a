//! The harness of intentkey: develop, test and use the policies that idempotency keys are derived
//! with.
//!
//! The command `intentkey` is a thin layer over this library.
//!
//! Inside `cargo test` a project holds its policy to its promises in a few lines:
//!
//! ```
//! use intentkey::{check, examples::Examples, hosts::Native, lint, policy_file};
//!
//! let policies = policy_file::load("policies/pix-payment.toml".as_ref())?;
//! for (_, policy) in policies.iter() {
//!     let settings = check::Settings { beside: Vec::new(), ..check::Settings::default() };
//!     let report = check::check(policy, &Native::new(policy.clone()), &settings);
//!     assert!(report.held(), "{report}");
//!     assert_eq!(lint::lint(policy), []);
//! }
//! let examples = Examples::read("policies/cases/pix-payment.toml".as_ref())?.test(&policies);
//! assert!(examples.passed(), "{examples}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod audit;
pub mod check;
pub mod cli;
pub mod conform;
pub mod diff;
pub mod events;
pub mod examples;
mod field_path;
mod generate;
mod hint;
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
