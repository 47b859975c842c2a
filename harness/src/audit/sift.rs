//! From a chunk of events to what is counted of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use intentkey_core::{Code, Deriver, Intent, Payload, Policies, Policy, Refusal, Secret};

use super::Settings;
use super::clock::Clock;
use super::quick::Quick;
use super::record::{Record, digest, fingerprint, identity};
use super::shape::shape;
use super::tally::{MOST_VALUES, Tally};
use crate::events::{Broken, Chunk, Event, Place, Raw, Reading, Unread};
use crate::field_path::{steps, values_at};

/// How many values of a field are looked at in each chunk for their shapes.
const SAMPLED: u64 = 4;

/// The most characters of a value that is shown.
const SHOWN: usize = 80;

/// What decides nothing: events are read with it, and no key is derived.
const SECRET: [u8; 32] = *b"an audit reads, and derives none";

/// Sifts chunks.
pub(super) struct Sieve<'a> {
    reading: Reading<'a>,
    quick: Option<Quick>,
    clock: Clock<'a>,
    reader: Deriver,
    /// Whether there are checked fields, so that events of one key can be in conflict.
    checks: bool,
    settings: &'a Settings,
}

impl<'a> Sieve<'a> {
    pub(super) fn new(policies: &'a Policies, settings: &'a Settings) -> Result<Self, Refusal> {
        let clock = Clock::new(policies);
        let reader = Deriver::new(policies.clone(), Secret::new(SECRET)?)?;
        let checks = clock.checks();
        let quick = Quick::new(&reader, &settings.mapping);
        let reading = Reading::new(&settings.mapping, policies);
        Ok(Sieve { reading, quick, clock, reader, checks, settings })
    }

    /// What the events of a chunk come to.
    pub(super) fn sift(&self, chunk: &Chunk) -> Tally {
        let mut tally = Tally::default();
        let mut room = String::new();
        chunk.each(|line, raw| {
            tally.events += 1;
            let place = Place::new(chunk.file, line);
            if let (Some(quick), Ok(Raw::Json(text))) = (&self.quick, &raw)
                && let Some(event) = quick.read(text, &mut room)
                && let Ok(record) = self.record(&event.intent, event.epoch, event.truth.as_deref(), place)
            {
                tally.keep(record);
                return;
            }
            match raw.map_err(Unread::Broken).and_then(|raw| self.sift_one(&raw, place, &mut tally)) {
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

    fn sift_one(&self, raw: &Raw<'_>, place: Place, tally: &mut Tally) -> Result<(), Unread> {
        let event = self.reading.event(raw)?;
        let intent = intent(&event);
        // Read once for all that follows; what stands around the payload is not looked at.
        let text = format!(
            "{{\"tenant\":\"\",\"action\":\"\",\"intent_epoch\":{},\"payload\":{}}}",
            event.epoch.seconds, event.payload
        );
        let is_sound = event.epoch.is_sound();
        let record = self.reader.read(&text).and_then(|read| {
            let intent = Intent { payload: read.payload, ..intent };
            if !is_sound && let Some(Err(refusal)) = self.clock.first().map(|policy| policy.material(&intent))
            {
                return Err(refusal);
            }
            self.record(&intent, event.epoch.seconds, event.truth.as_deref(), place)
        });
        match record {
            Ok(record) => tally.keep(record),
            Err(refusal) => {
                tally.refuse(refusal.code().as_str(), refusal.field(), place);
                if !refusal.fields().is_empty() {
                    self.look_at(&refusal, &event, place, tally);
                }
            }
        }
        Ok(())
    }

    /// The record of an intent whose epoch is sound.
    fn record(
        &self,
        intent: &Intent<'_>,
        epoch: u64,
        truth: Option<&str>,
        place: Place,
    ) -> Result<Record, Refusal> {
        let policy = self.policy(epoch, intent)?;
        let (identity, fingerprint) = if self.checks {
            let materials = policy.materials(intent)?;
            (identity(&materials.key.bytes), fingerprint(&materials.fingerprint))
        } else {
            (identity(&policy.material(intent)?.bytes), 0)
        };
        let tenant = self.settings.truth_per_tenant.then_some(&*intent.tenant);
        let truth = truth.map_or(0, |id| digest(id, tenant));
        Ok(Record { identity, truth, fingerprint, epoch, place })
    }

    fn policy(&self, epoch: u64, intent: &Intent<'_>) -> Result<&'a Policy, Refusal> {
        self.clock.policy_at(epoch).ok_or_else(|| {
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
