//! The command `intentkey audit`: what it prints, where, and its exit status.

use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use super::*;

fn command(events: &Events) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_intentkey"));
    command.arg("audit").arg(events.policy());
    command
}

fn run(events: &Events, arguments: &[&str]) -> Output {
    command(events).arg(&events.path).args(arguments).output().unwrap()
}

fn reading_standard_input(events: &Events) -> Child {
    let mut command = command(events);
    command.args(["-", "--truth", "id"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const SOUND: &str = r#""to":"a","amount":1"#;

#[test]
fn the_exit_status_tells_clean_from_found_from_partial() {
    let clean = Events::new("events.jsonl", event("1", 1, SOUND));
    let output = run(&clean, &["--truth", "id"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
    assert!(!text(&output.stdout).contains('\u{1b}'));
    let merged = Events::new("events.jsonl", [event("1", 1, SOUND), event("2", 1, SOUND)].concat());
    assert_eq!(run(&merged, &["--truth", "id"]).status.code(), Some(1));
    assert_eq!(run(&merged, &["--drop", "id"]).status.code(), Some(0));
    // Without --drop the id is a member too many.
    assert_eq!(run(&merged, &[]).status.code(), Some(1));
    let cut = Events::new("events.jsonl.gz", [0x1f, 0x8b, 8, 0, 0]);
    let output = run(&cut, &["--truth", "id"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout).matches("PARTIAL").count(), 2);
    let missing = Events { path: PathBuf::from("no-such-file"), ..clean };
    let output = run(&missing, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no-such-file"), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn the_report_is_json_and_a_page_where_asked() {
    let events = Events::new("events.jsonl", [event("1", 1, SOUND), event("2", 150, SOUND)].concat());
    let page = events.folder.path().join("report.html");
    let output = run(&events, &["--truth", "id", "--json", "--html", page.to_str().unwrap()]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["events"]["keyed"], 2);
    assert_eq!(report["truth"]["intents"], 2);
    assert_eq!(report["partial"], serde_json::json!([]));
    let page = read(&page);
    assert!(page.starts_with("<!DOCTYPE html>") && page.matches("<svg").count() >= 2, "{page}");
    // It needs nothing from elsewhere, and runs nothing.
    for absent in ["<script", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(absent), "{absent}");
    }
}

#[test]
fn standard_input_is_audited_once() {
    let events = Events::new("unused", "");
    let mut child = reading_standard_input(&events);
    let lines = [event("1", 1, SOUND), event("2", 1, SOUND)].concat();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    assert!(report.contains("1 group of different intents share a key"), "{report}");
    assert!(report.contains("standard input is read only once: give a file"), "{report}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_there_is_and_says_so() {
    let events = Events::new("unused", "");
    let mut child = reading_standard_input(&events);
    let id = child.id().to_string();
    let mut input = child.stdin.take().unwrap();
    // Events without end, until nobody reads them any more.
    let writer = std::thread::spawn(move || {
        let line = event("1", 1, SOUND);
        while input.write_all(line.as_bytes()).is_ok() {}
    });
    std::thread::sleep(Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let report = text(&output.stdout);
    assert!(report.contains("PARTIAL: it was interrupted") && report.contains("1 intent"), "{report}");
}
