//! The README's commands print what the README says they print.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Each command of a `console` block, with the output that follows it.
fn commands(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match (inside, line.strip_prefix("$ ")) {
            (false, _) => inside = line == "```console",
            (true, _) if line == "```" => inside = false,
            (true, Some(command)) => commands.push((command.to_owned(), Vec::new())),
            (true, None) => commands.last_mut().unwrap().1.push(line.to_owned()),
        }
    }
    commands
}

#[test]
fn what_the_readme_shows_is_what_the_command_prints() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let mut tried = 0;
    for (command, expected) in commands(&readme) {
        // Those that run the command, whose binary this test has already built.
        let cargo = "cargo run --release -q --bin intentkey --";
        if !command.contains(cargo) {
            continue;
        }
        let command = command.replace(cargo, env!("CARGO_BIN_EXE_intentkey"));
        let output = Command::new("sh").arg("-c").arg(&command).current_dir(root()).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let mut printed = printed.lines();
        for line in &expected {
            if line == "..." {
                printed.by_ref().for_each(drop);
                break;
            }
            assert_eq!(printed.next(), Some(line.as_str()), "{command}");
        }
        assert_eq!(printed.next(), None, "{command}");
        tried += 1;
    }
    assert!(tried >= 3, "the README shows the command at work");
}

/// The few lines of Rust are the ones that the library's documentation tests.
#[test]
fn the_lines_of_rust_are_those_that_are_tested() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let library = std::fs::read_to_string(root().join("harness/src/lib.rs")).unwrap();
    let shown = readme.split_once("```rust,ignore\nuse intentkey::").unwrap().1.split_once("```").unwrap().0;
    let tested: Vec<&str> =
        library.lines().filter_map(|line| line.strip_prefix("//!")).map(str::trim_end).collect();
    let shown: Vec<String> = format!("use intentkey::{shown}")
        .lines()
        .map(|line| format!(" {line}").trim_end().to_owned())
        .collect();
    assert!(tested.windows(shown.len()).any(|lines| lines == shown), "{shown:#?}");
}
