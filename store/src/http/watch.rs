//! Bodies that are watched while they pass, and are not held.

use bytes::Bytes;
use http::HeaderMap;
use http_body::Frame;
use tokio::sync::oneshot;

use super::body::joined;

/// What was seen of a body.
pub(super) enum Seen {
    /// All of it.
    Whole { data: Bytes, trailers: Option<HeaderMap> },
    /// It is longer than the limit.
    Long,
    /// It broke off, or nobody read it to its end.
    Broken,
}

/// What keeps a copy of a body, up to a limit, and tells what it saw once the body is over.
pub(super) struct Watch {
    teller: Option<oneshot::Sender<Seen>>,
    parts: Vec<Bytes>,
    trailers: Option<HeaderMap>,
    length: usize,
    limit: usize,
    is_whole: bool,
}

impl Watch {
    /// A watch over a body, and where it tells.
    pub(super) fn over<B: http_body::Body>(body: &B, limit: usize) -> (Self, oneshot::Receiver<Seen>) {
        let (teller, seen) = oneshot::channel();
        let (parts, trailers, length) = (Vec::new(), None, 0);
        let mut watch = Watch { teller: Some(teller), parts, trailers, length, limit, is_whole: false };
        watch.left(body);
        (watch, seen)
    }

    /// A frame has passed.
    pub(super) fn passed(&mut self, frame: &Frame<Bytes>) {
        if let Some(data) = frame.data_ref() {
            self.length = self.length.saturating_add(data.len());
            if self.length > self.limit {
                self.parts = Vec::new();
                return self.tell(Seen::Long);
            }
            if self.teller.is_some() {
                self.parts.push(data.clone());
            }
        } else if let Some(trailers) = frame.trailers_ref() {
            self.trailers = Some(trailers.clone());
        }
    }

    /// What is left of the body: who knows its length may leave it there, and never ask for the end.
    pub(super) fn left<B: http_body::Body>(&mut self, body: &B) {
        self.is_whole = body.is_end_stream() || body.size_hint().exact() == Some(0);
        if body.is_end_stream() {
            self.ended();
        }
    }

    /// The end was reached.
    pub(super) fn ended(&mut self) {
        let data = joined(std::mem::take(&mut self.parts), self.length);
        let trailers = self.trailers.take();
        self.tell(Seen::Whole { data, trailers });
    }

    /// The body broke off.
    pub(super) fn broke(&mut self) {
        self.tell(Seen::Broken);
    }

    fn tell(&mut self, seen: Seen) {
        if let Some(teller) = self.teller.take() {
            // Nobody may want to know any more.
            let _ = teller.send(seen);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if self.is_whole { self.ended() } else { self.broke() }
    }
}
