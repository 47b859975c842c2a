//! The component as machine code, compiled once and kept.
//!
//! Compiling takes a tenth of a second, reading what was compiled a thousandth. What is read back
//! is run as it is, so whoever can write the file can run anything as whoever runs this command.
//! That is why it is kept in one place only: beside the component of this very build, below the
//! folder of the executable, where whoever can write could change the executable itself; and why
//! it must belong to the executable's owner and be writable by nobody else. A component that lies
//! elsewhere, and on other systems than Unix each one, is compiled every time.

use std::fmt;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use wasmtime::component::Component as Code;
use wasmtime::{Config, Engine, Error, Result};

use crate::hosts::component::Found;

/// The bytes of a SHA-256.
const DIGEST: usize = 32;

/// Why a component that was found is of no use.
#[derive(Debug)]
pub struct Unusable(Error);

impl From<Error> for Unusable {
    fn from(error: Error) -> Self {
        Unusable(error)
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the component cannot be used: {:#}", self.0)
    }
}

impl std::error::Error for Unusable {}

/// The engine of every component here.
pub(super) fn engine() -> Result<Engine> {
    let mut config = Config::new();
    config.consume_fuel(true);
    Engine::new(&config)
}

/// The component's code.
pub(super) fn code(engine: &Engine, found: &Found) -> Result<Code> {
    let Some(kept) = kept_at(engine, found) else { return Code::new(engine, &found.bytes) };
    if let Some(code) = read(engine, &kept) {
        return Ok(code);
    }
    let code = Code::new(engine, &found.bytes)?;
    // What cannot be kept is compiled again the next time.
    let _ = keep(&kept, &code.serialize()?);
    Ok(code)
}

/// Where the code of a component is kept: a name for each component, version and configuration of
/// wasmtime, and kind of machine.
fn kept_at(engine: &Engine, found: &Found) -> Option<PathBuf> {
    if !found.is_beside_executable || !cfg!(unix) {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    Sha256::digest(&found.bytes).hash(&mut hasher);
    engine.precompile_compatibility_hash().hash(&mut hasher);
    Some(found.path.with_extension(format!("{:016x}.cwasm", hasher.finish())))
}

/// What is kept: the digest of the code, which shows a file that was cut, and the code.
fn read(engine: &Engine, path: &Path) -> Option<Code> {
    if !belongs_to_executable(path) {
        return None;
    }
    let kept = fs::read(path).ok()?;
    let (digest, code) = kept.split_at_checked(DIGEST)?;
    if Sha256::digest(code).as_slice() != digest {
        return None;
    }
    deserialize(engine, code)
}

#[expect(unsafe_code, reason = "wasmtime runs what it reads back as it is")]
fn deserialize(engine: &Engine, code: &[u8]) -> Option<Code> {
    // SAFETY: the bytes are what `Code::serialize` gave to `keep`: they have their digest, and
    // nobody can have written the file who could not change this executable as well.
    unsafe { Code::deserialize(engine, code) }.ok()
}

/// Whether only the owner of this executable can have written the file.
#[cfg(unix)]
fn belongs_to_executable(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let owned = |metadata: &fs::Metadata| (metadata.uid(), metadata.mode() & 0o022);
    let folder = path.parent().and_then(|folder| fs::symlink_metadata(folder).ok());
    let executable = std::env::current_exe().and_then(fs::metadata);
    let file = fs::symlink_metadata(path);
    match (folder, file, executable) {
        (Some(folder), Ok(file), Ok(executable)) => {
            let by_owner = (executable.uid(), 0);
            file.is_file() && owned(&file) == by_owner && owned(&folder) == by_owner
        }
        _ => false,
    }
}

#[cfg(not(unix))]
fn belongs_to_executable(_: &Path) -> bool {
    false
}

/// Keeps the code, whole or not at all, in place of what was kept of other components.
fn keep(path: &Path, code: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("intentkey.component.") && name.ends_with(".cwasm") {
            fs::remove_file(entry.path())?;
        }
    }
    let kept: Vec<u8> = Sha256::digest(code).iter().chain(code).copied().collect();
    let partial = path.with_extension(format!("{}.partial", std::process::id()));
    fs::write(&partial, kept)?;
    only_owner_writes(&partial)?;
    fs::rename(&partial, path)
}

#[cfg(unix)]
fn only_owner_writes(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    fs::set_permissions(path, fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn only_owner_writes(_: &Path) -> std::io::Result<()> {
    Ok(())
}
