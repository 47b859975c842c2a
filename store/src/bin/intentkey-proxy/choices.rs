//! What the proxy is told: arguments, and a file of the same names, which arguments override.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;
use serde::Deserialize;

use crate::look_up::LookUp;

/// A reverse proxy that answers repeats of a request as the draft on the Idempotency-Key header has it
#[derive(Clone, Debug, Default, Parser, Deserialize)]
#[command(name = "intentkey-proxy", version, max_term_width = 100)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Choices {
    /// A TOML file of these choices (with _ for -), and of look-ups: `[look_up]`
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,

    /// The service: http://host:port
    #[arg(long, value_name = "URL")]
    pub(crate) upstream: Option<String>,

    /// The store: sqlite:FILE, or postgres://user@host/database, which many proxies may share
    #[arg(long, value_name = "URL", env = "INTENTKEY_DATABASE", hide_env_values = true)]
    pub(crate) database: Option<String>,

    /// One name for all callers, for a service that has only one. Keys of different tenants never meet
    #[arg(long, value_name = "NAME")]
    pub(crate) tenant: Option<String>,

    /// The header that names the tenant, set by what authenticates in front of the proxy
    #[arg(long, value_name = "HEADER")]
    pub(crate) tenant_header: Option<String>,

    /// The tenant is whoever sends this very `Authorization`: for API keys, which are not renewed
    #[arg(long)]
    pub(crate) tenant_authorization: bool,

    /// Where to listen [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,

    /// Where /healthz, /metrics and /unsettled are [default: 127.0.0.1:8081]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) admin: Option<SocketAddr>,

    /// A policy (TOML or JSON): keys are derived where callers send none, on the routes of --route
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,

    /// An action of the policy, by method and path: 'POST /payments/{account}=pix.transfer'
    #[arg(long = "route", value_name = "ROUTE")]
    #[serde(rename = "routes")]
    pub(crate) routes: Vec<String>,

    /// The header with the second at which the intent was decided [default: Intent-Epoch]
    #[arg(long, value_name = "HEADER")]
    pub(crate) epoch_header: Option<String>,

    /// The member of the body with that second, in place of a header
    #[arg(long, value_name = "MEMBER", conflicts_with = "epoch_header")]
    pub(crate) epoch_field: Option<String>,

    /// A file with the raw bytes of the secret; else --keyring, or INTENTKEY_SECRET (hex)
    #[arg(long, value_name = "FILE", conflicts_with = "keyring")]
    pub(crate) secret_file: Option<PathBuf>,

    /// A JSON file of secrets over time: [{"id", "from_epoch", "secret_hex"}]
    #[arg(long, value_name = "FILE")]
    pub(crate) keyring: Option<PathBuf>,

    /// How answers are spelled: ietf, stripe, open-finance-brasil [default: ietf]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<String>,

    /// The name of the key's header, where it is another than the dialect's
    #[arg(long, value_name = "HEADER")]
    pub(crate) header: Option<String>,

    /// Keys may come without quotes
    #[arg(long)]
    pub(crate) lenient: bool,

    /// Requests without a key are sent on as often as they come
    #[arg(long)]
    pub(crate) optional: bool,

    /// How long the service may take for a request [default: 30]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) execution_seconds: Option<u64>,

    /// For how long answers are kept [default: 604800]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) keep_seconds: Option<u64>,

    /// A repeat waits so long for the original's answer before it gets 409 [default: 0]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) wait_seconds: Option<u64>,

    /// The service itself takes each key only once, and remembers it for so long
    #[arg(long, value_name = "SECONDS")]
    pub(crate) honours_keys_seconds: Option<u64>,

    /// The longest body of a request with a key, and the longest answer that is kept [default: 1048576]
    #[arg(long, value_name = "BYTES")]
    pub(crate) largest_body: Option<usize>,

    /// A header more that is stored and replayed; may be repeated
    #[arg(long = "replay-header", value_name = "HEADER")]
    #[serde(rename = "replay_headers")]
    pub(crate) replay_headers: Vec<String>,

    /// Claim, compare and count, and send everything on all the same
    #[arg(long)]
    pub(crate) shadow: bool,

    /// Send everything through and claim nothing: to measure what the layer costs
    #[arg(long)]
    pub(crate) without_layer: bool,

    /// The service speaks HTTP/2 without TLS, as gRPC does
    #[arg(long)]
    pub(crate) upstream_http2: bool,

    /// What the service is called in the store; proxies of different services on one database need
    /// different names [default: upstream]
    #[arg(long, value_name = "NAME")]
    pub(crate) destination: Option<String>,

    /// How long a shutdown waits for what runs [default: 120]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) grace_seconds: Option<u64>,

    /// How often unknown outcomes are looked up and old rows deleted [default: 5]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) upkeep_seconds: Option<u64>,

    /// What is logged: error, warn, info or debug [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log: Option<String>,

    /// How the service is asked what became of a key.
    #[arg(skip)]
    pub(crate) look_up: Option<LookUp>,
}

impl Choices {
    /// From the arguments, and the file that they name.
    pub(crate) fn read() -> Result<Self, String> {
        let arguments = Choices::parse();
        let Some(path) = &arguments.config else { return Ok(arguments) };
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let file = toml::from_str(&text)
            .map_err(|error: toml::de::Error| format!("{}: {}", path.display(), error.message()))?;
        Ok(arguments.over(file))
    }

    /// These, and the file's where they say nothing.
    fn over(self, file: Choices) -> Choices {
        let has_tenant = self.tenant.is_some() || self.tenant_header.is_some() || self.tenant_authorization;
        let tenant = if has_tenant { self.clone() } else { file.clone() };
        let routes = if self.routes.is_empty() { file.routes } else { self.routes };
        let headers = if self.replay_headers.is_empty() { file.replay_headers } else { self.replay_headers };
        Choices {
            config: self.config,
            upstream: self.upstream.or(file.upstream),
            database: self.database.or(file.database),
            tenant: tenant.tenant,
            tenant_header: tenant.tenant_header,
            tenant_authorization: tenant.tenant_authorization,
            listen: self.listen.or(file.listen),
            admin: self.admin.or(file.admin),
            policy: self.policy.or(file.policy),
            routes,
            epoch_header: self.epoch_header.or(file.epoch_header),
            epoch_field: self.epoch_field.or(file.epoch_field),
            secret_file: self.secret_file.or(file.secret_file),
            keyring: self.keyring.or(file.keyring),
            dialect: self.dialect.or(file.dialect),
            header: self.header.or(file.header),
            lenient: self.lenient || file.lenient,
            optional: self.optional || file.optional,
            execution_seconds: self.execution_seconds.or(file.execution_seconds),
            keep_seconds: self.keep_seconds.or(file.keep_seconds),
            wait_seconds: self.wait_seconds.or(file.wait_seconds),
            honours_keys_seconds: self.honours_keys_seconds.or(file.honours_keys_seconds),
            largest_body: self.largest_body.or(file.largest_body),
            replay_headers: headers,
            shadow: self.shadow || file.shadow,
            without_layer: self.without_layer || file.without_layer,
            upstream_http2: self.upstream_http2 || file.upstream_http2,
            destination: self.destination.or(file.destination),
            grace_seconds: self.grace_seconds.or(file.grace_seconds),
            upkeep_seconds: self.upkeep_seconds.or(file.upkeep_seconds),
            log: self.log.or(file.log),
            look_up: file.look_up,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_override_the_file() {
        let file: Choices = toml::from_str(
            "upstream = \"http://a:1\"\ntenant_header = \"x\"\nroutes = [\"POST /a=b\"]\nwait_seconds = 3\n\
             [look_up]\nget = \"/k/{key}\"\nlongest_delay_seconds = 5\nfound = { status = 200 }\n\
             absent = { status = 404 }\n",
        )
        .unwrap();
        let arguments = Choices::parse_from(["intentkey-proxy", "--upstream", "http://b:2", "--tenant", "t"]);
        let both = arguments.over(file);
        assert_eq!(both.upstream.as_deref(), Some("http://b:2"));
        assert_eq!((both.tenant.as_deref(), both.tenant_header), (Some("t"), None));
        assert_eq!((both.wait_seconds, &both.routes[..]), (Some(3), &["POST /a=b".to_owned()][..]));
        assert!(both.look_up.is_some());
        assert!(toml::from_str::<Choices>("upstraem = \"x\"").is_err());
    }
}
