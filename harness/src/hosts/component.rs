//! The component as a host.
//!
//! What runs it, wasmtime, is most of what this crate builds: without the feature `component` it is
//! left out, and whoever asks for the component is told so.

mod found;
#[cfg(feature = "component")]
mod in_wasmtime;

pub use found::{Found, NotFound, bring_up_to_date, find};
#[cfg(feature = "component")]
pub use in_wasmtime::{Component, Unusable};

use std::path::Path;
use std::sync::Arc;

use intentkey_core::Policy;

use super::Host;

/// The component, ready to derive under a policy; else why it is not.
#[cfg(feature = "component")]
pub(crate) fn ready(file: Option<&Path>, policy: &Policy) -> Result<Arc<dyn Host + Send>, String> {
    let found = find(file).map_err(|not_found| not_found.to_string())?;
    let component = Component::open(&found, policy).map_err(|unusable| unusable.to_string())?;
    match component.digest() {
        Ok(digest) if digest == policy.digest() => Ok(Arc::new(component)),
        Ok(_) => Err(String::from("the component reads the policy as another one")),
        Err(refused) => {
            Err(format!("the component refuses the policy: {}: {}", refused.code, refused.message))
        }
    }
}

/// Why the component is not ready: this build cannot run it.
#[cfg(not(feature = "component"))]
pub(crate) fn ready(_: Option<&Path>, _: &Policy) -> Result<Arc<dyn Host + Send>, String> {
    Err(String::from(
        "this command was built without the feature `component`, which runs it: build it with its default features",
    ))
}
