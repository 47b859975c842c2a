//! The intentkey harness.
