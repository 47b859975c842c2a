//! Resolutions: what people or statements say of an outcome that is unknown.

use std::sync::Arc;

use intentkey_core::Key;
use intentkey_core::protocol::{Event, Terms, transition};

use crate::error::Result;
use crate::response::{Response, Stored};
use crate::rows::{Rows, Write};
use crate::token::Token;

/// What is known of an effect after all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// It happened; repeats get this response.
    Found(Response),
    /// It never happened: the next repeat executes it.
    NeverHappened,
}

/// What a resolution came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Resolved {
    /// It is written, and on record.
    Written,
    /// The outcome is known, its owner is running, or the row is not the one that was seen; nothing is
    /// written.
    NotUnsettled,
    /// No row has this key; nothing is written. An edge key is none: what the destination knows of the
    /// intent, it knows under the key of its row.
    NotFound,
}

/// A resolution on its way into the database.
#[derive(Clone)]
pub(crate) struct Resolving {
    /// Whose attempt it is said of; `None`: whoever's it is.
    pub(crate) seen: Option<Token>,
    pub(crate) found: Option<Stored>,
    pub(crate) by: String,
    pub(crate) note: String,
}

impl Resolving {
    /// How the table of resolutions writes it.
    pub(crate) fn word(&self) -> &'static str {
        if self.found.is_some() { "found" } else { "never_happened" }
    }
}

pub(crate) async fn resolve<R: Rows>(
    rows: &mut R,
    key: &Key,
    resolving: &Arc<Resolving>,
) -> Result<Resolved> {
    let resolved = rows.change(key, |row, at| {
        // Somebody else has executed since, or may have: what is said was not said of that.
        if resolving.seen.is_some_and(|seen| seen != row.token) {
            return (Resolved::NotUnsettled, Write::No);
        }
        let event = if resolving.found.is_some() { Event::ResolveFound } else { Event::ResolveNever };
        let state = row.state(Terms::neither(), at.now, std::time::Duration::ZERO);
        let Some(status) = transition(event, state).becomes else {
            return (Resolved::NotUnsettled, Write::No);
        };
        match &resolving.found {
            Some(response) => row.finish(response.clone(), at.now),
            None => row.status = status,
        }
        (Resolved::Written, Write::OnRecord(resolving.clone()))
    });
    Ok(resolved.await?.unwrap_or(Resolved::NotFound))
}
