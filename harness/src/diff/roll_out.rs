//! Rolling a policy out: a start epoch that cuts no bucket, so that whatever is in flight keeps its key.

use std::fmt;

use intentkey_core::{DatedPolicy, Policies, Policy};

use super::around::common_multiple;
use super::change::Witness;
use crate::hosts::{Host as _, Native, Ring};

/// A policy that begins without a split.
#[derive(Clone, Debug)]
pub struct RollOut {
    /// The first second of the new policy.
    pub from_epoch: u64,
    /// It is a multiple of this: of both policies' buckets.
    pub multiple_of: u64,
    /// How many intents were tried on both sides of it: before it each has the old key, from it on
    /// the new one.
    pub tried: usize,
}

/// Why a policy cannot begin without a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRollOut {
    /// One of the two has one bucket for all time, which any start cuts.
    OneBucket,
    /// No such epoch lies before what epochs can be.
    TooLate,
    /// An intent was found that does not keep its key: a fault of this program.
    Unkept,
}

impl fmt::Display for NoRollOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoRollOut::OneBucket => {
                "a policy with bucket_seconds = 0 has one bucket for all time, which any start epoch cuts: stop \
                 the producers, wait until no caller repeats any more (the longest of retention.callers), and \
                 begin with the new policy"
            }
            NoRollOut::TooLate => "no epoch that cuts no bucket lies before 10^11",
            NoRollOut::Unkept => "an intent was found that does not keep its key over the start epoch",
        })
    }
}

impl std::error::Error for NoRollOut {}

/// The first start epoch that cuts no bucket, checked with core and with the witnesses.
pub(super) fn roll_out(
    before: &Policies,
    new: &Policy,
    not_before: u64,
    witnesses: &[Witness],
) -> Result<RollOut, NoRollOut> {
    let versions: Vec<DatedPolicy> = before
        .iter()
        .map(|(from, policy)| DatedPolicy { from_epoch: from.unwrap_or(0), policy: policy.clone() })
        .collect();
    let Some(old) = versions.last() else { return Err(NoRollOut::TooLate) };
    let widths = [old.policy.bucket_seconds(), new.bucket_seconds()];
    if widths.contains(&0) {
        return Err(NoRollOut::OneBucket);
    }
    let multiple_of = widths.into_iter().fold(1, common_multiple);
    let earliest = not_before.max(old.from_epoch.saturating_add(1));
    let from_epoch = earliest.div_ceil(multiple_of).saturating_mul(multiple_of);
    let mut dated = versions;
    dated.push(DatedPolicy { from_epoch, policy: new.clone() });
    let both = Policies::new(dated).map_err(|_| NoRollOut::TooLate)?;
    let tried = check(before, new, &both, from_epoch, witnesses)?;
    Ok(RollOut { from_epoch, multiple_of, tried })
}

/// Tries the witnesses on both sides of the start: before it the old key, from it on the new one.
fn check(
    before: &Policies,
    new: &Policy,
    both: &Policies,
    from_epoch: u64,
    witnesses: &[Witness],
) -> Result<usize, NoRollOut> {
    let ring = Ring::Bare([0x5e; 32]);
    let (old, new, both) = (Native::new(before.clone()), Native::new(new.clone()), Native::new(both.clone()));
    let key = |host: &Native, intent: &str| host.derive(&ring, intent).map(|derived| derived.key).ok();
    let mut tried = 0;
    for intent in witnesses.iter().flat_map(|witness| &witness.intents) {
        for (epoch, reference) in
            [(from_epoch.saturating_sub(1), &old), (from_epoch, &new), (from_epoch.saturating_add(1), &new)]
        {
            let Some(intent) = at_epoch(intent, epoch) else { continue };
            if key(reference, &intent) != key(&both, &intent) {
                return Err(NoRollOut::Unkept);
            }
            tried += 1;
        }
    }
    Ok(tried)
}

/// An intent decided at another second.
fn at_epoch(intent: &str, epoch: u64) -> Option<String> {
    let (before, after) = intent.split_once("\"intent_epoch\":")?;
    let end = after.find(|character: char| !character.is_ascii_digit())?;
    Some(format!("{before}\"intent_epoch\":{epoch}{}", after.get(end..)?))
}
