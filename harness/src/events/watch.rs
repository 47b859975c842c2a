//! Reading that can be watched and stopped from another thread.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How far reading has come, and whether it is to stop.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Bytes of the files that were read, as they are stored.
    pub bytes: Arc<AtomicU64>,
    /// Set to stop: what was read until then is all there is.
    pub stop: Arc<AtomicBool>,
}

/// How often a reader that waits looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);

/// How much is read at once.
const PIECE: usize = 1 << 16;

impl Watch {
    /// Whether it is to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Counts what is read.
pub(super) struct Counted<R> {
    pub(super) inner: R,
    pub(super) watch: Watch,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.watch.bytes.fetch_add(read as u64, Relaxed);
        Ok(read)
    }
}

/// A source that may be silent for ever, as a terminal or a pipe that stays open: it ends where it
/// is to stop. What waits for it is a thread that nobody waits for.
pub(super) struct Patient {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    taken: usize,
    watch: Watch,
}

impl Patient {
    pub(super) fn new(mut source: impl Read + Send + 'static, watch: &Watch) -> Self {
        let (sender, pieces) = sync_channel(4);
        thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let read = source.read(&mut piece).map(|length| {
                    piece.truncate(length);
                    piece
                });
                let is_last = read.as_ref().map_or_else(
                    |error| error.kind() != io::ErrorKind::Interrupted,
                    |piece| piece.is_empty(),
                );
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Patient { pieces, piece: Vec::new(), taken: 0, watch: watch.clone() }
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.piece.len() {
            if self.watch.is_stopped() {
                return Ok(0);
            }
            match self.pieces.recv_timeout(TICK) {
                Ok(piece) => (self.piece, self.taken) = (piece?, 0),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.piece.is_empty() {
                return Ok(0);
            }
        }
        let mut rest = self.piece.get(self.taken..).unwrap_or_default();
        let read = rest.read(buffer)?;
        self.taken += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What never ends and never gives anything.
    struct Silent;

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }
    }

    #[test]
    fn what_is_silent_ends_where_it_is_to_stop() {
        let watch = Watch::default();
        let mut reader = Patient::new(Silent, &watch);
        let stop = watch.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            stop.stop.store(true, Relaxed);
        });
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 0);
    }

    #[test]
    fn what_is_read_comes_through_whole() {
        let text: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut read = Vec::new();
        Patient::new(io::Cursor::new(text.clone()), &Watch::default()).read_to_end(&mut read).unwrap();
        assert!(read == text);
    }
}
