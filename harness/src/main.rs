//! The command `intentkey`.

use std::process::ExitCode;

fn main() -> ExitCode {
    intentkey::cli::run()
}
