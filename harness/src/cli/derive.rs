//! `intentkey derive`: one intent a line in, one result a line out, in constant memory.

use std::io::{self, IsTerminal as _, Read, Write, stderr};
use std::process::ExitCode;

use intentkey_core::{Deriver, Policies, Refusal};

use super::{DeriverArgs, Failure};
use crate::lines::Lines;
use crate::result_line;

/// Derive keys: one JSON intent a line on standard input, one JSON result a line on standard output
///
/// An intent has the members tenant, action, intent_epoch and payload. A result is {"key",
/// "fingerprint", "bucket", "secret_id"}, with "edge" near a bucket's edge, or {"error"}; results
/// come in the order of the intents. Blank lines are skipped.
///
/// Exit status: 0 all derived, 1 some refused, 2 usage.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  intentkey derive --policy pix-payment.toml --secret-file pix.secret < intents.jsonl"
)]
pub(super) struct Args {
    #[command(flatten)]
    deriver: DeriverArgs,

    /// Add the material that was MACed; it holds values of the payload
    #[arg(long)]
    explain: bool,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (policies, deriver) = args.deriver.deriver()?;
    // A program that reads results is told by their codes.
    let mut hints = Hints { policies, left: if stderr().is_terminal() { MOST_HINTS } else { 0 } };
    let output = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match stream(&deriver, args.explain, io::stdin().lock(), output, &mut hints) {
        Ok(0) => Ok(ExitCode::SUCCESS),
        Ok(_) => Ok(ExitCode::from(1)),
        Err(error) => Err(error.into()),
    }
}

/// The most misspelled names that are told.
const MOST_HINTS: usize = 5;

/// Tells a person at a terminal what a refused name may have been meant for.
struct Hints {
    policies: Policies,
    left: usize,
}

impl Hints {
    fn tell(&mut self, refusal: &Refusal, intent: &str) {
        if self.left == 0 {
            return;
        }
        if let Some(hint) = crate::hint::hint(&self.policies, refusal, intent) {
            self.left -= 1;
            // What is not shown is no loss.
            let _ = writeln!(stderr(), "intentkey: {}: {hint}", refusal.code());
        }
    }
}

/// Derives every line of `input`; gives how many were refused.
fn stream(
    deriver: &Deriver,
    explain: bool,
    input: impl Read,
    mut output: impl Write,
    hints: &mut Hints,
) -> io::Result<u64> {
    let mut lines = Lines::new(input);
    let mut refused = 0;
    while let Some(line) = lines.next_line(&mut output)? {
        let text = line.as_ref().map_or("", |text| *text);
        let result = if explain {
            line.and_then(|text| deriver.explain(&deriver.read(text)?)).map(result_line::explained)
        } else {
            line.and_then(|text| deriver.derive(&deriver.read(text)?)).map(result_line::derived)
        };
        match result {
            Ok(derived) => serde_json::to_writer(&mut output, &derived)?,
            Err(refusal) => {
                refused += 1;
                hints.tell(&refusal, text);
                serde_json::to_writer(&mut output, &result_line::refused(&refusal))?;
            }
        }
        output.write_all(b"\n")?;
    }
    output.flush()?;
    Ok(refused)
}

#[cfg(test)]
mod tests;
