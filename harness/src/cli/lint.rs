//! `intentkey lint`: find what in a policy will merge, split or be refused.

use std::io::{Write as _, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use super::annotations::{self, Level};
use super::{Failure, is_coloured};
use crate::lint::report::{to_json, to_sarif, write_explanation, write_text};
use crate::lint::{ALL, Lint, Report, Severity, lint_file};

/// Find what in a policy will merge different intents, split equal ones, or be refused
///
/// Reads the policy alone and derives nothing. Each finding has an id, a severity, its place, why, and
/// what to do. A comment "# lint: allow ID: reason" on the line of a finding or above it accepts it.
/// In a workflow of GitHub Actions, findings are annotations too.
///
/// Exit status 0: nothing but notes; 1: a warning or an error; 2: a file that cannot be read, or usage.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    intentkey lint pix-payment.toml\n  \
    intentkey lint --explain attempt-field-in-identity\n  \
    intentkey lint --sarif policies/*.toml > intentkey.sarif")]
pub(super) struct Args {
    /// Policies: TOML files, or JSON where a name ends in .json
    #[arg(value_name = "POLICY", required_unless_present_any = ["explain", "list"])]
    policies: Vec<PathBuf>,

    /// Accept every finding with this id; may be given more than once
    #[arg(long, value_name = "ID", value_parser = parse_id)]
    allow: Vec<&'static Lint>,

    /// Write the findings as JSON
    #[arg(long, conflicts_with = "sarif")]
    json: bool,

    /// Write the findings as SARIF 2.1.0, for code scanning
    #[arg(long)]
    sarif: bool,

    /// Say what a lint looks for, why, and what to do
    #[arg(long, value_name = "ID", value_parser = parse_id, conflicts_with_all = ["policies", "json", "sarif"])]
    explain: Option<&'static Lint>,

    /// List every lint
    #[arg(long, conflicts_with_all = ["policies", "json", "sarif", "explain"])]
    list: bool,
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read, and a report that cannot be written.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut out = String::new();
    if let Some(lint) = args.explain {
        write_explanation(lint, &mut out)?;
    } else if args.list {
        for lint in ALL {
            out.push_str(&format!("{:<8} {:<27} {}\n", lint.severity, lint.id, lint.summary));
        }
    } else {
        return run_lint(args);
    }
    stdout().write_all(out.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn run_lint(args: &Args) -> Result<ExitCode, Failure> {
    let mut reports = Vec::new();
    for policy in &args.policies {
        let mut report = lint_file(policy)?;
        for finding in &mut report.findings {
            if finding.accepted.is_none() && args.allow.iter().any(|lint| lint.id == finding.id) {
                finding.accepted = Some(String::from("allowed on the command line"));
            }
        }
        reports.push(report);
    }
    stdout().write_all(written(args, &reports)?.as_bytes())?;
    if annotations::are_wanted() {
        reports.iter().for_each(annotate);
    }
    Ok(if reports.iter().any(Report::fails) { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn written(args: &Args, reports: &[Report]) -> Result<String, Failure> {
    if args.sarif {
        return Ok(serde_json::to_string_pretty(&to_sarif(reports))? + "\n");
    }
    if args.json {
        let value = match reports {
            [one] => to_json(one),
            _ => reports.iter().map(to_json).collect(),
        };
        return Ok(serde_json::to_string_pretty(&value)? + "\n");
    }
    let mut out = String::new();
    for report in reports {
        write_text(report, is_coloured(), &mut out)?;
    }
    Ok(out)
}

fn annotate(report: &Report) {
    for finding in report.findings.iter().filter(|finding| finding.accepted.is_none()) {
        let level = match finding.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note => Level::Notice,
        };
        let message = format!("{}\n{}", finding.why, finding.advice);
        annotations::annotate(level, &report.file, finding.line, finding.id, &message);
    }
}

fn parse_id(text: &str) -> Result<&'static Lint, String> {
    Lint::with_id(text).ok_or_else(|| {
        let ids: Vec<&str> = ALL.iter().map(|lint| lint.id).collect();
        format!("the lints are {}", ids.join(", "))
    })
}
