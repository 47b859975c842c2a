//! Putting the parts together.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderName;
use http::header::AUTHORIZATION;
use http::request::Parts;
use intentkey_core::protocol::Terms;
use intentkey_store::http::{Dialect, IdempotencyLayer, Reading};
use intentkey_store::{Options, Store, Target, open};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tower_layer::Layer as _;

use crate::admin::{self, Admin};
use crate::choices::Choices;
use crate::look_up::Asked;
use crate::upstream::{self, Bare, Upstream};
use crate::{observe, policy, serve, upkeep};

/// Why the proxy does not run.
pub(crate) enum Error {
    /// It was told something wrong.
    Usage(String),
    /// Something else is wrong.
    Failed(String),
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::Failed(error.to_string())
}

/// Runs until a signal ends it.
pub(crate) async fn run(choices: Choices) -> Result<(), Error> {
    let wanted = |what: &str| Error::Usage(format!("{what} is needed; see --help"));
    let upstream_url = choices.upstream.as_deref().ok_or_else(|| wanted("--upstream URL"))?;
    let database = choices.database.as_deref().ok_or_else(|| wanted("--database URL"))?;
    let authority = upstream::authority(upstream_url).map_err(Error::Usage)?;
    if let Some(look_up) = &choices.look_up {
        look_up.check().map_err(Error::Usage)?;
    }
    let tenant = Tenant::of(&choices).map_err(Error::Usage)?;
    let metrics = observe::start(choices.log.as_deref()).map_err(Error::Usage)?;
    let target = target(&choices);
    let store: Arc<dyn Store> = open(database, Options::default()).await.map_err(failed)?.into();
    let layer =
        IdempotencyLayer::new(store.clone(), target.clone(), move |request: &Parts| tenant.name(request));
    let layer = told(layer, &choices).map_err(Error::Usage)?;

    let listener = bind(choices.listen, 8080).await?;
    let admin_listener = bind(choices.admin, 8081).await?;
    let (at, admin_at) =
        (listener.local_addr().map_err(failed)?, admin_listener.local_addr().map_err(failed)?);
    let ends = ends().map_err(failed)?;
    let asked = Asked::new(target, authority.clone(), choices.look_up.clone(), choices.upstream_http2);
    let every = Duration::from_secs(choices.upkeep_seconds.unwrap_or(5).max(1));
    let kept = tokio::spawn(upkeep::run(store.clone(), asked, every, metrics.clone()));
    let admin = tokio::spawn(admin::serve(admin_listener, Admin { store, metrics }));
    tracing::info!(listen = %at, admin = %admin_at, upstream = %authority, "ready");

    let upstream = Upstream::new(authority, choices.upstream_http2, key_header(&choices), layer.clone());
    let grace = Duration::from_secs(choices.grace_seconds.unwrap_or(120));
    if choices.without_layer {
        serve::serve(listener, Bare(upstream), layer, ends, grace).await;
    } else {
        serve::serve(listener, layer.layer(upstream), layer, ends, grace).await;
    }
    kept.abort();
    admin.abort();
    tracing::info!("ended");
    Ok(())
}

async fn bind(given: Option<std::net::SocketAddr>, port: u16) -> Result<TcpListener, Error> {
    let address = given.unwrap_or_else(|| ([127, 0, 0, 1], port).into());
    TcpListener::bind(address).await.map_err(|error| Error::Failed(format!("{address}: {error}")))
}

/// Resolves at SIGTERM or SIGINT.
fn ends() -> std::io::Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// What the service is, when an outcome is unknown.
fn target(choices: &Choices) -> Target {
    let terms = choices
        .honours_keys_seconds
        .map_or(Terms::neither(), |seconds| Terms::idempotent_by_key(Duration::from_secs(seconds)));
    let terms = match &choices.look_up {
        Some(look_up) => terms.and_look_up(Duration::from_secs(look_up.longest_delay_seconds)),
        None => terms,
    };
    let name = choices.destination.as_deref().unwrap_or("upstream");
    Target::new(name, terms, Duration::from_secs(choices.execution_seconds.unwrap_or(30)))
}

fn told(mut layer: IdempotencyLayer, choices: &Choices) -> Result<IdempotencyLayer, String> {
    layer = layer.dialect(dialect(choices)?);
    if let Some(name) = &choices.header {
        layer = layer.header(header(name)?);
    }
    if choices.lenient {
        layer = layer.reading(Reading::Lenient);
    }
    if choices.optional {
        layer = layer.optional();
    }
    if let Some(seconds) = choices.keep_seconds {
        layer = layer.keep_for(Duration::from_secs(seconds));
    }
    if let Some(seconds) = choices.wait_seconds {
        layer = layer.wait(Duration::from_secs(seconds));
    }
    if let Some(bytes) = choices.largest_body {
        layer = layer.largest_request(bytes).largest_answer(bytes);
    }
    for name in &choices.replay_headers {
        layer = layer.replay_header(header(name)?);
    }
    if choices.shadow {
        layer = layer.shadow();
    }
    if let Some(derivation) = policy::derivation(choices)? {
        layer = layer.derivation(derivation);
    }
    Ok(layer)
}

fn dialect(choices: &Choices) -> Result<Dialect, String> {
    let Some(name) = choices.dialect.as_deref() else { return Ok(Dialect::Ietf) };
    Dialect::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = Dialect::ALL.into_iter().map(Dialect::name).collect();
        format!("--dialect {name}: there are {}", known.join(", "))
    })
}

fn header(name: &str) -> Result<HeaderName, String> {
    HeaderName::try_from(name).map_err(|_| format!("{name} is no name of a header"))
}

/// The header by which the service gets the key of an intent whose caller sent none.
fn key_header(choices: &Choices) -> HeaderName {
    let named = choices.header.as_deref().and_then(|name| header(name).ok());
    named.unwrap_or_else(|| dialect(choices).unwrap_or(Dialect::Ietf).header())
}

/// Whose request it is.
enum Tenant {
    One(String),
    Header(HeaderName),
    Authorization,
}

impl Tenant {
    fn of(choices: &Choices) -> Result<Self, String> {
        match (&choices.tenant, &choices.tenant_header, choices.tenant_authorization) {
            (Some(name), None, false) if !name.is_empty() => Ok(Tenant::One(name.clone())),
            (None, Some(name), false) => Ok(Tenant::Header(header(name)?)),
            (None, None, true) => Ok(Tenant::Authorization),
            _ => Err("one of --tenant NAME, --tenant-header HEADER and --tenant-authorization is needed: \
                      whose keys are whose"
                .into()),
        }
    }

    fn name(&self, request: &Parts) -> Option<String> {
        let only = |name: &HeaderName| {
            let mut values = request.headers.get_all(name).iter();
            let (Some(value), None) = (values.next(), values.next()) else { return None };
            Some(value)
        };
        match self {
            Tenant::One(name) => Some(name.clone()),
            Tenant::Header(name) => only(name)?.to_str().ok().map(str::to_owned),
            Tenant::Authorization => {
                let digest = Sha256::digest(only(&AUTHORIZATION)?.as_bytes());
                Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
            }
        }
    }
}
