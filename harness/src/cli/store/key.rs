//! Which row is meant: by its key, or by a client's.

use intentkey_core::Key;
use intentkey_core::protocol::ClientKey;

use super::Failure;

/// A key, or a client's.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct KeyArgs {
    /// The key, as `intentkey derive` prints it
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Option<Key>,

    /// The value of a client's header Idempotency-Key, in quotes or bare; its row is one of the tenant's
    #[arg(long, value_name = "VALUE", requires = "tenant")]
    client_key: Option<String>,
}

impl KeyArgs {
    /// The key that is stored, where a client's is one of the tenant's.
    pub(super) fn key(&self, tenant: &str) -> Result<Key, Failure> {
        match (&self.key, &self.client_key) {
            (Some(key), _) => Ok(*key),
            (None, Some(value)) => Ok(ClientKey::lenient(value.as_bytes())?.stored(tenant)),
            (None, None) => Err("say --key or --client-key".into()),
        }
    }
}

/// Which row is meant.
#[derive(Debug, clap::Args)]
pub(super) struct RowArgs {
    #[command(flatten)]
    key: KeyArgs,

    /// Whose key the client's is
    #[arg(long, value_name = "TENANT", conflicts_with = "key")]
    tenant: Option<String>,
}

impl RowArgs {
    pub(super) fn key(&self) -> Result<Key, Failure> {
        self.key.key(self.tenant.as_deref().unwrap_or_default())
    }
}

fn parse_key(text: &str) -> Result<Key, &'static str> {
    Key::parse(text).ok_or("a key has 22 to 64 letters, digits, - and _")
}
