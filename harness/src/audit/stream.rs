//! Events through all cores: one thread reads, the others sift.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use intentkey_core::Policies;

use super::sift::Sieve;
use super::tally::Tally;
use super::{AuditError, Control, Settings};
use crate::events::{Chunk, Chunks, Input, Next, declares};

/// What came of all events.
pub(super) struct Streamed {
    pub(super) tally: Tally,
    /// Why it is not of all; empty where it is.
    pub(super) partial: Vec<String>,
}

/// Reads and sifts.
pub(super) fn stream(
    policies: &Policies,
    inputs: &[Input],
    settings: &Settings,
    control: &Control,
    threads: usize,
) -> Result<Streamed, AuditError> {
    let sieve = Sieve::new(policies, settings).map_err(AuditError::Policy)?;
    let tally = Mutex::new(Tally::default());
    let (sender, receiver) = sync_channel::<Chunk>(threads * 2);
    let receiver = Mutex::new(receiver);
    let work = || {
        while let Some(chunk) = next(&receiver) {
            let new = sieve.sift(&chunk);
            control.events.fetch_add(new.events, Relaxed);
            tally.lock().unwrap_or_else(PoisonError::into_inner).add(new);
        }
    };
    let partial = thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
        // Where reading fails, the sender is dropped and the workers end.
        read(policies, inputs, settings, control, move |chunk| sender.send(chunk).is_ok())
    })?;
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Streamed { tally, partial })
}

fn next(receiver: &Mutex<Receiver<Chunk>>) -> Option<Chunk> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Reads to the end, or until it is stopped; gives why not all was read.
fn read(
    policies: &Policies,
    inputs: &[Input],
    settings: &Settings,
    control: &Control,
    hand_over: impl Fn(Chunk) -> bool,
) -> Result<Vec<String>, AuditError> {
    let declared = |name: &str| declares(policies, name);
    let mut chunks = Chunks::new(inputs, &settings.mapping, &declared, &control.watch);
    let mut partial = Vec::new();
    loop {
        if control.watch.is_stopped() {
            partial.push(String::from("it was interrupted"));
            return Ok(partial);
        }
        match chunks.next_chunk().map_err(AuditError::Input)? {
            Next::Chunk(chunk) => {
                if !hand_over(chunk) {
                    return Ok(partial);
                }
            }
            // What was stopped ends in the middle.
            Next::Cut { .. } if control.watch.is_stopped() => {}
            Next::Cut { file, line, error } => {
                let name = inputs.get(file).map(ToString::to_string).unwrap_or_default();
                partial.push(format!("{name} cannot be read from line {line} on: {error}"));
            }
            Next::End if control.watch.is_stopped() => {}
            Next::End => return Ok(partial),
        }
    }
}
