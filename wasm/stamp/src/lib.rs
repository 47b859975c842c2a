//! Says of a built component which sources it was built from.
//!
//! `cargo pack` ends the component with a custom section that holds a digest of its sources. The
//! command `intentkey` is built with the digest of the sources beside it, so that `check` can tell
//! a component of its own source from any other without building it again. The stamp proves
//! nothing against somebody who wants to deceive: it shows what was forgotten.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// All that the component's bytes follow from: files and folders of the workspace.
pub const SOURCES: [&str; 10] = [
    "Cargo.lock",
    "Cargo.toml",
    "core/Cargo.toml",
    "core/src",
    "rust-toolchain.toml",
    "wasm/Cargo.toml",
    "wasm/pack/package-lock.json",
    "wasm/pack/src",
    "wasm/src",
    "wasm/wit",
];

/// All that the JavaScript package's bytes follow from beside those.
pub const PACKAGE_SOURCES: [&str; 5] =
    ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE", "wasm/npm", "wasm/pack/package.json"];

/// The custom section's name.
const SECTION: &str = "intentkey-sources";
/// The digits of a digest: SHA-256 in hex.
const DIGITS: usize = 64;
/// Of a section that is not a module's or a component's own.
const CUSTOM: u8 = 0;

/// The digest of the sources in a workspace.
///
/// # Errors
///
/// Where one cannot be read.
pub fn digest(workspace: &Path) -> io::Result<String> {
    digest_of(workspace, &SOURCES)
}

/// The digest of the package's sources in a workspace, those of the component among them.
///
/// # Errors
///
/// Where one cannot be read.
pub fn package_digest(workspace: &Path) -> io::Result<String> {
    digest_of(workspace, &[&SOURCES[..], &PACKAGE_SOURCES].concat())
}

fn digest_of(workspace: &Path, sources: &[&str]) -> io::Result<String> {
    let mut files = Vec::new();
    for source in sources {
        list(&workspace.join(source), source, &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for (name, path) in files {
        hash.update(name);
        hash.update([0]);
        hash.update(Sha256::digest(fs::read(path)?));
    }
    Ok(hex(&hash.finalize()))
}

/// The files of a place, each with its name from the workspace, which has `/` on every machine.
fn list(place: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    if !place.is_dir() {
        files.push((name.to_owned(), place.to_owned()));
        return Ok(());
    }
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        list(&entry.path(), &format!("{name}/{}", entry.file_name().to_string_lossy()), files)?;
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Ends a component with the digest of its sources.
pub fn stamp(component: &mut Vec<u8>, digest: &str) {
    component.extend(head());
    component.extend_from_slice(digest.as_bytes());
}

/// The digest that a component ends with.
#[must_use]
pub fn stamped(component: &[u8]) -> Option<&str> {
    let start = component.len().checked_sub(DIGITS)?;
    let (before, digest) = component.split_at_checked(start)?;
    let is_digest = digest.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (before.ends_with(&head()) && is_digest).then(|| std::str::from_utf8(digest).ok())?
}

/// A custom section up to its content: its id, its length, and its name with that one's length.
fn head() -> Vec<u8> {
    const NAME: u8 = SECTION.len() as u8;
    // Below 128 a number's LEB128 is the number.
    const LENGTH: u8 = 1 + NAME + DIGITS as u8;
    const { assert!(LENGTH < 128) };
    let mut head = vec![CUSTOM, LENGTH, NAME];
    head.extend_from_slice(SECTION.as_bytes());
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The workspace that this crate is in.
    fn workspace() -> PathBuf {
        [env!("CARGO_MANIFEST_DIR"), "../.."].iter().collect()
    }

    #[test]
    fn a_component_ends_with_the_digest_of_its_sources() {
        let digest = digest(&workspace()).unwrap();
        assert_eq!(digest.len(), DIGITS);
        // The empty component: the magic number, the version and the layer.
        let mut component = b"\0asm\x0d\0\x01\0".to_vec();
        assert_eq!(stamped(&component), None);
        stamp(&mut component, &digest);
        assert_eq!(stamped(&component), Some(digest.as_str()));
        component.push(0);
        assert_eq!(stamped(&component), None);
    }

    #[test]
    fn the_digest_is_of_names_and_contents() {
        let folder = std::env::temp_dir().join(format!("intentkey-stamp-{}", std::process::id()));
        for source in SOURCES {
            let is_folder = workspace().join(source).is_dir();
            let place = if is_folder { folder.join(source).join("a") } else { folder.join(source) };
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, source).unwrap();
        }
        let first = digest(&folder).unwrap();
        assert_eq!(digest(&folder).unwrap(), first);
        fs::rename(folder.join("core/src/a"), folder.join("core/src/b")).unwrap();
        let renamed = digest(&folder).unwrap();
        assert_ne!(renamed, first);
        fs::write(folder.join("core/src/b"), "other").unwrap();
        assert_ne!(digest(&folder).unwrap(), renamed);
        fs::remove_file(folder.join("Cargo.lock")).unwrap();
        assert!(digest(&folder).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
