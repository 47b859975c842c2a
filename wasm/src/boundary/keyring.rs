//! Keyrings, from the secrets that a host gives.

use alloc::string::String;
use alloc::vec::Vec;

use intentkey_core::{Code, Keyring, KeyringEntry, Secret, TenantEntry};
use zeroize::Zeroizing;

use super::Refused;

/// A secret that a host gives.
pub struct HeldSecret {
    /// What it is called in results.
    pub id: String,
    /// The first second from which it is used, since 1970; `None` for what is no such number.
    pub from_epoch: Option<u64>,
    /// The tenant whose secret it is; `None` for a master secret.
    pub tenant: Option<String>,
    /// Its bytes.
    pub secret: Zeroizing<Vec<u8>>,
}

/// Makes a keyring of master secrets, or of tenants' secrets.
///
/// # Errors
///
/// `keyring_invalid` where both are given, and as [`Keyring::new`] and [`Keyring::of_tenants`];
/// `secret_weak` as [`Secret::new`].
pub fn keyring(held: Vec<HeldSecret>) -> Result<Keyring, Refused> {
    let invalid = |message| Refused::new(Code::KeyringInvalid).because(message);
    let of_tenants = held.iter().filter(|held| held.tenant.is_some()).count();
    if of_tenants != 0 && of_tenants != held.len() {
        return Err(invalid("every secret of such a ring names its tenant"));
    }
    let mut masters = Vec::new();
    let mut tenants = Vec::new();
    for HeldSecret { id, from_epoch, tenant, mut secret } in held {
        let from_epoch =
            from_epoch.ok_or_else(|| invalid("the epoch of a secret is an integral number of seconds"))?;
        let secret = Secret::new(core::mem::take(&mut *secret))?;
        match tenant {
            None => masters.push(KeyringEntry { id, from_epoch, secret }),
            Some(tenant) => tenants.push(TenantEntry { id, from_epoch, tenant, tenant_secret: secret }),
        }
    }
    let keyring = if of_tenants == 0 { Keyring::new(masters) } else { Keyring::of_tenants(tenants) };
    keyring.map_err(Refused::from)
}
