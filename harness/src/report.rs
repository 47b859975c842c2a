//! Reports of a check: for people, for programs, and for CI.

mod json;
mod junit;
mod text;

pub use json::to_json;
pub use junit::{NotWritten, to_junit};
pub use text::{Styles, write_text};
