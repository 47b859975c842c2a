//! The tower layer and its service.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use tower_layer::Layer;
use tower_service::Service;

use super::body::Body;
use super::options::Settings;
use super::{grpc, handle};

/// Answers repeats in front of a service: see [the module](super).
#[derive(Clone)]
pub struct IdempotencyLayer {
    settings: Arc<Settings>,
}

/// A service behind an [`IdempotencyLayer`].
#[derive(Clone)]
pub struct Idempotency<S> {
    inner: S,
    settings: Arc<Settings>,
}

impl IdempotencyLayer {
    pub(super) fn of(settings: Settings) -> Self {
        IdempotencyLayer { settings: Arc::new(settings) }
    }

    pub(super) fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.settings));
        self
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl<S> Layer<S> for IdempotencyLayer {
    type Service = Idempotency<S>;

    fn layer(&self, inner: S) -> Idempotency<S> {
        Idempotency { inner, settings: self.settings.clone() }
    }
}

/// What a service must be to stand behind the layer: it is called in a task of its own.
impl<S, B, A> Service<Request<B>> for Idempotency<S>
where
    S: Service<Request<Body<B>>, Response = Response<A>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Send,
    A: http_body::Body<Data = Bytes> + Send + 'static,
    A::Error: Send,
{
    type Response = Response<Body<A>>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // The one that is ready is taken, and an equal one left in its place.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        if let Some(rules) = handle::untouched(&self.settings, &request) {
            let passed = match rules {
                handle::Untouched::Rules => {
                    let response = super::rules::response(&self.settings, request.method());
                    return Box::pin(std::future::ready(Ok(response)));
                }
                handle::Untouched::Pass => inner.call(request.map(Body::passed)),
            };
            return Box::pin(async move { Ok(passed.await?.map(Body::passed)) });
        }
        let is_grpc = grpc::is_spoken(request.headers());
        let mirrored = self.settings.dialect.mirrored(request.headers());
        let handled = handle::handle(self.settings.clone(), inner, request);
        Box::pin(async move {
            let mut response = handled.await?;
            if is_grpc {
                response = grpc::spelled(response);
            }
            if let Some((name, value)) = mirrored {
                response.headers_mut().entry(name).or_insert(value);
            }
            Ok(response)
        })
    }
}
