//! The memory through which the glue and the module speak.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use intentkey_core::Key;
use wasm_bindgen::prelude::wasm_bindgen;
use zeroize::Zeroize as _;

use super::results::Fixed;
use super::{Engine, opening};
use crate::boundary::{Refused, json};
use crate::wire::{Garbled, Reader};

/// The memory through which the glue and the module speak: one for all engines.
///
/// What grows is taken out while it is used and put back afterwards, so that there is no borrow
/// that could be found taken.
#[wasm_bindgen]
pub struct Exchange {
    message: Cell<Vec<u8>>,
    text: Cell<String>,
    fixed: Box<Fixed>,
}

/// What became of a call.
pub(super) enum Answer {
    /// It lies in the fixed area.
    Fixed,
    /// JSON text.
    Text(String),
}

#[wasm_bindgen]
impl Exchange {
    /// The memory, with nothing in it.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Exchange {
        Exchange { message: Cell::default(), text: Cell::default(), fixed: Box::default() }
    }

    /// Makes room for a message and gives its address; what is written stays. 0 where the memory
    /// has no such room.
    pub fn reserve(&self, length: usize) -> usize {
        let mut message = self.message.take();
        let missing = length.saturating_sub(message.len());
        if message.try_reserve_exact(missing).is_ok() {
            message.resize(length.max(message.len()), 0);
        }
        let address = if message.len() < length { 0 } else { message.as_ptr() as usize };
        self.message.set(message);
        address
    }

    /// The address of the fixed area.
    #[wasm_bindgen(getter)]
    pub fn fixed(&self) -> usize {
        self.fixed.address()
    }

    /// The address of the JSON text.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> usize {
        let text = self.text.take();
        let address = text.as_ptr() as usize;
        self.text.set(text);
        address
    }

    /// How many bytes the JSON text has.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        let text = self.text.take();
        let length = text.len();
        self.text.set(text);
        length
    }

    /// Makes an engine of a message with policies and, unless it is a policy alone, a keyring;
    /// then wipes the message. The JSON text is its guide; or the refusal, and the engine
    /// `undefined`.
    pub fn open(&self, start: usize, end: usize) -> Option<Engine> {
        let mut message = self.message.take();
        let range = start..end;
        let opened = opening::open(message.get(range.clone()).unwrap_or_default());
        message.get_mut(range).unwrap_or_default().zeroize();
        self.message.set(message);
        match opened {
            Ok((engine, guide)) => {
                self.text.set(guide);
                Some(engine)
            }
            Err(refused) => {
                self.text.set(json::refused(&refused));
                None
            }
        }
    }

    /// The UUID of 16 random bytes, in the fixed area.
    pub fn recorded(&self, start: usize, end: usize) -> i32 {
        self.with_message(start..end, |message, fixed| {
            let random = Reader::new(message, &[]).bytes()?;
            fixed.first().key(&Key::recorded(random.try_into().map_err(|_| Garbled)?));
            Ok(Answer::Fixed)
        })
    }

    /// The refusal that a message describes, as JSON: what the glue itself refuses.
    pub fn refuse(&self, start: usize, end: usize) -> i32 {
        self.with_message(start..end, |message, _| Err(opening::refusal(message)))
    }
}

impl Exchange {
    /// Runs a call on its message.
    pub(super) fn with_message(
        &self,
        range: Range<usize>,
        call: impl FnOnce(&[u8], &Fixed) -> Result<Answer, Refused>,
    ) -> i32 {
        let message = self.message.take();
        let answer = call(message.get(range).unwrap_or_default(), &self.fixed);
        self.message.set(message);
        match answer {
            Ok(Answer::Fixed) => 0,
            Ok(Answer::Text(text)) => self.answer(text),
            Err(refused) => -self.answer(json::refused(&refused)),
        }
    }

    /// Leaves JSON text for the glue and gives its length.
    pub(super) fn answer(&self, text: String) -> i32 {
        let length = i32::try_from(text.len()).unwrap_or(0);
        self.text.set(text);
        length
    }
}
