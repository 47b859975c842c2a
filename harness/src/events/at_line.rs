//! One event of a file, by the number of its line.

use intentkey_core::Policies;
use serde_json::json;
use serde_json::value::RawValue;

use super::chunk::{Broken, Chunks, Next};
use super::mapping::Mapping;
use super::open::Input;
use super::reading::{Event, Reading, Unread, declares};
use super::watch::Watch;

/// The event on this line as the JSON text of an intent.
///
/// # Errors
///
/// Where the file cannot be read so far, or has no event there.
pub(crate) fn intent_at(
    input: &Input,
    line: u64,
    mapping: &Mapping,
    policies: &Policies,
) -> Result<String, String> {
    let declared = |name: &str| declares(policies, name);
    let (inputs, reading) = ([input.clone()], Reading::new(mapping, policies));
    let mut chunks = Chunks::new(&inputs, mapping, &declared, &Watch::default());
    loop {
        let chunk = match chunks.next_chunk()? {
            Next::Chunk(chunk) => chunk,
            Next::Cut { line, error, .. } => {
                return Err(format!("{input} cannot be read from line {line} on: {error}"));
            }
            Next::End => return Err(format!("{input} has no event on line {line}")),
        };
        let mut found = None;
        chunk.each(|number, raw| {
            if number == line && found.is_none() {
                found = Some(raw.map_err(Unread::Broken).and_then(|raw| reading.event(&raw)?.to_intent()));
            }
        });
        match found {
            Some(Ok(intent)) => return Ok(intent),
            Some(Err(unread)) => return Err(format!("{input}:{line} is {}", said(&unread))),
            None => {}
        }
    }
}

/// What there is instead of an event.
fn said(unread: &Unread) -> String {
    match unread {
        Unread::Broken(broken) => broken.what().to_owned(),
        Unread::Invalid(None) => String::from("no intent"),
        Unread::Invalid(Some(member)) => {
            format!(
                "no intent, for its {member}: say where that is, as for audit (--tenant, --action, --epoch)"
            )
        }
    }
}

impl Event<'_> {
    /// The intent as `derive` reads it.
    fn to_intent(&self) -> Result<String, Unread> {
        // A payload that is no JSON would be read as members of the intent.
        let payload: &RawValue =
            serde_json::from_str(&self.payload).map_err(|_| Unread::Broken(Broken::NotJson))?;
        let epoch = if self.epoch.is_sound() { json!(self.epoch.seconds) } else { json!(-1) };
        Ok(format!(
            "{{\"tenant\":{},\"action\":{},\"intent_epoch\":{epoch},\"payload\":{payload}}}",
            json!(self.tenant),
            json!(self.action)
        ))
    }
}
