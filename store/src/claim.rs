//! Claims: who owns an effect.

use std::fmt;
use std::time::{Duration, Instant};

use intentkey_core::protocol::{
    Answer, Event, Problem, RetentionError, Schedule, State, Status, Terms, Time, Validity, claim_event,
    retry_after, time_to_live, transition,
};
use intentkey_core::{Derived, Fingerprint, Key, Policy};

use crate::error::{Result, StoreError};
use crate::options::Options;
use crate::response::{Response, Stored};
use crate::row::Row;
use crate::rows::{Entry, Inserted, New, Reading, Rows, Write};
use crate::token::Token;

/// How often a claim starts again when others change the row between its steps.
const TURNS: usize = 16;

/// Where an effect happens, and what may be done when its outcome is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The destination's name: what recovery asks for.
    pub name: String,
    /// What the destination was declared to be.
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
    deadline: Instant,
}

impl Owned {
    /// The same ownership, from what was kept of it outside of the process. Nothing is left of its time:
    /// it serves to settle.
    pub fn to_settle(key: Key, token: Token) -> Self {
        Owned { key, token, execute_by: Time::from_millis(0), deadline: Instant::now() }
    }

    /// This machine's clock was read before the database's, so the time ends before `execute_by` does.
    pub(crate) fn new(key: Key, token: Token, execute_by: Time, at: Reading) -> Self {
        Owned { key, token, execute_by, deadline: at.until(execute_by) }
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

/// What a claim came to, before the response is opened.
pub(crate) enum Outcome {
    Owned(Owned),
    Replay { key: Key, stored: Stored },
    Other(Claimed),
}

/// Claims on a connection.
///
/// 1. The row is inserted. Where that succeeds the effect is ours: the unique index has decided.
/// 2. Where it does not, what is there is read without a lock and judged. Most repeats end here.
/// 3. Where the judgement asks for a write, the row is locked and judged again.
/// 4. Where the row has gone meanwhile, everything begins again, now with the careful insertion.
pub(crate) async fn claim<R: Rows>(
    rows: &mut R,
    claim: &Claim,
    token: Token,
    options: &Options,
) -> Result<Outcome> {
    let (terms, execution) = (claim.target.terms, claim.target.execution);
    let start = Time::from_millis(0);
    let first_look = options.schedule.first_look(terms, start, start + execution, execution).since(start);
    let new = New { claim, token, first_look, schedule: options.schedule };
    let edge = claim.edge.as_ref().map(|(key, _)| key);
    for turn in 0..TURNS {
        if let Inserted::Ours { execute_by, at, has_waited } = rows.insert(&new, turn > 0).await? {
            if !has_waited {
                return Ok(Outcome::Owned(Owned::new(claim.key, token, execute_by, at)));
            }
            match rows.change(&claim.key, |row, at| renew(row, at, &new)).await? {
                Some(Some(owned)) => return Ok(Outcome::Owned(owned)),
                _ => continue,
            }
        }
        let found = rows.find(&claim.key, edge).await?;
        let Some(mut entry) = found.entry else {
            match claim_event(None, claim.validity.timing(found.at.now, claim.ttl)) {
                Event::ClaimTooLate => return Ok(Outcome::Other(Claimed::TooLate)),
                Event::ClaimTooEarly => return Ok(Outcome::Other(Claimed::TooEarly)),
                _ => continue,
            }
        };
        let same_intent = is_same(claim, &entry);
        let (key, created_at, fingerprint) = (entry.row.key, entry.row.created_at, entry.row.fingerprint);
        let (outcome, write) = judge(&mut entry.row, found.at, &new, same_intent);
        let outcome = match write {
            Write::No => Some(outcome),
            _ => {
                let judged = rows.change(&key, |row, at| {
                    // Swept meanwhile, and taken by somebody else: what was compared was another row's.
                    if row.created_at != created_at || row.fingerprint != fingerprint {
                        return (None, Write::No);
                    }
                    let (outcome, write) = judge(row, at, &new, same_intent);
                    (Some(outcome), write)
                });
                judged.await?.flatten()
            }
        };
        if let Some(outcome) = outcome {
            if key != claim.key && matches!(outcome, Outcome::Replay { .. }) {
                // What was recorded under the claim's own key is done under the row's.
                rows.forget(claim).await?;
            }
            return Ok(outcome);
        }
    }
    Err(StoreError::Contended)
}

/// Whether what is found has the claim's tenant, and the fingerprint of the key that found it.
fn is_same(claim: &Claim, entry: &Entry) -> bool {
    // Under the edge key the fingerprint is made with the secret of the edge's bucket, on both sides.
    let is_known = match &claim.edge {
        Some((key, fingerprint)) if entry.key == *key => entry.fingerprint == *fingerprint,
        _ => entry.fingerprint == claim.fingerprint || claim.former.contains(&entry.fingerprint),
    };
    entry.tenant == claim.tenant && is_known
}

/// Gives an insertion that waited its whole time to execute.
pub(crate) fn renew(row: &mut Row, at: Reading, new: &New<'_>) -> (Option<Owned>, Write) {
    if row.token != new.token || row.status != Status::InFlight {
        return (None, Write::No);
    }
    own(row, at.now, new.token, &new.claim.target, new.schedule);
    (Some(Owned::new(row.key, row.token, row.execute_by, at)), Write::Yes)
}

/// Judges a repeat by the protocol's table, and changes the row as the table says.
fn judge(row: &mut Row, at: Reading, new: &New<'_>, same_intent: bool) -> (Outcome, Write) {
    let (New { claim, token, .. }, now) = (new, at.now);
    let token = *token;
    let (terms, execution) = (claim.target.terms, claim.target.execution);
    let held = row.held(same_intent, token, &claim.target.name);
    let state = held.state(terms, now, execution);
    let event = claim_event(Some(&held), claim.validity.timing(now, claim.ttl));
    let transition = transition(event, state);
    if transition.answer == Answer::Conflict {
        return (Outcome::Other(Claimed::PayloadConflict), Write::No);
    }
    let mut write = Write::No;
    if let Some(expires_at) = claim.validity.moved_on(row.expires_at, now, claim.ttl) {
        row.expires_at = expires_at;
        write = Write::Yes;
    }
    if let Some(status) = transition.becomes {
        row.status = status;
        write = Write::Yes;
    }
    let outcome = match transition.answer {
        Answer::Execute => {
            take_over(row, state, now, token, &claim.target, new.schedule);
            Outcome::Owned(Owned::new(row.key, token, row.execute_by, at))
        }
        Answer::Owned => Outcome::Owned(Owned::new(row.key, token, row.execute_by, at)),
        Answer::Replay => match row.response.clone() {
            Some(stored) => Outcome::Replay { key: row.key, stored },
            // The schema does not allow it.
            None => Outcome::Other(Claimed::Unsettled),
        },
        Answer::Unsettled => Outcome::Other(Claimed::Unsettled),
        _ => Outcome::Other(Claimed::InFlight { retry_after: retry_after(waits_until(row, now), now) }),
    };
    (outcome, write)
}

/// Until when nothing can come of a row in flight but a settlement.
fn waits_until(row: &Row, now: Time) -> Time {
    if now < row.execute_by { row.execute_by } else { row.next_look_at }
}

/// Hands the row from one owner to the next, who has `token`.
pub(crate) fn take_over(
    row: &mut Row,
    from: State,
    now: Time,
    token: Token,
    target: &Target,
    schedule: Schedule,
) {
    if from == State::Released {
        // Nothing has happened yet, so what the destination remembers begins anew.
        row.claimed_at = now;
        row.uncertain = false;
        // A repeat may be sent elsewhere than the first attempt was.
        row.destination.clone_from(&target.name);
    } else if row.token != token {
        // The owner before may have executed.
        row.uncertain = true;
    }
    row.recovery_attempts = 0;
    own(row, now, token, target, schedule);
}

fn own(row: &mut Row, now: Time, token: Token, target: &Target, schedule: Schedule) {
    row.token = token;
    row.execute_by = now + target.execution;
    row.next_look_at = schedule.first_look(target.terms, row.claimed_at, row.execute_by, target.execution);
}
