//! The component.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use wit_component::{ComponentEncoder, DecodedWasm};

use crate::module;
use crate::places::Places;
use crate::sections;
use crate::sizes::{Measure, Report};
use crate::tools::wasm_opt;

/// The most bytes of the component: 200 KB.
const LIMIT: usize = 200_000;

/// Builds the component.
pub(crate) fn pack(places: &Places, report: &mut Report) -> Result<()> {
    // Before it is compiled: what changes meanwhile makes the stamp an old one.
    let sources = intentkey_stamp::digest(&places.root)?;
    let compiled = module::compile(places, "component")?;
    let named = places.scratch.join("component.named.wasm");
    wasm_opt(places, &compiled, &named, true)?;
    let module = sections::without_notes(&fs::read(&named)?)?;
    let mut component = ComponentEncoder::default().module(&module)?.validate(true).encode()?;
    ensure_closed(&component)?;
    intentkey_stamp::stamp(&mut component, &sources);
    let to = file(places);
    fs::write(&to, component)?;
    report.limit(to, Measure::Raw, LIMIT);
    report.named("intentkey.component.wasm", named);
    Ok(())
}

/// Whether the component is there, built from the sources as they are.
pub(crate) fn is_of_these_sources(places: &Places) -> Result<bool> {
    let sources = intentkey_stamp::digest(&places.root)?;
    let built = fs::read(file(places)).unwrap_or_default();
    Ok(intentkey_stamp::stamped(&built) == Some(sources.as_str()))
}

fn file(places: &Places) -> PathBuf {
    places.out.join("intentkey.component.wasm")
}

/// A component that imports nothing can be given no clock and no randomness by any host.
fn ensure_closed(component: &[u8]) -> Result<()> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(component)? else {
        bail!("what was encoded is no component");
    };
    let world = resolve.worlds.get(world).context("the component has no world")?;
    let imported: Vec<String> = world.imports.keys().map(|key| resolve.name_world_key(key)).collect();
    ensure!(imported.is_empty(), "the component imports {}", imported.join(", "));
    Ok(())
}
