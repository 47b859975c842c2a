//! Numbers, times and findings in words, as the text and the page have them.

use jiff::Timestamp;

use super::{Cause, Causes, Edge, Report, Truth, Width};

/// The most fields that a refusal names.
const MOST_FIELDS: usize = 16;

/// What an export without times cannot show.
pub(super) const DAYS_ONLY: &str = "every event is dated at midnight: buckets narrower than a day, edges and times between repeats show nothing";

/// A number with commas between thousands.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many of something.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// A part of a whole in percent.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return String::from("-");
    }
    let share = part as f64 / whole as f64 * 100.0;
    match part {
        0 => String::from("0 %"),
        // Never 0 % for something, nor 100 % for less than all.
        _ if share < 0.01 => String::from("< 0.01 %"),
        _ if share > 99.99 && part < whole => String::from("> 99.99 %"),
        _ => format!("{share:.2} %"),
    }
}

/// A span of seconds in the largest unit that has it whole.
pub(super) fn span(seconds: u64) -> String {
    for (unit, name) in [(86_400, "d"), (3600, "h"), (60, "min")] {
        if seconds >= unit && seconds.is_multiple_of(unit) {
            return format!("{} {name}", seconds / unit);
        }
    }
    format!("{seconds} s")
}

/// The width of buckets.
pub(super) fn width(seconds: u64) -> String {
    if seconds == 0 { String::from("all time") } else { span(seconds) }
}

/// An epoch second as RFC 3339 writes it.
pub(super) fn instant(epoch: u64) -> String {
    let timestamp = i64::try_from(epoch).ok().and_then(|epoch| Timestamp::from_second(epoch).ok());
    timestamp.map_or_else(|| format!("second {epoch}"), |timestamp| timestamp.to_string())
}

/// A bound that the last of a list does not have.
pub(super) fn up_to(most: Option<u64>, before: Option<u64>, write: impl Fn(u64) -> String) -> String {
    match (most, before) {
        (Some(most), _) => format!("\u{2264} {}", write(most)),
        (None, Some(before)) => format!("> {}", write(before)),
        (None, None) => String::from("any"),
    }
}

/// What fields are the causes of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Merge,
    Split,
    Conflict,
}

impl Effect {
    /// What is counted.
    pub(super) fn what(self) -> &'static str {
        match self {
            Effect::Merge => "merged keys",
            Effect::Split => "split intents",
            Effect::Conflict => "conflicting keys",
        }
    }
}

/// What a field's part in merges, splits or conflicts suggests.
pub(super) fn advice(cause: &Cause, effect: Effect) -> Option<String> {
    match (&*cause.class, cause.in_retries) {
        ("identity", _) if effect == Effect::Split => split_advice(cause).map(String::from),
        ("none", _) => Some(String::from(
            "nothing in the payload tells these intents apart: record a UUID, or make the difference a field",
        )),
        ("ignored" | "checked", Some([0, seen])) if seen > 0 => Some(format!(
            "never differs in {}: it may be part of what the action is",
            counted(seen, "true retry", "true retries")
        )),
        ("ignored", Some([varied, seen])) if varied > 0 => Some(format!(
            "differs in {} of {} too: new on every attempt",
            number(varied),
            counted(seen, "true retry", "true retries")
        )),
        ("checked", _) => {
            Some(String::from("a store answers the second with a conflict (422): it is in the fingerprint"))
        }
        ("identity", _) => Some(String::from("other values, one canonical form: the rule makes them equal")),
        ("bucket", _) => Some(String::from(
            "the same fields, another bucket: freeze intent_epoch with the intent, or see the tables of widths and edges",
        )),
        _ => None,
    }
}

/// What a split by an identity field suggests, from what its values have in common most often.
fn split_advice(cause: &Cause) -> Option<&'static str> {
    Some(match cause.how.first()?.0.as_str() {
        "letter case" => "equal but for case: rule = \"text\" with case = \"fold\" makes them one",
        "white space" => {
            "equal but for white space: rule = \"text\" with space = \"collapse\" makes them one"
        }
        "Unicode normalization" => "canonically equal text: rule = \"text\" makes it one",
        "the same number" => "one number in two spellings: rule = \"decimal\" or \"integer\" makes them one",
        "punctuation or a mask" => {
            "equal but for punctuation: rules such as digits, phone and pix_key drop a mask"
        }
        "absent in one" => "sent by one attempt and not by another: is it what the action is?",
        _ => "it changed between attempts: is it identity, or should it be checked or ignored?",
    })
}

/// What the counts of unclassified fields leave out; empty where that is nothing.
pub(super) fn counted_unclassified(report: &Report) -> &'static str {
    if report.unclassified.len() > MOST_FIELDS { "of each event, 16 are counted at most" } else { "" }
}

/// How much of the findings was compared.
pub(super) fn compared(causes: &Causes, of: u64, what: &str) -> String {
    if of == 1 {
        format!("1 of 1 {what}")
    } else if causes.compared < of {
        format!("a sample of {} of {} {what}", number(causes.compared), number(of))
    } else {
        format!("all {} {what}", number(of))
    }
}

/// In what values differ, the most frequent first.
pub(super) fn how(cause: &Cause) -> String {
    let parts = cause.how.iter().take(3).map(|(how, count)| match cause.how.len() {
        1 => how.clone(),
        _ => format!("{how} ({})", number(*count)),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The one sentence that the report comes down to.
pub(super) fn verdict(report: &Report) -> String {
    let without = report.events.read - report.events.keyed;
    // What holds of a few events sounds as if it held of all.
    if report.events.keyed > 0 && without > report.events.keyed {
        let of = counted(report.events.read, "event", "events");
        return format!("{} of {of} have no key; of the others: {}", number(without), of_keyed(report));
    }
    of_keyed(report)
}

fn of_keyed(report: &Report) -> String {
    match &report.truth {
        // Where nothing has a key, none is shared.
        _ if report.events.read > 0 && report.events.keyed == 0 => {
            String::from("no event has a key: nothing can be said of any.")
        }
        Some(Truth { merged_keys: 0, split_intents: 0, intents, .. }) => {
            format!(
                "{}: no key is shared, and none is split.",
                counted(*intents, "true intent", "true intents")
            )
        }
        Some(truth) => format!(
            "{} of different intents share a key ({} lost); {} more than one key ({} too many).",
            counted(truth.merged_keys, "group", "groups"),
            counted(truth.lost_intents, "intent", "intents"),
            match truth.split_intents {
                1 => String::from("1 intent has"),
                many => format!("{} intents have", number(many)),
            },
            number(truth.extra_keys)
        ),
        None => format!(
            "{} have {}; {} a key that was there before.",
            counted(report.events.keyed, "event", "events"),
            counted(report.keys.count, "key", "keys"),
            match report.keys.repeats {
                1 => String::from("1 has"),
                many => format!("{} have", number(many)),
            }
        ),
    }
}

/// The intents that edge protection joins; empty where there are none.
pub(super) fn joined(truth: &Truth) -> String {
    match truth.joined_intents {
        0 => String::new(),
        1 => String::from("1 intent more has two keys, which edge protection joins"),
        many => format!("{} intents more have several keys, which edge protection joins", number(many)),
    }
}

/// The cells of a row of the sweep.
pub(super) fn width_cells(row: &Width, has_truth: bool) -> Vec<String> {
    let mut cells = vec![width(row.bucket_seconds), number(row.keys), number(row.repeats)];
    if has_truth {
        cells.extend([row.merged_keys, row.lost_intents, row.split_intents, row.extra_keys].map(number));
    }
    cells
}

/// The heads of [`width_cells`].
pub(super) fn width_heads(has_truth: bool) -> Vec<&'static str> {
    let mut heads = vec!["bucket", "keys", "repeats"];
    if has_truth {
        heads.extend(["merged keys", "intents lost", "split intents", "keys too many"]);
    }
    heads
}

/// The cells of a row of edges.
pub(super) fn edge_cells(row: &Edge, has_truth: bool) -> Vec<String> {
    let protection = if row.edge_seconds == 0 { String::from("none") } else { span(row.edge_seconds) };
    let mut cells = vec![protection, number(row.near), number(row.parted), number(row.joined)];
    if has_truth {
        cells.extend([row.merged_keys, row.lost_intents, row.split_intents, row.extra_keys].map(number));
    }
    cells
}

/// The heads of [`edge_cells`].
pub(super) fn edge_heads(has_truth: bool) -> Vec<&'static str> {
    let mut heads = vec!["protection", "events near", "repeats parted", "joined"];
    if has_truth {
        heads.extend(["merged keys", "intents lost", "split intents", "keys too many"]);
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_written_for_people() {
        assert_eq!(["0", "999", "1,000", "12,345,678"], [0, 999, 1000, 12_345_678].map(number));
        assert_eq!(["90 s", "15 min", "1 h", "7 d", "0 s"], [90, 900, 3600, 604_800, 0].map(span));
        assert_eq!(instant(1_796_040_300), "2026-11-30T12:05:00Z");
        assert_eq!(percent(1, 1_000_000), "< 0.01 %");
        assert_eq!(percent(999_999, 1_000_000), "> 99.99 %");
        assert_eq!(percent(1, 3), "33.33 %");
    }
}
