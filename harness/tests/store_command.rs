//! `intentkey store` and `intentkey simulate`, as an operator runs them.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::process::{Command, Stdio};

use serde_json::{Value, json};

const FINGERPRINT: &str = "0101010101010101010101010101010101010101010101010101010101010101";
const KEY: &str = "f94e28e1c60a9c12d5ee096066af4714b1e7c9e9";

struct Operator {
    folder: tempfile::TempDir,
}

impl Operator {
    fn command(&self, arguments: &[&str]) -> Command {
        let url = format!("sqlite:{}", self.folder.path().join("intents.db").display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_intentkey"));
        command.arg("store").args(arguments).env("INTENTKEY_DATABASE", url);
        command
    }

    /// The lines that a verb prints, and its exit status.
    fn run(&self, arguments: &[&str]) -> (Vec<Value>, i32) {
        let output = self.command(arguments).output().unwrap();
        let lines = String::from_utf8(output.stdout).unwrap();
        (
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            output.status.code().unwrap(),
        )
    }

    /// What a verb complains of where nobody reads what it prints, and its exit status.
    fn run_unread(&self, arguments: &[&str]) -> (String, i32) {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output =
            self.command(arguments).stdout(writer).stderr(Stdio::piped()).spawn().unwrap().wait_with_output();
        let output = output.unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
    }

    fn claim(&self, more: &[&str]) -> (Value, i32) {
        let mut arguments =
            vec!["claim", "--fingerprint", FINGERPRINT, "--tenant", "acme", "--action", "pay"];
        arguments.extend(["--destination", "psp"]);
        arguments.extend(more);
        let (mut lines, status) = self.run(&arguments);
        (lines.remove(0), status)
    }
}

#[test]
fn a_key_goes_from_claim_to_replay() {
    let operator = Operator { folder: tempfile::tempdir().unwrap() };
    assert_eq!(operator.run(&["init"]), (vec![], 0));
    let (owned, status) = operator.claim(&["--key", KEY]);
    assert_eq!((owned["outcome"].as_str(), owned["key"].as_str(), status), (Some("owned"), Some(KEY), 0));
    let token = owned["token"].as_str().unwrap();

    let (repeat, status) = operator.claim(&["--key", KEY]);
    assert_eq!(
        (repeat["outcome"].as_str(), repeat["problem"]["status"].as_u64(), status),
        (Some("in_flight"), Some(409), 1)
    );

    let stranger = ["settle", "--key", KEY, "--token", "00000000000000000000000000000000"];
    assert_eq!(operator.run(&stranger), (vec![json!({"outcome": "not_owner"})], 1));
    let settle =
        ["settle", "--key", KEY, "--token", token, "--status", "201", "--header", "X-Id: 7", "--body", "ok"];
    assert_eq!(operator.run(&settle), (vec![json!({"outcome": "written"})], 0));

    let (replay, status) = operator.claim(&["--key", KEY]);
    let response = json!({"status": 201, "headers": [["X-Id", "7"]], "body": "ok"});
    assert_eq!((replay, status), (json!({"outcome": "replay", "response": response}), 0));

    let (rows, _) = operator.run(&["get", "--key", KEY]);
    assert_eq!((rows[0]["status"].as_str(), rows[0]["tenant"].as_str()), (Some("done"), Some("acme")));
    assert_eq!(operator.run(&["get", "--key", "0000000000000000000000"]), (vec![], 1));
    let (stats, _) = operator.run(&["stats"]);
    assert_eq!(stats[0]["done"], 1);
    assert_eq!(operator.run(&["sweep"]), (vec![json!({"swept": 0})], 0));
}

#[test]
fn what_was_given_up_on_is_listed_and_resolved() {
    let operator = Operator { folder: tempfile::tempdir().unwrap() };
    assert_eq!(operator.run(&["init"]), (vec![], 0));
    // No time to execute: it is overdue at once.
    let (first, _) = operator.claim(&["--client-key", "\"order 7\"", "--execution", "0"]);
    let key = first["key"].as_str().unwrap();
    let (before, _) = operator.run(&["get", "--key", key]);
    let (due, _) = operator.run(&["due", "--destination", "psp"]);
    assert_eq!((due.len(), due[0]["key"].as_str()), (1, Some(key)));
    assert_eq!(operator.run(&["due", "--destination", "other"]), (vec![], 0));
    assert_eq!(operator.run(&["get", "--key", key]).0, before, "whoever looks changes nothing");
    let (repeat, status) = operator.claim(&["--client-key", "\"order 7\"", "--execution", "0"]);
    assert_eq!((repeat["outcome"].as_str(), status), (Some("unsettled"), 1));
    let (unsettled, _) = operator.run(&["unsettled"]);
    assert_eq!((unsettled.len(), unsettled[0]["key"].as_str()), (1, Some(key)));
    let resolve = ["resolve", "--key", key, "--never-happened", "--by", "ana", "--note", "asked the bank"];
    assert_eq!(operator.run(&resolve), (vec![json!({"outcome": "written"})], 0));
    assert_eq!(operator.run(&resolve), (vec![json!({"outcome": "not_unsettled"})], 1));
    let unknown = ["resolve", "--key", KEY, "--never-happened", "--by", "ana"];
    assert_eq!(operator.run(&unknown), (vec![json!({"outcome": "not_found"})], 1));
    assert_eq!(operator.run(&["unsettled"]), (vec![], 0));

    let statement = operator.folder.path().join("statement.jsonl");
    let (_, _) = operator.claim(&["--client-key", "\"order 7\"", "--execution", "0"]);
    let (_, _) = operator.claim(&["--client-key", "\"order 7\"", "--execution", "0"]);
    let lines = format!(
        "{{\"covers_from\": 0, \"covers_until\": 1, \"effects\": 1}}\n{{\"key\": \"{key}\", \"body\": \"ok\"}}\n"
    );
    std::fs::write(&statement, lines).unwrap();
    let reconcile =
        ["reconcile", "--destination", "psp", "--statement", statement.to_str().unwrap(), "--by", "bank"];
    assert_eq!(
        operator.run(&reconcile),
        (vec![json!({"found": 1, "never_happened": 0, "left": 0, "unmatched": 0})], 0)
    );
    assert_eq!(operator.claim(&["--client-key", "\"order 7\""]).0["outcome"], "replay");
    // One of the two has to be said.
    assert_eq!(operator.run(&["resolve", "--key", key, "--by", "ana"]), (vec![], 2));
}

/// A client's key is stored under another name, which no operator has at hand.
#[test]
fn a_clients_key_is_looked_up_by_its_tenant() {
    let operator = Operator { folder: tempfile::tempdir().unwrap() };
    assert_eq!(operator.run(&["init"]), (vec![], 0));
    let (owned, _) = operator.claim(&["--client-key", "\"order 7\"", "--execution", "0"]);
    let key = owned["key"].as_str().unwrap();
    let of = |tenant| ["--client-key", "\"order 7\"", "--tenant", tenant];
    let run = |verb: &str, of: &[&str], more: &[&str]| operator.run(&[&[verb], of, more].concat());

    assert_eq!(run("get", &of("acme"), &[]).0[0]["key"], key);
    assert_eq!(run("get", &of("other"), &[]), (vec![], 1), "another tenant's is another");
    // Without spaces it may be written bare.
    let (bare, _) = operator.claim(&["--client-key", "order-8"]);
    assert_eq!(
        run("get", &["--client-key", "\"order-8\"", "--tenant", "acme"], &[]).0[0]["key"],
        bare["key"]
    );

    let never = ["--never-happened", "--by", "ana"];
    assert_eq!(run("resolve", &of("acme"), &never), (vec![json!({"outcome": "written"})], 0));
    let (owned, _) = operator.claim(&["--client-key", "\"order 7\""]);
    let token = owned["token"].as_str().unwrap();
    assert_eq!(run("settle", &of("acme"), &["--token", token]), (vec![json!({"outcome": "written"})], 0));
    assert_eq!(run("forget", &of("acme"), &[]), (vec![json!({"forgotten": false})], 1));
    // One of the two, and the tenant with a client's alone.
    for refused in [
        &["get"][..],
        &["get", "--client-key", "order-8"],
        &["get", "--key", KEY, "--tenant", "acme"],
        &["get", "--key", KEY, "--client-key", "order-8", "--tenant", "acme"],
        &["get", "--client-key", "", "--tenant", "acme"],
    ] {
        assert_eq!(operator.run(refused), (vec![], 2), "{refused:?}");
    }
}

/// As behind `head`, which has its lines and goes.
#[test]
fn nobody_has_to_read_what_is_printed() {
    let operator = Operator { folder: tempfile::tempdir().unwrap() };
    assert_eq!(operator.run(&["init"]), (vec![], 0));
    operator.claim(&["--key", KEY, "--execution", "0"]);
    for verb in [
        "get --key f94e28e1c60a9c12d5ee096066af4714b1e7c9e9",
        "due --destination psp",
        "unsettled",
        "sweep",
        "stats",
    ] {
        let arguments: Vec<&str> = verb.split(' ').collect();
        assert_eq!(operator.run_unread(&arguments), (String::new(), 0), "{verb}");
    }
    // The answer is no, whether or not it is read.
    let stranger = ["settle", "--key", KEY, "--token", "00000000000000000000000000000000"];
    assert_eq!(operator.run_unread(&stranger), (String::new(), 1));
    let forget = ["forget", "--key", KEY];
    assert_eq!(operator.run_unread(&forget), (String::new(), 1));
}

fn simulate(arguments: &[&str]) -> (String, i32) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_intentkey")).arg("simulate").args(arguments).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn simulate_is_sound_until_a_rule_is_off() {
    let (sound, status) = simulate(&[]);
    assert_eq!(status, 0, "{sound}");
    assert!(sound.contains("assumed:\n") && !sound.contains("DOUBLE EFFECT"), "{sound}");
    for off in [
        ["--without", "fencing"].as_slice(),
        &["--without", "frozen-epoch"],
        &["--treat-unknown-as-absent"],
        &["--expire-in-flight"],
    ] {
        let (found, status) = simulate(off);
        assert_eq!(status, 1, "{off:?}");
        assert!(found.contains("DOUBLE EFFECT") && found.contains("EFFECT number 2"), "{found}");
    }
}

#[test]
fn simulate_writes_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("trace.html");
    let (_, status) = simulate(&["--strategy", "per-attempt", "--html", page.to_str().unwrap()]);
    assert_eq!(status, 1);
    assert!(std::fs::read_to_string(page).unwrap().contains("EFFECT number 2"));
}

#[test]
fn simulate_refuses_a_switch_that_would_do_nothing() {
    for strategy in ["recorded", "per-attempt"] {
        let (told, status) = simulate(&["--strategy", strategy, "--without", "frozen-epoch"]);
        assert_eq!((told.as_str(), status), ("", 2), "{strategy}");
    }
}

/// Of a database that a slip of the pen has just made, nothing would be unsettled.
#[test]
fn a_database_that_is_not_there_is_not_made_but_by_init() {
    let operator = Operator { folder: tempfile::tempdir().unwrap() };
    for verb in ["unsettled", "stats", "sweep", "parked"] {
        assert_eq!(operator.run(&[verb]), (vec![], 2), "{verb}");
    }
    assert!(!operator.folder.path().join("intents.db").exists());
    // The other way to write the URL.
    let url = format!("sqlite://{}", operator.folder.path().join("intents.db").display());
    assert_eq!(operator.run(&["stats", "--database", &url]), (vec![], 2));
    assert_eq!(operator.run(&["init", "--database", &url]), (vec![], 0));
    assert_eq!(operator.run(&["stats", "--database", &url]).1, 0);
    assert_eq!(operator.run(&["init"]), (vec![], 0));
    assert_eq!(operator.run(&["unsettled"]), (vec![], 0));
}
