//! A report for people.

use std::fmt;
use std::fmt::Write;

use crate::check::{Counterexample, Entry, Report, Side, Verdict};
use crate::hosts::Outcome;

/// The most characters of a part on one line of its column; what is longer goes on below.
const COLUMN: usize = 56;

/// The most lines of a part; what is longer is cut, and whole in the JSON report.
const LINES: usize = 24;

/// The escape sequences around words; none by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    /// Around what held.
    pub good: (&'static str, &'static str),
    /// Around what is broken.
    pub bad: (&'static str, &'static str),
    /// Around what is of less interest.
    pub dim: (&'static str, &'static str),
}

impl Styles {
    /// Colours for a terminal.
    pub const TERMINAL: Styles = Styles {
        good: ("\u{1b}[32m", "\u{1b}[0m"),
        bad: ("\u{1b}[1;31m", "\u{1b}[0m"),
        dim: ("\u{1b}[2m", "\u{1b}[0m"),
    };
}

/// Writes each invariant on a line, and after them each counterexample.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(report: &Report, repeat: &str, styles: Styles, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "{}: {} cases an invariant, seed {}", report.policy, report.cases, report.seed)?;
    for entry in &report.entries {
        write_entry(entry, styles, out)?;
    }
    for (name, counterexample) in report.broken() {
        writeln!(out)?;
        write_counterexample(name, counterexample, styles, out)?;
        writeln!(out, "  repeat: {repeat}")?;
    }
    Ok(())
}

fn write_entry(entry: &Entry, styles: Styles, out: &mut dyn Write) -> fmt::Result {
    let (word, style, detail) = match &entry.verdict {
        Verdict::Held { cases } => ("held", styles.good, format!("{cases} cases")),
        Verdict::Broken { cases, counterexample } => {
            ("BROKEN", styles.bad, format!("case {cases}: {}", headline(counterexample)))
        }
        Verdict::Vacuous { why } => ("vacuous", styles.dim, why.clone()),
        Verdict::NotRun { why } => ("NOT RUN", styles.bad, why.clone()),
    };
    writeln!(out, "  {:<27} {}{word:<8}{} {detail}", entry.name, style.0, style.1)
}

fn headline(counterexample: &Counterexample) -> String {
    match &counterexample.field {
        Some(field) => format!("{} (field {field})", counterexample.why),
        None => counterexample.why.clone(),
    }
}

fn write_counterexample(
    name: &str,
    found: &Counterexample,
    styles: Styles,
    out: &mut dyn Write,
) -> fmt::Result {
    writeln!(out, "{}{name}{}: {}", styles.bad.0, styles.bad.1, found.why)?;
    if let Some(field) = &found.field {
        let rule = found.rule.iter().map(|rule| format!(" ({rule})")).collect::<String>();
        writeln!(out, "  field {field}{rule}")?;
    }
    if let Some(note) = &found.note {
        writeln!(out, "  {note}")?;
    }
    let rows = rows(&found.sides);
    let width = |width: usize, most: usize| width.min(most);
    let names = width(rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0), COLUMN / 2);
    let left = width(rows.iter().map(|row| row.1.chars().count()).max().unwrap_or(0), COLUMN);
    for (name, one, other) in rows {
        let mut differs = if one == other { ' ' } else { '*' };
        let columns = [lines(&name, names), lines(&one, COLUMN), lines(&other, COLUMN)];
        let height = columns.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let [name, one, other] =
                columns.each_ref().map(|column| column.get(line).map_or("", String::as_str));
            writeln!(out, "{}", format!("  {differs} {name:<names$}  {one:<left$}  {other}").trim_end())?;
            differs = ' ';
        }
    }
    Ok(())
}

/// The rows of the two sides: what was given, what it became, what came of it.
fn rows(sides: &[Side; 2]) -> Vec<(String, String, String)> {
    let [one, other] = sides;
    let mut rows = vec![(String::new(), one.label.clone(), other.label.clone())];
    rows.extend(merged(&one.parts, &other.parts));
    let canonical = |side: &Side| -> Vec<(String, String)> {
        let fields = side.explained.iter().flat_map(|explained| &explained.fields);
        fields.map(|(field, form)| (format!("canonical {field}"), ascii(form))).collect()
    };
    rows.extend(merged(&canonical(one), &canonical(other)));
    rows.extend(merged(&outcome(&one.outcome), &outcome(&other.outcome)));
    rows
}

/// Two lists of named parts as rows: by name, those of the first in their order.
fn merged(one: &[(String, String)], other: &[(String, String)]) -> Vec<(String, String, String)> {
    let find = |list: &[(String, String)], name: &str| {
        list.iter().find(|part| part.0 == name).map_or_else(|| String::from("-"), |part| part.1.clone())
    };
    let more = other.iter().filter(|part| one.iter().all(|known| known.0 != part.0));
    one.iter().chain(more).map(|(name, _)| (name.clone(), find(one, name), find(other, name))).collect()
}

fn outcome(outcome: &Outcome) -> Vec<(String, String)> {
    let part = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    match outcome {
        Ok(derived) => {
            let edge = derived.edge.iter().map(|edge| part("edge key", &edge.key));
            [
                part("key", &derived.key),
                part("fingerprint", &derived.fingerprint),
                part("bucket", &derived.bucket.to_string()),
                part("secret", &derived.secret_id),
            ]
            .into_iter()
            .chain(edge)
            .collect()
        }
        Err(refused) => {
            let field = refused.field.iter().map(|field| part("field", field));
            let fields = (!refused.fields.is_empty()).then(|| part("fields", &refused.fields.join(", ")));
            std::iter::once(part("refused", &refused.code)).chain(field).chain(fields).collect()
        }
    }
}

fn ascii(text: &str) -> String {
    crate::generate::json::Json::literal(text).ascii()
}

/// The text in lines of so many characters.
fn lines(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut lines: Vec<String> = characters.chunks(length.max(1)).map(String::from_iter).collect();
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines.push(String::from("\u{2026}"));
    }
    lines
}

/// As in a pipe: no colours, and the command that repeats the run without a file.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repeat = format!("--cases {} --seed {}", self.cases, self.seed);
        write_text(self, &repeat, Styles::default(), f)
    }
}
