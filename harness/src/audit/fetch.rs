//! The second look: events in question, read again from their files.

use std::collections::HashMap;
use std::sync::Arc;

use intentkey_core::Policies;

use super::Settings;
use crate::events::{Chunks, Event, Input, Next, Place, Reading, Watch, declares};

/// An event that was read again.
pub(super) type Fetched = HashMap<Place, Event<'static>>;

/// Reads the events at these places again; `None` where an input can be read only once.
pub(super) fn fetch(
    places: &mut Vec<Place>,
    inputs: &[Input],
    policies: &Policies,
    settings: &Settings,
    watch: &Watch,
) -> Option<Fetched> {
    places.sort_unstable();
    places.dedup();
    let is_stdin = |place: &Place| matches!(inputs.get(place.file()), Some(Input::Stdin));
    if places.iter().any(is_stdin) {
        return None;
    }
    let reading = Reading::new(&settings.mapping, policies);
    let declared = |name: &str| declares(policies, name);
    // What is read a second time is not counted again.
    let again = Watch { stop: Arc::clone(&watch.stop), ..Watch::default() };
    let mut chunks = Chunks::new(inputs, &settings.mapping, &declared, &again);
    let mut fetched = Fetched::with_capacity(places.len());
    while fetched.len() < places.len() && !again.is_stopped() {
        let chunk = match chunks.next_chunk() {
            Ok(Next::Chunk(chunk)) => chunk,
            Ok(Next::Cut { .. }) => continue,
            Ok(Next::End) | Err(_) => break,
        };
        let lines = chunk.lines();
        let from = places.partition_point(|place| *place < Place::new(chunk.file, lines.start));
        if places.get(from).is_none_or(|place| *place >= Place::new(chunk.file, lines.end)) {
            continue;
        }
        let mut wanted = places.iter().skip(from).peekable();
        chunk.each(|line, raw| {
            let place = Place::new(chunk.file, line);
            if wanted.next_if_eq(&&place).is_some()
                && let Ok(raw) = raw
                && let Ok(event) = reading.event(&raw)
            {
                fetched.insert(place, owned(event));
            }
        });
    }
    Some(fetched)
}

fn owned(event: Event<'_>) -> Event<'static> {
    Event {
        tenant: event.tenant.into_owned().into(),
        action: event.action.into_owned().into(),
        epoch: event.epoch,
        payload: event.payload.into_owned().into(),
        truth: event.truth.map(|truth| truth.into_owned().into()),
    }
}
