//! The npm tools: wasm-opt, esbuild, tsc, and node itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::places::Places;

/// The proposals that every runtime of the package has had for years, `simd` being the newest
/// (2021; Safari 2023): what rustc emits, and wasm-opt must know.
const FEATURES: [&str; 8] = [
    "--mvp-features",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
    "--enable-simd",
];

/// Installs the npm tools, unless they are there as the lock file says.
pub(crate) fn install(places: &Places) -> Result<()> {
    let lock = fs::read(places.tools.join("package-lock.json"))?;
    let mark = places.tools.join("node_modules/.installed-for");
    if fs::read(&mark).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    run(Command::new("npm").args(["ci", "--ignore-scripts"]).current_dir(&places.tools))?;
    fs::write(mark, lock).context("marking the npm tools as installed")
}

/// Optimizes a module; `keep_names` leaves the functions' names in.
pub(crate) fn wasm_opt(places: &Places, from: &Path, to: &Path, keep_names: bool) -> Result<()> {
    let mut command = Command::new(bin(places, "wasm-opt"));
    command.args(FEATURES).args(LEVEL).arg(from).arg("-o").arg(to);
    if keep_names {
        command.arg("-g");
    }
    run(&mut command)
}

/// How hard wasm-opt tries: for size, which costs no time here (SHA-256 is straight-line code).
/// It inlines nothing, which LLVM has done where it pays: a function of its own compresses better.
const LEVEL: [&str; 5] = [
    "-Oz",
    "--converge",
    "--zero-filled-memory",
    "--always-inline-max-function-size=0",
    "--one-caller-inline-max-function-size=0",
];

/// An npm tool's program.
pub(crate) fn bin(places: &Places, name: &str) -> PathBuf {
    places.tools.join("node_modules/.bin").join(name)
}

/// Runs a program; its failure is ours.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{name} is needed and did not start"))?;
    ensure!(status.success(), "{name} failed: {status}");
    Ok(())
}

/// How many bytes a file has in brotli, at its hardest.
pub(crate) fn brotli_size(file: &Path) -> Result<usize> {
    const SCRIPT: &str = "const { readFileSync } = require('node:fs');\
        console.log(require('node:zlib').brotliCompressSync(readFileSync(process.argv[1])).length)";
    let output = Command::new("node").args(["-e", SCRIPT]).arg(file).output().context("node is needed")?;
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}
