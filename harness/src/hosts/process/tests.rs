//! With producers in the shell.
#![cfg(unix)]

use std::time::Instant;

use super::*;

const RING: Ring = Ring::Bare([7; 32]);

/// A producer in the shell: `body` is run for each line, in `line`.
fn producer(body: &str) -> Process {
    let script = format!("while IFS= read -r line; do {body}; done");
    Process::new(["sh", "-c", script.as_str()]).unwrap()
}

fn code(outcome: &Outcome) -> &str {
    outcome.as_ref().map_or_else(|refused| refused.code.as_str(), |derived| derived.key.as_str())
}

#[test]
fn a_line_is_answered_by_a_line() {
    let process = producer(r#"printf '{"key":"%s"}\n' "$line""#);
    let outcomes = process.derive_all(&RING, &["1", "2", "3"]);
    assert_eq!(outcomes.iter().map(code).collect::<Vec<_>>(), ["1", "2", "3"]);
    assert_eq!(code(&process.derive(&RING, "4")), "4");
}

#[test]
fn it_is_told_the_secret_in_hexadecimal_digits_and_told_again_when_it_changes() {
    let process = producer(r#"printf '{"key":"%s"}\n' "$INTENTKEY_SECRET""#);
    assert_eq!(code(&process.derive(&RING, "1")), "07".repeat(32));
    assert_eq!(code(&process.derive(&Ring::Bare([0xab; 32]), "1")), "ab".repeat(32));
    let ring = Ring::Tenant { tenant: "acme".to_owned(), secret: [7; 32] };
    assert_eq!(code(&process.derive(&ring, "1")), "unasked");
}

#[test]
fn more_lines_than_a_pipe_holds_pass() {
    let process = producer(r#"printf '{"error":{"code":"%s"}}\n' "$line""#);
    let long = "x".repeat(4_000);
    let intents = vec![long.as_str(); 200];
    let outcomes = process.derive_all(&RING, &intents);
    assert_eq!(outcomes.len(), 200);
    assert!(outcomes.iter().all(|outcome| code(outcome) == long));
}

#[test]
fn one_that_dies_has_answered_no_more_and_is_started_again() {
    let process = producer(r#"[ "$line" = 2 ] && exit 1; printf '{"key":"%s"}\n' "$line""#);
    let outcomes = process.derive_all(&RING, &["1", "2", "3"]);
    assert_eq!(outcomes.iter().map(code).collect::<Vec<_>>(), ["1", "ended", "ended"]);
    assert_eq!(code(&process.derive(&RING, "4")), "4");
}

#[test]
fn one_that_is_silent_is_ended_at_the_deadline() {
    let process = producer("sleep 60").with_deadline(Duration::from_millis(200));
    let started = Instant::now();
    assert_eq!(code(&process.derive(&RING, "1")), "silent");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_cannot_be_started_or_read_is_said() {
    let process = Process::new(["/no/such/program"]).unwrap();
    assert_eq!(code(&process.derive(&RING, "1")), "absent");
    assert_eq!(code(&producer("echo hello").derive(&RING, "1")), "unreadable");
    assert!(Process::new(Vec::<String>::new()).is_none());
}

#[test]
fn a_line_feed_and_a_blank_line_are_not_sent() {
    let process = producer("exit 1");
    assert!(process.takes("{}") && !process.takes("{\n}") && !process.takes(" "));
}
