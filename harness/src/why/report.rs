//! Reports of a comparison.

use std::fmt::{self, Write};

use serde_json::{Value, json};

use super::{Comparison, Part, Row, Verdict};

/// The most characters of a value that are shown in a column.
const COLUMN: usize = 36;

/// Writes the verdict, and each part from raw to canonical, side by side.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(comparison: &Comparison, coloured: bool, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "{}", comparison.summary())?;
    writeln!(out)?;
    let mut lines = vec![["", "", "first", "", "second", ""].map(String::from)];
    lines.extend(comparison.rows.iter().map(line));
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..6).map(width).collect();
    for (index, line) in lines.iter().enumerate() {
        let row = index.checked_sub(1).and_then(|index| comparison.rows.get(index));
        let mark = row.map_or(" ", mark);
        let mut text = format!("{mark} ");
        for (cell, width) in line.iter().zip(&widths) {
            text.push_str(&format!("{cell:<width$}  "));
        }
        let text = text.trim_end();
        match (coloured, mark) {
            (true, "*") => writeln!(out, "\u{1b}[1;31m{text}\u{1b}[0m")?,
            (true, "!") => writeln!(out, "\u{1b}[1;33m{text}\u{1b}[0m")?,
            (true, "=") => writeln!(out, "\u{1b}[32m{text}\u{1b}[0m")?,
            _ => writeln!(out, "{text}")?,
        }
    }
    writeln!(out)?;
    writeln!(out, "* splits the key   ! conflicts   = sent differently, came to the same")
}

/// How a row's part in the outcome is marked.
fn mark(row: &Row) -> &'static str {
    match (row.part, row.differs()) {
        (Part::Identity | Part::Key, true) => "*",
        (Part::Checked, true) => "!",
        (Part::Identity | Part::Checked, false)
            if row.evaluated == [true, true] && row.raw[0] != row.raw[1] =>
        {
            "="
        }
        _ => " ",
    }
}

/// Name and class, and for each side what was sent and what it came to.
fn line(row: &Row) -> [String; 6] {
    let class = match &row.rule {
        Some(rule) => format!("{} {rule}", row.part.as_str()),
        None => row.part.as_str().to_owned(),
    };
    let side = |index: usize| {
        let get = |texts: &[Option<String>; 2]| texts.get(index).cloned().flatten();
        (get(&row.raw), get(&row.canonical))
    };
    let came_to = |index: usize, canonical: Option<String>| match (row.part, canonical) {
        _ if !row.is_evaluated(index) => String::from("-> not evaluated"),
        (Part::Ignored | Part::Unknown, _) => String::new(),
        (_, None) => String::from("-> absent"),
        (_, Some(canonical)) => format!("-> {}", cut(&canonical)),
    };
    let ((raw_one, one), (raw_other, other)) = (side(0), side(1));
    let raw = |raw: Option<String>| raw.map_or_else(|| String::from("-"), |raw| cut(&raw));
    [cut(&row.name), class, raw(raw_one), came_to(0, one), raw(raw_other), came_to(1, other)]
}

/// The text in ASCII on one line, cut where it is long.
fn cut(text: &str) -> String {
    let text = crate::generate::json::Json::literal(text.replace(['\n', '\r', '\t'], " ")).ascii();
    if text.chars().count() <= COLUMN {
        return text;
    }
    text.chars().take(COLUMN - 1).chain(['\u{2026}']).collect()
}

/// The comparison as JSON: `{"verdict", "summary", "rows": [{"name", "class", "rule", "raw",
/// "canonical", "evaluated", "differs"}], "refusals"}`. `evaluated` is false for a side that was refused.
#[must_use]
pub fn to_json(comparison: &Comparison) -> Value {
    let refusal = |refusal: &Option<intentkey_core::Refusal>| match refusal {
        None => Value::Null,
        Some(refusal) => json!({
            "code": refusal.code().as_str(),
            "field": refusal.field(),
            "fields": refusal.fields(),
            "message": refusal.message(),
        }),
    };
    let rows = comparison.rows.iter().map(|row| {
        json!({
            "name": row.name,
            "class": row.part.as_str(),
            "rule": row.rule,
            "raw": row.raw,
            "canonical": row.canonical,
            "evaluated": row.evaluated,
            "differs": row.differs(),
        })
    });
    json!({
        "verdict": verdict(comparison.verdict),
        "summary": comparison.summary(),
        "rows": rows.collect::<Vec<_>>(),
        "refusals": comparison.refusals.iter().map(refusal).collect::<Vec<_>>(),
    })
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Same => "same",
        Verdict::SameByEdge => "same by edge",
        Verdict::Conflict => "conflict",
        Verdict::Different => "different",
        Verdict::Refused => "refused",
    }
}
