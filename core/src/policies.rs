//! Policies over time: which policy is in force when.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::decimal;
use crate::error::Refusal;
use crate::intent::MILLISECONDS_FROM;
use crate::json;
use crate::policy::{Place, Policy, Table, integer_within, invalid};
use crate::sorted::sorted_by;
use crate::value::Value;

/// A policy and the epoch from which it is in force.
#[derive(Clone, Debug)]
pub struct DatedPolicy {
    /// The first second from which it is in force, since 1970: a multiple of its own and its
    /// predecessor's `bucket_seconds`, so that no bucket is cut.
    pub from_epoch: u64,
    /// The policy.
    pub policy: Policy,
}

/// One policy for all epochs, or policies that follow one another.
///
/// The newest at or before an intent's epoch is in force.
///
/// ```
/// use intentkey_core::Policies;
///
/// let policies = Policies::from_json(r#"[
///     {"from_epoch": 0, "policy": {"name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
///         "identity": {"order": {"rule": "text"}}}},
///     {"from_epoch": 1767225600, "policy": {"name": "refund", "actions": ["refund.create"],
///         "bucket_seconds": 600, "identity": {"order": {"rule": "exact"}}}}
/// ]"#)?;
/// assert_eq!(policies.iter().map(|(from, _)| from).collect::<Vec<_>>(), [Some(0), Some(1_767_225_600)]);
/// # Ok::<(), intentkey_core::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policies(Vec<Version>);

/// A policy in its time.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    /// None for a policy that is in force at all epochs.
    from_epoch: Option<u64>,
    pub(crate) policy: Policy,
}

impl Policies {
    /// Puts policies in the order of their epochs.
    ///
    /// # Errors
    ///
    /// `policy_invalid` for no policies, equal epochs, an epoch in milliseconds, and one that
    /// cuts a bucket; `field` is the place in the list.
    pub fn new(policies: Vec<DatedPolicy>) -> Result<Self, Refusal> {
        if policies.is_empty() {
            return Err(invalid("", "must be one policy, or a list of at least one with its from_epoch"));
        }
        let dated: Vec<(usize, DatedPolicy)> = policies.into_iter().enumerate().collect();
        let dated = sorted_by(dated, |one, other| one.1.from_epoch.cmp(&other.1.from_epoch));
        let mut before: Option<&DatedPolicy> = None;
        for (index, policy) in &dated {
            check_epoch(policy, before)
                .map_err(|message| invalid(&[&place(*index), ".from_epoch"].concat(), message))?;
            before = Some(policy);
        }
        let version = |(_, dated): (usize, DatedPolicy)| Version {
            from_epoch: Some(dated.from_epoch),
            policy: dated.policy,
        };
        Ok(Policies(dated.into_iter().map(version).collect()))
    }

    /// Reads one policy, or a list of `{"from_epoch", "policy"}`, from JSON.
    ///
    /// # Errors
    ///
    /// `policy_invalid` as [`Policy::from_json`] and [`Policies::new`].
    pub fn from_json(text: &str) -> Result<Self, Refusal> {
        let document =
            json::read_document(text).map_err(|refusal| invalid("", String::from(refusal.message())))?;
        Policies::from_value(&document)
    }

    /// Reads one policy, or a list of `{"from_epoch", "policy"}`, from a value of the caller's.
    ///
    /// # Errors
    ///
    /// As [`Policies::from_json`].
    pub fn from_value(value: &Value<'_>) -> Result<Self, Refusal> {
        let Value::List(entries) = value else {
            return Policy::from_value(value).map(Policies::from);
        };
        let policies = entries.iter().enumerate().map(|(index, entry)| {
            let place = place(index);
            let mut table = Table::open(entry, &place)?;
            let from_epoch = table
                .take("from_epoch")
                .and_then(|value| integer_within(value, 0, u64::MAX))
                .ok_or_else(|| table.refuse("from_epoch", "must be an integral number of seconds"))?;
            let policy = table.take("policy").ok_or_else(|| table.refuse("policy", "is missing"))?;
            let policy =
                Policy::from_value(policy).map_err(|refusal| refusal.below(&table.place_of("policy")))?;
            table.finish()?;
            Ok(DatedPolicy { from_epoch, policy })
        });
        Policies::new(policies.collect::<Result<_, Refusal>>()?)
    }

    /// The policies with the epochs from which they are in force, oldest first; `None` is a
    /// policy for all epochs.
    pub fn iter(&self) -> impl Iterator<Item = (Option<u64>, &Policy)> {
        self.0.iter().map(|version| (version.from_epoch, &version.policy))
    }

    /// The policy in force at an epoch.
    pub(crate) fn in_force_at(&self, epoch: u64) -> Option<&Policy> {
        self.0
            .iter()
            .rev()
            .find(|version| version.from_epoch.is_none_or(|from| from <= epoch))
            .map(|version| &version.policy)
    }

    /// Whether a policy begins at exactly this epoch.
    pub(crate) fn begins_at(&self, epoch: u64) -> bool {
        self.0.iter().any(|version| version.from_epoch == Some(epoch))
    }

    /// The payload's place in the only policy there is.
    pub(crate) fn only_place(&self) -> Option<Place<'_>> {
        match self.0.as_slice() {
            [version] => Some(version.policy.payload_place()),
            _ => None,
        }
    }
}

/// The policy is in force at all epochs.
impl From<Policy> for Policies {
    fn from(policy: Policy) -> Self {
        Policies(vec![Version { from_epoch: None, policy }])
    }
}

/// The place of an entry in a list of policies.
fn place(index: usize) -> String {
    ["[", &decimal::integer(index as u64), "]"].concat()
}

fn check_epoch(dated: &DatedPolicy, before: Option<&DatedPolicy>) -> Result<(), &'static str> {
    if dated.from_epoch >= MILLISECONDS_FROM {
        return Err("is in seconds, and this is too large to be");
    }
    if before.is_some_and(|before| before.from_epoch == dated.from_epoch) {
        return Err("two policies begin at the same epoch");
    }
    let widths = before.into_iter().chain([dated]).map(|dated| dated.policy.bucket_seconds());
    // A policy without buckets has one for all time, which any epoch but 0 cuts.
    let cuts = |width: u64| dated.from_epoch.checked_rem(width).unwrap_or(dated.from_epoch) != 0;
    if widths.into_iter().any(cuts) {
        return Err(
            "cuts a bucket: it must be a multiple of bucket_seconds of this policy and of the one before",
        );
    }
    Ok(())
}
