//! Reconciliation: what a destination's statement says of outcomes that are unknown.

use std::collections::HashMap;
use std::io::BufRead;
use std::time::Duration;

use intentkey_core::Key;
use intentkey_core::protocol::{Terms, Time};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::claim::Target;
use crate::error::{Result, StoreError};
use crate::resolve::{Resolution, Resolved};
use crate::response::Response;
use crate::row::Row;
use crate::store::{Filter, Store};

/// How many keys are looked for at once.
const BATCH: usize = 1000;

/// What a reconciliation came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// Unknown effects that are in the statement, now done.
    pub found: u64,
    /// Unknown effects that are not in it although it would have them, now released.
    pub never_happened: u64,
    /// Unknown effects that the statement says nothing of.
    pub left: u64,
    /// Effects of the statement whose key no row has: others than this store's, or swept since, or
    /// spelled otherwise than they were sent.
    pub unmatched: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Coverage {
    /// From when on, in seconds since 1970, the statement has every effect.
    covers_from: u64,
    /// Until when.
    covers_until: u64,
    /// How many effects follow.
    effects: u64,
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

/// Resolves what is unknown at a destination by its statement: one JSON object a line.
///
/// The first line says from when to when the statement has every effect, and how many those are,
/// `{"covers_from": 1767225600, "covers_until": 1767312000, "effects": 2}` (seconds since 1970); each line
/// after it is an effect, `{"key": "…", "status": 200, "body": "…"}`, where `status` (200) and `body`
/// (empty) are what repeats get. Whoever writes the first line knows the number from the destination, not
/// from counting the lines: it is what shows that a statement was cut off.
///
/// Unknown is what was given up on, and what nobody has looked at since `execute_by`.
///
/// 1. An unknown effect in the statement is done.
/// 2. One whose key is in it in another spelling (letter case, hyphens) is left.
/// 3. One that is not in it, that was claimed within what it covers, and whose request must have arrived
///    within it (`execute_by` plus the destination's longest delay, the longer of those declared now and
///    with the claim), never happened: it is released.
/// 4. Any other is left. Without a declared longest delay this is all that is not found.
///
/// # Errors
///
/// [`StoreError::Statement`], before anything is resolved: for a line that cannot be read; where not as
/// many effects follow as the first line says; for a key that is given twice; and where no row has any
/// of the keys, since a statement of something else, or one that spells keys otherwise, proves no
/// absence. And those of the database.
pub async fn reconcile(
    store: &dyn Store,
    target: &Target,
    statement: impl BufRead + Send,
    by: &str,
) -> Result<Reconciled> {
    let statement = Statement::read(statement)?;
    let mut reconciled = Reconciled { unmatched: statement.unmatched(store).await?, ..Reconciled::default() };
    let mut filter = Filter::unknown().at(&target.name);
    loop {
        let rows = store.list(&filter).await?;
        let Some(last) = rows.last() else { return Ok(reconciled) };
        filter = filter.after(last.key);
        for row in rows {
            let Some(resolution) = statement.says(&row, target) else {
                reconciled.left += 1;
                continue;
            };
            let counter = match resolution {
                Resolution::Found(_) => &mut reconciled.found,
                Resolution::NeverHappened => &mut reconciled.never_happened,
            };
            match store.resolve_seen(&row, &resolution, by, "by statement").await? {
                Resolved::Written => *counter += 1,
                // Its owner settled meanwhile, or it has another one.
                Resolved::NotUnsettled | Resolved::NotFound => {}
            }
        }
    }
}

/// A statement that is all there.
struct Statement {
    coverage: Coverage,
    /// By the spelling of the key, each with the key as it is given.
    effects: HashMap<String, (Key, Response)>,
}

/// What two spellings of a key have in common.
fn spelling(key: &Key) -> String {
    key.as_str()
        .bytes()
        .filter(u8::is_ascii_alphanumeric)
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect()
}

impl Statement {
    fn read(statement: impl BufRead) -> Result<Self> {
        let mut coverage: Option<Coverage> = None;
        let mut effects = HashMap::new();
        let mut end = 1;
        for (index, line) in statement.lines().enumerate() {
            let line = line.map_err(StoreError::database)?;
            end = index + 1;
            if line.trim().is_empty() {
                continue;
            }
            if coverage.is_none() {
                coverage = Some(parse(&line, end)?);
                continue;
            }
            let line: Line = parse(&line, end)?;
            let key = Key::parse(&line.key).ok_or_else(|| malformed(end, "key is no key"))?;
            let response = Response::new(line.status, line.body);
            if effects.insert(spelling(&key), (key, response)).is_some() {
                return Err(malformed(end, "its key was given before"));
            }
        }
        let missing = || malformed(1, "covers_from, covers_until and effects are missing");
        let coverage = coverage.ok_or_else(missing)?;
        if coverage.effects != effects.len() as u64 {
            let message =
                format!("effects is {}, and {} follow: was it cut off?", coverage.effects, effects.len());
            return Err(malformed(end, &message));
        }
        Ok(Statement { coverage, effects })
    }

    /// How many of its keys no row has.
    async fn unmatched(&self, store: &dyn Store) -> Result<u64> {
        let keys: Vec<Key> = self.effects.values().map(|(key, _)| *key).collect();
        let mut known = 0;
        for keys in keys.chunks(BATCH) {
            known += store.known(keys).await?;
        }
        if known == 0 && !keys.is_empty() {
            return Err(malformed(
                1,
                "no row has any of its keys: is it this destination's, and are keys as they were sent?",
            ));
        }
        Ok((keys.len() as u64).saturating_sub(known))
    }

    /// What it says of a row.
    fn says(&self, row: &Row, target: &Target) -> Option<Resolution> {
        match self.effects.get(&spelling(&row.key)) {
            Some((key, response)) => (*key == row.key).then(|| Resolution::Found(response.clone())),
            None => self.would_have(row, target).then_some(Resolution::NeverHappened),
        }
    }

    /// Whether it would have the row's effect, had it happened.
    fn would_have(&self, row: &Row, target: &Target) -> bool {
        let from = Time::from_seconds(self.coverage.covers_from);
        let until = Time::from_seconds(self.coverage.covers_until);
        let stated = row.terms.and_then(Terms::longest_delay).unwrap_or_default();
        let has = |delay: Duration| row.claimed_at >= from && row.execute_by + delay.max(stated) <= until;
        target.terms.longest_delay().is_some_and(has)
    }
}

/// The text of a parser's error names members and places, never values of strings.
fn parse<T: DeserializeOwned>(line: &str, number: usize) -> Result<T> {
    serde_json::from_str(line).map_err(|error| malformed(number, &format!("{:?} error", error.classify())))
}

fn malformed(line: usize, message: &str) -> StoreError {
    StoreError::Statement { line, message: message.to_owned() }
}
