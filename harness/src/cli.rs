//! The command: arguments in, exit status out.
//!
//! Exit status 0: all is well; 1: something was refused or found broken; 2: the command could
//! not do its work (usage, a file, a policy or a keyring that is not valid).

mod annotations;
mod audit;
mod check;
mod completions;
mod conform;
mod derive;
mod diff;
mod events;
mod handshake;
mod init;
mod lint;
mod simulate;
mod store;
mod test;
mod vectors;
mod why;

use std::io::{Write as _, stderr};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use intentkey_core::{Deriver, Policies};

use crate::{policy_file, secrets};

/// Derive the same idempotency key for the same intent, and prove that a policy keeps its promises.
#[derive(Debug, Parser)]
#[command(name = "intentkey", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Audit(audit::Args),
    Check(check::Args),
    Completions(completions::Args),
    Conform(conform::Args),
    Derive(derive::Args),
    Diff(diff::Args),
    Handshake(handshake::Args),
    Init(init::Args),
    Lint(lint::Args),
    Simulate(simulate::Args),
    Store(store::Args),
    Test(test::Args),
    Vectors(vectors::Args),
    Why(why::Args),
}

/// Runs the command line of this process.
#[must_use]
pub fn run() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Audit(args) => audit::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Conform(args) => conform::run(&args),
        Command::Derive(args) => derive::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Handshake(args) => handshake::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Lint(args) => lint::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Store(args) => store::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Vectors(args) => vectors::run(&args),
        Command::Why(args) => why::run(&args),
    };
    match outcome {
        Ok(status) => status,
        // Whoever read the output has seen enough.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format!("intentkey: {error}\n"));
            ExitCode::from(2)
        }
    }
}

/// Whether the other end of standard output is gone, as where `head` has its lines.
fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Writes to standard error, where nobody may listen any more.
fn tell(text: &str) {
    // What is not shown is no loss; `eprint!` would panic.
    let _ = stderr().write_all(text.as_bytes());
}

/// Why a command could not do its work.
type Failure = Box<dyn std::error::Error>;

/// Whether standard output takes colours: a terminal does, unless NO_COLOR says otherwise.
fn is_coloured() -> bool {
    anstream::stdout().current_choice() != anstream::ColorChoice::Never
}

/// The policy and the secrets that a command derives with.
#[derive(Debug, clap::Args)]
struct DeriverArgs {
    /// The policy: a TOML file, or JSON where its name ends in .json
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,

    #[command(flatten)]
    secrets: secrets::Source,
}

impl DeriverArgs {
    fn deriver(&self) -> Result<(Policies, Deriver), Failure> {
        let policies = policy_file::load(&self.policy)?;
        let deriver = Deriver::new(policies.clone(), self.secrets.load()?)?;
        Ok((policies, deriver))
    }
}
