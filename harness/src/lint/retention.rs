//! For how long keys are kept, and for how long callers go on.

use intentkey_core::{Caller, Policy};

use super::destinations;
use super::table::Table;
use super::{Finding, Severity};
use crate::field_path::escaped;

/// What a store keeps where a policy does not say: 7 days, in seconds.
const USUAL_TTL: u64 = 7 * 86_400;

fn ttl(policy: &Policy) -> Option<u64> {
    policy.retention().and_then(intentkey_core::Retention::ttl_seconds)
}

/// `destination-forgets-first`
pub(super) fn forgets_first(policy: &Policy, findings: &mut Vec<Finding>) {
    let Some(ttl) = ttl(policy) else { return };
    for (name, destination) in destinations::known(policy) {
        let Some(remembers) = destination.remembers.filter(|&remembers| remembers < ttl) else { continue };
        findings.push(Finding::new(
            "destination-forgets-first",
            Severity::Warning,
            String::from("retention.ttl_seconds"),
            format!(
                "{name} knows a key for {} ({}, read {}), and this policy counts on it for {}: a repeat in between \
                 is executed as new",
                span(remembers),
                destination.source,
                destination.read,
                span(ttl)
            ),
            format!(
                "let no caller repeat after {} and say ttl_seconds = {remembers}, or keep claims in a store of your own",
                span(remembers)
            ),
        ));
    }
}

/// `retention-too-short`
pub(super) fn too_short(policy: &Policy, findings: &mut Vec<Finding>) {
    let Some(retention) = policy.retention() else { return };
    let longest = retention.callers().iter().filter_map(|caller| Some((caller, horizon(caller)?)));
    let Some((caller, (horizon, source))) = longest.max_by_key(|(_, horizon)| horizon.0) else { return };
    let kept = retention.ttl_seconds().unwrap_or(USUAL_TTL);
    if horizon <= kept {
        return;
    }
    let says =
        if retention.ttl_seconds().is_some() { "" } else { " (what a store keeps where nothing is said)" };
    let place = if retention.ttl_seconds().is_some() { "retention.ttl_seconds" } else { "retention" };
    findings.push(Finding::new(
        "retention-too-short",
        Severity::Error,
        place.to_owned(),
        format!(
            "keys are kept for {}{says}, and {} goes on for {}{source}: what it repeats after that is executed again",
            span(kept),
            caller.name(),
            span(horizon)
        ),
        format!("say ttl_seconds = {horizon} or more"),
    ));
}

/// For how long a caller goes on: what the policy says, or what its maker says where that is more.
fn horizon(caller: &Caller) -> Option<(u64, String)> {
    let stated = caller.horizon_seconds();
    let known = Table::compiled_in().caller(caller.name());
    match known.filter(|known| stated.is_none_or(|stated| stated < known.repeats)) {
        Some(known) => Some((known.repeats, format!(" ({}, read {})", known.source, known.read))),
        None => stated.map(|stated| (stated, String::new())),
    }
}

/// `caller-unmeasured`
pub(super) fn unmeasured(policy: &Policy, findings: &mut Vec<Finding>) {
    let Some(retention) = policy.retention() else { return };
    for caller in retention.callers().iter().filter(|caller| caller.horizon_seconds().is_none()) {
        let (place, who) = match caller.name() {
            "" => (String::from("retention.callers"), String::from("any caller")),
            name => (format!("retention.callers.{}", escaped(name)), name.to_owned()),
        };
        findings.push(Finding::new(
            "caller-unmeasured",
            Severity::Warning,
            place,
            format!("nobody has measured for how long {who} goes on repeating: no retention is known to be enough"),
            "look it up (the queue's retention, the retry policy, the webhook's schedule) and write the seconds",
        ));
    }
}

/// `bucket-over-retention`
pub(super) fn bucket_over(policy: &Policy, findings: &mut Vec<Finding>) {
    let bucket = policy.bucket_seconds();
    let place = String::from("bucket_seconds");
    if let Some(ttl) = ttl(policy).filter(|&ttl| ttl < bucket) {
        findings.push(Finding::new(
            "bucket-over-retention",
            Severity::Warning,
            place,
            format!(
                "equal intents are one for {}, and keys are kept for {}: within one bucket the second is executed as new",
                span(bucket),
                span(ttl)
            ),
            format!("narrow the bucket, or say ttl_seconds = {bucket} or more"),
        ));
        return;
    }
    for (name, destination) in destinations::known(policy) {
        let Some(remembers) = destination.remembers.filter(|&remembers| remembers < bucket) else { continue };
        findings.push(Finding::new(
            "bucket-over-retention",
            Severity::Warning,
            place.clone(),
            format!(
                "equal intents are one for {}, and {name} knows a key for {} ({}, read {}): within one bucket the \
                 second is executed as new",
                span(bucket),
                span(remembers),
                destination.source,
                destination.read
            ),
            format!("say bucket_seconds = {remembers} or less, or keep claims in a store of your own"),
        ));
    }
}

/// Seconds in the unit in which people say them.
fn span(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0 => (0, "second"),
        _ if seconds.is_multiple_of(86_400) => (seconds / 86_400, "day"),
        _ if seconds.is_multiple_of(3_600) => (seconds / 3_600, "hour"),
        _ if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn spans_are_said_in_the_largest_unit_that_is_whole() {
        for (seconds, said) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (90, "90 seconds"),
            (900, "15 minutes"),
            (3_600, "1 hour"),
            (259_200, "3 days"),
        ] {
            assert_eq!(span(seconds), said);
        }
    }
}
