//! Reports of a diff: for people and for programs.

use std::fmt::{self, Write};

use serde_json::{Value, json};

use super::events::Counts;
use super::{Report, RollOut, Verdict};
use crate::events::Place;

/// Writes the verdict, what stands differently, the witnesses, the counts and the way to roll out.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(
    report: &Report,
    counts: Option<&Counts>,
    coloured: bool,
    out: &mut dyn Write,
) -> fmt::Result {
    let verdict = report.verdict_with(counts);
    let (begin, end) = match (coloured, verdict) {
        (false, _) => ("", ""),
        (true, Verdict::SameKeys) => ("\u{1b}[32m", "\u{1b}[0m"),
        (true, Verdict::SplitsInFlight) => ("\u{1b}[1;33m", "\u{1b}[0m"),
        (true, Verdict::Merges) => ("\u{1b}[1;31m", "\u{1b}[0m"),
    };
    let [old, new] = &report.names;
    writeln!(out, "{old} to {new}: {begin}{verdict}{end}")?;
    if report.is_same {
        writeln!(out, "The digests are equal: both derive alike, whatever the intent.")?;
    }
    if !report.differences.is_empty() {
        writeln!(out, "\nWhat stands differently")?;
    }
    for difference in &report.differences {
        let kind = difference.kind;
        let besides = if kind.besides.is_empty() { String::new() } else { format!("; {}", kind.besides) };
        writeln!(out, "  {}: {}", difference.place, difference.what)?;
        writeln!(out, "      keys {}{besides}", kind.keys)?;
        for change in &difference.unshown {
            writeln!(out, "      possible: {}; no witness found", change.says())?;
        }
    }
    if !report.witnesses.is_empty() || report.kept.is_some() {
        writeln!(out, "\nWhat it comes to")?;
    }
    for witness in report.witnesses.iter().chain(&report.kept) {
        let place = witness.place.iter().map(|place| format!(" ({place})")).collect::<String>();
        writeln!(out, "  {}: {}{place}", witness.change.as_str(), witness.change.says())?;
        for (intent, [old, new]) in witness.intents.iter().zip(&witness.outcomes) {
            writeln!(out, "      {}", crate::generate::json::Json::literal(intent.as_str()).ascii())?;
            writeln!(out, "        old {old:<10}  new {new}")?;
        }
    }
    if let Some(counts) = counts {
        write_counts(counts, out)?;
    }
    match &report.roll_out {
        None => Ok(()),
        Some(Ok(roll_out)) => write_roll_out(roll_out, out),
        Some(Err(why)) => writeln!(out, "\nNo roll-out without a split: {why}."),
    }
}

fn write_counts(counts: &Counts, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "\nOn {} events", counts.events)?;
    let name = |place: Place| place.name(&counts.inputs);
    let event = |event: Option<Place>| event.map(|event| format!("  (first: {})", name(event)));
    let events = |events: Option<[Place; 2]>| {
        events.map(|[one, other]| format!("  (first: {} and {})", name(one), name(other)))
    };
    let broken = counts.first.broken;
    let broken = broken.map(|(place, broken)| format!("  (first: {}: {})", name(place), broken.what()));
    let first = &counts.first;
    let refused = |first: &Option<(Place, String)>| {
        first.as_ref().map(|(place, why)| format!("  (first: {}: {why})", name(*place)))
    };
    for (count, what, first) in [
        (counts.keep, "keep their key", None),
        (counts.move_, "move", event(first.move_)),
        (counts.refused, "become refused", refused(&first.refused)),
        (counts.accepted, "become accepted", event(first.accepted)),
        (counts.refused_by_both, "are refused by both", refused(&first.refused_by_both)),
        (counts.broken, "are no events", broken),
        (counts.merged, "new keys merge several old ones", events(first.merged)),
        (counts.split, "old keys are split", events(first.split)),
    ] {
        writeln!(out, "  {count:>10} {what}{}", first.unwrap_or_default())?;
    }
    for why in &counts.partial {
        writeln!(out, "  PARTIAL: {why}")?;
    }
    Ok(())
}

fn write_roll_out(roll_out: &RollOut, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "\nRoll out without a split")?;
    writeln!(
        out,
        "  from_epoch = {} ({}), a multiple of both buckets ({} seconds)",
        roll_out.from_epoch,
        rfc3339(roll_out.from_epoch),
        roll_out.multiple_of
    )?;
    writeln!(
        out,
        "  Give every producer both policies before then, as a list with their from_epoch. What was"
    )?;
    writeln!(
        out,
        "  decided before keeps its key, however late it is repeated ({} intents tried).",
        roll_out.tried
    )
}

/// A moment as RFC 3339 has it. Source: Hinnant, "chrono-Compatible Low-Level Date Algorithms".
fn rfc3339(epoch: u64) -> String {
    let (days, second) = (epoch / 86_400 + 719_468, epoch % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}

/// The report as JSON.
#[must_use]
pub fn to_json(report: &Report, counts: Option<&Counts>) -> Value {
    let differences = report.differences.iter().map(|difference| {
        json!({
            "place": difference.place,
            "what": difference.what,
            "change": difference.kind.change,
            "keys": difference.kind.keys,
            "besides": difference.kind.besides,
            "breaking": difference.kind.breaking,
            "worst": difference.may.verdict().as_str(),
            "without_witness": difference.unshown.iter().map(|change| change.as_str()).collect::<Vec<_>>(),
        })
    });
    let witnesses = report.witnesses.iter().chain(&report.kept).map(|witness| {
        json!({
            "change": witness.change.as_str(),
            "place": witness.place,
            "intents": witness.intents,
            "old": witness.outcomes.iter().map(|[old, _]| old).collect::<Vec<_>>(),
            "new": witness.outcomes.iter().map(|[_, new]| new).collect::<Vec<_>>(),
        })
    });
    let roll_out = report.roll_out.as_ref().map(|roll_out| match roll_out {
        Ok(roll_out) => json!({
            "from_epoch": roll_out.from_epoch,
            "multiple_of": roll_out.multiple_of,
            "tried": roll_out.tried,
        }),
        Err(why) => json!({ "impossible": why.to_string() }),
    });
    json!({
        "old": report.names[0],
        "new": report.names[1],
        "verdict": report.verdict_with(counts).as_str(),
        "same_digest": report.is_same,
        "differences": differences.collect::<Vec<_>>(),
        "witnesses": witnesses.collect::<Vec<_>>(),
        "roll_out": roll_out,
        "events": counts.map(of_counts),
    })
}

fn of_counts(counts: &Counts) -> Value {
    let name = |place: Place| place.name(&counts.inputs);
    let two = |places: Option<[Place; 2]>| places.map(|places| places.map(name));
    json!({
        "events": counts.events,
        "partial": counts.partial,
        "keep": counts.keep,
        "move": counts.move_,
        "refused": counts.refused,
        "accepted": counts.accepted,
        "refused_by_both": counts.refused_by_both,
        "broken": counts.broken,
        "merged_keys": counts.merged,
        "split_keys": counts.split,
        "first": {
            "move": counts.first.move_.map(name),
            "refused": counts.first.refused.as_ref().map(|(place, _)| name(*place)),
            "refused_by_both": counts.first.refused_by_both.as_ref().map(|(place, _)| name(*place)),
            "accepted": counts.first.accepted.map(name),
            "broken": counts.first.broken.map(|(place, _)| name(place)),
            "merged": two(counts.first.merged),
            "split": two(counts.first.split),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn moments_are_written_as_people_read_them() {
        for (epoch, written) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (1_767_225_600, "2026-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(epoch), written);
        }
    }
}
