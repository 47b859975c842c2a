//! `intentkey conform`: hold somebody else's producer against a policy.

use std::ffi::OsString;
use std::io::{Write as _, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use super::{Failure, is_coloured};
use crate::conform::report::write_text;
use crate::conform::{Producer, Report, Settings, conform};
use crate::policy_file;
use crate::report::Styles;

/// Hold somebody else's producer against a policy
///
/// The command is started with a made-up secret as hexadecimal digits in INTENTKEY_SECRET. It reads
/// one JSON intent a line and writes one JSON result a line, as derive does: {"key"} (with "edge":
/// {"key"} near a bucket's edge), or {"error": {"code"}}. What it does not tell is not compared, but
/// for the key. It gets many intents and then the end of its input, so it may buffer what it prints.
///
/// Of policies over time each is tried while it is in force. Shows the smallest disagreement,
/// shrunk to the smallest payload, with the field and the rule that
/// it breaks; with --all one of each kind.
///
/// Exit status: 0 they agree, 1 they do not, 2 usage, or the command does not answer.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  intentkey conform pix-payment.toml --all -- python3 producer.py")]
pub(super) struct Args {
    /// The policy: a TOML file, or JSON where its name ends in .json
    #[arg(value_name = "POLICY")]
    policy: PathBuf,

    /// Sound intents, each in two spellings; faults come on top
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    cases: u32,

    /// What decides every draw: the same seed repeats a run exactly
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Show one disagreement of each kind
    #[arg(long)]
    all: bool,

    /// Write the report as JSON
    #[arg(long)]
    json: bool,

    /// The producer and its arguments
    #[arg(value_name = "COMMAND", last = true, required = true)]
    command: Vec<OsString>,
}

/// Runs the command.
///
/// # Errors
///
/// A policy that cannot be read, and a producer that does not answer.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let policies = policy_file::load(&args.policy)?;
    let producer = Producer::new(&args.command).ok_or("there is no command")?;
    let settings = Settings { cases: args.cases, seed: args.seed, all: args.all };
    let reports = conform(&policies, &producer, &settings)?;
    let mut out = String::new();
    if args.json {
        let json = match reports.as_slice() {
            [one] => serde_json::to_string_pretty(one)?,
            all => serde_json::to_string_pretty(all)?,
        };
        out = json + "\n";
    } else {
        let styles = if is_coloured() { Styles::TERMINAL } else { Styles::default() };
        for report in &reports {
            write_text(report, styles, &mut out)?;
        }
    }
    stdout().write_all(out.as_bytes())?;
    Ok(if reports.iter().all(Report::agrees) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
