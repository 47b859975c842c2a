//! `cargo pack`: builds the JavaScript package and the component of intentkey.
//!
//! It leaves `pack/npm/` and `pack/intentkey.component.wasm` in the workspace's target folder,
//! the same bytes each time, and prints where the bytes go; with `--check-sizes` it fails where
//! they are more than wanted. Its tools are crates and npm packages, pinned in `Cargo.lock` and
//! `wasm/pack/package-lock.json`.

mod component;
mod module;
mod npm;
mod places;
mod sections;
mod sizes;
mod tools;

use anyhow::{Result, bail};

use places::Places;
use sizes::Report;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let check_sizes = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => false,
        ["--check-sizes"] => true,
        _ => bail!("usage: cargo pack [--check-sizes]"),
    };
    let places = Places::find()?;
    tools::install(&places)?;
    let mut report = Report::default();
    npm::pack(&places, &mut report)?;
    component::pack(&places, &mut report)?;
    report.print(&places, check_sizes)
}
