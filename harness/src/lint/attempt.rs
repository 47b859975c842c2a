//! Fields that change with every attempt, known by their names or by their rule.

mod words;

use intentkey_core::{Class, Field, Policy, Rule};

use super::key_in_payload::is_key;
use super::names::Name;
use super::{Finding, Severity, identity_of, place_of};
use words::{CLOCKS, COUNTS, DECIDED, EARLIER, HAPPENED, IDS, RANDOMS, REQUESTS, TIMES, TRACES, WHOSE};

/// Why a field changes with every attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// It names one request.
    Request,
    /// It counts the attempts.
    Count,
    /// It belongs to a trace.
    Trace,
    /// It is drawn, signed or measured in the attempt.
    Random,
    /// It tells who made the attempt.
    Client,
    /// It is the attempt's clock.
    Clock,
}

impl Attempt {
    fn as_str(self) -> &'static str {
        match self {
            Attempt::Request => "names one request, and every attempt makes another",
            Attempt::Count => "counts the attempts",
            Attempt::Trace => "belongs to one attempt's trace",
            Attempt::Random => "is made anew for every attempt",
            Attempt::Client => "tells who made the attempt, and a retry may come from another machine",
            Attempt::Clock => "is the attempt's clock",
        }
    }
}

/// `attempt-field-in-identity`
pub(super) fn in_identity(policy: &Policy, findings: &mut Vec<Finding>) {
    for field in identity_of(policy) {
        let path = field.path();
        if let Some(attempt) = by_name(field) {
            findings.push(Finding::new(
                "attempt-field-in-identity",
                Severity::Error,
                place_of(field),
                format!(
                    "{path} {}: every attempt gets a key of its own, and nothing is ever recognized",
                    attempt.as_str()
                ),
                format!("move {path} to [ignored], with the reason"),
            ));
        } else if is_unknown_moment(field) {
            findings.push(Finding::new(
                "attempt-field-in-identity",
                Severity::Warning,
                place_of(field),
                format!("{path} is a timestamp, and nothing in its name says that it was decided with the intent: read from a clock, it gives every attempt a key of its own"),
                format!("move {path} to [ignored], or name it for what it is the time of (start, due, scheduled_for)"),
            ));
        }
    }
}

/// `attempt-field-in-checked`
pub(super) fn in_checked(policy: &Policy, findings: &mut Vec<Finding>) {
    for field in policy.fields().iter().filter(|field| field.class() == Class::Checked) {
        // A record's own clock is a fair thing to check; an attempt's is not to be told from it.
        let Some(attempt) = by_name(field).filter(|attempt| *attempt != Attempt::Clock) else { continue };
        let path = field.path();
        findings.push(Finding::new(
            "attempt-field-in-checked",
            Severity::Warning,
            place_of(field),
            format!(
                "{path} {}: every retry has another fingerprint and is refused as a conflict (422)",
                attempt.as_str()
            ),
            format!("move {path} to [ignored], with the reason"),
        ));
    }
}

/// Why a field changes with every attempt, where its name says that it does.
pub(super) fn by_name(field: &Field) -> Option<Attempt> {
    let name = Name::of(field.path());
    if name.has(EARLIER) || is_key(&name) {
        return None;
    }
    if name.has(COUNTS) || name.is(&["try"]) || is_count(&name) {
        return Some(Attempt::Count);
    }
    if name.has(RANDOMS) {
        return Some(Attempt::Random);
    }
    if is_trace(&name) {
        return Some(Attempt::Trace);
    }
    if is_request(&name) || is_request_by_rule(&name, field.rule()) {
        return Some(Attempt::Request);
    }
    if is_client(&name) {
        return Some(Attempt::Client);
    }
    is_clock(&name, field.rule()).then_some(Attempt::Clock)
}

fn is_count(name: &Name) -> bool {
    let Some((last, before)) = name.split_last() else { return false };
    let counted = before.last().is_some_and(|word| matches!(word.as_str(), "delivery" | "try" | "receive"));
    counted && matches!(last, "count" | "no" | "number" | "index")
}

fn is_trace(name: &Name) -> bool {
    let spans = ["trace", "span"];
    let parent_traces = |word: &String| TRACES.contains(&word.as_str());
    name.has(TRACES)
        || name.is(&["trace"])
        || name.is(&["span"])
        || name.has(&spans) && name.has(&["id", "context", "parent", "state", "flags", "span"])
        || name.parent == ["trace"]
        || name.parent == ["span"]
        || name.parent.iter().any(parent_traces)
        || name.is(&["b3"])
}

fn is_request(name: &Name) -> bool {
    if name.is(&["receipt", "handle"]) || name.ends_with(&["github", "delivery"]) {
        return true;
    }
    let Some((last, before)) = name.split_last() else { return false };
    if !IDS.contains(&last) {
        return false;
    }
    // The name alone, or with that of the object it is in: `request.id`.
    let mut before: Vec<&str> = before.iter().map(String::as_str).collect();
    if before.is_empty() && last != "number" {
        before = name.parent.iter().map(String::as_str).collect();
    }
    match before.split_last() {
        Some((thing, whose)) if REQUESTS.contains(thing) => whose.iter().all(|word| WHOSE.contains(word)),
        Some((&"delivery", whose)) => {
            whose.iter().any(|word| matches!(*word, "webhook" | "github" | "event" | "message" | "hook"))
        }
        _ => false,
    }
}

/// A UUID that is called what requests are called.
fn is_request_by_rule(name: &Name, rule: &Rule) -> bool {
    matches!(rule, Rule::Uuid(_)) && REQUESTS.iter().any(|request| name.is(&[request]))
}

fn is_client(name: &Name) -> bool {
    let exact: &[&[&str]] = &[
        &["user", "agent"],
        &["ip"],
        &["ip", "address"],
        &["ip", "addr"],
        &["access", "token"],
        &["auth", "token"],
        &["bearer", "token"],
        &["authorization"],
        &["client", "ip"],
        &["client", "ip", "address"],
        &["remote", "addr"],
        &["remote", "address"],
        &["remote", "ip"],
        &["source", "ip"],
        &["hostname"],
        &["worker", "id"],
        &["pod"],
        &["pod", "name"],
        &["pod", "id"],
        &["process", "id"],
        &["pid"],
        &["thread", "id"],
        &["sdk", "version"],
        &["client", "version"],
        &["app", "version"],
        &["forwarded", "for"],
    ];
    exact.iter().any(|words| name.is(words))
}

fn is_clock(name: &Name, rule: &Rule) -> bool {
    if matches!(rule, Rule::Boolean(_) | Rule::Enum(_) | Rule::Currency(_)) || name.has(&["by"]) {
        return false;
    }
    let alone: &[&[&str]] = &[&["timestamp"], &["ts"], &["now"], &["clock"], &["iat"], &["unixtime"]];
    if alone.iter().any(|words| name.is(words)) {
        return true;
    }
    if name.has(DECIDED) {
        return false;
    }
    if name.has(HAPPENED) && name.has(TIMES) || name.ends_with(&["timestamp"]) || name.ends_with(&["ts"]) {
        return true;
    }
    let record = ["created", "updated", "modified", "submitted", "sent", "received", "requested"];
    if record.iter().any(|word| name.is(&[word])) {
        return true;
    }
    name.words.first().is_some_and(|first| CLOCKS.contains(&first.as_str()))
        && name.split_last().is_some_and(|(last, _)| TIMES.contains(&last) || last == "clock")
}

/// A timestamp of which the name does not say that the action is about it.
fn is_unknown_moment(field: &Field) -> bool {
    let name = Name::of(field.path());
    let about = |words: &[String]| words.iter().any(|word| DECIDED.contains(&word.as_str()));
    matches!(field.rule(), Rule::Timestamp(_))
        && !name.has(EARLIER)
        && !about(&name.words)
        && !about(&name.parent)
}
