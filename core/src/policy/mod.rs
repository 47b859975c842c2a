//! Policies: what is said once about the fields of an intent.

mod build;
mod digest;
mod field;
mod names;
mod node;
mod path;
mod retention;
mod schema;
mod table;

pub use field::{Class, Empty, Field, Ignored, List};
pub use node::Place;
pub use path::{Path, Segment};
pub use retention::{Caller, Retention};

pub(crate) use node::{Leaf, ListNode, Node, ObjectNode};
pub(crate) use path::Trail;
pub(crate) use table::{Table, integer_within, invalid, member_place, quoted};

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bucket::Buckets;
use crate::error::Refusal;
use crate::json;
use crate::key::KeyShape;
use crate::value::Value;

/// Whose secret MACs the keys of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One secret for all tenants.
    All,
    /// A secret derived for each tenant, which a producer of that tenant can hold alone.
    Tenant,
}

/// A policy: the class of every field, the rules, the bucket and the key's shape.
///
/// It is read from JSON (people write the same schema as TOML, which the `intentkey` command
/// reads) and validated once; a policy that exists is sound.
///
/// ```
/// use intentkey_core::Policy;
///
/// let policy = Policy::from_json(r#"{
///     "name": "refund",
///     "actions": ["refund.create"],
///     "bucket_seconds": 900,
///     "identity": {
///         "order": { "rule": "exact" },
///         "amount": { "rule": "decimal", "scale": 2 }
///     },
///     "ignored": { "request_id": "new on every attempt" }
/// }"#)?;
/// assert_eq!(policy.name(), "refund");
/// assert_eq!(policy.fields().len(), 2);
/// # Ok::<(), intentkey_core::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    name: Box<str>,
    actions: Vec<Action>,
    buckets: Buckets,
    shape: KeyShape,
    scope: Scope,
    destinations: Vec<Box<str>>,
    fields: Vec<Field>,
    ignored: Vec<Ignored>,
    lists: Vec<List>,
    retention: Option<Retention>,
    root: Node,
    has_checked: bool,
}

/// An action, and how material writes it.
#[derive(Clone, Debug)]
struct Action {
    name: Box<str>,
    written: Box<str>,
}

impl Policy {
    /// Reads a policy from JSON.
    ///
    /// # Errors
    ///
    /// `policy_invalid`, with the place in the policy as `field`, for text that is not JSON and
    /// for anything unknown, missing, overlapping or contradictory.
    pub fn from_json(text: &str) -> Result<Policy, Refusal> {
        let document =
            json::read_document(text).map_err(|refusal| invalid("", refusal.message().to_owned()))?;
        Policy::from_value(&document)
    }

    /// Reads a policy from a value of the caller's, for hosts that have it as their own objects.
    ///
    /// # Errors
    ///
    /// As [`Policy::from_json`].
    pub fn from_value(value: &Value<'_>) -> Result<Policy, Refusal> {
        schema::read(value)
    }

    /// The policy's name, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The actions that the policy covers, compared exactly.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().map(|action| &*action.name)
    }

    /// The width of a bucket in seconds; 0 is one bucket for all time.
    #[must_use]
    pub fn bucket_seconds(&self) -> u64 {
        self.buckets.seconds
    }

    /// How far from a bucket's edge an intent gets a second key, in seconds.
    #[must_use]
    pub fn edge_seconds(&self) -> u64 {
        self.buckets.edge_seconds
    }

    /// The alphabet and the length of the keys.
    #[must_use]
    pub fn key_shape(&self) -> KeyShape {
        self.shape
    }

    /// Whose secret MACs the keys.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// The destinations that the keys go to, as named in lint's table of limits.
    pub fn destinations(&self) -> impl Iterator<Item = &str> {
        self.destinations.iter().map(|name| &**name)
    }

    /// The identity and checked fields, in the order of their paths.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The ignored paths, in the order of their paths.
    #[must_use]
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// Every list that the policy declares, in the order of their paths.
    #[must_use]
    pub fn lists(&self) -> &[List] {
        &self.lists
    }

    /// How long keys are kept, where the policy says so.
    #[must_use]
    pub fn retention(&self) -> Option<&Retention> {
        self.retention.as_ref()
    }

    /// The payload as the policy sees it: the place from which all paths begin.
    #[must_use]
    pub fn payload_place(&self) -> Place<'_> {
        Place::of(&self.root)
    }

    /// The SHA-256, in 64 lower-case hex digits, of all that decides keys, fingerprints and
    /// refusals: two policies with one digest derive alike. Names, reasons, destinations and
    /// retention are not in it, and neither is a default that is written out.
    #[must_use]
    pub fn digest(&self) -> String {
        digest::of(self)
    }

    /// Whether a fingerprint covers more than the key does.
    pub(crate) fn has_checked(&self) -> bool {
        self.has_checked
    }

    pub(crate) fn buckets(&self) -> Buckets {
        self.buckets
    }

    pub(crate) fn root(&self) -> &Node {
        &self.root
    }

    /// The action as material writes it, where the policy has it.
    pub(crate) fn written_action(&self, action: &str) -> Option<&str> {
        self.actions.iter().find(|known| *known.name == *action).map(|known| &*known.written)
    }
}
