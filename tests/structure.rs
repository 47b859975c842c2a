//! The parts stay apart: who may depend on whom, and what may reach nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use intentkey_tests::workspace;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use wit_component::DecodedWasm;

/// What each crate of the workspace may use of it. A crate that is not here has yet to say.
const MAY_DEPEND_ON: [(&str, &[&str]); 9] = [
    ("intentkey-core", &[]),
    ("intentkey-wasm", &["intentkey-core"]),
    ("intentkey-store", &["intentkey-core"]),
    ("intentkey-stamp", &[]),
    // The stamp says which built component is of its source.
    ("intentkey", &["intentkey-core", "intentkey-store", "intentkey-stamp"]),
    ("intentkey-pack", &["intentkey-stamp"]),
    ("intentkey-example-rust-host", &[]),
    ("intentkey-bench-hmac", &[]),
    (
        "intentkey-tests",
        &["intentkey-core", "intentkey-store", "intentkey-example-rust-host", "intentkey-stamp"],
    ),
];

/// Clocks, randomness, and the ways to a host's.
const AMBIENT: [&str; 11] = [
    "chrono",
    "fastrand",
    "getrandom",
    "instant",
    "js-sys",
    "rand",
    "rand_core",
    "time",
    "wasm-bindgen",
    "web-sys",
    "web-time",
];

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn dependencies_point_one_way() {
    let metadata = workspace::metadata(false).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: BTreeSet<&str> = packages.iter().map(|package| text(&package["name"])).collect();
    let allowed: BTreeMap<&str, &[&str]> = MAY_DEPEND_ON.into_iter().collect();
    for package in packages {
        let name = text(&package["name"]);
        let may = allowed.get(name).unwrap_or_else(|| panic!("{name} is not in MAY_DEPEND_ON"));
        // Of every kind: a test of core that needed the harness would tie them together as well.
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = text(&dependency["name"]);
            assert!(!ours.contains(used) || may.contains(&used), "{name} must not depend on {used}");
        }
    }
}

#[test]
fn nothing_ambient_is_in_the_tree_of_core() {
    let metadata = workspace::metadata(true).unwrap();
    let nodes: BTreeMap<&str, &Value> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| (text(&node["id"]), node))
        .collect();
    let names: BTreeMap<&str, &str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let core = names.iter().find(|(_, name)| **name == "intentkey-core").map(|(id, _)| *id).unwrap();
    let mut seen = BTreeSet::new();
    let mut next = vec![core];
    while let Some(id) = next.pop() {
        if !seen.insert(id) {
            continue;
        }
        assert!(!AMBIENT.contains(&names[id]), "core depends on {}", names[id]);
        let is_normal =
            |edge: &&Value| edge["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null());
        let edges = nodes[id]["deps"].as_array().unwrap();
        next.extend(edges.iter().filter(is_normal).map(|edge| text(&edge["pkg"])));
    }
    assert!(seen.len() > 5, "the tree was read");
}

/// Whoever puts the proxy before a service links no test tool and no virtual machine.
#[test]
fn the_proxy_links_neither_proptest_nor_wasmtime() {
    let mut tree = workspace::cargo();
    tree.args(["tree", "--locked", "-p", "intentkey-store", "--features", "proxy"]);
    let printed = tree.args(["--edges", "normal", "--prefix", "none"]).output().unwrap();
    let tree = String::from_utf8(printed.stdout).unwrap();
    let linked: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(linked.contains("hyper") && linked.contains("intentkey-core"), "the tree was read: {tree}");
    for absent in ["proptest", "wasmtime", "intentkey", "reqwest"] {
        assert!(!linked.contains(absent), "the proxy links {absent}");
    }
}

#[test]
fn core_knows_no_host() {
    let lib = fs::read_to_string(workspace::root().join("core/src/lib.rs")).unwrap();
    assert!(lib.contains("#![no_std]") && lib.contains("#![forbid(unsafe_code)]"));
    let mut folders = vec![workspace::root().join("core/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            for host in ["wasm_bindgen", "wit_bindgen", "target_arch = \"wasm", "target_family = \"wasm"] {
                assert!(!source.contains(host), "{} mentions {host}", path.display());
            }
        }
    }
}

#[test]
fn the_component_imports_nothing() {
    let _lock = workspace::lock().unwrap();
    let path = workspace::pack().unwrap().join("intentkey.component.wasm");
    let decoded = wit_component::decode(&fs::read(path).unwrap()).unwrap();
    let DecodedWasm::Component(resolve, world) = decoded else { panic!("it is no component") };
    let world = &resolve.worlds[world];
    let named = |keys: Vec<_>| keys.into_iter().map(|key| resolve.name_world_key(key)).collect::<Vec<_>>();
    assert_eq!(named(world.imports.keys().collect()), Vec::<String>::new());
    assert_eq!(named(world.exports.keys().collect()), ["intentkey:keys/derivation@0.1.0"]);
}

/// Existing vectors are never edited: a change of any is a change of somebody's keys.
#[test]
fn the_vectors_are_those_that_were_committed() {
    let tests = workspace::root().join("tests");
    let listed = fs::read_to_string(tests.join("vectors.sha256")).unwrap();
    let listed: BTreeMap<&str, &str> = listed
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(digest, name)| (name, digest))
        .collect();
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(tests.join("vectors")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let digest =
            listed.get(&*name).unwrap_or_else(|| panic!("{name} is new: add it to tests/vectors.sha256"));
        assert_eq!(workspace::hex(&Sha256::digest(fs::read(&path).unwrap())), *digest, "{name} was edited");
        found.insert(name);
    }
    assert_eq!(found.len(), listed.len(), "vectors are missing");
}
