//! The parts of a module: leaving some out, and who the others belong to.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context as _, Result, ensure};
use wasmparser::{KnownCustom, Name, Parser, Payload};

/// The sections that no runtime reads.
const FOR_TOOLS: [&str; 3] = ["name", "producers", "target_features"];

/// The module without the sections that no runtime reads.
pub(crate) fn without_notes(module: &[u8]) -> Result<Vec<u8>> {
    // The magic number and the version.
    let mut kept = module.get(..8).unwrap_or_default().to_vec();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        if let Payload::CustomSection(custom) = &payload
            && FOR_TOOLS.contains(&custom.name())
        {
            continue;
        }
        if let Some((id, range)) = payload.as_section() {
            kept.push(id);
            let section = module.get(usize::try_from(range.start)?..usize::try_from(range.end)?);
            let section = section.context("a section beyond the module's end")?;
            push_length(&mut kept, section.len());
            kept.extend_from_slice(section);
        }
    }
    Ok(kept)
}

/// LEB128.
fn push_length(out: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        out.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}

/// How many bytes each crate's code has, and the data. The module still has its names.
pub(crate) fn by_crate(module: &[u8]) -> Result<BTreeMap<String, usize>> {
    let mut names = BTreeMap::new();
    let mut imported = 0;
    let mut bodies = Vec::new();
    let mut sizes = BTreeMap::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(section) => imported = section.count(),
            Payload::CodeSectionEntry(body) => bodies.push(length(&body.range())?),
            Payload::DataSection(section) => {
                sizes.insert("(data: tables, text)".to_owned(), length(&section.range())?);
            }
            Payload::CustomSection(custom) => {
                if let KnownCustom::Name(section) = custom.as_known() {
                    for subsection in section {
                        if let Name::Function(functions) = subsection? {
                            for naming in functions {
                                let naming = naming?;
                                names.insert(naming.index, naming.name.to_owned());
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    ensure!(!names.is_empty(), "the module has lost its names");
    for (index, size) in (imported..).zip(bodies) {
        let name = names.get(&index).map_or("", String::as_str);
        let name = format!("{:#}", rustc_demangle::demangle(name));
        *sizes.entry(owner(&name).to_owned()).or_default() += size;
    }
    Ok(sizes)
}

fn length(range: &Range<u64>) -> Result<usize> {
    Ok(usize::try_from(range.end - range.start)?)
}

/// The crate that a function's demangled name begins with.
fn owner(name: &str) -> &str {
    let name = name.trim_start_matches(['<', '&', '*', '(']).trim_start_matches("mut ");
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
    match name.get(end..end + 2) {
        Some("::" | "[") => name.get(..end).unwrap_or(name),
        _ => "(exports and glue)",
    }
}
