//! The shape of keys and the destinations that they go to.

use intentkey_core::{KeyFormat, KeyShape, Policy};

use super::table::{Alphabet, Destination, Table};
use super::{Finding, Severity};

const PLACE: &str = "key.destinations";

/// The destinations of a policy that the table has.
pub(super) fn known(policy: &Policy) -> impl Iterator<Item = (&str, &'static Destination)> {
    policy.destinations().filter_map(|name| Some((name, Table::compiled_in().destination(name)?)))
}

/// `destination-unknown`
pub(super) fn unknown(policy: &Policy, findings: &mut Vec<Finding>) {
    let table = Table::compiled_in();
    for name in policy.destinations().filter(|name| table.destination(name).is_none()) {
        let (severity, advice) = match table.like(name) {
            Some(like) => (Severity::Warning, format!("did you mean {like}?")),
            None => (
                Severity::Note,
                String::from("look up its longest key, its alphabet and its retention yourself"),
            ),
        };
        findings.push(Finding::new(
            "destination-unknown",
            severity,
            PLACE.to_owned(),
            format!("{name} is not in the table of destinations: nothing about it can be checked"),
            advice,
        ));
    }
}

/// `destination-length`
pub(super) fn length(policy: &Policy, findings: &mut Vec<Finding>) {
    let shape = policy.key_shape();
    let length = shape.length() as u64;
    for (name, destination) in known(policy) {
        let (word, limit) = match (destination.longest, destination.shortest) {
            (Some(longest), _) if length > longest => ("at most", longest),
            (_, Some(shortest)) if length < shortest => ("at least", shortest),
            _ => continue,
        };
        findings.push(Finding::new(
            "destination-length",
            Severity::Error,
            PLACE.to_owned(),
            format!(
                "keys of this policy have {length} characters, and {name} takes {word} {limit} ({}; {}, read {})",
                destination.what, destination.source, destination.read
            ),
            fitting(destination),
        ));
    }
}

/// The key that a destination takes, as a policy says it.
fn fitting(destination: &Destination) -> String {
    match (destination.alphabet, destination.longest) {
        (Alphabet::Uuid, _) => {
            String::from("say format = \"uuid\" in [key], or \"uuid4\" where version 4 is insisted on")
        }
        (Alphabet::Uuid4, _) => String::from("say format = \"uuid4\" in [key]"),
        (_, Some(longest @ 32..64)) => format!("say format = \"hex\" and length = {longest} in [key]"),
        _ => String::from("say format = \"hex\" in [key]"),
    }
}

/// `destination-alphabet`
pub(super) fn alphabet(policy: &Policy, findings: &mut Vec<Finding>) {
    let shape = policy.key_shape();
    for (name, destination) in known(policy) {
        let Some((severity, why)) = refused_by(destination.alphabet, shape) else { continue };
        findings.push(Finding::new(
            "destination-alphabet",
            severity,
            PLACE.to_owned(),
            format!(
                "{name} takes {why} ({}; {}, read {})",
                destination.what, destination.source, destination.read
            ),
            fitting(destination),
        ));
    }
}

/// What a destination takes that keys of this shape are not. A UUID's version is a note: that a
/// destination's text names one does not say that it looks.
fn refused_by(alphabet: Alphabet, shape: KeyShape) -> Option<(Severity, &'static str)> {
    match (alphabet, shape.format()) {
        (Alphabet::Uuid | Alphabet::Uuid4, KeyFormat::Hex | KeyFormat::Base64Url) => {
            Some((Severity::Error, "UUIDs, and keys of this policy are none"))
        }
        (Alphabet::Uuid4, KeyFormat::Uuid) => {
            Some((Severity::Note, "UUIDs of version 4, and keys of this policy are of version 8"))
        }
        (Alphabet::Dashed, KeyFormat::Base64Url) => {
            Some((Severity::Error, "letters, digits and \"-\", and keys of this policy may hold \"_\""))
        }
        _ => None,
    }
}
