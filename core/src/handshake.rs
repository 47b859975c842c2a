//! The handshake: what two producers compare to see that they agree before money moves.

use alloc::string::String;
use alloc::vec::Vec;

use crate::derive::Deriver;
use crate::rules::ISO_4217_DATE;
use crate::unicode::UNICODE_VERSION;

/// What a deriver derives with. Two derivers with equal handshakes give equal keys.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Handshake {
    /// The policies, oldest first.
    pub policies: Vec<PolicyCheck>,
    /// The secrets, by tenant and then oldest first.
    pub secrets: Vec<SecretCheck>,
    /// The version of Unicode that text is pinned to.
    pub unicode: &'static str,
    /// The date of the list of ISO 4217 that currencies are judged by.
    pub currencies: &'static str,
}

/// A policy of a handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyCheck {
    /// The policy's name, for people; it may differ.
    pub name: String,
    /// From when it is in force; `None` for all epochs.
    pub from_epoch: Option<u64>,
    /// [`Policy::digest`](crate::Policy::digest): 64 hex digits.
    pub digest: String,
}

/// A secret of a handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SecretCheck {
    /// The secret's id.
    pub id: String,
    /// The tenant whose secret it is, where it is a tenant's.
    pub tenant: Option<String>,
    /// From when it is used; 0 for a secret that is given alone.
    pub from_epoch: u64,
    /// The first 8 hex digits of HMAC-SHA256(secret, `intentkey check v1`).
    pub check: String,
}

impl Deriver {
    /// What this deriver derives with, safe to log and to send.
    ///
    /// ```
    /// # use intentkey_core::{Deriver, Intent, Payload, Policy, RecordedIntent, Secret};
    /// # let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"],
    /// #     "bucket_seconds": 900, "edge_seconds": 20, "key": {"format": "uuid"},
    /// #     "identity": {"order": {"rule": "exact"}}, "checked": {"note": {"rule": "text", "required": false}},
    /// #     "ignored": {"request_id": "new on every attempt"}}"#)?;
    /// # let deriver = Deriver::new(policy, Secret::new([7; 32])?)?;
    /// # let intent = |payload| Intent { tenant: "acme".into(), action: "refund.create".into(),
    /// #     epoch: 1_767_225_700_u64.into(), payload: Payload::Json(payload) };
    /// let handshake = deriver.handshake();
    /// assert_eq!(handshake.policies[0].name, "refund");
    /// assert_eq!((handshake.secrets[0].id.as_str(), handshake.secrets[0].check.len()), ("default", 8));
    /// # Ok::<(), intentkey_core::Refusal>(())
    /// ```
    #[must_use]
    pub fn handshake(&self) -> Handshake {
        let policies = self.policies().iter().map(|(from_epoch, policy)| PolicyCheck {
            name: policy.name().into(),
            from_epoch,
            digest: policy.digest(),
        });
        let secrets = self.keyring().all().into_iter().map(|(tenant, entry)| SecretCheck {
            id: String::from(&*entry.id),
            tenant: tenant.map(String::from),
            from_epoch: entry.from_epoch,
            check: entry.macs.key.check_value(),
        });
        Handshake {
            policies: policies.collect(),
            secrets: secrets.collect(),
            unicode: UNICODE_VERSION,
            currencies: ISO_4217_DATE,
        }
    }
}
