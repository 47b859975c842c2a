//! A component that only MACs: bytes in, hexadecimal digits out, as a key is.
#![cfg(target_arch = "wasm32")]

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use bindings::exports::intentkey::bench::macs::{Guest, GuestHmac};

mod bindings {
    wit_bindgen::generate!({ path: "wit", world: "yardstick" });
}

/// The digits of a key: 40, of 20 bytes.
const BYTES: usize = 20;

/// What implements the world.
struct Yardstick;

bindings::export!(Yardstick with_types_in bindings);

impl Guest for Yardstick {
    type Hmac = State;
}

/// The state after the key block.
struct State(Option<Hmac<Sha256>>);

impl GuestHmac for State {
    fn new(secret: Vec<u8>) -> Self {
        State(Hmac::new_from_slice(&secret).ok())
    }

    fn mac(&self, bytes: Vec<u8>) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let Some(mut state) = self.0.clone() else { return String::new() };
        state.update(&bytes);
        let mac = state.finalize().into_bytes();
        let digit = |nibble: u8| char::from(DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'0'));
        mac.iter().take(BYTES).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}
