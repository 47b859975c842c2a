//! The way to the server: encrypted where it leaves the machine, and never without an end.

use std::net::IpAddr;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, RecyclingMethod};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, NoTls};

use crate::error::{Result, StoreError};
use crate::options::Options;

/// A transaction that was dropped has its ROLLBACK queued before anything that follows.
const RECYCLING: ManagerConfig = ManagerConfig { recycling_method: RecyclingMethod::Fast };

/// What makes connections to the server of a URL.
pub(super) fn manager(url: &str, options: &Options) -> Result<Manager> {
    // The error of the parser is left out: it may show a part of the URL.
    let mut config: Config = url.parse().map_err(|_| StoreError::Url("it is no PostgreSQL URL"))?;
    wait_no_longer(&mut config, options.longest_claim);
    match config.get_ssl_mode() {
        SslMode::Disable => Ok(Manager::from_config(config, NoTls, RECYCLING)),
        SslMode::Prefer if is_local(&config) => Ok(Manager::from_config(config, NoTls, RECYCLING)),
        _ => encrypted(config, options),
    }
}

/// Whether nobody else reads what goes over the way.
fn is_local(config: &Config) -> bool {
    let is_local = |host: &Host| match host {
        Host::Tcp(name) => name == "localhost" || name.parse::<IpAddr>().is_ok_and(|host| host.is_loopback()),
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    config.get_hosts().iter().all(is_local)
        && config.get_hostaddrs().iter().all(|address| address.is_loopback())
}

/// Where the URL does not say how long to wait for a server that does not answer: as long as for a
/// statement.
fn wait_no_longer(config: &mut Config, longest: Duration) {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(longest);
    }
    if config.get_tcp_user_timeout().is_none() {
        // The server answers a statement that it has ended, after the longest claim.
        config.tcp_user_timeout(longest.saturating_mul(2));
    }
}

#[cfg(not(feature = "tls"))]
fn encrypted(_: Config, _: &Options) -> Result<Manager> {
    Err(StoreError::Url(
        "TLS needs the feature tls, or a pool of your own (PostgresStore::with_pool); without it write sslmode=disable",
    ))
}

#[cfg(feature = "tls")]
fn encrypted(mut config: Config, options: &Options) -> Result<Manager> {
    use std::sync::Arc;

    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject as _;
    use rustls::{ClientConfig, RootCertStore};

    let mut roots = RootCertStore::empty();
    match &options.root_certificates {
        Some(pem) => {
            for certificate in CertificateDer::pem_slice_iter(pem) {
                let is_read = certificate.is_ok_and(|certificate| roots.add(certificate).is_ok());
                if !is_read {
                    return Err(StoreError::Url("a root certificate cannot be read"));
                }
            }
        }
        None => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
    }
    if roots.is_empty() {
        return Err(StoreError::Url("TLS has no root certificates: Options::root_certificates"));
    }
    let tls = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(StoreError::database)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.ssl_mode(SslMode::Require);
    Ok(Manager::from_config(config, tokio_postgres_rustls::MakeRustlsConnect::new(tls), RECYCLING))
}
