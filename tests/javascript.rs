//! The package's own tests, in JavaScript: values, hostile objects, lifetimes, types, packaging.

use std::fs;
use std::process::Command;

use intentkey_tests::runtimes::output;
use intentkey_tests::workspace;

#[test]
fn the_package_passes_its_own_tests_in_node() {
    let _lock = workspace::lock().unwrap();
    let pack = workspace::pack().unwrap();
    let folder = workspace::root().join("wasm/tests/js");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    assert!(files.len() >= 6, "{files:?}");
    let mut node = Command::new("node");
    node.arg("--test").args(files).env("INTENTKEY_NPM", pack.join("npm"));
    let printed = output(&mut node).unwrap();
    assert!(printed.contains("# fail 0"), "{printed}");
}

/// Each contender derives what the others do, once: what they cost is for a quiet machine.
#[test]
fn the_benchmark_in_node_runs() {
    let _lock = workspace::lock().unwrap();
    let pack = workspace::pack().unwrap();
    let mut node = Command::new("node");
    node.arg(workspace::root().join("wasm/bench/derive.mjs")).arg(pack.join("npm")).arg("--once");
    assert!(output(&mut node).unwrap().contains("deriveKey(object)"));
}
