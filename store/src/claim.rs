//! Claims: who owns an effect.

use std::fmt;
use std::time::{Duration, Instant};

use intentkey_core::protocol::{Problem, RetentionError, Terms, Time, Validity, time_to_live};
use intentkey_core::{Derived, Fingerprint, Key, Policy};

use crate::response::Response;
use crate::row::Row;
use crate::rows::Reading;
use crate::token::Token;

/// Where an effect happens, and what may be done when its outcome is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The destination's name: what recovery asks for.
    pub name: String,
    /// What the destination was declared to be. A row keeps it; where it is declared otherwise later, only
    /// what both promise counts.
    pub terms: Terms,
    /// How long an execution may take at most.
    pub execution: Duration,
}

impl Target {
    /// A destination by its name, with its terms and the longest time that an execution takes.
    #[must_use]
    pub fn new(name: impl Into<String>, terms: Terms, execution: Duration) -> Self {
        Target { name: name.into(), terms, execution }
    }
}

/// A claim to an effect.
#[derive(Clone)]
#[non_exhaustive]
pub struct Claim {
    /// The idempotency key.
    pub key: Key,
    /// The fingerprint of the request.
    pub fingerprint: Fingerprint,
    /// Others that the same request has had under its key, such as before a secret's rotation.
    pub former: Vec<Fingerprint>,
    /// The key that producers on both sides of a bucket's edge share, with its fingerprint.
    pub edge: Option<(Key, Fingerprint)>,
    /// Whose intent it is; from authentication.
    pub tenant: String,
    /// The action.
    pub action: String,
    /// Where the effect happens.
    pub target: Target,
    /// From when to when the key can be derived.
    pub validity: Validity,
    /// For how long the outcome is kept; see [`time_to_live`](intentkey_core::protocol::time_to_live).
    pub ttl: Duration,
    /// Which secret made the key, for people.
    pub secret_id: Option<String>,
    /// Which policy made the key, for people.
    pub policy_digest: Option<String>,
}

impl Claim {
    /// A claim with a key that is not derived from fields: a client's
    /// ([`ClientKey::stored`](intentkey_core::protocol::ClientKey::stored)), a recorded one, or one made
    /// of an intent's id. Its outcome is kept for 7 days.
    ///
    /// A client's key has no epoch, so that repeats before and after a secret's rotation have different
    /// fingerprints: give the others too, with [`Claim::formerly`].
    #[must_use]
    pub fn new(
        key: Key,
        fingerprint: Fingerprint,
        tenant: impl Into<String>,
        action: impl Into<String>,
        target: Target,
    ) -> Self {
        Claim {
            key,
            fingerprint,
            former: Vec::new(),
            edge: None,
            tenant: tenant.into(),
            action: action.into(),
            target,
            validity: Validity::UNBOUNDED,
            ttl: intentkey_core::protocol::DEFAULT_TTL,
            secret_id: None,
            policy_digest: None,
        }
    }

    /// A claim of a derived intent: `policy` is the one in force at the intent's `epoch`. Its outcome is
    /// kept for as long as the policy's `[retention]` asks for
    /// ([`time_to_live`](intentkey_core::protocol::time_to_live)).
    ///
    /// # Errors
    ///
    /// [`RetentionError`] where the policy's callers are unmeasured, or repeat for longer than outcomes
    /// are kept.
    pub fn derived(
        derived: &Derived,
        policy: &Policy,
        epoch: u64,
        tenant: impl Into<String>,
        action: impl Into<String>,
        target: Target,
    ) -> std::result::Result<Self, RetentionError> {
        Ok(Claim {
            edge: derived.edge.as_ref().map(|edge| (edge.key, edge.fingerprint)),
            validity: Validity::derived(policy, epoch, derived),
            secret_id: Some(derived.secret_id.to_string()),
            policy_digest: Some(policy.digest()),
            ttl: time_to_live(policy.retention())?,
            ..Claim::new(derived.key, derived.fingerprint, tenant, action, target)
        })
    }

    /// The same, where the request may have been claimed with these fingerprints: those of
    /// [`Deriver::fingerprints`](intentkey_core::Deriver::fingerprints), and of a policy that was in force
    /// before.
    #[must_use]
    pub fn formerly(mut self, former: impl IntoIterator<Item = Fingerprint>) -> Self {
        self.former.extend(former);
        self
    }

    /// The same, its outcome being kept for another time: at least as long as its callers repeat.
    #[must_use]
    pub fn keep_for(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }
}

/// Nothing of the payload or the tenant.
impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim")
            .field("key", &self.key)
            .field("edge", &self.edge.as_ref().map(|(key, _)| key))
            .field("action", &self.action)
            .field("target", &self.target)
            .field("validity", &self.validity)
            .field("ttl", &self.ttl)
            .finish_non_exhaustive()
    }
}

/// The right to execute an effect once, and to write its outcome.
#[derive(Clone, Debug)]
#[must_use = "execute the effect and settle, or release"]
pub struct Owned {
    /// The key that the destination gets: the row's, which is another than the claim's where only its
    /// edge key was taken.
    pub key: Key,
    /// Proves the ownership.
    pub token: Token,
    /// Until when to execute, by the database's clock.
    pub execute_by: Time,
    /// Whether it was taken over while its outcome was unknown: an owner before may have executed, so an
    /// answer counts as an outcome only where it would be the same for a repeat.
    pub taken_over: bool,
    deadline: Instant,
}

impl Owned {
    /// The same ownership, from what was kept of it outside of the process. Nothing is left of its time:
    /// it serves to settle.
    pub fn to_settle(key: Key, token: Token) -> Self {
        let execute_by = Time::from_millis(0);
        Owned { key, token, execute_by, taken_over: true, deadline: Instant::now() }
    }

    /// This machine's clock was read before the database's, so the time ends before `execute_by` does.
    pub(crate) fn new(key: Key, token: Token, execute_by: Time, at: Reading) -> Self {
        Owned { key, token, execute_by, taken_over: false, deadline: at.until(execute_by) }
    }

    /// The ownership of a row that its owner has just taken, or taken over.
    pub(crate) fn of(row: &Row, at: Reading) -> Self {
        Owned { taken_over: row.uncertain, ..Owned::new(row.key, row.token, row.execute_by, at) }
    }

    /// How much of the time to execute is left, by this machine's monotonic clock. Where it is zero the
    /// effect must not be started.
    ///
    /// That clock stands still while a machine sleeps: on one that is suspended, or whose virtual machine
    /// is paused or moved, more seems to be left than is.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

/// What a claim came to.
#[derive(Clone, Debug)]
#[must_use]
pub enum Claimed {
    /// The effect is the claimant's: execute, then settle.
    Owned(Owned),
    /// The intent is done: answer this, with [`REPLAYED`](intentkey_core::protocol::REPLAYED).
    Replay(Response),
    /// The original is running, or its outcome is being found out.
    InFlight {
        /// When to repeat, in seconds.
        retry_after: u64,
    },
    /// The outcome was given up on: reconcile.
    Unsettled,
    /// The key belongs to another payload or another tenant.
    PayloadConflict,
    /// The intent is too old to know whether it was executed.
    TooLate,
    /// The intent is from the future.
    TooEarly,
}

impl Claimed {
    /// The answer to the client, where the claim came to neither an execution nor a replay.
    #[must_use]
    pub fn problem(&self) -> Option<Problem> {
        match self {
            Claimed::Owned(_) | Claimed::Replay(_) => None,
            Claimed::InFlight { retry_after } => Some(Problem::InFlight { retry_after: *retry_after }),
            Claimed::Unsettled => Some(Problem::Unsettled),
            Claimed::PayloadConflict => Some(Problem::KeyReused),
            Claimed::TooLate => Some(Problem::IntentTooLate),
            Claimed::TooEarly => Some(Problem::IntentTooEarly),
        }
    }
}
