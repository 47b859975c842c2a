//! Policies over time, as a host gives them.

use alloc::string::String;
use alloc::vec::Vec;

use intentkey_core::{Code, DatedPolicy, Policies, Policy, Refusal, Value};

use super::{Refused, json};

/// A policy as a host gives it.
pub enum PolicySource<'s> {
    /// JSON text.
    Json(&'s str),
    /// A value of the host's own.
    Value(Value<'s>),
}

impl PolicySource<'_> {
    /// Reads the policy.
    ///
    /// # Errors
    ///
    /// `policy_invalid`.
    pub fn read(&self) -> Result<Policy, Refusal> {
        match self {
            PolicySource::Json(text) => Policy::from_json(text),
            PolicySource::Value(value) => Policy::from_value(value),
        }
    }
}

/// A policy and the epoch from which it is in force.
pub struct Dated<'s> {
    /// The first second from which it is in force, since 1970; `None` for what is no such number.
    pub from_epoch: Option<u64>,
    /// The policy.
    pub policy: PolicySource<'s>,
}

/// The place of a member of an entry in the list.
fn place(index: usize, member: &str) -> String {
    let mut place = String::from("[");
    json::push_number(&mut place, index as u64);
    place.push_str("].");
    place.push_str(member);
    place
}

/// Reads policies over time.
///
/// # Errors
///
/// `policy_invalid`, with the place in the list as `field`.
pub fn policies(given: &[Dated<'_>]) -> Result<Policies, Refused> {
    let dated = given.iter().enumerate().map(|(index, dated)| {
        let from_epoch = dated.from_epoch.ok_or_else(|| {
            Refused::new(Code::PolicyInvalid)
                .at(&place(index, "from_epoch"))
                .because("must be an integral number of seconds")
        })?;
        let read = dated.policy.read();
        let policy = read.map_err(|refusal| Refused::from(refusal).below(&place(index, "policy")))?;
        Ok(DatedPolicy { from_epoch, policy })
    });
    Policies::new(dated.collect::<Result<Vec<_>, Refused>>()?).map_err(Refused::from)
}
