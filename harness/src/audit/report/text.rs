//! A report for people, on a terminal.

use std::fmt::{self, Write};

use super::words::{
    DAYS_ONLY, Effect, advice, compared, counted, counted_unclassified, edge_cells, edge_heads, how, instant,
    joined, number, percent, span, up_to, verdict, width, width_cells, width_heads,
};
use super::{Causes, Report, Truth};
use crate::report::Styles;

/// The most rows of a list; the JSON report has all.
const MOST_ROWS: usize = 12;

/// Writes the report.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(report: &Report, styles: Styles, out: &mut dyn Write) -> fmt::Result {
    Text { report, styles, out }.write()
}

struct Text<'t> {
    report: &'t Report,
    styles: Styles,
    out: &'t mut dyn Write,
}

impl Text<'_> {
    fn write(mut self) -> fmt::Result {
        self.head()?;
        if let Some(truth) = &self.report.truth {
            self.truth(truth)?;
        }
        self.conflicts()?;
        if self.report.events.keyed > 0 {
            self.sweep()?;
            self.edges()?;
            self.repeats()?;
        }
        self.refused()?;
        self.unclassified()?;
        self.broken()?;
        if self.report.unlisted > 0 {
            writeln!(
                self.out,
                "\n  and {} that are not listed: too many different names",
                number(self.report.unlisted)
            )?;
        }
        if !self.report.is_whole() {
            self.partial()?;
        }
        Ok(())
    }

    fn head(&mut self) -> fmt::Result {
        let report = self.report;
        let style = if report.is_clean() { self.styles.good } else { self.styles.bad };
        writeln!(self.out, "{}: {}{}{}", report.policy, style.0, verdict(report), style.1)?;
        self.partial()?;
        let events = &report.events;
        write!(
            self.out,
            "  {}: {} with a key ({})",
            counted(events.read, "event", "events"),
            number(events.keyed),
            percent(events.keyed, events.read)
        )?;
        writeln!(self.out, ", {} refused, {} broken", number(events.refused), number(events.broken))?;
        if let Some([first, last]) = report.span {
            writeln!(self.out, "  decided from {} to {}", instant(first), instant(last))?;
        }
        if report.days_only {
            writeln!(self.out, "  {DAYS_ONLY}")?;
        }
        let edge = match report.edge_seconds {
            0 => String::from("no edge protection"),
            seconds => format!("{} of edge protection", span(seconds)),
        };
        writeln!(self.out, "  buckets of {}, {edge}", width(report.bucket_seconds))
    }

    fn partial(&mut self) -> fmt::Result {
        for why in &self.report.partial {
            writeln!(self.out, "  {}PARTIAL{}: {why}", self.styles.bad.0, self.styles.bad.1)?;
        }
        Ok(())
    }

    fn title(&mut self, title: &str) -> fmt::Result {
        writeln!(self.out, "\n{title}")
    }

    fn truth(&mut self, truth: &Truth) -> fmt::Result {
        self.title(&format!("true intents, by {}", truth.field))?;
        writeln!(self.out, "  {}", counted(truth.intents, "intent", "intents"))?;
        if truth.without > 0 {
            writeln!(self.out, "  {} without an id: not judged", counted(truth.without, "event", "events"))?;
        }
        let rows = [
            (
                "false merges",
                counted(truth.merged_keys, "key", "keys"),
                format!("{} lost", counted(truth.lost_intents, "intent", "intents")),
                truth.merged_keys,
            ),
            (
                "false splits",
                counted(truth.split_intents, "intent", "intents"),
                format!("{} too many", counted(truth.extra_keys, "key", "keys")),
                truth.split_intents,
            ),
        ];
        for (name, what, cost, count) in rows {
            let style = if count == 0 { self.styles.good } else { self.styles.bad };
            writeln!(self.out, "  {}{name}{}  {what}, {cost}", style.0, style.1)?;
        }
        if truth.joined_intents > 0 {
            writeln!(self.out, "                {}", joined(truth))?;
        }
        self.causes(Effect::Merge, truth.merges.as_ref(), truth.merged_keys)?;
        self.causes(Effect::Split, truth.splits.as_ref(), truth.split_intents)
    }

    fn conflicts(&mut self) -> fmt::Result {
        let keys = &self.report.keys;
        if keys.conflicts == 0 {
            return Ok(());
        }
        self.title("conflicts: the same key, and a checked field changed")?;
        writeln!(self.out, "  {}", counted(keys.conflicts, "key", "keys"))?;
        for [one, other] in &keys.conflicting {
            writeln!(self.out, "    {one} and {other}")?;
        }
        self.causes(Effect::Conflict, keys.conflict_fields.as_ref(), keys.conflicts)
    }

    fn causes(&mut self, effect: Effect, causes: Option<&Causes>, of: u64) -> fmt::Result {
        let title = match effect {
            Effect::Merge => "merged by",
            Effect::Split => "split by",
            Effect::Conflict => "changed",
        };
        if of == 0 {
            return Ok(());
        }
        let Some(causes) = causes else {
            return writeln!(
                self.out,
                "\n  {title}: not known, since standard input is read only once: give a file"
            );
        };
        writeln!(self.out, "\n  {title} ({})", compared(causes, of, effect.what()))?;
        for cause in causes.fields.iter().take(MOST_ROWS) {
            let rule = cause.rule.as_ref().map(|rule| format!(", {rule}")).unwrap_or_default();
            let class = if cause.field.starts_with('(') {
                String::new()
            } else {
                format!(" [{}{rule}]", cause.class)
            };
            writeln!(self.out, "    {:>7}  {}{class}: {}", number(cause.count), cause.field, how(cause))?;
            let [one, other] = &cause.example;
            write!(self.out, "             {}{one} and {other}", self.styles.dim.0)?;
            if let Some([one, other]) = cause.values.as_ref().filter(|values| !values[0].is_empty()) {
                write!(self.out, ": {one} and {other}")?;
            }
            writeln!(self.out, "{}", self.styles.dim.1)?;
            if let Some(advice) = advice(cause, effect) {
                writeln!(self.out, "             {}{advice}{}", self.styles.dim.0, self.styles.dim.1)?;
            }
        }
        Ok(())
    }

    fn sweep(&mut self) -> fmt::Result {
        let has_truth = self.report.truth.is_some();
        let without = if self.report.edge_seconds > 0 { ", without edge protection" } else { "" };
        self.title(&format!("by the width of the buckets{without} (* the policy's)"))?;
        let rows = self.report.sweep.iter().map(|row| (row.is_policy, width_cells(row, has_truth))).collect();
        self.table(&width_heads(has_truth), rows)
    }

    fn edges(&mut self) -> fmt::Result {
        if self.report.edges.is_empty() {
            return Ok(());
        }
        let has_truth = self.report.truth.is_some();
        self.title("at the edges of the policy's buckets, by protection (* the policy's)")?;
        let rows = self.report.edges.iter().map(|row| (row.is_policy, edge_cells(row, has_truth))).collect();
        self.table(&edge_heads(has_truth), rows)
    }

    fn repeats(&mut self) -> fmt::Result {
        let report = self.report;
        if report.gaps.iter().all(|bin| bin.count == 0) {
            return Ok(());
        }
        self.title("repeats of an identity, by the time since the one before")?;
        let before = std::iter::once(None).chain(report.gaps.iter().map(|bin| bin.up_to_seconds));
        let rows = before.zip(&report.gaps).filter(|(_, bin)| bin.count > 0);
        let rows = rows
            .map(|(before, bin)| (false, vec![up_to(bin.up_to_seconds, before, span), number(bin.count)]));
        let rows = rows.collect();
        self.table(&["time", "repeats"], rows)?;
        self.title("keys by their events")?;
        let before = std::iter::once(None).chain(report.keys.sizes.iter().map(|size| size.up_to));
        let rows = before.zip(&report.keys.sizes).filter(|(_, size)| size.keys > 0);
        let rows = rows.map(|(before, size)| {
            (false, vec![up_to(size.up_to, before, number), number(size.keys), number(size.events)])
        });
        let rows = rows.collect();
        self.table(&["events", "keys", "events in all"], rows)?;
        for large in &report.keys.largest {
            let [from, to] = large.span;
            writeln!(
                self.out,
                "    {} within {}, the first at {}",
                counted(large.events, "event", "events"),
                span(to - from),
                large.first
            )?;
        }
        Ok(())
    }

    fn refused(&mut self) -> fmt::Result {
        if self.report.refused.is_empty() {
            return Ok(());
        }
        self.title("refused")?;
        for refused in self.report.refused.iter().take(MOST_ROWS) {
            let field = refused.field.as_ref().map(|field| format!(" at {field}")).unwrap_or_default();
            writeln!(
                self.out,
                "  {:>9}  {}{}{}{field}, first at {}",
                number(refused.count),
                self.styles.bad.0,
                refused.code,
                self.styles.bad.1,
                refused.first
            )?;
            if let Some(advice) = &refused.advice {
                writeln!(self.out, "             {advice}")?;
            }
        }
        self.more(self.report.refused.len())
    }

    fn unclassified(&mut self) -> fmt::Result {
        if self.report.unclassified.is_empty() {
            return Ok(());
        }
        self.title("fields that the policy does not classify")?;
        match counted_unclassified(self.report) {
            "" => {}
            left_out => writeln!(self.out, "  {left_out}")?,
        }
        for field in self.report.unclassified.iter().take(MOST_ROWS) {
            let sampled: u64 = field.shapes.iter().map(|shape| shape.1).sum();
            let shapes = field.shapes.iter().take(3).map(|(shape, count)| match field.shapes.len() {
                1 => shape.clone(),
                _ => format!("{shape} ({})", percent(*count, sampled)),
            });
            let shapes = shapes.collect::<Vec<_>>().join(", ");
            writeln!(
                self.out,
                "  {:>9}  {}: {shapes}, first at {}{}",
                number(field.count),
                field.field,
                field.first,
                field.meant.iter().map(|meant| format!(" (did you mean {meant}?)")).collect::<String>()
            )?;
            if !field.values.is_empty() {
                writeln!(
                    self.out,
                    "             {}{}{}",
                    self.styles.dim.0,
                    field.values.join(", "),
                    self.styles.dim.1
                )?;
            }
        }
        self.more(self.report.unclassified.len())
    }

    fn broken(&mut self) -> fmt::Result {
        if self.report.broken.is_empty() {
            return Ok(());
        }
        self.title("broken lines")?;
        for broken in &self.report.broken {
            writeln!(
                self.out,
                "  {:>9}  {}, first at {}",
                number(broken.count),
                broken.what.what(),
                broken.first
            )?;
        }
        Ok(())
    }

    fn more(&mut self, all: usize) -> fmt::Result {
        match all.saturating_sub(MOST_ROWS) {
            0 => Ok(()),
            more => writeln!(self.out, "             and {more} more: see --json"),
        }
    }

    fn table(&mut self, heads: &[&str], rows: Vec<(bool, Vec<String>)>) -> fmt::Result {
        let width = |column: usize, head: &str| {
            let cells = rows.iter().filter_map(|row| row.1.get(column)).map(|cell| cell.chars().count());
            cells.chain([head.chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = heads.iter().enumerate().map(|(column, head)| width(column, head)).collect();
        let mut line = String::from("   ");
        for (head, width) in heads.iter().zip(&widths) {
            write!(line, " {head:>width$} ")?;
        }
        writeln!(self.out, "{}{}{}", self.styles.dim.0, line.trim_end(), self.styles.dim.1)?;
        for (is_marked, cells) in &rows {
            let mut line = String::from(if *is_marked { "  *" } else { "   " });
            for (cell, width) in cells.iter().zip(&widths) {
                write!(line, " {cell:>width$} ")?;
            }
            writeln!(self.out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
