//! The module of the JavaScript package.
//!
//! `wasm-bindgen` makes its classes; what crosses the edge are numbers alone. The glue in
//! `wasm/npm/src` writes a call's arguments into [`Exchange::reserve`]d memory as one message
//! (see [`crate::wire`], which says why `serde-wasm-bindgen` is not used) and reads the result
//! from [`Exchange::fixed`] or [`Exchange::text`]. Each call says what became of it:
//!
//! | returned | means |
//! | --- | --- |
//! | 0 | derived: the result lies in the fixed area |
//! | n > 0 | n bytes of JSON: the result |
//! | n < 0 | −n bytes of JSON: the refusal |
//!
//! Nothing here keeps a borrow or half a state: should a host unwind a call (its stack being at
//! its end), the next call finds all in order.

mod exchange;
mod guide;
mod opening;
mod request;
mod results;

pub(crate) use exchange::Exchange;

use intentkey_core::{Code, Deriver, Policy};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::boundary::Refused;
use crate::wire::{Garbled, Reader};
use guide::Known;
use request::Verb;

/// What a deriver or a policy is in the module.
#[wasm_bindgen]
pub struct Engine {
    held: Held,
    known: Known,
}

enum Held {
    Deriver(Deriver),
    Policy(Policy),
}

#[wasm_bindgen]
impl Engine {
    /// Derives the key.
    #[wasm_bindgen(js_name = deriveKey)]
    pub fn derive_key(&self, exchange: &Exchange, start: usize, end: usize) -> i32 {
        self.run(exchange, start..end, Verb::Key)
    }

    /// Derives the key and the fingerprint.
    pub fn derive(&self, exchange: &Exchange, start: usize, end: usize) -> i32 {
        self.run(exchange, start..end, Verb::Derive)
    }

    /// Derives many intents, each into its slot of the fixed area; nothing into that of one that
    /// is refused.
    #[wasm_bindgen(js_name = deriveBatch)]
    pub fn derive_batch(&self, exchange: &Exchange, start: usize, end: usize, keys_alone: bool) -> i32 {
        let verb = if keys_alone { Verb::Key } else { Verb::Derive };
        exchange.with_message(start..end, |message, fixed| {
            let reader = Reader::new(message, &self.known.names);
            request::answer_batch(self, reader, verb, fixed)
        })
    }

    /// Derives the fingerprint alone.
    pub fn fingerprint(&self, exchange: &Exchange, start: usize, end: usize) -> i32 {
        self.run(exchange, start..end, Verb::Fingerprint)
    }

    /// Derives and shows how, as JSON.
    pub fn explain(&self, exchange: &Exchange, start: usize, end: usize) -> i32 {
        self.run(exchange, start..end, Verb::Explain)
    }

    /// Gives the material, as JSON.
    pub fn material(&self, exchange: &Exchange, start: usize, end: usize) -> i32 {
        self.run(exchange, start..end, Verb::Material)
    }

    /// The key of a recorded intent.
    #[wasm_bindgen(js_name = keyFromId)]
    pub fn key_from_id(&self, exchange: &Exchange, start: usize, end: usize) -> i32 {
        self.run(exchange, start..end, Verb::KeyFromId)
    }

    /// The key that 32 bytes of a MAC give.
    #[wasm_bindgen(js_name = keyFromMac)]
    pub fn key_from_mac(&self, exchange: &Exchange, start: usize, end: usize) -> i32 {
        self.run(exchange, start..end, Verb::KeyFromMac)
    }

    /// What two producers compare, as JSON.
    pub fn handshake(&self, exchange: &Exchange) -> i32 {
        match &self.held {
            Held::Deriver(deriver) => exchange.answer(results::handshake(&deriver.handshake())),
            Held::Policy(_) => 0,
        }
    }
}

impl Engine {
    fn run(&self, exchange: &Exchange, range: core::ops::Range<usize>, verb: Verb) -> i32 {
        exchange.with_message(range, |message, fixed| {
            let reader = Reader::new(message, &self.known.names);
            request::answer(self, reader, verb, fixed.first())
        })
    }

    /// The deriver; the glue never asks a policy alone to derive.
    fn deriver(&self) -> Result<&Deriver, Garbled> {
        match &self.held {
            Held::Deriver(deriver) => Ok(deriver),
            Held::Policy(_) => Err(Garbled),
        }
    }

    /// The policy; the glue never asks a deriver for what a policy alone gives.
    fn policy(&self) -> Result<&Policy, Garbled> {
        match &self.held {
            Held::Policy(policy) => Ok(policy),
            Held::Deriver(_) => Err(Garbled),
        }
    }
}

/// A message that the glue does not write: only a bug of ours makes one.
impl From<Garbled> for Refused {
    fn from(_: Garbled) -> Self {
        Refused::new(Code::JsonMalformed)
    }
}
