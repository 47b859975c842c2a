//! The READMEs' programs do what the README says: each prints the key that it names.
//!
//! The README's Rust is compiled with the documentation of this crate.
#![expect(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "tests may panic")]

use std::fs;
use std::io::Write as _;
use std::process::Command;

use intentkey_core::{Deriver, Policy, Secret};
use intentkey_tests::runtimes::{Runtimes, output};
use intentkey_tests::workspace;

/// The secret of the README, which protects nothing.
const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// The key of the README's payment.
fn key() -> String {
    let policy = fs::read_to_string(workspace::root().join("wasm/examples/payment.policy.json")).unwrap();
    let deriver =
        Deriver::new(Policy::from_json(&policy).unwrap(), Secret::from_hex(SECRET).unwrap()).unwrap();
    let intent = r#"{"tenant": "ana", "action": "payment.create", "intent_epoch": 1767225700,
        "payload": {"creditor_key": "529.982.247-25", "amount": "10.50", "currency": "BRL"}}"#;
    deriver.derive_key(&deriver.read(intent).unwrap()).unwrap().key.to_string()
}

fn readme(name: &str) -> String {
    fs::read_to_string(workspace::root().join(name)).unwrap()
}

/// The block of code whose first line begins so.
#[track_caller]
fn block<'r>(readme: &'r str, begins: &str) -> &'r str {
    let start = readme.find(begins).unwrap_or_else(|| panic!("no block begins with {begins:?}"));
    let (block, _) = readme[start..].split_once("```").unwrap();
    block
}

/// Writes a program beside the runners and runs it, where what it needs is there.
fn run(file: &str, text: &str, command: impl FnOnce(&Runtimes) -> Result<Command, String>) -> Option<String> {
    let _lock = workspace::lock().unwrap();
    let runtimes = Runtimes::prepare().unwrap();
    let folder = runtimes.folder.join("readme");
    for (name, bytes) in [
        (file, text.as_bytes()),
        ("payment.policy.json", readme("wasm/examples/payment.policy.json").as_bytes()),
        ("secret.bin", &(0..32).collect::<Vec<u8>>()),
        ("host.py", readme("wasm/examples/python-host/host.py").as_bytes()),
    ] {
        fs::write(folder.join(name), bytes).unwrap();
    }
    fs::copy(runtimes.pack.join("intentkey.component.wasm"), folder.join("intentkey.component.wasm"))
        .unwrap();
    match command(&runtimes) {
        Ok(mut command) => {
            command.env("INTENTKEY_SECRET", SECRET).current_dir(&folder);
            Some(output(&mut command).unwrap())
        }
        Err(why) if std::env::var_os("CI").is_some() => panic!("{file} cannot run, in CI: {why}"),
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "SKIPPED: the README's {file}: {why}");
            None
        }
    }
}

#[test]
fn the_readme_names_the_key() {
    assert!(readme("README.md").contains(&format!("has the key `{}`", key())));
}

#[test]
fn the_package_shows_the_same_programs() {
    let (ours, package) = (readme("README.md"), readme("wasm/npm/README.md"));
    for begins in [
        "// Node, Deno, Bun",
        "// a Cloudflare worker",
        "// a page that records",
        "// a page that derives",
        "# Python",
    ] {
        assert_eq!(block(&ours, begins), block(&package, begins));
    }
}

#[test]
fn node() {
    let text = readme("README.md");
    let node = |at: &Runtimes| at.node("node.mjs");
    let Some(printed) = run("node.mjs", block(&text, "// Node, Deno, Bun"), node) else { return };
    assert_eq!(printed.trim(), key());
}

#[test]
fn worker() {
    let text = readme("README.md");
    let node = |at: &Runtimes| at.node_with_packages("run-worker.mjs");
    let Some(printed) = run("worker.mjs", block(&text, "// a Cloudflare worker"), node) else { return };
    assert_eq!(printed.trim(), key());
}

#[test]
fn pages() {
    let text = readme("README.md");
    let browser = |at: &Runtimes| at.browser("run-page.mjs");
    let Some(printed) = run("page.js", block(&text, "// a page that derives"), browser) else { return };
    assert_eq!(printed.trim(), key());
    let Some(printed) = run("page.js", block(&text, "// a page that records"), browser) else { return };
    let recorded = printed.trim();
    assert_eq!((recorded.len(), recorded.get(14..15)), (36, Some("4")), "a UUID, version 4");
}

#[test]
fn python() {
    let text = readme("README.md");
    let python = |at: &Runtimes| {
        let mut command = at.python("python.py")?;
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        Ok(command)
    };
    let Some(printed) = run("python.py", block(&text, "# Python"), python) else { return };
    assert_eq!(printed.trim(), key());
}
