//! Why two intents share a key, or do not: each field from raw to canonical, side by side.
//!
//! ```
//! use intentkey::why::{Verdict, why};
//! use intentkey_core::Policy;
//!
//! let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
//!     "identity": {"order": {"rule": "exact"}, "amount": {"rule": "decimal"}}}"#)?;
//! let intent = |payload| format!(r#"{{"tenant": "acme", "action": "refund.create",
//!     "intent_epoch": 1767225600, "payload": {payload}}}"#);
//! let one = intent(r#"{"order": "A-1", "amount": "10.001"}"#);
//! let other = intent(r#"{"order": "A-1", "amount": 10}"#);
//! let comparison = why(&policy.into(), [&one, &other]);
//! assert_eq!(comparison.verdict, Verdict::Same);
//! assert_eq!(comparison.merged().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["amount"]);
//! # Ok::<(), intentkey_core::Refusal>(())
//! ```

mod order;
mod raw;
pub mod report;

use intentkey_core::{Class, Derived, Deriver, Explanation, Policies, Policy, Refusal, Secret};

/// The secret of every comparison: whether two intents share a key does not depend on it.
const SECRET: [u8; 32] = [0x5e; 32];

/// What two intents are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One intent: the same key and the same fingerprint.
    Same,
    /// One intent, by the key of the edge between their buckets.
    SameByEdge,
    /// The same key and another fingerprint: the second is refused as a conflict.
    Conflict,
    /// Two intents.
    Different,
    /// At least one of them has no key.
    Refused,
}

/// Two intents and what each of their parts became.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What they are to each other.
    pub verdict: Verdict,
    /// What is around the payloads, and then each field, in walking order.
    pub rows: Vec<Row>,
    /// Why a side has no key.
    pub refusals: [Option<Refusal>; 2],
    /// What may have been meant there: a name that is not known, and the nearest that is.
    pub hints: [Option<String>; 2],
}

/// One part of two intents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name: `tenant`, `action`, `bucket`, or the path of a field, with indexes.
    pub name: String,
    /// What it takes part in.
    pub part: Part,
    /// Its rule, for fields that have one.
    pub rule: Option<String>,
    /// What each side sent, as JSON text; `None` is absent.
    pub raw: [Option<String>; 2],
    /// What that became; `None` is absent, ignored, or not evaluated.
    pub canonical: [Option<String>; 2],
    /// Whether each side was evaluated: the fields of a refused intent are not, nor is its bucket.
    pub evaluated: [bool; 2],
}

/// What a part of an intent takes part in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The key and the fingerprint.
    Identity,
    /// The key alone: the bucket.
    Key,
    /// The fingerprint alone.
    Checked,
    /// Neither.
    Ignored,
    /// Unknown, where the policy has no such field or a side was refused.
    Unknown,
}

impl Part {
    /// The part as policies call it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Identity => "identity",
            Part::Key => "key",
            Part::Checked => "checked",
            Part::Ignored => "ignored",
            Part::Unknown => "-",
        }
    }
}

impl Row {
    /// Whether the two sides came to something else; not where a side was not evaluated.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.evaluated == [true, true] && self.canonical[0] != self.canonical[1]
    }

    /// Whether a side, 0 or 1, was evaluated.
    pub(crate) fn is_evaluated(&self, side: usize) -> bool {
        self.evaluated.get(side).copied().unwrap_or(false)
    }
}

impl Comparison {
    /// What gives the two different keys.
    pub fn split(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| matches!(row.part, Part::Identity | Part::Key) && row.differs())
    }

    /// What makes them conflict.
    pub fn in_conflict(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.part == Part::Checked && row.differs())
    }

    /// What was sent differently and came to the same.
    pub fn merged(&self) -> impl Iterator<Item = &Row> {
        self.rows
            .iter()
            .filter(|row| row.evaluated == [true, true] && row.raw[0] != row.raw[1] && !row.differs())
    }

    /// Whether they have a key in common.
    #[must_use]
    pub fn shares_a_key(&self) -> bool {
        matches!(self.verdict, Verdict::Same | Verdict::SameByEdge | Verdict::Conflict)
    }

    /// In one line: the verdict, and the parts that decide it.
    #[must_use]
    pub fn summary(&self) -> String {
        let names = |rows: Vec<&Row>| rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>().join(", ");
        let (split, conflict) = (names(self.split().collect()), names(self.in_conflict().collect()));
        match self.verdict {
            Verdict::Same => match names(self.merged().filter(|row| row.part != Part::Ignored).collect()) {
                merged if merged.is_empty() => String::from("same key: nothing that counts differs"),
                merged => format!("same key: {merged} came to the same"),
            },
            Verdict::SameByEdge => String::from("one intent by the key of the edge between their buckets"),
            Verdict::Conflict => {
                format!("same key, and a conflict: {conflict} must not change between attempts")
            }
            Verdict::Different => format!("different keys: they differ in {split}"),
            Verdict::Refused => {
                let sides = ["the first", "the second"].into_iter().zip(&self.refusals).zip(&self.hints);
                let said = sides.filter_map(|((side, refusal), hint)| {
                    let hint = hint.iter().map(|hint| format!(" ({hint})")).collect::<String>();
                    refusal.as_ref().map(|refusal| format!("{side} is refused: {refusal}{hint}"))
                });
                said.collect::<Vec<_>>().join("; ")
            }
        }
    }
}

/// Compares two intents, each as JSON text with `tenant`, `action`, `intent_epoch` and `payload`.
#[must_use]
pub fn why(policies: &Policies, intents: [&str; 2]) -> Comparison {
    let explained = intents.map(|intent| explain(policies, intent));
    let policy = |intent| policy_of(policies, intent);
    let sides = [
        side(&explained[0], intents[0], policy(intents[0])),
        side(&explained[1], intents[1], policy(intents[1])),
    ];
    let rows = rows(sides, explained.each_ref().map(Result::is_ok));
    let hint = |side: usize| -> Option<String> {
        let refusal = explained.get(side)?.as_ref().err()?;
        crate::hint::hint(policies, refusal, intents.get(side)?)
    };
    let hints = [hint(0), hint(1)];
    let (verdict, refusals) = match explained {
        [Ok(one), Ok(other)] => (judge(&one.derived, &other.derived), [None, None]),
        [one, other] => (Verdict::Refused, [one.err(), other.err()]),
    };
    Comparison { verdict, rows, refusals, hints }
}

/// The policy in force at the intent's epoch.
fn policy_of<'p>(policies: &'p Policies, intent: &str) -> Option<&'p Policy> {
    let members = raw::members(intent);
    let epoch: u64 = members.iter().find(|member| member.0 == "intent_epoch")?.1.parse().ok()?;
    let versions: Vec<_> = policies.iter().collect();
    let in_force = versions.into_iter().rev().find(|(from, _)| from.is_none_or(|from| from <= epoch))?;
    Some(in_force.1)
}

fn explain(policies: &Policies, intent: &str) -> Result<Explanation, Refusal> {
    let deriver = Deriver::new(policies.clone(), Secret::new(SECRET)?)?;
    deriver.explain(&deriver.read(intent)?)
}

fn judge(one: &Derived, other: &Derived) -> Verdict {
    if one.key == other.key {
        return if one.fingerprint == other.fingerprint { Verdict::Same } else { Verdict::Conflict };
    }
    match (&one.edge, &other.edge) {
        (Some(one), Some(other)) if one.key == other.key && one.fingerprint == other.fingerprint => {
            Verdict::SameByEdge
        }
        (Some(one), Some(other)) if one.key == other.key => Verdict::Conflict,
        _ => Verdict::Different,
    }
}

/// One side's part of a row.
struct Cell {
    name: String,
    part: Part,
    rule: Option<String>,
    raw: Option<String>,
    canonical: Option<String>,
    evaluated: bool,
}

fn side(explained: &Result<Explanation, Refusal>, intent: &str, policy: Option<&Policy>) -> Vec<Cell> {
    let members = raw::members(intent);
    let frame = |name: &str, part: Part| {
        let raw = members.iter().find(|member| member.0 == name).map(|member| member.1.clone());
        // What is around the payload needs no rule: it is compared also where a side is refused.
        let evaluated = raw.is_some() || explained.is_ok();
        Cell { name: name.to_owned(), part, rule: None, canonical: raw.clone(), raw, evaluated }
    };
    let mut cells = vec![frame("tenant", Part::Identity), frame("action", Part::Identity)];
    cells.push(Cell { canonical: None, ..frame("intent_epoch", Part::Ignored) });
    let payload = members.iter().find(|member| member.0 == "payload").map(|member| member.1.as_str());
    let leaves = payload.map(raw::leaves).unwrap_or_default();
    match explained {
        Ok(explanation) => {
            let bucket = explanation.derived.bucket.to_string();
            cells.push(Cell {
                name: String::from("bucket"),
                part: Part::Key,
                rule: None,
                raw: None,
                canonical: Some(bucket),
                evaluated: true,
            });
            let mut fields: Vec<Cell> =
                explanation.fields.iter().map(|field| cell(field, payload.unwrap_or_default())).collect();
            if let Some(policy) = policy {
                order::settle(&mut fields, policy);
            }
            cells.extend(fields);
        }
        Err(_) => cells.extend(leaves.into_iter().map(|(name, raw)| Cell {
            name,
            part: Part::Unknown,
            rule: None,
            raw: Some(raw),
            canonical: None,
            evaluated: false,
        })),
    }
    cells
}

fn cell(field: &intentkey_core::ExplainedField, payload: &str) -> Cell {
    let part = match field.class {
        Some(Class::Identity) => Part::Identity,
        Some(Class::Checked) => Part::Checked,
        None => Part::Ignored,
    };
    Cell {
        name: field.field.clone(),
        part,
        rule: field.rule.map(String::from),
        raw: raw::at(payload, &field.field),
        canonical: field.canonical.as_deref().map(quoted),
        evaluated: true,
    }
}

fn quoted(text: &str) -> String {
    crate::generate::json::Json::text(text).ascii()
}

/// The cells of both sides by their names, those of the first in their order.
fn rows(sides: [Vec<Cell>; 2], evaluated: [bool; 2]) -> Vec<Row> {
    let [one, other] = sides;
    let mut other: Vec<Option<Cell>> = other.into_iter().map(Some).collect();
    let mut rows: Vec<Row> = Vec::new();
    for cell in one {
        let same =
            other.iter_mut().find(|theirs| theirs.as_ref().is_some_and(|theirs| theirs.name == cell.name));
        rows.push(row([Some(cell), same.and_then(Option::take)], evaluated));
    }
    rows.extend(other.into_iter().flatten().map(|cell| row([None, Some(cell)], evaluated)));
    rows
}

/// `evaluated` says of each side whether it was, for one that has no such cell.
fn row([one, other]: [Option<Cell>; 2], evaluated: [bool; 2]) -> Row {
    let was = |cell: &Option<Cell>, side: bool| cell.as_ref().map_or(side, |cell| cell.evaluated);
    let evaluated = [was(&one, evaluated[0]), was(&other, evaluated[1])];
    let known = one.as_ref().filter(|cell| cell.part != Part::Unknown).or(other.as_ref()).or(one.as_ref());
    let (name, part, rule) = known.map_or((String::new(), Part::Unknown, None), |cell| {
        (cell.name.clone(), cell.part, cell.rule.clone())
    });
    let split = |cell: Option<Cell>| cell.map_or((None, None), |cell| (cell.raw, cell.canonical));
    let ((raw_one, one), (raw_other, other)) = (split(one), split(other));
    Row { name, part, rule, raw: [raw_one, raw_other], canonical: [one, other], evaluated }
}

#[cfg(test)]
mod tests;
