//! The standard library for WebAssembly, which a toolchain brings only where it is asked for.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::tools::run;

/// What the shells are compiled for.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Makes sure that the toolchain of a workspace can compile for [`TARGET`]: `rustup` adds what is
/// missing. A toolchain file names the target, but where automatic installation is off nobody heeds
/// it.
pub(crate) fn install(root: &Path) -> Result<()> {
    if is_there(root)? {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    run(rustup.args(["target", "add", TARGET]).current_dir(root))
        .with_context(|| format!("the Rust toolchain lacks the target {TARGET}, and rustup did not add it"))
}

fn is_there(root: &Path) -> Result<bool> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .current_dir(root)
        .output()
        .context("rustc did not start")?;
    ensure!(output.status.success(), "rustc does not know the target {TARGET}");
    let folder = String::from_utf8(output.stdout).context("the folder of the target is no text")?;
    Ok(Path::new(folder.trim()).is_dir())
}
