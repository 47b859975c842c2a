//! intentkey for JavaScript and for hosts of the WebAssembly Component Model: two thin shells
//! over [`intentkey_core`], which holds every rule.
//!
//! | part | holds |
//! | --- | --- |
//! | [`boundary`] | the plain types that both shells show, and the one mapping of refusals |
//! | [`wire`] | the flat message that the JavaScript glue writes, read into core's values |
//! | `js` | the module of the JavaScript package (feature `js`) |
//! | `component` | the component `intentkey:keys` (feature `component`) |
//!
//! One module cannot be both shells, so each is a feature, and only on `wasm32`. What decides
//! anything is outside of them and is tested natively. `cargo pack` builds both.
#![cfg_attr(target_arch = "wasm32", no_std)]
extern crate alloc;

#[cfg(all(feature = "js", feature = "component", target_arch = "wasm32"))]
compile_error!("the features `js` and `component` are two modules: build them one at a time");

pub mod boundary;
pub mod wire;

#[cfg(all(feature = "component", target_arch = "wasm32"))]
mod component;
#[cfg(all(feature = "js", target_arch = "wasm32"))]
mod js;
// With debug assertions a dependency brings the standard library, and with it all of this.
#[cfg(all(target_arch = "wasm32", not(debug_assertions)))]
mod runtime;
