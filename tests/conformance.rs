//! The same bytes or the same refusal, in every runtime.
//!
//! A runtime that is not on the machine is skipped with a line that says so; where the
//! environment has `CI`, that fails.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::thread;

use intentkey_core::Code;
use intentkey_tests::report::{Row, faults, table};
use intentkey_tests::runtimes::{Runtimes, row};
use intentkey_tests::{cases, component, native, workspace};

/// Prints although the test passes.
fn show(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[test]
fn every_runtime_agrees() {
    let _lock = workspace::lock().unwrap();
    let cases = cases::all();
    let file = workspace::scratch().join("cases.jsonl");
    fs::write(&file, cases::file(&cases)).unwrap();
    let runtimes = Runtimes::prepare().unwrap();
    let component = runtimes.pack.join("intentkey.component.wasm");
    let with = |command: Result<Command, String>| {
        command.map(|mut command| {
            command.arg(&file).arg(&component);
            command
        })
    };

    let in_wasmtime = || match component::run(&component, &cases) {
        Ok(report) => Row::Ran(report),
        Err(error) => Row::Failed { runtime: "wasmtime (Rust)".to_owned(), why: format!("{error:#}") },
    };
    let rows: Vec<Row> = thread::scope(|scope| {
        let in_browsers = scope.spawn(|| {
            [
                row("Chromium", with(runtimes.browser("chromium.mjs"))),
                row("Vite, in Chromium", runtimes.browser("bundled/vite.mjs")),
                row("webpack, in Chromium", runtimes.browser("bundled/webpack.mjs")),
                row("esbuild, in Chromium", runtimes.browser("bundled/esbuild.mjs")),
            ]
        });
        let others = [
            Row::Ran(native::run(&cases)),
            in_wasmtime(),
            row("wasmtime (Python)", with(runtimes.python("python.py"))),
            row("Node", with(runtimes.node("node.mjs"))),
            row("Deno", with(runtimes.deno("deno.mjs"))),
            row("Bun", with(runtimes.bun("bun.mjs"))),
            row("workerd (miniflare)", with(runtimes.node_with_packages("workerd.mjs"))),
        ];
        others.into_iter().chain(in_browsers.join().unwrap()).collect()
    });
    show(&format!("\n{}", table(&rows)));
    let faults = faults(&rows, std::env::var_os("CI").is_some());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The comparison itself: a module whose fingerprints are others does not pass.
#[test]
fn a_planted_disagreement_is_found() {
    let _lock = workspace::lock().unwrap();
    let (folder, pack) = (workspace::scratch().join("planted"), workspace::pack().unwrap());
    let package = folder.join("node_modules/intentkey");
    workspace::copy(&workspace::root().join("tests/runners"), &folder).unwrap();
    workspace::copy(&pack.join("npm"), &package).unwrap();
    let component = folder.join("intentkey.component.wasm");
    fs::write(&component, planted(&pack.join("intentkey.component.wasm"))).unwrap();
    fs::write(package.join("intentkey.wasm"), planted(&pack.join("npm/intentkey.wasm"))).unwrap();
    let cases = cases::all();
    let file = folder.join("cases.jsonl");
    fs::write(&file, cases::file(&cases)).unwrap();
    let mut node = Command::new("node");
    node.arg("node.mjs").arg(&file).current_dir(&folder);
    let rows = [Row::Ran(component::run(&component, &cases).unwrap()), row("Node", Ok(node))];
    for row in &rows {
        let Row::Ran(report) = row else { panic!("{row:?}") };
        // Refusals are the same, keys too; no derivation is.
        let refused = cases.iter().filter(|case| !case.expect["error"].is_null()).count();
        assert_eq!((report.cases, report.agreed), (cases.len(), refused), "{row:?}");
        assert!(report.disagreements[0].given.contains("fingerprint"), "{row:?}");
    }
    assert_eq!(faults(&rows, false).len(), 2);
}

/// A module with another constant in it: the one that fingerprints are derived with.
fn planted(module: &Path) -> Vec<u8> {
    let right = b"intentkey fingerprint v1";
    let mut bytes = fs::read(module).unwrap();
    let places: Vec<usize> =
        (0..bytes.len() - right.len()).filter(|&at| bytes[at..].starts_with(right)).collect();
    assert!(!places.is_empty(), "the module has the constant");
    for at in places {
        bytes[at + right.len() - 1] = b'2';
    }
    bytes
}

#[test]
fn the_cases_provoke_every_code() {
    let provoked = cases::codes(&cases::all());
    let missing: Vec<&str> =
        Code::ALL.iter().map(|code| code.as_str()).filter(|code| !provoked.contains(*code)).collect();
    assert!(missing.is_empty(), "no case is refused as {}", missing.join(", "));
}
