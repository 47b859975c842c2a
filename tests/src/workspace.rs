//! Where things are: the sources, what was built of them, and a place to run runtimes in.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// The workspace's folder.
#[must_use]
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests).to_owned()
}

/// The cargo that runs the tests.
#[must_use]
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// What `cargo metadata` says, without dependencies or with them.
pub fn metadata(with_dependencies: bool) -> Result<Value> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1", "--locked", "--all-features"]);
    if !with_dependencies {
        command.arg("--no-deps");
    }
    let output = command.output().context("cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The target folder.
#[must_use]
pub fn target() -> &'static Path {
    static TARGET: OnceLock<PathBuf> = OnceLock::new();
    TARGET.get_or_init(|| {
        let folder =
            metadata(false).ok().and_then(|data| data["target_directory"].as_str().map(PathBuf::from));
        folder.unwrap_or_else(|| root().join("target"))
    })
}

/// `conformance/` in the target folder: what these tests write.
#[must_use]
pub fn scratch() -> PathBuf {
    target().join("conformance")
}

/// Waits until no other test works in the scratch folder, as long as the file lives.
pub fn lock() -> Result<File> {
    fs::create_dir_all(scratch())?;
    let file = File::create(scratch().join(".lock"))?;
    file.lock()?;
    Ok(file)
}

/// The folder with `npm/` and `intentkey.component.wasm`: what INTENTKEY_PACK names, or what
/// `cargo pack` makes of the sources as they are now.
pub fn pack() -> Result<PathBuf> {
    if let Some(given) = env::var_os("INTENTKEY_PACK") {
        return Ok(PathBuf::from(given));
    }
    let pack = target().join("pack");
    if !is_up_to_date(&pack)? {
        let output = cargo().arg("pack").output().context("cargo pack")?;
        ensure!(output.status.success(), "cargo pack: {}", String::from_utf8_lossy(&output.stderr));
        ensure!(is_up_to_date(&pack)?, "the sources changed while `cargo pack` was at work");
    }
    Ok(pack)
}

/// Whether the package and the component are of the sources as they are.
fn is_up_to_date(pack: &Path) -> Result<bool> {
    let marked = fs::read_to_string(target().join("pack-scratch/package.sources")).unwrap_or_default();
    let component = fs::read(pack.join("intentkey.component.wasm")).unwrap_or_default();
    let (package, sources) = (intentkey_stamp::package_digest(&root())?, intentkey_stamp::digest(&root())?);
    let is_there = pack.join("npm/package.json").exists();
    Ok(is_there && marked == package && intentkey_stamp::stamped(&component) == Some(sources.as_str()))
}

/// Bytes as hex digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn list(place: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if place.is_file() {
        files.push(place.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(place).with_context(|| place.display().to_string())? {
        let entry = entry?.path();
        if !entry.ends_with("node_modules") {
            list(&entry, files)?;
        }
    }
    Ok(())
}

/// Copies a folder's files, but for installed packages; those that are the same are not touched.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(from, &mut files)?;
    for file in files {
        let copied = to.join(file.strip_prefix(from)?);
        let bytes = fs::read(&file)?;
        if fs::read(&copied).is_ok_and(|held| held == bytes) {
            continue;
        }
        copied.parent().map(fs::create_dir_all).transpose()?;
        fs::write(copied, bytes)?;
    }
    Ok(())
}
