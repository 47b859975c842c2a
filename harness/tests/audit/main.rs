//! Audits of events whose merges, splits and faults are planted: every count is known.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

mod bad_input;
mod command;
mod counts;
mod shapes_of_files;

use std::path::{Path, PathBuf};

use intentkey::audit::report::Cause;
use intentkey::audit::{Report, Settings, audit};
use intentkey::events::{Input, Mapping};
use intentkey_core::{Policies, Policy};
use tempfile::TempDir;

/// Text, an amount, a checked note, and what belongs to the attempt. Buckets of 100 seconds are
/// easily reckoned with.
const POLICY: &str = r#"{
    "name": "planted",
    "actions": ["pay", "refund"],
    "bucket_seconds": 100,
    "edge_seconds": 10,
    "identity": {
        "to": { "rule": "identifier" },
        "amount": { "rule": "decimal" },
        "text": { "rule": "text", "case": "keep", "required": false }
    },
    "checked": { "note": { "rule": "text", "required": false } },
    "ignored": { "request": "new on every attempt", "order": "thought to be presentation" }
}"#;

fn policies() -> Policies {
    Policy::from_json(POLICY).unwrap().into()
}

/// A folder with one file in it.
struct Events {
    folder: TempDir,
    path: PathBuf,
}

impl Events {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        Events { folder, path }
    }

    fn policy(&self) -> PathBuf {
        let path = self.folder.path().join("policy.json");
        std::fs::write(&path, POLICY).unwrap();
        path
    }

    fn audit(&self, settings: &Settings) -> Report {
        audit(&policies(), &[Input::from(self.path.as_path())], settings).unwrap()
    }
}

/// An event; `payload` is the inside of an object.
fn event(id: &str, epoch: u64, payload: &str) -> String {
    format!(
        "{{\"tenant\":\"acme\",\"action\":\"pay\",\"intent_epoch\":{epoch},\"payload\":{{{payload}}},\"id\":\"{id}\"}}\n"
    )
}

fn by_id() -> Settings {
    let mapping = Mapping { truth: Some(String::from("id")), ..Mapping::default() };
    Settings { mapping, ..Settings::default() }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The fields of causes with their counts.
fn counts(causes: &[Cause]) -> Vec<(&str, u64)> {
    causes.iter().map(|cause| (&*cause.field, cause.count)).collect()
}
