//! From what was counted to a report.

use intentkey_core::{Deriver, Policies, Secret};

use super::cause::Comparer;
use super::clock::Clock;
use super::count::{AtWidth, Counts, GAPS, SIZES, count};
use super::fetch::fetch;
use super::report::{
    Bin, BrokenLines, Causes, Edge, Events, Keys, Large, Refused, Report, Size, Slot, Timeline, Truth,
    Unclassified, Width,
};
use super::sift::ranked;
use super::stream::Streamed;
use super::tally::{Seen, Tally};
use super::{Control, Settings};
use crate::events::{Input, Mapping, Place};

/// Decides nothing: forms are compared, and no key is shown.
const SECRET: [u8; 32] = *b"canonical forms of an audit only";

/// How many conflicting keys are placed; the fields are those of all.
const FIRST_CONFLICTS: usize = 5;

/// Writes down where events stand.
struct Places<'i>(&'i [Input]);

impl Places<'_> {
    fn name(&self, place: Place) -> String {
        place.name(self.0)
    }
}

/// Counts, compares, and writes down.
pub(super) fn summarize(
    streamed: Streamed,
    policies: &Policies,
    inputs: &[Input],
    settings: &Settings,
    control: &Control,
) -> Report {
    let Streamed { mut tally, mut partial } = streamed;
    let clock = Clock::new(policies);
    let places = Places(inputs);
    let mut records = std::mem::take(&mut tally.records);
    let counts = count(&mut records, &clock);
    let keyed = records.len() as u64;
    // Most exports have a second that is no midnight among their first.
    let days_only = records.len() > 1 && records.iter().all(|record| record.epoch.is_multiple_of(86_400));
    drop(records);
    let newest = clock.newest();
    let own = newest.map_or(0, |policy| policy.bucket_seconds());
    let own_edge = newest.map_or(0, |policy| policy.edge_seconds());
    let compared = causes(&counts, policies, &clock, inputs, settings, control);
    let (truth_causes, conflicts) = match compared {
        Some(Compared { merges, splits, conflicts }) => (Some([merges, splits]), Some(conflicts)),
        None => (None, None),
    };
    if partial.is_empty() && control.watch.is_stopped() {
        partial.push(String::from("it was interrupted while fields were compared: their counts are too low"));
    }
    let events = Events {
        read: tally.events,
        keyed,
        refused: tally.events - keyed - total(tally.broken.values()),
        broken: total(tally.broken.values()),
    };
    Report {
        policy: newest.map(|policy| policy.name().to_owned()).unwrap_or_default(),
        bucket_seconds: own,
        edge_seconds: own_edge,
        inputs: inputs.iter().map(ToString::to_string).collect(),
        partial,
        events,
        span: (keyed > 0).then_some([counts.slots.from, counts.slots.to]),
        days_only,
        keys: keys(&counts, keyed, conflicts, &places),
        truth: settings.mapping.truth.as_ref().map(|field| truth(field, &counts, &tally, truth_causes)),
        sweep: counts.widths.iter().map(|(width, at)| of_width(*width, *at, own, keyed)).collect(),
        edges: edges(&counts, own, own_edge),
        gaps: GAPS.iter().zip(counts.gaps).map(|(most, count)| bin(*most, count)).collect(),
        timeline: timeline(&counts),
        refused: refused(&tally, &settings.mapping, &places),
        unclassified: unclassified(&tally, policies, &places),
        broken: broken(&tally, &places),
        unlisted: tally.unlisted,
    }
}

fn total<'s>(seen: impl Iterator<Item = &'s Seen>) -> u64 {
    seen.map(|seen| seen.count).sum()
}

/// The fields that merged intents, split them, and made keys conflict.
struct Compared {
    merges: Causes,
    splits: Causes,
    conflicts: Causes,
}

/// Compares events in a second look at the files; `None` where they can be read only once.
fn causes(
    counts: &Counts,
    policies: &Policies,
    clock: &Clock<'_>,
    inputs: &[Input],
    settings: &Settings,
    control: &Control,
) -> Option<Compared> {
    // Retries tell which ignored fields belong to the attempt; without merges nobody asks.
    let retries = if counts.merges.is_empty() { &[][..] } else { &counts.retries };
    let pairs = counts.merges.iter().chain(&counts.splits).chain(&counts.conflicting).chain(retries);
    let mut wanted: Vec<Place> = pairs.flat_map(|pair| [pair.one, pair.other]).collect();
    let fetched = fetch(&mut wanted, inputs, policies, settings, &control.watch)?;
    let deriver = Deriver::new(policies.clone(), Secret::new(SECRET).ok()?).ok()?;
    let places = Places(inputs);
    let place = |place: Place| places.name(place);
    let comparer = Comparer::new(&deriver, policies, clock, &fetched, settings, &place);
    Some(Compared {
        merges: comparer.merges(&counts.merges, retries),
        splits: comparer.splits(&counts.splits),
        conflicts: comparer.conflicts(&counts.conflicting),
    })
}

fn keys(counts: &Counts, keyed: u64, fields: Option<Causes>, places: &Places<'_>) -> Keys {
    let sizes = SIZES.iter().zip(counts.sizes).map(|(most, (keys, events))| Size {
        up_to: (*most != u64::MAX).then_some(*most),
        keys,
        events,
    });
    let largest = counts.largest.iter().map(|large| Large {
        events: large.events.0,
        span: [large.from, large.to],
        first: places.name(large.first),
    });
    let conflicting = counts.conflicting.iter().take(FIRST_CONFLICTS);
    Keys {
        count: counts.keys,
        repeats: keyed - counts.keys,
        conflicts: counts.conflicts,
        conflicting: conflicting.map(|pair| [places.name(pair.one), places.name(pair.other)]).collect(),
        conflict_fields: fields,
        sizes: sizes.collect(),
        largest: largest.collect(),
    }
}

fn truth(field: &str, counts: &Counts, tally: &Tally, causes: Option<[Causes; 2]>) -> Truth {
    let (merges, splits) = match causes {
        Some([merges, splits]) => (Some(merges), Some(splits)),
        None => (None, None),
    };
    Truth {
        field: field.to_owned(),
        intents: counts.intents,
        without: tally.without_truth,
        merged_keys: counts.own.merged_keys,
        lost_intents: counts.own.lost_intents,
        split_intents: counts.own.split_intents,
        extra_keys: counts.own.extra_keys,
        joined_intents: counts.joined_intents,
        split_by_bucket: counts.split_by_bucket,
        merges,
        splits,
    }
}

fn of_width(width: u64, at: AtWidth, own: u64, keyed: u64) -> Width {
    Width {
        bucket_seconds: width,
        is_policy: width == own,
        keys: at.keys,
        repeats: keyed - at.keys,
        merged_keys: at.merged_keys,
        lost_intents: at.lost_intents,
        split_intents: at.split_intents,
        extra_keys: at.extra_keys,
    }
}

fn edges(counts: &Counts, own: u64, own_edge: u64) -> Vec<Edge> {
    if own == 0 {
        return Vec::new();
    }
    let row = |edge: u64, at: super::count::AtEdge| Edge {
        edge_seconds: edge,
        is_policy: edge == own_edge,
        near: at.near,
        parted: at.cut,
        joined: at.joined,
        merged_keys: at.merged_keys,
        lost_intents: at.lost_intents,
        split_intents: at.split_intents,
        extra_keys: at.extra_keys,
    };
    // The policy's row is what the report says of it, also where older policies had other edges.
    let rows =
        counts.edges.iter().map(|(edge, at)| (*edge, if *edge == own_edge { counts.own } else { *at }));
    rows.map(|(edge, at)| row(edge, at)).collect()
}

fn bin(most: u64, count: u64) -> Bin {
    Bin { up_to_seconds: (most != u64::MAX).then_some(most), count }
}

fn timeline(counts: &Counts) -> Timeline {
    let slots = &counts.slots;
    let first = slots.from - slots.from.checked_rem(slots.length).unwrap_or(0);
    let starts = (0..).map(|number: u64| first + number * slots.length);
    let slot =
        |(from, (events, repeats)): (u64, &(u64, u64))| Slot { from, events: *events, repeats: *repeats };
    Timeline { slot_seconds: slots.length, slots: starts.zip(&slots.counts).map(slot).collect() }
}

fn refused(tally: &Tally, mapping: &Mapping, places: &Places<'_>) -> Vec<Refused> {
    let of = |((code, field), seen): (&super::tally::Refusal, &Seen)| Refused {
        code,
        field: field.clone(),
        count: seen.count,
        first: places.name(seen.first),
        advice: advice(code, field.as_deref(), mapping),
    };
    let mut refused: Vec<Refused> = tally.refused.iter().map(of).collect();
    refused.sort_by_key(|refused| std::cmp::Reverse(refused.count));
    refused
}

/// What in the mapping brings such a refusal about.
fn advice(code: &str, field: Option<&str>, mapping: &Mapping) -> Option<String> {
    let column = |option: &str, member: &str| {
        format!("{option} says where the {member} stands, or =TEXT what it is for all events")
    };
    match (code, field) {
        ("epoch_invalid", _) if mapping.epoch.is_some() && !mapping.assume_utc => Some(String::from(
            "a date or a time without an offset is refused: --assume-utc takes it for UTC; --epoch-format says \
             how others than ISO 8601 are written",
        )),
        ("epoch_invalid", _) if mapping.epoch.is_some() && mapping.epoch_format.is_none() => Some(
            String::from("--epoch-format says how dates other than ISO 8601 are written: \"%d/%m/%Y %H:%M\""),
        ),
        ("decimal_malformed", Some(field)) if !mapping.decimal_comma.iter().any(|name| name == field) => {
            Some(String::from(
                "numbers are written 1234.56, without currency signs and thousands: --decimal-comma COLUMN reads 1.234,56",
            ))
        }
        ("epoch_in_milliseconds", _) => Some(String::from("--epoch-unit milliseconds reads them")),
        ("intent_invalid", Some("tenant")) if mapping.tenant.is_none() => Some(column("--tenant", "tenant")),
        ("intent_invalid", Some("action")) if mapping.action.is_none() => Some(column("--action", "action")),
        ("intent_invalid", Some("intent_epoch")) if mapping.epoch.is_none() => {
            Some(column("--epoch", "second at which the intent was decided"))
        }
        _ => None,
    }
}

fn unclassified(tally: &Tally, policies: &Policies, places: &Places<'_>) -> Vec<Unclassified> {
    let mut fields: Vec<Unclassified> = tally
        .unclassified
        .iter()
        .map(|(field, found)| Unclassified {
            field: field.clone(),
            meant: crate::hint::nearest_path(policies, field),
            count: found.seen.count,
            first: places.name(found.seen.first),
            shapes: ranked(found.shapes.clone()),
            values: found.values.values().cloned().collect(),
        })
        .collect();
    fields.sort_by_key(|field| std::cmp::Reverse(field.count));
    fields
}

fn broken(tally: &Tally, places: &Places<'_>) -> Vec<BrokenLines> {
    let of = |(what, seen): (&crate::events::Broken, &Seen)| BrokenLines {
        what: *what,
        count: seen.count,
        first: places.name(seen.first),
    };
    tally.broken.iter().map(of).collect()
}
