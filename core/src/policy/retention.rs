//! How long keys are kept, and how long callers go on trying.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::table::{Table, integer_within};
use crate::error::Refusal;
use crate::value::Value;

/// The longest retention or horizon that makes sense: a hundred years, in seconds.
const LONGEST: u64 = 100 * 366 * 86_400;

/// What stands where nobody has measured for how long a caller goes on.
const UNMEASURED: &str = "unmeasured";

/// For how long a key protects, and against whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    ttl_seconds: Option<u64>,
    callers: Vec<Caller>,
}

/// One of those that repeat an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    name: Box<str>,
    horizon_seconds: Option<u64>,
}

impl Retention {
    /// How long a finished intent is remembered, in seconds.
    #[must_use]
    pub fn ttl_seconds(&self) -> Option<u64> {
        self.ttl_seconds
    }

    /// Those that repeat intents, by name.
    #[must_use]
    pub fn callers(&self) -> &[Caller] {
        &self.callers
    }

    pub(super) fn read(value: &Value<'_>, place: &str) -> Result<Self, Refusal> {
        let mut table = Table::open(value, place)?;
        let ttl_seconds = table.integer("ttl_seconds", 1, LONGEST)?;
        let callers = match table.take("callers") {
            None => Vec::new(),
            // All of them are unmeasured: one caller without a name says so.
            Some(Value::String(word)) if *word == UNMEASURED => {
                vec![Caller { name: "".into(), horizon_seconds: None }]
            }
            Some(callers) => read_callers(callers, &table.place_of("callers"))?,
        };
        table.finish()?;
        Ok(Retention { ttl_seconds, callers })
    }
}

impl Caller {
    /// The caller's name; empty where the policy says of all callers that they are unmeasured.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// For how many seconds it goes on repeating; `None` where nobody has measured that.
    #[must_use]
    pub fn horizon_seconds(&self) -> Option<u64> {
        self.horizon_seconds
    }
}

fn read_callers(value: &Value<'_>, place: &str) -> Result<Vec<Caller>, Refusal> {
    let mut table = Table::open(value, place)?;
    table
        .take_all()
        .into_iter()
        .map(|(name, horizon)| {
            let horizon_seconds = match horizon {
                Value::String(word) if *word == UNMEASURED => None,
                other => Some(
                    integer_within(other, 0, LONGEST)
                        .ok_or_else(|| table.refuse(name, "must be a number of seconds or \"unmeasured\""))?,
                ),
            };
            Ok(Caller { name: name.into(), horizon_seconds })
        })
        .collect()
}
