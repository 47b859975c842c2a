//! `cargo pack`: builds the JavaScript package and the component of intentkey.
//!
//! It leaves `pack/npm/` and `pack/intentkey.component.wasm` in the workspace's target folder,
//! the same bytes each time, and prints where the bytes go; with `--check-sizes` it fails where
//! they are more than wanted, with `--component-if-stale` it builds the component alone, and only
//! where there is none of these sources. Its tools are crates and npm packages, pinned in `Cargo.lock` and
//! `wasm/pack/package-lock.json`.

mod component;
mod module;
mod npm;
mod places;
mod sections;
mod sizes;
mod target;
mod tools;

use std::fs::{self, File};

use anyhow::{Context as _, Result, bail};

use places::Places;
use sizes::Report;

/// What is asked for.
#[derive(Default)]
struct Asked {
    check_sizes: bool,
    component_if_stale: bool,
}

fn main() -> Result<()> {
    let mut asked = Asked::default();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--check-sizes" => asked.check_sizes = true,
            "--component-if-stale" => asked.component_if_stale = true,
            _ => bail!("usage: cargo pack [--component-if-stale] [--check-sizes]"),
        }
    }
    let places = Places::find()?;
    let _lock = lock(&places)?;
    if asked.component_if_stale && component::is_of_these_sources(&places)? {
        return Ok(());
    }
    target::install(&places.root)?;
    tools::install(&places)?;
    let mut report = Report::default();
    if !asked.component_if_stale {
        // Before it is compiled: what changes meanwhile makes the mark an old one.
        let sources = intentkey_stamp::package_digest(&places.root)?;
        npm::pack(&places, &mut report)?;
        fs::write(places.scratch.join("package.sources"), sources)?;
    }
    component::pack(&places, &mut report)?;
    report.print(&places, asked.check_sizes)
}

/// Waits until no other of these works in the folders, as long as the file lives.
fn lock(places: &Places) -> Result<File> {
    fs::create_dir_all(&places.scratch)?;
    fs::create_dir_all(&places.out)?;
    let file = File::create(places.scratch.join(".lock"))?;
    file.lock().context("waiting for another `cargo pack`")?;
    Ok(file)
}
