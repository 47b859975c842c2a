//! Keyrings: which secret is in force when, so that a rotation never splits an intent in flight.

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Code, Refusal};
use crate::intent::MILLISECONDS_FROM;
use crate::json;
use crate::policy::{Table, integer_within};
use crate::secret::{Macs, Secret};
use crate::secret_id::SecretId;
use crate::sorted::{find_equal, sorted_by};
use crate::value::Value;

/// The id of a secret that is given alone.
const BARE_ID: &str = "default";

/// A secret and the epoch from which it is used.
#[derive(Clone)]
pub struct KeyringEntry {
    /// What the secret is called in results: not empty.
    pub id: String,
    /// The first second from which it is used, since 1970.
    pub from_epoch: u64,
    /// The secret.
    pub secret: Secret,
}

/// One tenant's secret and the epoch from which it is used.
#[derive(Clone)]
pub struct TenantEntry {
    /// What the secret is called in results: not empty.
    pub id: String,
    /// The first second from which it is used, since 1970.
    pub from_epoch: u64,
    /// The tenant whose secret it is.
    pub tenant: String,
    /// The tenant's secret: [`Secret::for_tenant`] of the master secret with this id.
    pub tenant_secret: Secret,
}

/// The secrets that a deriver uses.
///
/// The secret in force is the one with the highest `from_epoch` at or before the first second of
/// the bucket in question, so that a rotation never splits a bucket.
///
/// ```
/// use intentkey_core::{Keyring, KeyringEntry, Secret};
///
/// let bare = Keyring::from(Secret::new([1; 32])?);
/// let rotated = Keyring::new(vec![
///     KeyringEntry { id: "2025".into(), from_epoch: 0, secret: Secret::new([1; 32])? },
///     KeyringEntry { id: "2026".into(), from_epoch: 1_767_225_600, secret: Secret::new([2; 32])? },
/// ])?;
/// # Ok::<(), intentkey_core::Refusal>(())
/// ```
#[derive(Clone)]
pub struct Keyring(Held);

#[derive(Clone)]
enum Held {
    Masters(Ring),
    /// In the order of the tenants.
    Tenants(Vec<(Box<str>, Ring)>),
}

/// Secrets with their ids and epochs, before they are put on a ring.
type Secrets = Vec<(String, u64, Secret)>;

/// Secrets by their epochs.
#[derive(Clone)]
pub(crate) struct Ring(Vec<Entry>);

/// A secret on a ring, ready to use.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) id: SecretId,
    pub(crate) from_epoch: u64,
    pub(crate) macs: Macs,
}

impl Keyring {
    /// A ring of secrets, in any order.
    ///
    /// # Errors
    ///
    /// `keyring_invalid` for no secrets, an empty id, and ids or epochs that are equal.
    pub fn new(entries: Vec<KeyringEntry>) -> Result<Self, Refusal> {
        let entries = entries.into_iter().map(|entry| (entry.id, entry.from_epoch, entry.secret));
        Ring::new(entries.collect()).map(|ring| Keyring(Held::Masters(ring)))
    }

    /// Rings of tenants' secrets, one ring a tenant; they serve policies with
    /// `scope = "tenant"` only.
    ///
    /// # Errors
    ///
    /// `keyring_invalid` as for [`Keyring::new`], for each tenant's ring, and for an empty tenant.
    ///
    /// ```
    /// use intentkey_core::{Keyring, Secret, TenantEntry};
    ///
    /// let master = Secret::new([7; 32])?;
    /// let acme = TenantEntry {
    ///     id: "2026".into(),
    ///     from_epoch: 0,
    ///     tenant: "acme".into(),
    ///     tenant_secret: master.for_tenant("acme"),
    /// };
    /// assert!(Keyring::of_tenants(vec![acme]).is_ok());
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn of_tenants(entries: Vec<TenantEntry>) -> Result<Self, Refusal> {
        if entries.is_empty() {
            return Err(invalid(NO_SECRETS));
        }
        let mut rings: Vec<(Box<str>, Secrets)> = Vec::new();
        for entry in sorted_by(entries, |one, other| one.tenant.cmp(&other.tenant)) {
            if entry.tenant.is_empty() {
                return Err(invalid("a tenant is not empty"));
            }
            let secret = (entry.id, entry.from_epoch, entry.tenant_secret);
            match rings.last_mut() {
                Some((tenant, ring)) if **tenant == *entry.tenant => ring.push(secret),
                _ => rings.push((entry.tenant.into(), vec![secret])),
            }
        }
        let rings = rings.into_iter().map(|(tenant, ring)| Ring::new(ring).map(|ring| (tenant, ring)));
        rings.collect::<Result<_, _>>().map(|rings| Keyring(Held::Tenants(rings)))
    }

    /// Reads a keyring from JSON: a list of `{"id", "from_epoch", "secret_hex"}`, or of
    /// `{"id", "from_epoch", "tenant", "tenant_secret_hex"}`.
    ///
    /// # Errors
    ///
    /// `keyring_invalid` for anything else, and as [`Keyring::new`] and [`Keyring::of_tenants`];
    /// `secret_weak` as [`Secret::new`].
    ///
    /// ```
    /// use intentkey_core::{Code, Keyring};
    ///
    /// let ring = r#"[{"id": "2026", "from_epoch": 0, "secret_hex": "000102030405060708090a0b0c0d0e0f"}]"#;
    /// assert!(Keyring::from_json(ring).is_ok());
    /// assert_eq!(Keyring::from_json("[]").unwrap_err().code(), Code::KeyringInvalid);
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Refusal> {
        let document =
            json::read_document(text).map_err(|_| invalid("the keyring is not well-formed JSON"))?;
        let Value::List(entries) = &document else {
            return Err(invalid("a keyring is a list of secrets, each with its id and from_epoch"));
        };
        let of_tenants = entries.iter().any(has_tenant);
        if of_tenants {
            Keyring::of_tenants(entries.iter().map(read_tenant_entry).collect::<Result<_, _>>()?)
        } else {
            Keyring::new(entries.iter().map(read_entry).collect::<Result<_, _>>()?)
        }
    }

    /// Whether it holds tenants' secrets only.
    pub(crate) fn is_of_tenants(&self) -> bool {
        matches!(self.0, Held::Tenants(_))
    }

    /// Whether every ring has exactly one secret.
    pub(crate) fn is_single(&self) -> bool {
        match &self.0 {
            Held::Masters(ring) => ring.0.len() == 1,
            Held::Tenants(rings) => rings.iter().all(|(_, ring)| ring.0.len() == 1),
        }
    }

    /// Whether a secret begins so late that its epoch must be in milliseconds.
    pub(crate) fn has_milliseconds(&self) -> bool {
        self.all().into_iter().any(|(_, entry)| entry.from_epoch >= MILLISECONDS_FROM)
    }

    /// The ring for a tenant, where one is held.
    pub(crate) fn ring(&self, tenant: &str) -> Option<&Ring> {
        match &self.0 {
            Held::Masters(ring) => Some(ring),
            Held::Tenants(rings) => {
                let index = rings.binary_search_by(|ring| (*ring.0).cmp(tenant)).ok()?;
                rings.get(index).map(|(_, ring)| ring)
            }
        }
    }

    /// Every secret, with its tenant.
    pub(crate) fn all(&self) -> Vec<(Option<&str>, &Entry)> {
        match &self.0 {
            Held::Masters(ring) => ring.0.iter().map(|held| (None, held)).collect(),
            Held::Tenants(rings) => rings
                .iter()
                .flat_map(|(tenant, ring)| ring.0.iter().map(move |held| (Some(&**tenant), held)))
                .collect(),
        }
    }
}

/// The secret has the id `default` and serves all epochs.
impl From<Secret> for Keyring {
    fn from(secret: Secret) -> Self {
        Keyring(Held::Masters(Ring(vec![Entry::new(BARE_ID.to_owned(), 0, &secret)])))
    }
}

/// Shows ids and epochs, never a secret.
impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.all().into_iter().map(|(_, held)| (held.id.clone(), held.from_epoch));
        f.debug_map().entries(ids).finish()
    }
}

const NO_SECRETS: &str = "a keyring holds at least one secret";

fn invalid(message: &'static str) -> Refusal {
    Refusal::new(Code::KeyringInvalid).because(message)
}

impl Ring {
    fn new(entries: Secrets) -> Result<Self, Refusal> {
        if entries.is_empty() {
            return Err(invalid(NO_SECRETS));
        }
        let mut ring: Vec<Entry> = Vec::with_capacity(entries.len());
        for (id, from_epoch, secret) in entries {
            if id.is_empty() {
                return Err(invalid("the id of a secret is not empty"));
            }
            if ring.iter().any(|held| *held.id == *id) {
                return Err(invalid("two secrets have the same id"));
            }
            ring.push(Entry::new(id, from_epoch, &secret));
        }
        let ring = sorted_by(ring, |one, other| one.from_epoch.cmp(&other.from_epoch));
        if find_equal(&ring, |one, other| one.from_epoch == other.from_epoch).is_some() {
            return Err(invalid("two secrets have the same from_epoch"));
        }
        Ok(Ring(ring))
    }

    /// The secret in force at an epoch.
    pub(crate) fn in_force_at(&self, epoch: u64) -> Option<&Entry> {
        self.0.iter().rev().find(|held| held.from_epoch <= epoch)
    }

    /// All of them, whatever the epoch.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter().rev()
    }

    /// The one secret of a ring whose epochs are not looked at.
    pub(crate) fn only(&self) -> Option<&Entry> {
        self.0.first()
    }
}

impl Entry {
    fn new(id: String, from_epoch: u64, secret: &Secret) -> Self {
        Entry { id: SecretId::from(&*id), from_epoch, macs: Macs::new(secret.bytes()) }
    }
}

fn has_tenant(entry: &Value<'_>) -> bool {
    matches!(entry, Value::Object(members) if members.iter().any(|(name, _)| name.as_str() == Some("tenant")))
}

fn read_entry(value: &Value<'_>) -> Result<KeyringEntry, Refusal> {
    let mut table = open(value)?;
    let (id, from_epoch) = read_id_and_epoch(&mut table)?;
    let secret = read_secret(&mut table, "secret_hex")?;
    table.finish().map_err(as_keyring)?;
    Ok(KeyringEntry { id, from_epoch, secret })
}

fn read_tenant_entry(value: &Value<'_>) -> Result<TenantEntry, Refusal> {
    let mut table = open(value)?;
    let (id, from_epoch) = read_id_and_epoch(&mut table)?;
    let tenant = table.string("tenant").map_err(as_keyring)?;
    let tenant = tenant.ok_or_else(|| invalid("every secret of such a ring names its tenant"))?.to_owned();
    let tenant_secret = read_secret(&mut table, "tenant_secret_hex")?;
    table.finish().map_err(as_keyring)?;
    Ok(TenantEntry { id, from_epoch, tenant, tenant_secret })
}

fn open<'v>(value: &'v Value<'v>) -> Result<Table<'v>, Refusal> {
    Table::open(value, "").map_err(as_keyring)
}

fn read_id_and_epoch(table: &mut Table<'_>) -> Result<(String, u64), Refusal> {
    let id = table.string("id").map_err(as_keyring)?.ok_or_else(|| invalid("every secret has an id"))?;
    let from_epoch = table
        .take("from_epoch")
        .and_then(|value| integer_within(value, 0, u64::MAX))
        .ok_or_else(|| invalid("from_epoch is an integral number of seconds"))?;
    Ok((id.to_owned(), from_epoch))
}

fn read_secret(table: &mut Table<'_>, name: &'static str) -> Result<Secret, Refusal> {
    let digits = table.string(name).map_err(as_keyring)?;
    Secret::from_hex(
        digits.ok_or_else(|| invalid("every secret is given in hex, as secret_hex or tenant_secret_hex"))?,
    )
}

/// A table's refusal speaks of policies; its place and names could hold what came with the
/// keyring, so only the place that our schema names is kept.
fn as_keyring(refusal: Refusal) -> Refusal {
    let known = ["id", "from_epoch", "secret_hex", "tenant", "tenant_secret_hex"];
    let message = match refusal.field().filter(|field| known.contains(field)) {
        Some(field) => [field, " ", refusal.message()].concat(),
        None => "a secret is a table with id, from_epoch and secret_hex (or tenant and tenant_secret_hex), and nothing else".to_owned(),
    };
    Refusal::new(Code::KeyringInvalid).because(message)
}
