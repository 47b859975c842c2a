//! A report for people.

use std::fmt::{self, Write};

use super::super::{Finding, Lint, Report, Severity};
use crate::field_path::in_toml;

/// How wide prose is set.
const WIDTH: usize = 100;

/// Writes each finding with its place and what to do, and how many there are.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(report: &Report, coloured: bool, out: &mut dyn Write) -> fmt::Result {
    for finding in report.findings.iter().filter(|finding| finding.accepted.is_none()) {
        write_finding(&report.file, finding, coloured, out)?;
        writeln!(out)?;
    }
    let name = if report.policy.is_empty() { &report.file } else { &report.policy };
    let counted = |severity: Severity| match report.count(severity) {
        1 => format!("1 {severity}"),
        count => format!("{count} {severity}s"),
    };
    let accepted = match report.findings.iter().filter(|finding| finding.accepted.is_some()).count() {
        0 => String::new(),
        count => format!("; {count} accepted in the policy"),
    };
    writeln!(
        out,
        "{name}: {}, {}, {}{accepted}",
        counted(Severity::Error),
        counted(Severity::Warning),
        counted(Severity::Note)
    )
}

fn write_finding(file: &str, finding: &Finding, coloured: bool, out: &mut dyn Write) -> fmt::Result {
    let (begin, end) = match (coloured, finding.severity) {
        (false, _) => ("", ""),
        (true, Severity::Error) => ("\u{1b}[1;31m", "\u{1b}[0m"),
        (true, Severity::Warning) => ("\u{1b}[1;33m", "\u{1b}[0m"),
        (true, Severity::Note) => ("\u{1b}[1;36m", "\u{1b}[0m"),
    };
    writeln!(out, "{begin}{}[{}]{end}", finding.severity, finding.id)?;
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    writeln!(out, "  at {file}{line} {}", in_toml(&finding.place))?;
    write_prose(&finding.why, "  ", out)?;
    write_prose(&format!("do: {}", finding.advice), "  ", out)
}

/// Writes what a lint looks for, why, and what to do.
///
/// # Errors
///
/// Those of the writer.
pub fn write_explanation(lint: &Lint, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "{} ({}): {}", lint.id, lint.severity, lint.summary)?;
    for paragraph in lint.explanation.split("\n\n") {
        writeln!(out)?;
        write_prose(paragraph, "", out)?;
    }
    Ok(())
}

/// Writes text in lines that are not too long, each after an indent.
fn write_prose(text: &str, indent: &str, out: &mut dyn Write) -> fmt::Result {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && indent.len() + line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(out, "{indent}{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{indent}{line}")
}
