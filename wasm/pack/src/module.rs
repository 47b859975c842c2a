//! Compiling the shells to modules.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::places::{Places, cargo};
use crate::target::TARGET;
use crate::tools::run;

const PROFILE: &str = "wasm";

/// Compiles the shell that a feature names, and gives its module.
pub(crate) fn compile(places: &Places, feature: &str) -> Result<PathBuf> {
    run(Command::new(cargo())
        .args(["rustc", "--package", "intentkey-wasm", "--lib", "--crate-type", "cdylib"])
        .args(["--features", feature, "--target", TARGET, "--profile", PROFILE, "--locked"])
        .current_dir(&places.root)
        .env("CARGO_TARGET_DIR", &places.target)
        .env("CARGO_ENCODED_RUSTFLAGS", rustflags(places, feature).join("\u{1f}")))?;
    let built = places.target.join(TARGET).join(PROFILE).join("intentkey_wasm.wasm");
    fs::create_dir_all(&places.scratch)?;
    let module = places.scratch.join(format!("{feature}.wasm"));
    fs::copy(&built, &module).with_context(|| format!("no module at {}", built.display()))?;
    Ok(module)
}

/// SIMD for SHA-256; and no folder of this machine in the bytes.
fn rustflags(places: &Places, feature: &str) -> Vec<String> {
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| home + "/.cargo"));
    let mut flags = vec![
        "-Ctarget-feature=+simd128".to_owned(),
        // The glue puts it back where a host unwinds a call.
        "-Clink-arg=--export=__stack_pointer".to_owned(),
        format!("--remap-path-prefix={}=/intentkey", places.root.display()),
    ];
    if feature == "js" {
        // As `opt-level = "z"` has both: a thirtieth smaller, and in a page no slower. What must be
        // inlined says so. The component has room, and is an eighth slower with them.
        flags.extend(
            ["-Cllvm-args=-inline-threshold=5", "-Cllvm-args=-rotation-max-header-size=0"].map(str::to_owned),
        );
    }
    flags.extend(home.map(|home| format!("--remap-path-prefix={home}=/cargo")));
    flags
}
