//! From a chunk of events to what is counted of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use intentkey_core::{Code, Deriver, Intent, Payload, Policies, Policy, Refusal, Secret};

use super::Settings;
use super::clock::Clock;
use super::record::{Place, Record, digest, identity, number};
use super::shape::shape;
use super::tally::{MOST_VALUES, Tally};
use crate::events::{Broken, Chunk, Event, Reading, Unread};
use crate::field_path::{steps, values_at};

/// How many values of a field are looked at in each chunk for their shapes.
const SAMPLED: u64 = 4;

/// The most characters of a value that is shown.
const SHOWN: usize = 80;

/// What decides nothing: fingerprints are compared with each other only.
const SECRET: [u8; 32] = *b"fingerprints of an audit, alone.";

/// Sifts chunks.
pub(super) struct Sieve<'a> {
    reading: Reading<'a>,
    clock: Clock<'a>,
    /// Makes fingerprints, where a policy checks fields.
    checker: Option<Deriver>,
    settings: &'a Settings,
}

impl<'a> Sieve<'a> {
    pub(super) fn new(policies: &'a Policies, settings: &'a Settings) -> Result<Self, Refusal> {
        let clock = Clock::new(policies);
        let deriver = Deriver::new(policies.clone(), Secret::new(SECRET)?)?;
        let checker = clock.checks().then_some(deriver);
        Ok(Sieve { reading: Reading::new(&settings.mapping, policies), clock, checker, settings })
    }

    /// What the events of a chunk come to.
    pub(super) fn sift(&self, chunk: &Chunk) -> Tally {
        let mut tally = Tally::default();
        chunk.each(|line, raw| {
            tally.events += 1;
            let place = Place::new(chunk.file, line);
            let event = raw.map_err(Unread::Broken).and_then(|raw| match self.reading.event(&raw) {
                Ok(event) => {
                    self.take(&event, place, &mut tally);
                    Ok(())
                }
                Err(unread) => Err(unread),
            });
            match event {
                Ok(()) => {}
                Err(Unread::Broken(Broken::NotJson)) if chunk.may_be_cut(line) => {
                    tally.break_off(Broken::Cut, place);
                }
                Err(Unread::Broken(broken)) => tally.break_off(broken, place),
                Err(Unread::Invalid(member)) => {
                    tally.refuse(Code::IntentInvalid.as_str(), member.as_deref(), place);
                }
            }
        });
        tally
    }

    fn take(&self, event: &Event<'_>, place: Place, tally: &mut Tally) {
        match self.record(event, place) {
            Ok(record) => {
                tally.without_truth += u64::from(record.truth == 0);
                tally.records.push(record);
            }
            Err(refusal) => {
                tally.refuse(refusal.code().as_str(), refusal.field(), place);
                if !refusal.fields().is_empty() {
                    self.look_at(&refusal, event, place, tally);
                }
            }
        }
    }

    fn record(&self, event: &Event<'_>, place: Place) -> Result<Record, Refusal> {
        let text;
        let (intent, fingerprint) = match &self.checker {
            Some(checker) => {
                // Read once for both of what follows. What stands around the payload is not looked at.
                text = format!(
                    "{{\"tenant\":\"\",\"action\":\"\",\"intent_epoch\":{},\"payload\":{}}}",
                    event.epoch.seconds, event.payload
                );
                let intent = Intent { payload: checker.read(&text)?.payload, ..intent(event) };
                let fingerprint = checker.fingerprint(&intent)?;
                (intent, number(fingerprint.as_bytes()))
            }
            None => (intent(event), 0),
        };
        let policy = self.policy(event, &intent)?;
        let material = policy.material(&intent)?;
        let truth = event.truth.as_deref().map_or(0, |id| match self.settings.truth_per_tenant {
            true => digest([id, &event.tenant]),
            false => digest([id, ""]),
        });
        let identity = identity(&material.bytes);
        Ok(Record { identity, truth, fingerprint, epoch: event.epoch.seconds, place })
    }

    fn policy(&self, event: &Event<'_>, intent: &Intent<'_>) -> Result<&'a Policy, Refusal> {
        let in_force = self.clock.policy_at(event.epoch.seconds);
        in_force.ok_or_else(|| {
            // What comes before the policy in the order of refusals.
            let first = self.clock.first().map(|policy| policy.material(intent));
            match first {
                Some(Err(refusal)) if is_judged_first(refusal.code()) => refusal,
                _ => Code::PolicyMissingForEpoch.into(),
            }
        })
    }

    /// Counts unclassified fields, and looks at the shapes of some.
    fn look_at(&self, refusal: &Refusal, event: &Event<'_>, place: Place, tally: &mut Tally) {
        let mut payload = None;
        for path in refusal.fields() {
            let Some(entry) = tally.unclassified(path, place) else { continue };
            if entry.sampled >= SAMPLED {
                continue;
            }
            let payload = payload.get_or_insert_with(|| {
                serde_json::from_str::<serde_json::Value>(&event.payload).unwrap_or_default()
            });
            let Some(value) = values_at(payload, &steps(path)).first().copied() else { continue };
            entry.sampled += 1;
            *entry.shapes.entry(shape(value)).or_default() += 1;
            if self.settings.show_values && entry.values.len() < MOST_VALUES {
                entry.values.insert(place, shown(value));
            }
        }
    }
}

/// Whether a refusal comes before the question which policy is in force.
fn is_judged_first(code: Code) -> bool {
    use Code::{
        EpochInMilliseconds, EpochInvalid, IntentInvalid, JsonMalformed, PayloadNotObject, PayloadTooDeep,
        PayloadTooLarge, TenantEmpty,
    };
    matches!(code, JsonMalformed | PayloadTooLarge | PayloadTooDeep | IntentInvalid | PayloadNotObject)
        || matches!(code, TenantEmpty | EpochInvalid | EpochInMilliseconds)
}

/// The intent of an event.
pub(super) fn intent<'e>(event: &'e Event<'_>) -> Intent<'e> {
    Intent {
        tenant: Cow::Borrowed(&event.tenant),
        action: Cow::Borrowed(&event.action),
        epoch: event.epoch.epoch,
        payload: Payload::Json(&event.payload),
    }
}

/// A value as it is shown, cut where it is long.
pub(super) fn shown(value: &serde_json::Value) -> String {
    let text = value.to_string();
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('\u{2026}');
    }
    shown
}

/// How often each shape occurs, the most frequent first.
pub(super) fn ranked(shapes: BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut ranked: Vec<(String, u64)> = shapes.into_iter().collect();
    ranked.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    ranked
}
