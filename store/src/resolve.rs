//! Resolutions: what people or statements say of an outcome that was given up on.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::Arc;

use intentkey_core::Key;
use intentkey_core::protocol::{Event, Status, Terms, Time, transition};
use serde::Deserialize;

use crate::claim::Target;
use crate::error::{Result, StoreError};
use crate::response::{Response, Stored};
use crate::rows::{Rows, Write};
use crate::store::{Filter, Store};

/// What is known of an unsettled effect after all.
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
    /// The row is not unsettled, or there is none; nothing is written.
    NotUnsettled,
}

/// A resolution on its way into the database.
#[derive(Clone)]
pub(crate) struct Resolving {
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
    let resolved = rows.change(key, |row, now| {
        let event = if resolving.found.is_some() { Event::ResolveFound } else { Event::ResolveNever };
        let state = row.state(Terms::neither(), now, std::time::Duration::ZERO);
        let Some(status) = transition(event, state).becomes else {
            return (Resolved::NotUnsettled, Write::No);
        };
        row.status = status;
        row.response = resolving.found.clone();
        (Resolved::Written, Write::OnRecord(resolving.clone()))
    });
    Ok(resolved.await?.unwrap_or(Resolved::NotUnsettled))
}

/// What a reconciliation came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// Unsettled effects that are in the statement, now done.
    pub found: u64,
    /// Unsettled effects that are not in it although it would have them, now released.
    pub never_happened: u64,
    /// Unsettled effects that the statement says nothing of.
    pub left: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Coverage {
    /// From when on, in seconds since 1970, the statement has every effect.
    covers_from: u64,
    /// Until when.
    covers_until: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    key: String,
    #[serde(default = "ok")]
    status: u16,
    #[serde(default)]
    body: String,
}

fn ok() -> u16 {
    200
}

/// Resolves what is unsettled at a destination by its statement: one JSON object a line.
///
/// The first line says from when to when the statement has every effect,
/// `{"covers_from": 1767225600, "covers_until": 1767312000}` (seconds since 1970); each line after it is
/// an effect, `{"key": "…", "status": 200, "body": "…"}`, where `status` (200) and `body` (empty) are
/// what repeats get.
///
/// 1. An unsettled effect in the statement is done.
/// 2. One that is not in it, that was claimed within what it covers, and whose request must have arrived
///    within it (`execute_by` plus the destination's longest delay), never happened: it is released.
/// 3. Any other is left. Without a declared longest delay this is all that is not found.
///
/// # Errors
///
/// [`StoreError::Statement`] for a line that cannot be read, before anything is resolved; and those of
/// the database.
pub async fn reconcile(
    store: &dyn Store,
    target: &Target,
    statement: impl BufRead + Send,
    by: &str,
) -> Result<Reconciled> {
    let (coverage, found) = read(statement)?;
    let mut reconciled = Reconciled::default();
    let mut filter = Filter::status(Status::Unsettled).at(&target.name);
    loop {
        let rows = store.list(&filter).await?;
        let Some(last) = rows.last() else { return Ok(reconciled) };
        filter = filter.after(last.key);
        for row in rows {
            let resolution = match found.get(&row.key) {
                Some(response) => Resolution::Found(response.clone()),
                None if coverage.has(row.claimed_at, row.execute_by, target.terms) => {
                    Resolution::NeverHappened
                }
                None => {
                    reconciled.left += 1;
                    continue;
                }
            };
            let counter = match resolution {
                Resolution::Found(_) => &mut reconciled.found,
                Resolution::NeverHappened => &mut reconciled.never_happened,
            };
            match store.resolve(&row.key, &resolution, by, "by statement").await? {
                Resolved::Written => *counter += 1,
                // Its owner settled meanwhile.
                Resolved::NotUnsettled => {}
            }
        }
    }
}

impl Coverage {
    /// Whether the statement would have an effect that was claimed at `claimed`.
    fn has(&self, claimed: Time, execute_by: Time, terms: Terms) -> bool {
        let from = Time::from_seconds(self.covers_from);
        let until = Time::from_seconds(self.covers_until);
        terms.longest_delay().is_some_and(|delay| claimed >= from && execute_by + delay <= until)
    }
}

fn read(statement: impl BufRead) -> Result<(Coverage, HashMap<Key, Response>)> {
    let mut coverage = None;
    let mut found = HashMap::new();
    for (index, line) in statement.lines().enumerate() {
        let line = line.map_err(StoreError::database)?;
        if line.trim().is_empty() {
            continue;
        }
        let malformed = |message: String| StoreError::Statement { line: index + 1, message };
        // The text of a parser's error names members and places, never values of strings.
        let json = |error: serde_json::Error| malformed(format!("{:?} error", error.classify()));
        if coverage.is_none() {
            coverage = Some(serde_json::from_str(&line).map_err(json)?);
            continue;
        }
        let line: Line = serde_json::from_str(&line).map_err(json)?;
        let key = Key::parse(&line.key).ok_or_else(|| malformed("key is no key".into()))?;
        found.insert(key, Response::new(line.status, line.body));
    }
    let missing =
        || StoreError::Statement { line: 1, message: "covers_from and covers_until are missing".into() };
    Ok((coverage.ok_or_else(missing)?, found))
}
