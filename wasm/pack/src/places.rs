//! Where things are.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

/// The folders that the tool works in.
pub(crate) struct Places {
    /// The workspace.
    pub(crate) root: PathBuf,
    /// `wasm/`.
    pub(crate) wasm: PathBuf,
    /// `wasm/pack/`, with the npm tools.
    pub(crate) tools: PathBuf,
    /// The workspace's target folder.
    pub(crate) target: PathBuf,
    /// `pack/` in the target folder: what is left.
    pub(crate) out: PathBuf,
    /// What lies between.
    pub(crate) scratch: PathBuf,
}

impl Places {
    pub(crate) fn find() -> Result<Self> {
        let output = Command::new(cargo())
            .args(["metadata", "--format-version", "1", "--no-deps"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()?;
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let folder = |name: &str| {
            let folder = metadata.get(name).and_then(serde_json::Value::as_str);
            folder.map(PathBuf::from).with_context(|| format!("cargo metadata has no {name}"))
        };
        let root = folder("workspace_root")?;
        let target = folder("target_directory")?;
        let wasm = root.join("wasm");
        Ok(Places {
            tools: wasm.join("pack"),
            out: target.join("pack"),
            scratch: target.join("pack-scratch"),
            root,
            wasm,
            target,
        })
    }
}

/// The cargo that runs this tool.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
