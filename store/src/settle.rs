//! Settlements: the outcome of an effect.

use std::time::Duration;

use intentkey_core::protocol::{Answer, Event, Terms, transition};

use crate::claim::Owned;
use crate::error::Result;
use crate::response::Stored;
use crate::rows::{Rows, Write};

/// What a settlement or a release came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Settled {
    /// The outcome is written; also where it was written before with the same response.
    Written,
    /// Another outcome was written before, and stays: found by a look-up, or resolved.
    AlreadySettled,
    /// Somebody else owns the effect by now, or the row is gone; nothing is written.
    NotOwner,
    /// A release of an effect that was taken over while its outcome was unknown: an owner before may
    /// have executed, so the row stays in flight.
    StillUnknown,
}

#[derive(Clone)]
pub(crate) enum Settlement {
    Done(Stored),
    NotExecuted,
}

/// What a settlement came to, before stored responses are compared: sealing need not be deterministic.
pub(crate) enum Outcome {
    Settled(Settled),
    /// This was written before.
    Found(Stored),
}

pub(crate) async fn settle<R: Rows>(rows: &mut R, owned: &Owned, settlement: &Settlement) -> Result<Outcome> {
    let settled = rows.change(&owned.key, |row, at| {
        let event = match settlement {
            _ if row.token != owned.token => Event::SettleStranger,
            Settlement::Done(_) => Event::Settle,
            Settlement::NotExecuted if row.uncertain => Event::ReleaseUncertain,
            Settlement::NotExecuted => Event::Release,
        };
        // What the destination allows makes no difference to its owner.
        let transition = transition(event, row.state(Terms::neither(), at.now, Duration::ZERO));
        let settled = match (transition.becomes, settlement, transition.answer) {
            (Some(_), Settlement::Done(stored), _) => {
                row.finish(stored.clone(), at.now);
                return (Outcome::Settled(Settled::Written), Write::Yes);
            }
            (Some(status), Settlement::NotExecuted, _) => {
                row.status = status;
                return (Outcome::Settled(Settled::Written), Write::Yes);
            }
            (None, Settlement::Done(_), Answer::AlreadySettled) => match &row.response {
                Some(stored) => Outcome::Found(stored.clone()),
                None => Outcome::Settled(Settled::AlreadySettled),
            },
            (None, _, Answer::AlreadySettled) => Outcome::Settled(Settled::AlreadySettled),
            (None, _, Answer::Leave) => Outcome::Settled(Settled::StillUnknown),
            (None, ..) => Outcome::Settled(Settled::NotOwner),
        };
        (settled, Write::No)
    });
    Ok(settled.await?.unwrap_or(Outcome::Settled(Settled::NotOwner)))
}
