//! The command as its users run it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn policies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("policies")
}

fn intentkey(arguments: &[&str], secret: Option<&str>, input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_intentkey"));
    command.args(arguments).env_remove("INTENTKEY_SECRET").current_dir(policies());
    command.envs(secret.map(|secret| ("INTENTKEY_SECRET", secret)));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Each ready policy has intents beside it, and what they must derive to: groups of lines that
/// share a key, and the codes of those that are refused.
#[test]
fn the_ready_policies_derive_their_intents() {
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir(policies()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let intents = std::fs::read(path.with_extension("intents.jsonl")).unwrap();
        let output = intentkey(&["derive", "--policy", path.to_str().unwrap()], Some(SECRET), &intents);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
        assert_groups(&name, &lines(&output));
        seen.insert(name);
    }
    let expected = ["agent-tool-call", "order", "pix-payment", "published", "webhook"];
    assert_eq!(seen, expected.map(str::to_owned).into());
}

fn assert_groups(name: &str, results: &[Value]) {
    let file = policies().join(format!("{name}.expected.json"));
    let expected: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let refused: BTreeMap<usize, String> = serde_json::from_value(expected["refused"].clone()).unwrap();
    let same: Vec<BTreeSet<usize>> = serde_json::from_value(expected["same"].clone()).unwrap();
    let mut keys: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (number, result) in (1..).zip(results) {
        assert_eq!(
            result["error"]["code"].as_str(),
            refused.get(&number).map(String::as_str),
            "{name}:{number}"
        );
        if let Some(key) = result["key"].as_str() {
            keys.entry(key).or_default().insert(number);
        }
    }
    assert_eq!(keys.into_values().collect::<BTreeSet<_>>(), same.into_iter().collect(), "{name}");
}

#[test]
fn an_explanation_adds_the_material() {
    let intent = br#"{"tenant":"loja-aurora","action":"pix.transfer","intent_epoch":1796040899,
        "payload":{"creditor_key":"714.602.380-01","amount":"150","currency":"brl"}}"#;
    let line: Vec<u8> = intent.iter().copied().filter(|&byte| byte != b'\n').collect();
    let output = intentkey(&["derive", "--policy", "pix-payment.toml", "--explain"], Some(SECRET), &line);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let result = &lines(&output)[0];
    let body = r#"{"amount":"150.00","creditor_key":"71460238001","currency":"BRL"}"#;
    assert_eq!(result["material"], format!(r#"["loja-aurora","pix.transfer",{body},1995600]"#));
    assert_eq!(
        result["edge"]["material"],
        format!(r#"["loja-aurora","pix.transfer",{body},"edge",1995601]"#)
    );
}

#[test]
fn what_the_command_cannot_do_its_work_with_is_status_2() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let bad = file("bad.toml", "name = \"x\"\nactions = [\"a\"]\nbucket_seconds = 60\nidentity = 5\n");
    let printable = file("printable.secret", SECRET);
    let ring = file("ring.json", r#"[{"id": "a", "from_epoch": 0, "secret_hex": "00"}]"#);
    for (arguments, secret, says) in [
        (&["derive"][..], Some(SECRET), "--policy"),
        (&["derive", "--policy", "none.toml"], Some(SECRET), "none.toml"),
        (
            &["derive", "--policy", &bad],
            Some(SECRET),
            "bad.toml:4: policy_invalid at identity: must be a table",
        ),
        (&["derive", "--policy", "order.toml"], None, "INTENTKEY_SECRET"),
        (&["derive", "--policy", "order.toml"], Some("00"), "secret_weak"),
        (&["derive", "--policy", "order.toml"], Some("planted-secret"), "INTENTKEY_SECRET: this is not hex"),
        (&["derive", "--policy", "order.toml", "--secret-file", &printable], None, "--secret-format"),
        (&["derive", "--policy", "order.toml", "--keyring", &ring], None, "secret_weak"),
        (
            &["derive", "--policy", "order.toml", "--keyring", &ring, "--secret-file", &ring],
            None,
            "cannot be used",
        ),
        (&["derive", "--policy", "order.toml", "--secret", SECRET], None, "unexpected argument"),
        (&["nonsense"], None, "nonsense"),
    ] {
        let output = intentkey(arguments, secret, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(stderr(&output).contains(says), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("planted"), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn every_answer_comes_before_the_next_question() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_intentkey"))
        .args(["derive", "--policy", "published.toml"])
        .env("INTENTKEY_SECRET", SECRET)
        .current_dir(policies())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        stdin.write_all(b"{}\n").unwrap();
        assert!(answers.next().unwrap().unwrap().contains("intent_invalid"));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// The status of the command where nobody reads what it writes, as after `head`.
fn unheard(arguments: &[&str]) -> Option<i32> {
    let closed = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Stdio::from(writer)
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_intentkey"));
    command.args(arguments).env("INTENTKEY_SECRET", SECRET).current_dir(policies());
    command.stdin(Stdio::null()).stdout(closed()).stderr(closed()).status().unwrap().code()
}

#[test]
fn a_closed_pipe_is_no_panic() {
    for arguments in [
        &["--help"][..],
        &["audit", "--help"],
        &["audit", "order.toml", "order.intents.jsonl"],
        &["audit", "order.toml", "order.intents.jsonl", "--json"],
        &["check", "order.toml", "--cases", "8", "--only", "retry-stable"],
        &["completions", "bash"],
        &["diff", "order.toml", "webhook.toml"],
        &["handshake", "--policy", "order.toml"],
        &["init", "order.intents.jsonl"],
        &["lint", "published.toml"],
        &["lint", "--list"],
        &["lint", "--explain", "policy_invalid"],
        &["test", "pix-payment.toml", "cases/pix-payment.toml"],
        &["vectors", "order.toml"],
    ] {
        assert_eq!(unheard(arguments), Some(0), "{arguments:?}");
    }
    for arguments in [&["derive"][..], &["lint", "none.toml"], &["nonsense"], &["init", "none.jsonl"]] {
        assert_eq!(unheard(arguments), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_handshake_shows_what_must_agree_and_no_secret() {
    let output = intentkey(&["handshake", "--policy", "published.toml"], Some(SECRET), b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let handshake: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(handshake["secrets"][0]["id"], "default");
    assert_eq!(handshake["secrets"][0]["check"], "47095ba6");
    assert_eq!(handshake["policies"][0]["name"], "published");
    assert_eq!(handshake["policies"][0]["digest"].as_str().unwrap().len(), 64);
    assert_eq!(handshake["unicode"], "18.0");
    let json = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/published.policy.json");
    let same = intentkey(&["handshake", "--policy", json.to_str().unwrap()], Some(SECRET), b"");
    assert_eq!(output.stdout, same.stdout);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("0a0b0c0d"));
}
