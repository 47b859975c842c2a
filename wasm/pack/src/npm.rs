//! The JavaScript package.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::module;
use crate::places::Places;
use crate::sections;
use crate::sizes::{Measure, Report};
use crate::tools::{bin, run, wasm_opt};

/// The most bytes of the module in brotli: 70 KB.
const MODULE_LIMIT: usize = 70_000;
/// The most bytes of the glue in brotli: 8 KB.
const GLUE_LIMIT: usize = 8_000;

/// What is copied as it is, from `wasm/npm/` and the workspace.
const COPIED: [(&str, &str); 10] = [
    ("wasm/npm/README.md", "README.md"),
    ("wasm/npm/intentkey.d.ts", "intentkey.d.ts"),
    ("wasm/npm/inline.d.ts", "inline.d.ts"),
    ("wasm/npm/load.js", "load.js"),
    ("wasm/npm/node.js", "node.js"),
    ("wasm/npm/web.js", "web.js"),
    ("wasm/npm/workerd.js", "workerd.js"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("NOTICE", "NOTICE"),
];

/// Builds the package.
pub(crate) fn pack(places: &Places, report: &mut Report) -> Result<()> {
    let npm = places.out.join("npm");
    if npm.exists() {
        fs::remove_dir_all(&npm)?;
    }
    fs::create_dir_all(&npm)?;
    let glue = places.scratch.join("glue");
    bind(places, &glue, report, &npm.join("intentkey.wasm"))?;
    bundle_glue(places, &glue, &npm.join("intentkey.js"))?;
    write_inline(&npm)?;
    for (from, to) in COPIED {
        fs::copy(places.root.join(from), npm.join(to)).with_context(|| format!("copying {from}"))?;
    }
    write_manifest(places, &npm)?;
    report.limit(npm.join("intentkey.wasm"), Measure::Brotli, MODULE_LIMIT);
    report.limit(npm.join("intentkey.js"), Measure::Brotli, GLUE_LIMIT);
    Ok(())
}

/// Compiles the module and its bindings, beside a copy of the glue's source.
fn bind(places: &Places, glue: &Path, report: &mut Report, to: &Path) -> Result<()> {
    let compiled = module::compile(places, "js")?;
    if glue.exists() {
        fs::remove_dir_all(glue)?;
    }
    fs::create_dir_all(glue)?;
    for entry in fs::read_dir(places.wasm.join("npm/src"))? {
        let entry = entry?;
        fs::copy(entry.path(), glue.join(entry.file_name()))?;
    }
    Bindgen::new()
        .input_path(&compiled)
        .out_name("bindings")
        .bundler(true)?
        .typescript(false)
        .keep_debug(false)
        .remove_name_section(false)
        .remove_producers_section(true)
        .generate(glue)?;
    let named = places.scratch.join("js.named.wasm");
    wasm_opt(places, &glue.join("bindings_bg.wasm"), &named, true)?;
    fs::write(to, sections::without_notes(&fs::read(&named)?)?)?;
    report.named("intentkey.wasm", named);
    Ok(())
}

fn bundle_glue(places: &Places, glue: &Path, to: &Path) -> Result<()> {
    run(Command::new(bin(places, "esbuild"))
        .arg(glue.join("index.js"))
        .args(["--bundle", "--format=esm", "--minify", "--target=es2022", "--log-level=warning"])
        .args(["--charset=utf8", "--legal-comments=none"])
        .arg(format!("--outfile={}", to.display())))
}

/// The module as text, for bundlers that leave no file beside what they write.
fn write_inline(npm: &Path) -> Result<()> {
    const SCRIPT: &str = "const { readFileSync, writeFileSync } = require('node:fs');\
        const [, module, to] = process.argv;\
        writeFileSync(to, `export default ${JSON.stringify(readFileSync(module).toString('base64'))};\\n`)";
    let module = npm.join("intentkey.wasm");
    run(Command::new("node").args(["-e", SCRIPT]).arg(module).arg(npm.join("inline.js")))
}

/// `package.json`, with the version of the workspace.
fn write_manifest(places: &Places, npm: &Path) -> Result<()> {
    let manifest = fs::read_to_string(places.wasm.join("npm/package.json"))?;
    let version = env!("CARGO_PKG_VERSION");
    fs::write(npm.join("package.json"), manifest.replace("0.0.0-workspace", version))?;
    Ok(())
}
