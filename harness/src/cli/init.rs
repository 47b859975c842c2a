//! `intentkey init`: propose a policy from sample events or a JSON Schema.

use std::io::{Read as _, Write as _, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::events::FileArgs;
use super::{Failure, tell};
use crate::events::{Input, Mapping, json_lines};
use crate::init::{MOST_SAMPLES, Proposal, propose};

/// The most fields that are named as left to decide.
const MOST_NAMED: usize = 12;

/// Propose a policy from sample events or a JSON Schema
///
/// Reads JSON lines or an array (of intents as for derive, or of their payloads), CSV, plain or compressed,
/// or a JSON Schema, and writes a policy as TOML to standard output. Rules are guessed from names and values,
/// with the reason beside each. What is doubtful is commented and marked DECIDE: a person decides it.
///
/// Exit status: 0 the policy loads and nothing is left to decide, 1 something is, 2 usage.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  intentkey init november.jsonl > payment.toml
  intentkey init export.csv.gz --name order > order.toml
  intentkey init extrato.csv --encoding windows-1252 > statement.toml
  intentkey init event.schema.json > event.toml")]
pub(super) struct Args {
    /// The samples or the schema; - is standard input
    #[arg(value_name = "SAMPLES")]
    samples: PathBuf,

    /// The policy's name; else that of the file
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    files: FileArgs,
}

/// Runs the command.
///
/// # Errors
///
/// Samples that cannot be read, or that are none.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let is_stdin = args.samples == Path::new("-");
    let source = args.samples.display();
    let input = Input::from(args.samples.as_path());
    let files = args.files.mapping();
    let is_said = files != Mapping::default();
    let mut broken = None;
    let text = if is_said || input.is_no_plain_text() {
        let samples = json_lines(&input, &files, MOST_SAMPLES)?;
        broken = samples.broken;
        samples.lines
    } else {
        let mut bytes = Vec::new();
        if is_stdin {
            stdin().read_to_end(&mut bytes)?;
        } else {
            bytes = std::fs::read(&args.samples).map_err(|error| format!("{source}: {error}"))?;
        }
        String::from_utf8(bytes).map_err(|_| format!("{source}: this is not UTF-8: say --encoding"))?
    };
    // `november.jsonl.zst` is november.
    let stem = args.samples.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = stem.as_deref().and_then(|name| name.split('.').find(|part| !part.is_empty()));
    let stem = stem.filter(|_| !is_stdin).map(String::from);
    let name = args.name.clone().or(stem).unwrap_or_else(|| String::from("proposal"));
    let proposal = propose(&name, &text).map_err(|error| format!("{source}: {error}"))?;
    stdout().write_all(proposal.text.as_bytes())?;
    if let Some((what, line, count)) = broken {
        tell(&format!("left out: {count} that cannot be read, the first is line {line}: {}\n", what.what()));
    }
    tell(&left(&proposal));
    let is_done = proposal.undecided.is_empty() && proposal.refusal.is_none();
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What is left to do, for people.
fn left(proposal: &Proposal) -> String {
    let mut out = String::new();
    if let Some((first, count)) = proposal.broken {
        out += &format!("lines that are no JSON objects were left out: {count}, the first is line {first}\n");
    }
    out += &format!("fields classified: {}", proposal.decided.len());
    let undecided = &proposal.undecided;
    if !undecided.is_empty() {
        let named: Vec<&str> = undecided.iter().take(MOST_NAMED).map(String::as_str).collect();
        out += &format!("; left to decide: {}: {}", undecided.len(), named.join(", "));
        match undecided.len() - named.len() {
            0 => {}
            more => out += &format!(", and {more} more, marked DECIDE"),
        }
    }
    out.push('\n');
    if let Some(refusal) = &proposal.refusal {
        out += &format!("the policy does not load yet: {refusal}\n");
    }
    out
}
