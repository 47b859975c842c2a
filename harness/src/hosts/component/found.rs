//! Where the component is, and whether it was built from the source that this command was built
//! from.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The component's file.
const FILE: &str = "intentkey.component.wasm";

/// The digest of the sources that this command was built from; empty where they were not at hand.
const SOURCES: &str = env!("INTENTKEY_SOURCES");

/// Folders above an executable in which Cargo's target folder may be: `target/release/deps/test`.
const FOLDERS_ABOVE: usize = 4;

/// A component of the same source as this command.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its file.
    pub path: PathBuf,
    /// What is in it.
    #[cfg_attr(not(feature = "component"), expect(dead_code, reason = "nothing runs them"))]
    pub(super) bytes: Vec<u8>,
    /// Whether it lies where this executable was built to, or beside it.
    #[cfg_attr(not(feature = "component"), expect(dead_code, reason = "nothing is kept of it"))]
    pub(super) is_beside_executable: bool,
}

/// Why there is no such component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// There is none in any of the usual places.
    Nowhere,
    /// The file that was named cannot be read.
    Unreadable(PathBuf),
    /// There is one, of another source.
    OfAnotherSource(PathBuf),
    /// This command does not know its own source.
    SourceUnknown,
}

/// Finds the component.
///
/// In this order: the file that is named, here or by `INTENTKEY_COMPONENT`, and then no other;
/// beside this executable; in `pack/` of the target folder that this executable is in, where
/// `cargo pack` leaves it; in that of the workspace that this command was built from. It must end
/// with the digest of the sources that this command was built from.
///
/// # Errors
///
/// Where there is none, or only ones of another source.
pub fn find(named: Option<&Path>) -> Result<Found, NotFound> {
    if SOURCES.is_empty() {
        return Err(NotFound::SourceUnknown);
    }
    let by_variable = env::var_os("INTENTKEY_COMPONENT").map(PathBuf::from);
    if let Some(path) = named.map(Path::to_owned).or(by_variable) {
        let found = read(path.clone(), false).unwrap_or(Err(NotFound::Unreadable(path)));
        return found;
    }
    let executable = env::current_exe().unwrap_or_default();
    let mut near: Vec<PathBuf> = executable.parent().map(|folder| folder.join(FILE)).into_iter().collect();
    near.extend(
        executable.ancestors().skip(1).take(FOLDERS_ABOVE).map(|folder| folder.join("pack").join(FILE)),
    );
    let mut missed = NotFound::Nowhere;
    for path in near {
        match read(path, true) {
            Some(Ok(found)) => return Ok(found),
            Some(Err(not_found)) => missed = not_found,
            None => {}
        }
    }
    match target_folder().and_then(|target| read(target.join("pack").join(FILE), false)) {
        Some(found) => found,
        None => Err(missed),
    }
}

/// The component in a file, where there is one.
fn read(path: PathBuf, is_beside_executable: bool) -> Option<Result<Found, NotFound>> {
    let bytes = fs::read(&path).ok()?;
    if intentkey_stamp::stamped(&bytes) != Some(SOURCES) {
        return Some(Err(NotFound::OfAnotherSource(path)));
    }
    Some(Ok(Found { path, bytes, is_beside_executable }))
}

/// Builds the component where there is none of this command's source, if the source is at hand
/// and unchanged; `tell` is told before that, since it takes a minute or two.
///
/// # Errors
///
/// What keeps it from being built.
pub fn bring_up_to_date(tell: impl FnOnce(&str)) -> Result<(), String> {
    // What cannot be run is not built, and what is named is not built here.
    if !cfg!(feature = "component") {
        return Ok(());
    }
    if find(None).is_ok() || env::var_os("INTENTKEY_COMPONENT").is_some() {
        return Ok(());
    }
    let workspace = workspace();
    match intentkey_stamp::digest(&workspace) {
        Ok(sources) if sources == SOURCES => {}
        Ok(_) => {
            return Err(String::from(
                "the sources have changed since this command was built: build it again",
            ));
        }
        Err(_) => return Err(String::from("the sources that this command was built from are not at hand")),
    }
    tell("building the component of this source: cargo pack --component-if-stale");
    let mut command = cargo(&workspace);
    // What it prints about sizes would stand among results.
    command.args(["pack", "--component-if-stale"]).stdin(Stdio::null()).stdout(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo pack: {status}")),
        Err(error) => Err(format!("cargo did not start: {error}")),
    }
}

/// Where this command was built.
fn workspace() -> PathBuf {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR"));
    harness.parent().unwrap_or(harness).to_owned()
}

/// The target folder of the workspace that this command was built from.
fn target_folder() -> Option<PathBuf> {
    let workspace = workspace();
    if !workspace.join("Cargo.toml").is_file() {
        return None;
    }
    let mut command = cargo(&workspace);
    command.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]).stderr(Stdio::null());
    let metadata: serde_json::Value = serde_json::from_slice(&command.output().ok()?.stdout).ok()?;
    metadata.get("target_directory")?.as_str().map(PathBuf::from)
}

fn cargo(workspace: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace);
    command
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFound::Nowhere => write!(
                f,
                "there is no {FILE}: build it with `cargo pack` in the source of this command, or name it with \
                 --component or INTENTKEY_COMPONENT"
            ),
            NotFound::Unreadable(path) => write!(f, "{} cannot be read", path.display()),
            NotFound::OfAnotherSource(path) => write!(
                f,
                "{} was built from another source than this command: build both again, with `cargo pack` the \
                 component",
                path.display()
            ),
            NotFound::SourceUnknown => f.write_str(
                "this command was built away from its workspace and knows no component as its own: build it with \
                 `cargo install --path harness`",
            ),
        }
    }
}

impl std::error::Error for NotFound {}
