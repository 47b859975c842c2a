//! `intentkey audit`: what a policy makes of real events.

use std::fs;
use std::io::{Write as _, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use super::events::{MappingArgs, Progress, stop_on_interrupt};
use super::{Failure, is_coloured};
use crate::audit::report::{to_html, write_text};
use crate::audit::{Control, Report, Settings, audit_with};
use crate::events::Input;
use crate::policy_file;
use crate::report::Styles;

/// Try a policy on real events: what it merges, splits and refuses
///
/// Reads JSON lines or CSV, plain or compressed (gzip, Zstandard), in constant memory but for 48
/// bytes an event, on all cores. Needs no secret. With --truth it says which keys merge different
/// intents and which intents have several keys, and which fields are to blame; without, how keys
/// repeat. It shows no value of a payload unless --show-values is given.
///
/// An event is an intent as for derive. Other shapes are mapped: --tenant, --action and --epoch
/// name a column (in JSON a path such as meta.tenant), or give =TEXT for all events; all else is
/// the payload, unless --payload names the column that holds it. Names of CSV columns with dots are
/// paths (creditor.key, items[0].sku); an empty cell is an absent field. What the mapping names is
/// taken out of the payload where the policy does not declare it.
///
/// Exit status: 0 all events have keys, none is false, and there are no broken lines; 1 otherwise;
/// 2 usage, or the report is partial.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  intentkey audit pix.toml november.jsonl.zst --truth intent_id --html november.html
  intentkey audit pix.toml export.csv --tenant merchant_id --action =pix.transfer --epoch created_at \\
      --truth order_id --drop id --drop status")]
pub(super) struct Args {
    /// The policy: a TOML file, or JSON where its name ends in .json
    #[arg(value_name = "POLICY")]
    policy: PathBuf,

    /// Files of events; - is standard input
    #[arg(value_name = "EVENTS", required = true)]
    events: Vec<PathBuf>,

    /// The true id is unique for each tenant, not for all
    #[arg(long, requires = "truth")]
    truth_per_tenant: bool,

    #[command(flatten)]
    mapping: MappingArgs,

    /// Show values of payloads: in the examples of merges and splits, and of unclassified fields
    #[arg(long)]
    show_values: bool,

    /// Write the report as JSON
    #[arg(long)]
    json: bool,

    /// Write the report as one self-contained page to this file too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// How many threads work; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// Runs the command.
///
/// # Errors
///
/// A policy or a file that cannot be read, and a report that cannot be written.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let policies = policy_file::load(&args.policy)?;
    let inputs: Vec<Input> = args.events.iter().map(|path| Input::from(path.as_path())).collect();
    let settings = Settings {
        mapping: args.mapping.mapping(),
        truth_per_tenant: args.truth_per_tenant,
        show_values: args.show_values,
        threads: args.threads,
    };
    let control = Control::default();
    stop_on_interrupt(&control)?;
    let progress = Progress::begin(&control, &inputs);
    let report = audit_with(&policies, &inputs, &settings, &control);
    progress.end();
    let report = report?;
    if let Some(file) = &args.html {
        fs::write(file, to_html(&report)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    print(args, &report)?;
    Ok(match (report.is_whole(), report.is_clean()) {
        (false, _) => ExitCode::from(2),
        (true, false) => ExitCode::from(1),
        (true, true) => ExitCode::SUCCESS,
    })
}

fn print(args: &Args, report: &Report) -> Result<(), Failure> {
    let mut out = String::new();
    if args.json {
        out = serde_json::to_string_pretty(report)? + "\n";
    } else {
        let styles = if is_coloured() { Styles::TERMINAL } else { Styles::default() };
        write_text(report, styles, &mut out)?;
    }
    stdout().write_all(out.as_bytes())?;
    Ok(())
}
