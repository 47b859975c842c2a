//! `intentkey why`: why two intents share a key, or do not.

use std::fs;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use intentkey_core::Policies;

use super::events::MappingArgs;
use super::{Failure, is_coloured};
use crate::events::{Input, Mapping, intent_at};
use crate::policy_file;
use crate::why::report::{to_json, write_text};
use crate::why::why;

/// Show which field merged or split two intents, from raw to canonical, side by side
///
/// An intent is a file with one JSON intent, FILE:LINE for an event of a file that audit reads, with the same
/// options, or the JSON itself. It has the members tenant, action, intent_epoch and payload. No secret is needed: whether two intents
/// share a key does not depend on it. What is shown holds values of the payloads.
///
/// Exit status 0: they share a key, and do not conflict; 1: they do not, or one is refused; 2: usage.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    intentkey why pix-payment.toml first.json second.json\n  \
    intentkey why pix-payment.toml pix-payment.intents.jsonl:1 pix-payment.intents.jsonl:4\n  \
    intentkey why pix.toml export.csv:8 export.csv:9 --tenant merchant --action =pix.transfer --epoch created_at")]
pub(super) struct Args {
    /// The policy: a TOML file, or JSON where its name ends in .json
    #[arg(value_name = "POLICY")]
    policy: PathBuf,

    /// The first intent
    #[arg(value_name = "A")]
    one: String,

    /// The second intent
    #[arg(value_name = "B")]
    other: String,

    #[command(flatten)]
    mapping: MappingArgs,

    /// Write the comparison as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read, and a comparison that cannot be written.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let policies = policy_file::load(&args.policy)?;
    let mapping = args.mapping.mapping();
    let intent = |argument: &str| intent(argument, &mapping, &policies);
    let (one, other) = (intent(&args.one)?, intent(&args.other)?);
    let comparison = why(&policies, [&one, &other]);
    let mut out = String::new();
    if args.json {
        out = serde_json::to_string_pretty(&to_json(&comparison))? + "\n";
    } else {
        write_text(&comparison, is_coloured(), &mut out)?;
    }
    stdout().write_all(out.as_bytes())?;
    let one_intent = comparison.shares_a_key() && comparison.in_conflict().next().is_none();
    Ok(if one_intent { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The text of an intent.
fn intent(argument: &str, mapping: &Mapping, policies: &Policies) -> Result<String, Failure> {
    if argument.trim_start().starts_with('{') {
        return Ok(argument.to_owned());
    }
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let of_line = argument.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u64>().ok()?)));
    match of_line {
        Some((file, line)) if !Path::new(argument).exists() => {
            let input = Input::File(file.into());
            if *mapping != Mapping::default() || input.is_no_plain_text() {
                return Ok(intent_at(&input, line, mapping, policies)?);
            }
            let text = read(Path::new(file))?;
            let found = line.checked_sub(1).and_then(|index| text.lines().nth(usize::try_from(index).ok()?));
            Ok(found.ok_or_else(|| format!("{file} has no line {line}"))?.to_owned())
        }
        _ => one_intent(argument, read(Path::new(argument))?),
    }
}

/// The text of a file, which may be on several lines, if it holds one intent alone.
fn one_intent(file: &str, text: String) -> Result<String, Failure> {
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<serde::de::IgnoredAny>();
    if matches!(values.next(), Some(Ok(_))) && values.next().is_some() {
        return Err(format!("{file} holds more than one intent: name a line of it, as {file}:1").into());
    }
    Ok(text)
}
