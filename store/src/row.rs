//! Rows: what is stored of an intent.

use std::fmt;
use std::time::Duration;

use intentkey_core::protocol::{Held, State, Status, Terms, Time, kept_until};
use intentkey_core::{Fingerprint, Key};
use serde_json::{Value, json};

use crate::response::Stored;
use crate::terms;
use crate::token::Token;

/// What is stored of an intent, without its response.
#[derive(Clone)]
#[non_exhaustive]
pub struct Row {
    /// The idempotency key: what the destination gets.
    pub key: Key,
    /// Whose intent it is.
    pub tenant: String,
    /// The action.
    pub action: String,
    /// Where the effect happens.
    pub destination: String,
    /// The fingerprint of its identity and checked fields.
    pub fingerprint: Fingerprint,
    /// What is known of it.
    pub status: Status,
    /// When it was claimed first.
    pub created_at: Time,
    /// Since when an effect may have happened: the first claim, or the first after a release.
    pub claimed_at: Time,
    /// When it may be deleted, once it is done.
    pub expires_at: Time,
    /// Until when its owner may execute.
    pub execute_by: Time,
    /// What the destination was declared to be when the effect may have been sent to it; `None` of a row
    /// that was claimed before rows kept it.
    pub terms: Option<Terms>,
    /// Whether its owner took it over while the outcome was unknown.
    pub uncertain: bool,
    /// How often it was looked up.
    pub recovery_attempts: u32,
    /// When recovery looks at it next, while it is in flight.
    pub next_look_at: Time,
    /// Which secret made the key, for people.
    pub secret_id: Option<String>,
    /// Which policy made the key, for people.
    pub policy_digest: Option<String>,
    pub(crate) token: Token,
    pub(crate) response: Option<Stored>,
}

impl Row {
    /// The row for people, as `intentkey store` and the proxy list it: without fingerprint, token and
    /// response. Times are seconds since 1970; what its destination was declared to be has the names of
    /// the command's options.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let seconds = |time: Time| time.millis() as f64 / 1000.0;
        let declared =
            |which: fn(Terms) -> Option<Duration>| self.terms.and_then(which).map(|time| time.as_secs_f64());
        json!({
            "key": self.key.as_str(),
            "tenant": self.tenant,
            "action": self.action,
            "destination": self.destination,
            "status": self.status.as_str(),
            "created_at": seconds(self.created_at),
            "execute_by": seconds(self.execute_by),
            "expires_at": seconds(self.expires_at),
            "idempotent_for": declared(Terms::key_retention),
            "look_up_after": declared(Terms::longest_delay),
            "recovery_attempts": self.recovery_attempts,
            "next_look_at": seconds(self.next_look_at),
            "secret_id": self.secret_id,
            "policy_digest": self.policy_digest,
        })
    }

    /// The row's state at `now`, as the protocol's table sees it from the row's own destination.
    pub(crate) fn state(&self, terms: Terms, now: Time, execution: Duration) -> State {
        self.held(true, self.token, &self.destination).state(terms, now, execution)
    }

    /// The terms that it is judged by, where `terms` are what its destination is declared to be now.
    pub(crate) fn judged_by(&self, terms: Terms) -> Terms {
        self.terms.map_or(terms, |own| terms::both(own, terms))
    }

    /// Writes the outcome.
    pub(crate) fn finish(&mut self, response: Stored, now: Time) {
        self.status = Status::Done;
        self.response = Some(response);
        self.expires_at = kept_until(self.created_at, self.expires_at, now);
    }

    /// The row as a claim with `token` to `destination` sees it.
    pub(crate) fn held(&self, same_intent: bool, token: Token, destination: &str) -> Held {
        Held {
            status: self.status,
            claimed: self.claimed_at,
            execute_by: self.execute_by,
            same_intent,
            own_token: self.token == token,
            same_destination: self.destination == destination,
        }
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("key", &self.key)
            .field("status", &self.status)
            .field("execute_by", &self.execute_by)
            .field("recovery_attempts", &self.recovery_attempts)
            .finish_non_exhaustive()
    }
}
