//! What the layer is told.

use std::sync::Arc;
use std::time::Duration;

use http::header::{HeaderName, HeaderValue};
use http::{Method, Response};
use intentkey_core::protocol::DEFAULT_TTL;
use tokio_util::task::TaskTracker;

use super::answer::{self, may_be_replayed};
use super::body::Body;
use super::dialect::{Dialect, Reading};
use super::layer::IdempotencyLayer;
use super::policy::Derivation;
use super::problem::Answer;
use super::tenant::Tenant;
use crate::claim::Target;
use crate::store::Store;

/// The longest body of a request with a key, and the longest answer that is kept: 1 MiB.
const LARGEST: usize = 1 << 20;
/// How long a body may take.
const SLOWEST_BODY: Duration = Duration::from_secs(30);
/// How long the store may take to answer before the request is refused.
const SLOWEST_STORE: Duration = Duration::from_secs(10);
/// Where the rules are published.
const RULES: &str = "/.well-known/idempotency";

/// What one layer and all its services share.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) store: Arc<dyn Store>,
    pub(super) target: Target,
    pub(super) tenant: Arc<dyn Tenant>,
    pub(super) dialect: Dialect,
    pub(super) header: HeaderName,
    pub(super) reading: Reading,
    pub(super) required: bool,
    pub(super) methods: Vec<Method>,
    pub(super) ttl: Duration,
    pub(super) derivation: Option<Arc<Derivation>>,
    pub(super) wait: Duration,
    pub(super) shadow: bool,
    pub(super) largest_request: usize,
    pub(super) largest_answer: usize,
    pub(super) slowest_body: Duration,
    pub(super) slowest_store: Duration,
    pub(super) replayable: Vec<HeaderName>,
    pub(super) rules_path: Option<String>,
    pub(super) rules_link: Option<HeaderValue>,
    pub(super) running: TaskTracker,
}

/// Choices; each is written once, before the layer is used.
impl IdempotencyLayer {
    /// A layer. `target` names where the handler's effects happen, what may be done when an outcome is
    /// unknown, and how long the handler may take; where the handler calls nobody who honours keys or can
    /// be asked, that is [`Terms::neither`](intentkey_core::protocol::Terms::neither).
    #[must_use]
    pub fn new(store: Arc<dyn Store>, target: Target, tenant: impl Tenant) -> Self {
        let dialect = Dialect::Ietf;
        IdempotencyLayer::of(Settings {
            store,
            target,
            tenant: Arc::new(tenant),
            dialect,
            header: dialect.header(),
            reading: dialect.reading(),
            required: true,
            methods: vec![Method::POST, Method::PATCH],
            ttl: DEFAULT_TTL,
            derivation: None,
            wait: Duration::ZERO,
            shadow: false,
            largest_request: LARGEST,
            largest_answer: LARGEST,
            slowest_body: SLOWEST_BODY,
            slowest_store: SLOWEST_STORE,
            replayable: answer::replayable(),
            rules_path: None,
            rules_link: None,
            running: TaskTracker::new(),
        })
        .rules_at(RULES)
    }

    /// Header and answers as a dialect has them. Call this before [`Self::header`] and [`Self::reading`].
    #[must_use]
    pub fn dialect(self, dialect: Dialect) -> Self {
        self.with(|settings| {
            settings.dialect = dialect;
            settings.header = dialect.header();
            settings.reading = dialect.reading();
        })
    }

    /// The name of the key's header.
    #[must_use]
    pub fn header(self, name: HeaderName) -> Self {
        self.with(|settings| settings.header = name)
    }

    /// How the header is read.
    #[must_use]
    pub fn reading(self, reading: Reading) -> Self {
        self.with(|settings| settings.reading = reading)
    }

    /// Requests without a key pass untouched, and are executed as often as they come.
    #[must_use]
    pub fn optional(self) -> Self {
        self.with(|settings| settings.required = false)
    }

    /// The methods that are covered; POST and PATCH.
    #[must_use]
    pub fn methods(self, methods: impl IntoIterator<Item = Method>) -> Self {
        self.with(|settings| settings.methods = methods.into_iter().collect())
    }

    /// For how long answers to clients' keys are kept; 7 days. Those of derived keys are kept as the policy
    /// says.
    #[must_use]
    pub fn keep_for(self, ttl: Duration) -> Self {
        self.with(|settings| settings.ttl = ttl)
    }

    /// Keys are derived where the caller sends none, and bodies compared in their canonical form.
    #[must_use]
    pub fn derivation(self, derivation: Derivation) -> Self {
        self.with(|settings| settings.derivation = Some(Arc::new(derivation)))
    }

    /// A repeat waits up to so long for the original's answer before it gets 409; not at all.
    #[must_use]
    pub fn wait(self, longest: Duration) -> Self {
        self.with(|settings| settings.wait = longest)
    }

    /// Everything is claimed, compared and counted, and every request is executed all the same, streamed and
    /// cancelled as without the layer: for a first week in production. A handler that does not read the
    /// request's body to its end is `unknown`. See `intentkey_http_shadow_total`.
    #[must_use]
    pub fn shadow(self) -> Self {
        self.with(|settings| settings.shadow = true)
    }

    /// The longest body of a request with a key, in bytes; 1 MiB.
    #[must_use]
    pub fn largest_request(self, bytes: usize) -> Self {
        self.with(|settings| settings.largest_request = bytes)
    }

    /// The longest answer that is kept, in bytes; 1 MiB.
    #[must_use]
    pub fn largest_answer(self, bytes: usize) -> Self {
        self.with(|settings| settings.largest_answer = bytes)
    }

    /// How long the body of a request with a key may take to arrive; 30 seconds.
    #[must_use]
    pub fn slowest_body(self, time: Duration) -> Self {
        self.with(|settings| settings.slowest_body = time)
    }

    /// How long the store may take before a request is refused with 503; 10 seconds.
    #[must_use]
    pub fn slowest_store(self, time: Duration) -> Self {
        self.with(|settings| settings.slowest_store = time)
    }

    /// One header more that is stored and replayed, beside those that describe the answer (`Content-*`,
    /// `Location`, `Link`, `ETag`, `Last-Modified`, `Retry-After`, `Vary`). `Set-Cookie`, authentication,
    /// `Date` and what belongs to a connection are never replayed, whatever is said here.
    #[must_use]
    pub fn replay_header(self, name: HeaderName) -> Self {
        self.with(|settings| {
            if may_be_replayed(&name) && !settings.replayable.contains(&name) {
                settings.replayable.push(name);
            }
        })
    }

    /// Where the rules are published, as a path of this service; `/.well-known/idempotency`. Every problem
    /// links there. What is no path is heeded as [`Self::without_rules`].
    #[must_use]
    pub fn rules_at(self, path: &str) -> Self {
        let link = HeaderValue::try_from(format!("<{path}>; rel=\"describedby\"; type=\"application/json\""));
        let is_path = path.starts_with('/') && !path.contains(['>', '"', ' ']);
        self.with(|settings| {
            settings.rules_link = link.ok().filter(|_| is_path);
            settings.rules_path = is_path.then(|| path.to_owned());
        })
    }

    /// No rules are published: something else does it.
    #[must_use]
    pub fn without_rules(self) -> Self {
        self.rules_at("")
    }

    /// Waits until every request that is being executed has its outcome recorded. Stop accepting first:
    /// what begins meanwhile is waited for as well.
    pub async fn finish(&self) {
        let running = &self.settings().running;
        running.close();
        running.wait().await;
        running.reopen();
    }

    /// How many requests are being executed or recorded.
    #[must_use]
    pub fn running(&self) -> usize {
        self.settings().running.len()
    }

    /// An answer in this layer's dialect, for a service within it that must say that nothing happened
    /// ([`NoEffect`](super::NoEffect)) or that nobody knows ([`OutcomeUnknown`](super::OutcomeUnknown)).
    #[must_use]
    pub fn answer<B>(&self, problem: impl Into<Answer>) -> Response<Body<B>> {
        answer::answer(&problem.into(), self.settings())
    }
}
