//! Reports of a lint: for people, for programs, for code scanning.

mod json;
mod sarif;
mod text;

pub use json::to_json;
pub use sarif::to_sarif;
pub use text::{write_explanation, write_text};
