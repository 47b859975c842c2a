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

pub(crate) async fn settle<R: Rows>(rows: &mut R, owned: &Owned, settlement: &Settlement) -> Result<Settled> {
    let settled = rows.change(&owned.key, |row, now| {
        let event = match settlement {
            _ if row.token != owned.token => Event::SettleStranger,
            Settlement::Done(_) => Event::Settle,
            Settlement::NotExecuted if row.uncertain => Event::ReleaseUncertain,
            Settlement::NotExecuted => Event::Release,
        };
        // What the destination allows makes no difference to its owner.
        let transition = transition(event, row.state(Terms::neither(), now, Duration::ZERO));
        if let Some(status) = transition.becomes {
            row.status = status;
            if let Settlement::Done(stored) = settlement {
                row.response = Some(stored.clone());
            }
            return (Settled::Written, Write::Yes);
        }
        let same = matches!(settlement, Settlement::Done(stored) if row.response.as_ref() == Some(stored));
        let settled = match transition.answer {
            Answer::AlreadySettled if same => Settled::Written,
            Answer::AlreadySettled => Settled::AlreadySettled,
            Answer::Leave => Settled::StillUnknown,
            _ => Settled::NotOwner,
        };
        (settled, Write::No)
    });
    Ok(settled.await?.unwrap_or(Settled::NotOwner))
}
