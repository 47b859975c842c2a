//! Which policy is in force when, and its buckets.

use intentkey_core::{Class, Policies, Policy};

/// The policies over time.
pub(super) struct Clock<'p> {
    versions: Vec<(u64, &'p Policy)>,
}

/// The buckets at an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buckets {
    /// The index of the policy in force.
    pub(super) version: usize,
    /// The bucket's width in seconds; 0 is one bucket for all time.
    pub(super) width: u64,
    /// The policy's edges in seconds.
    pub(super) edge: u64,
}

impl<'p> Clock<'p> {
    pub(super) fn new(policies: &'p Policies) -> Self {
        Clock { versions: policies.iter().map(|(from, policy)| (from.unwrap_or(0), policy)).collect() }
    }

    /// The policy in force; `None` before the first.
    pub(super) fn policy_at(&self, epoch: u64) -> Option<&'p Policy> {
        Some(self.versions.get(self.version_at(epoch)?)?.1)
    }

    fn version_at(&self, epoch: u64) -> Option<usize> {
        self.versions.iter().rposition(|(from, _)| *from <= epoch)
    }

    /// The buckets in force.
    pub(super) fn at(&self, epoch: u64) -> Buckets {
        let version = self.version_at(epoch).unwrap_or(0);
        let policy = self.versions.get(version).map(|version| version.1);
        Buckets {
            version,
            width: policy.map_or(0, Policy::bucket_seconds),
            edge: policy.map_or(0, Policy::edge_seconds),
        }
    }

    /// The first policy.
    pub(super) fn first(&self) -> Option<&'p Policy> {
        self.versions.first().map(|version| version.1)
    }

    /// The newest policy: the one whose buckets are shown.
    pub(super) fn newest(&self) -> Option<&'p Policy> {
        self.versions.last().map(|version| version.1)
    }

    /// Whether any policy checks a field.
    pub(super) fn checks(&self) -> bool {
        let checks = |policy: &Policy| policy.fields().iter().any(|field| field.class() == Class::Checked);
        self.versions.iter().any(|(_, policy)| checks(policy))
    }
}

impl Buckets {
    /// The bucket of an epoch.
    pub(super) fn of(self, epoch: u64) -> u64 {
        epoch.checked_div(self.width).unwrap_or(0)
    }
}
