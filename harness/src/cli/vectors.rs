//! `intentkey vectors`: test vectors for other implementers.

use std::fs;
use std::io::{self, Write as _, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;

use super::Failure;
use crate::policy_file::Document;
use crate::vectors::{DEFAULT_SECRET, Settings, Vectors, vectors, verify};

/// Print test vectors of a policy for other implementers, or verify a file of them
///
/// A vector is a line of JSON with an intent and the exact key, fingerprint, bucket and material, or the
/// refusal, that must come of it. They cover each field in several spellings and values, each refusal that
/// the policy can give, and each second at which a bucket or its edge begins or ends. With --dir a folder is
/// written with the policy and the secrets, rotated ones and a tenant's too; without it, vectors hold the policy
/// themselves. What no vector provokes is told by its code.
///
/// Exit status 0: written, or all verify; 1: one does not; 2: usage, or a file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    intentkey vectors pix-payment.toml > pix-payment.vectors.jsonl\n  \
    intentkey vectors pix-payment.toml --dir vectors\n  \
    intentkey vectors --verify vectors/vectors.jsonl")]
pub(super) struct Args {
    /// The policy: a TOML file, or JSON where its name ends in .json
    #[arg(value_name = "POLICY", required_unless_present = "verify")]
    policy: Option<PathBuf>,

    /// Verify the vectors of this file instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["policy", "dir"])]
    verify: Option<PathBuf>,

    /// Write a folder: vectors.jsonl, the policy and the secrets
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Pairs of spellings, and pairs of values, of each field
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    cases: u32,

    /// What decides every draw
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// The most mismatches that are printed one by one.
const SHOWN: usize = 20;

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match (&args.verify, &args.policy) {
        (Some(file), _) => run_verify(file),
        (None, Some(policy)) => run_vectors(args, policy),
        (None, None) => Err("name a policy, or a file to verify".into()),
    }
}

fn run_verify(file: &Path) -> Result<ExitCode, Failure> {
    let verified = verify(file)?;
    let mut out = String::new();
    for mismatch in verified.mismatches.iter().take(SHOWN) {
        out.push_str(&format!("{}:{} {}\n", file.display(), mismatch.line, mismatch.id));
        for (name, expected, given) in &mismatch.differs {
            out.push_str(&format!("  {name}\n    expected {expected}\n    given    {given}\n"));
        }
    }
    let wrong = verified.mismatches.len();
    out.push_str(&format!("{}: {} vectors, {wrong} differ\n", file.display(), verified.vectors));
    stdout().write_all(out.as_bytes())?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn run_vectors(args: &Args, file: &Path) -> Result<ExitCode, Failure> {
    let document = Document::read(file)?;
    let policies = document.policies()?;
    let mut all = policies.iter();
    let (Some((None, policy)), None) = (all.next(), all.next()) else {
        return Err(
            format!("{}: vectors are made of one policy, not of policies over time", file.display()).into()
        );
    };
    let own: Value = serde_json::from_str(document.json())?;
    let settings = Settings { cases: args.cases, seed: args.seed };
    let made = match &args.dir {
        Some(dir) => {
            let name = file.file_stem().map_or_else(|| policy.name().into(), |stem| stem.to_string_lossy());
            let name = name.trim_end_matches(".policy").to_owned();
            let made = vectors(policy, &Value::from(name.as_str()), true, &settings)?;
            write_folder(dir, &name, &own, &made).map_err(|error| format!("{}: {error}", dir.display()))?;
            made
        }
        None => {
            let made = vectors(policy, &own, false, &settings)?;
            let mut out = io::BufWriter::new(stdout().lock());
            for line in &made.lines {
                writeln!(out, "{line}")?;
            }
            out.flush()?;
            made
        }
    };
    let mut told = format!("{} vectors; refusals: {}\n", made.lines.len(), made.codes.join(", "));
    let not_provoked: Vec<&str> = made.not_provoked().collect();
    if !not_provoked.is_empty() {
        let more = if args.dir.is_none() { " (with --dir there are more keyrings)" } else { "" };
        told.push_str(&format!("not provoked under this policy{more}: {}\n", not_provoked.join(", ")));
    }
    // What is not shown is no loss.
    let _ = stderr().write_all(told.as_bytes());
    Ok(ExitCode::SUCCESS)
}

fn write_folder(dir: &Path, name: &str, policy: &Value, made: &Vectors) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    fs::write(dir.join("vectors.jsonl"), made.lines.join("\n") + "\n")?;
    fs::write(dir.join(format!("{name}.policy.json")), serde_json::to_string_pretty(policy)? + "\n")?;
    fs::write(dir.join("secret.default.hex"), format!("{DEFAULT_SECRET}\n"))?;
    for (name, keyring) in &made.keyrings {
        fs::write(dir.join(format!("secret.{name}.json")), format!("{keyring}\n"))?;
    }
    Ok(())
}
