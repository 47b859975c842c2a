//! Bodies: passed on as they are, or read within a limit.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use http_body::{Body as _, Frame, SizeHint};
use pin_project_lite::pin_project;

use super::watch::Watch;

pin_project! {
    /// A body of a request or a response: the one that was there, or what was read or stored of it.
    pub struct Body<B> {
        #[pin]
        kind: Kind<B>,
    }
}

pin_project! {
    #[project = Projected]
    enum Kind<B> {
        Passed { #[pin] body: B },
        Watched { #[pin] body: B, watch: Watch },
        Whole { data: Option<Bytes>, trailers: Option<HeaderMap> },
        Begun { frames: VecDeque<Frame<Bytes>>, rest: Pin<Box<B>> },
    }
}

impl<B> Body<B> {
    /// Nothing.
    #[must_use]
    pub fn empty() -> Self {
        Body::whole(Bytes::new(), None)
    }

    pub(super) fn passed(body: B) -> Self {
        Body { kind: Kind::Passed { body } }
    }

    pub(super) fn watched(body: B, watch: Watch) -> Self {
        Body { kind: Kind::Watched { body, watch } }
    }

    pub(super) fn whole(data: Bytes, trailers: Option<HeaderMap>) -> Self {
        Body { kind: Kind::Whole { data: (!data.is_empty()).then_some(data), trailers } }
    }
}

impl<B> From<B> for Body<B> {
    fn from(body: B) -> Self {
        Body::passed(body)
    }
}

impl<B> fmt::Debug for Body<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Body(..)")
    }
}

impl<B: http_body::Body<Data = Bytes>> http_body::Body for Body<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        match self.project().kind.project() {
            Projected::Passed { body } => body.poll_frame(context),
            Projected::Watched { mut body, watch } => {
                let frame = std::task::ready!(body.as_mut().poll_frame(context));
                match &frame {
                    Some(Ok(frame)) => {
                        watch.passed(frame);
                        watch.left(&*body);
                    }
                    Some(Err(_)) => watch.broke(),
                    None => watch.ended(),
                }
                Poll::Ready(frame)
            }
            Projected::Whole { data, trailers } => {
                let frame = data.take().map(Frame::data).or_else(|| trailers.take().map(Frame::trailers));
                Poll::Ready(frame.map(Ok))
            }
            Projected::Begun { frames, rest } => match frames.pop_front() {
                Some(frame) => Poll::Ready(Some(Ok(frame))),
                None => rest.as_mut().poll_frame(context),
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            Kind::Passed { body } | Kind::Watched { body, .. } => body.is_end_stream(),
            Kind::Whole { data, trailers } => data.is_none() && trailers.is_none(),
            Kind::Begun { frames, rest } => frames.is_empty() && rest.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            Kind::Passed { body } | Kind::Watched { body, .. } => body.size_hint(),
            Kind::Whole { data, .. } => {
                SizeHint::with_exact(data.as_ref().map_or(0, Bytes::len).try_into().unwrap_or(u64::MAX))
            }
            Kind::Begun { frames, rest } => {
                let begun: usize = frames.iter().filter_map(Frame::data_ref).map(Bytes::len).sum();
                let (begun, left) = (u64::try_from(begun).unwrap_or(u64::MAX), rest.size_hint());
                let mut hint = SizeHint::new();
                hint.set_lower(left.lower().saturating_add(begun));
                if let Some(upper) = left.upper().and_then(|upper| upper.checked_add(begun)) {
                    hint.set_upper(upper);
                }
                hint
            }
        }
    }
}

/// What came of reading a body.
pub(super) enum Read<B> {
    /// All of it.
    Whole { data: Bytes, trailers: Option<HeaderMap> },
    /// It is longer than the limit: what was read, and the rest, unread.
    Long(Body<B>),
    /// It broke off.
    Broken,
}

/// Reads a body of at most `limit` bytes; one that says that it is longer is not read at all.
pub(super) async fn read<B: http_body::Body<Data = Bytes>>(body: B, limit: usize) -> Read<B> {
    let mut rest = Box::pin(body);
    let mut frames = VecDeque::new();
    let mut length = 0_usize;
    if rest.size_hint().lower() > u64::try_from(limit).unwrap_or(u64::MAX) {
        return Read::Long(Body { kind: Kind::Begun { frames, rest } });
    }
    while let Some(frame) = poll_fn(|context| rest.as_mut().poll_frame(context)).await {
        let Ok(frame) = frame else { return Read::Broken };
        length = length.saturating_add(frame.data_ref().map_or(0, Bytes::len));
        frames.push_back(frame);
        if length > limit {
            return Read::Long(Body { kind: Kind::Begun { frames, rest } });
        }
    }
    let mut trailers = None;
    let mut parts = Vec::new();
    for frame in frames {
        match frame.into_data() {
            Ok(data) => parts.push(data),
            Err(frame) => trailers = frame.into_trailers().ok().or(trailers),
        }
    }
    Read::Whole { data: joined(parts, length), trailers }
}

/// One piece is not copied.
pub(super) fn joined(mut parts: Vec<Bytes>, length: usize) -> Bytes {
    match parts.pop() {
        None => Bytes::new(),
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            let mut all = BytesMut::with_capacity(length);
            parts.iter().for_each(|part| all.extend_from_slice(part));
            all.extend_from_slice(&last);
            all.freeze()
        }
    }
}
