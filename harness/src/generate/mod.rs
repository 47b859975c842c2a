//! Strategies that follow from a policy: payloads, intents, and what is wrong with them.
//!
//! Generators read what a policy says and never call what core does with it: they would prove
//! nothing.

pub(crate) mod cycle;
pub(crate) mod fault;
pub(crate) mod field;
pub(crate) mod intent;
pub(crate) mod json;
pub(crate) mod junk;
pub(crate) mod pair;
pub(crate) mod payload;
pub(crate) mod pick;
pub(crate) mod place;
pub(crate) mod rules;
pub(crate) mod shape;
pub(crate) mod style;
