//! `intentkey test`: the owner's own examples.

use std::fs;
use std::io::{IsTerminal as _, Write as _, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use super::annotations::{self, Level};
use super::{Failure, is_coloured};
use crate::examples::mutate::{Mutation, mutate};
use crate::examples::report::{to_json, to_junit, write_mutation, write_text};
use crate::examples::{Examples, Report};
use crate::policy_file::Document;

/// Try the owner's own examples: what must share a key, what must not, what conflicts, what is refused
///
/// CASES is TOML, or JSON where its name ends in .json, with tables [[same]], [[different]], [[conflict]]
/// and [[refused]]. Each example has a name and payloads; a refused one has the code. --mutate changes the
/// policy in every sensible small way and tells which changes no example notices, with an example to add.
///
/// Exit status 0: all passed; 1: one failed, or the score is below --min-score; 2: usage, or a file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    intentkey test pix-payment.toml cases/pix-payment.toml\n  \
    intentkey test pix-payment.toml cases/pix-payment.toml --mutate --min-score 90\n  \
    intentkey test pix-payment.toml cases/pix-payment.toml --filter refund --junit report.xml\n\n\
    A file of examples:\n  \
    [[same]]\n  \
    name = \"a CPF with and without its mask\"\n  \
    payloads = [{ key = \"714.602.380-01\" }, { key = \"71460238001\" }]\n\n  \
    [[refused]]\n  \
    name = \"no key\"\n  \
    code = \"field_missing\"\n  \
    payloads = [{}]")]
pub(super) struct Args {
    /// The policy: a TOML file, or JSON where its name ends in .json
    #[arg(value_name = "POLICY")]
    policy: PathBuf,

    /// The examples: a TOML file, or JSON where its name ends in .json
    #[arg(value_name = "CASES")]
    cases: PathBuf,

    /// Only examples whose names hold this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Tell which small changes of the policy no example notices
    #[arg(long)]
    mutate: bool,

    /// With --mutate: the least score, in percent
    #[arg(long, value_name = "PERCENT", requires = "mutate", value_parser = clap::value_parser!(u8).range(0..=100))]
    min_score: Option<u8>,

    /// Write the report as JSON
    #[arg(long)]
    json: bool,

    /// Write a JUnit report to this file too
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be used, and a report that cannot be written.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let document = Document::read(&args.policy)?;
    let policies = document.policies()?;
    let mut examples = Examples::read(&args.cases)?;
    if let Some(filter) = &args.filter {
        examples.retain(filter);
    }
    if examples.is_empty() {
        return Err(format!("{}: there are no such examples", args.cases.display()).into());
    }
    let report = examples.test(&policies);
    if let Some(file) = &args.junit {
        fs::write(file, to_junit(&report)?).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    // Examples that fail would notice every change.
    let mutation = (args.mutate && report.passed())
        .then(|| mutate(&examples, &policies, document.json(), &|done, of| show(done, of)));
    print(args, &report, mutation.as_ref())?;
    if annotations::are_wanted() {
        annotate(args, &report);
    }
    let enough =
        |mutation: &Mutation| args.min_score.is_none_or(|least| mutation.score() >= f64::from(least));
    let well = report.passed() && mutation.as_ref().is_none_or(enough);
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn print(args: &Args, report: &Report, mutation: Option<&Mutation>) -> Result<(), Failure> {
    let mut out = String::new();
    if args.json {
        out = serde_json::to_string_pretty(&to_json(report, mutation))? + "\n";
    } else {
        write_text(report, is_coloured(), &mut out)?;
        match mutation {
            Some(mutation) => write_mutation(mutation, is_coloured(), &mut out)?,
            None if args.mutate => out.push_str("mutation: not tried before all examples pass\n"),
            None => {}
        }
    }
    stdout().write_all(out.as_bytes())?;
    Ok(())
}

/// How far mutation has come, on standard error; nothing in a pipe.
fn show(done: usize, of: usize) {
    if stderr().is_terminal() {
        let end = if done + 1 == of { "\r\u{1b}[K" } else { "" };
        // What is not shown is no loss.
        let _ = write!(stderr(), "\r\u{1b}[Kmutation: {done} of {of}{end}");
    }
}

fn annotate(args: &Args, report: &Report) {
    let file = args.cases.display().to_string();
    for tested in &report.results {
        if let Some(failure) = &tested.failure {
            annotations::annotate(Level::Error, &file, None, &tested.name, failure);
        }
    }
}
