//! `intentkey diff`: what a new policy makes of intents that an old one made something else of.

use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use super::annotations::{self, Level};
use super::events::{MappingArgs, Progress, stop_on_interrupt};
use super::{Failure, is_coloured};
use crate::audit::Control;
use crate::diff::events::{Counts, count};
use crate::diff::report::{to_json, write_text};
use crate::diff::{KINDS, Report, Settings, Verdict, diff};
use crate::events::Input;
use crate::policy_file;
use intentkey_core::Policies;

/// Show which keys stay, move, merge or split under a new policy, and how to roll it out
///
/// Compares the two policies part by part: what a difference can do to keys at worst is the verdict. For
/// each it makes the smallest intents that show it, with values at the edges of its rules; where none is
/// found, it says so, and the verdict stands. With EVENTS, in every form that audit reads, it counts too.
/// Where keys move, it computes the first start epoch from which on the new policy cuts no bucket, and
/// checks it.
///
/// Exit status 0: same keys; 1: splits in flight; 3: merges; 2: usage, a file, or counts that are partial.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    intentkey diff pix-payment.toml pix-payment.next.toml\n  \
    intentkey diff pix-payment.toml pix-payment.next.toml last-month.jsonl.gz\n  \
    intentkey diff old.toml new.toml export.csv --tenant merchant_id --action =pix.transfer --epoch created_at\n  \
    intentkey diff old.toml new.toml --from 1798761600 --json\n  \
    intentkey diff --list")]
pub(super) struct Args {
    /// The policy that is in force
    #[arg(value_name = "OLD", required_unless_present = "list")]
    old: Option<PathBuf>,

    /// The policy that shall be
    #[arg(value_name = "NEW", required_unless_present = "list")]
    new: Option<PathBuf>,

    /// Files of events to count on; - is standard input
    #[arg(value_name = "EVENTS")]
    events: Vec<PathBuf>,

    #[command(flatten)]
    mapping: MappingArgs,

    /// The first second at which the new policy may begin; an hour from now where it is left out
    #[arg(long, value_name = "EPOCH")]
    from: Option<u64>,

    /// Cases that are drawn from each policy for each kind of pair
    #[arg(long, value_name = "N", default_value_t = 256)]
    cases: u32,

    /// What decides every draw
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Write the report as JSON
    #[arg(long)]
    json: bool,

    /// List the kinds of changes and what each does to keys
    #[arg(long, conflicts_with_all = ["old", "new", "events", "json"])]
    list: bool,
}

/// How long after now a policy may begin at the earliest, in seconds: time to give it to every
/// producer.
const HEAD_START: u64 = 3_600;

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read, and a report that cannot be written.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (Some(old), Some(new)) = (&args.old, &args.new) else { return list() };
    let (before, after) = (policy_file::load(old)?, policy_file::load(new)?);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let not_before = args.from.unwrap_or(now.saturating_add(HEAD_START));
    let report = diff(&before, &after, &Settings { cases: args.cases, seed: args.seed, not_before });
    let counts = if args.events.is_empty() { None } else { Some(counted(args, &before, &after)?) };
    let verdict = report.verdict_with(counts.as_ref());
    let mut out = String::new();
    if args.json {
        out = serde_json::to_string_pretty(&to_json(&report, counts.as_ref()))? + "\n";
    } else {
        write_text(&report, counts.as_ref(), is_coloured(), &mut out)?;
    }
    stdout().write_all(out.as_bytes())?;
    if annotations::are_wanted() {
        annotate(new, &report);
    }
    if counts.is_some_and(|counts| !counts.partial.is_empty()) {
        return Ok(ExitCode::from(2));
    }
    Ok(ExitCode::from(match verdict {
        Verdict::SameKeys => 0,
        Verdict::SplitsInFlight => 1,
        Verdict::Merges => 3,
    }))
}

fn counted(args: &Args, old: &Policies, new: &Policies) -> Result<Counts, Failure> {
    let inputs: Vec<Input> = args.events.iter().map(|path| Input::from(path.as_path())).collect();
    let control = Control::default();
    stop_on_interrupt(&control)?;
    let progress = Progress::begin(&control, &inputs);
    let counts = count(old, new, &inputs, &args.mapping.mapping(), &control);
    progress.end();
    Ok(counts?)
}

fn annotate(new: &Path, report: &Report) {
    let level = match report.verdict {
        Verdict::SameKeys => Level::Notice,
        Verdict::SplitsInFlight => Level::Warning,
        Verdict::Merges => Level::Error,
    };
    let differences: Vec<String> = report
        .differences
        .iter()
        .map(|difference| format!("{}: {}", difference.place, difference.what))
        .collect();
    annotations::annotate(
        level,
        &new.display().to_string(),
        None,
        report.verdict.as_str(),
        &differences.join("\n"),
    );
}

fn list() -> Result<ExitCode, Failure> {
    let mut out = String::new();
    for kind in KINDS {
        let breaking = if kind.breaking { "breaking" } else { "safe" };
        let besides = if kind.besides.is_empty() { String::new() } else { format!("; {}", kind.besides) };
        out.push_str(&format!("{breaking:<9} {}: keys {}{besides}\n", kind.change, kind.keys));
    }
    stdout().write_all(out.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
