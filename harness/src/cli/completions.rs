//! `intentkey completions`: what a shell completes.

use std::io::stdout;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Cli, Failure};

/// Print a shell's completions for this command
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    intentkey completions bash > ~/.local/share/bash-completion/completions/intentkey\n  \
    intentkey completions fish > ~/.config/fish/completions/intentkey.fish")]
pub(super) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut command = Cli::command();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "intentkey", &mut script);
    std::io::Write::write_all(&mut stdout(), &script)?;
    Ok(ExitCode::SUCCESS)
}
