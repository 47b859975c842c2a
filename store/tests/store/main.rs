//! The store on both databases.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

mod answers;
mod broken;
mod cost;
mod destinations;
mod killed;
mod opening;
mod privacy;
mod races;
mod recovery;
mod resolution;
mod retention;
mod rounds;
mod support;
mod waits;
