//! `intentkey check`: prove that a policy keeps its promises.

use std::fs;
use std::io::{IsTerminal as _, Write as _, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use intentkey_core::Policy;

use super::Failure;
use crate::check::{Progress, Report, Settings, check_with, names};
use crate::hosts::{Beside, Native, Process, component};
use crate::policy_file;
use crate::report::{Styles, to_json, to_junit, write_text};

/// Prove on generated payloads that a policy keeps its promises
///
/// Prints each invariant with the cases run, or the smallest counterexample that was found as two
/// payloads side by side, or "vacuous" where nothing in the policy exercises it. Exit status 0:
/// all held; 1: one is broken or could not be run; 2: the policy is not valid, or usage.
///
/// hosts-agree compares with the component that `cargo pack` builds. Run from its source, this
/// command builds the component itself where there is none of that source.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    intentkey check pix-payment.toml\n  \
    intentkey check pix-payment.toml --cases 1000 --seed random --junit check.xml\n  \
    intentkey check pix-payment.toml --only hosts-agree --producer 'python3 producer.py'")]
pub(super) struct Args {
    /// The policy: a TOML file, or JSON where its name ends in .json
    #[arg(value_name = "POLICY")]
    policy: PathBuf,

    /// Cases an invariant
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    cases: u32,

    /// What decides every draw, a number or "random": the same seed repeats a run exactly
    #[arg(long, value_name = "S", default_value = "0", value_parser = parse_seed)]
    seed: u64,

    /// Only this invariant; may be given more than once
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    only: Vec<String>,

    /// The component that must agree, of the same source as this command; by default the one that
    /// cargo pack left, or in INTENTKEY_COMPONENT
    #[arg(long, value_name = "FILE")]
    component: Option<PathBuf>,

    /// Somebody else's producer that must agree: a command that reads and writes lines as
    /// "intentkey derive" does, for this policy, with the secret in INTENTKEY_SECRET; may be given
    /// more than once
    #[arg(long, value_name = "COMMAND", value_parser = parse_producer)]
    producer: Vec<Producer>,

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
/// A policy that cannot be read, and a report that cannot be written.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let policies = policy_file::load(&args.policy)?;
    let mut beside = vec![Beside::Component(args.component.clone())];
    for producer in &args.producer {
        let process = Process::new(&producer.0).ok_or("a producer is a command")?;
        beside.push(Beside::Host(Arc::new(process)));
    }
    let settings = Settings { cases: args.cases, seed: args.seed, only: args.only.clone(), beside };
    if args.component.is_none() && asks_for_hosts(&settings) {
        bring_component_up_to_date();
    }
    let reports: Vec<Report> =
        policies.iter().map(|(from, policy)| check_one(from, policy, &settings)).collect();
    if let Some(file) = &args.junit {
        fs::write(file, to_junit(&reports)?).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    print(args, &reports)?;
    Ok(if reports.iter().all(Report::held) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn asks_for_hosts(settings: &Settings) -> bool {
    settings.only.is_empty() || settings.only.iter().any(|name| name == "hosts-agree")
}

/// Builds the component where that is due. What keeps it from being built is told, and hosts-agree
/// then says that it was not run.
fn bring_component_up_to_date() {
    let tell = |what: &str| super::tell(&format!("intentkey: {what}\n"));
    if let Err(why) = component::bring_up_to_date(tell) {
        tell(&format!("the component was not built: {why}"));
    }
}

fn check_one(from: Option<u64>, policy: &Policy, settings: &Settings) -> Report {
    let line = ProgressLine::begin(policy.name());
    let mut report =
        check_with(policy, &Native::new(policy.clone()), settings, &|progress| line.show(progress));
    line.end();
    if let Some(from) = from {
        report.policy = format!("{} from {from}", report.policy);
    }
    report
}

fn print(args: &Args, reports: &[Report]) -> Result<(), Failure> {
    let mut out = String::new();
    if args.json {
        let reports: Vec<_> = reports.iter().map(to_json).collect();
        let value = match reports.as_slice() {
            [one] => one.clone(),
            _ => reports.into(),
        };
        out = serde_json::to_string_pretty(&value)? + "\n";
    } else {
        let styles = if anstream::stdout().current_choice() == anstream::ColorChoice::Never {
            Styles::default()
        } else {
            Styles::TERMINAL
        };
        for report in reports {
            let repeat = format!(
                "intentkey check {} --cases {} --seed {}",
                args.policy.display(),
                args.cases,
                args.seed
            );
            write_text(report, &repeat, styles, &mut out)?;
        }
    }
    stdout().write_all(out.as_bytes())?;
    Ok(())
}

fn parse_seed(text: &str) -> Result<u64, String> {
    if text == "random" {
        let state = std::hash::RandomState::new();
        return Ok(std::hash::BuildHasher::hash_one(&state, 0) % 1_000_000_000);
    }
    text.parse().map_err(|_| String::from("a seed is a number from 0 to 2^64 - 1, or \"random\""))
}

/// A program and its arguments.
#[derive(Clone, Debug)]
struct Producer(Vec<String>);

fn parse_producer(text: &str) -> Result<Producer, String> {
    match shlex::split(text) {
        Some(words) if !words.is_empty() => Ok(Producer(words)),
        _ => Err(String::from("a producer is a program with its arguments, quoted as in a shell")),
    }
}

fn parse_name(text: &str) -> Result<String, String> {
    if names().any(|name| name == text) {
        return Ok(text.to_owned());
    }
    Err(format!("the invariants are {}", names().collect::<Vec<_>>().join(", ")))
}

/// A line on standard error that says how far a check has come; nothing in a pipe.
struct ProgressLine {
    policy: String,
    shown: bool,
}

impl ProgressLine {
    fn begin(policy: &str) -> Self {
        ProgressLine { policy: policy.to_owned(), shown: stderr().is_terminal() }
    }

    fn show(&self, progress: Progress) {
        if self.shown {
            // What is not shown is no loss.
            let _ = write!(
                stderr(),
                "\r\u{1b}[K{}: {} of {}, {}",
                self.policy,
                progress.done,
                progress.of,
                progress.name
            );
        }
    }

    fn end(&self) {
        if self.shown {
            let _ = write!(stderr(), "\r\u{1b}[K");
        }
    }
}
