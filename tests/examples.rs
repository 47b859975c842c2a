//! The examples in `wasm/examples/` do what they say, and derive the keys that core derives.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use intentkey_core::{Deriver, Policy, Secret};
use intentkey_example_rust_host::Intent;
use intentkey_tests::runtimes::{Runtimes, output};
use intentkey_tests::workspace;

/// A secret that protects nothing.
const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Runs an example and gives what it printed; `None` where what it needs is not on the machine.
fn run(name: &str, command: impl FnOnce(&Runtimes) -> Result<Command, String>) -> Option<String> {
    let runtimes = {
        let _lock = workspace::lock().unwrap();
        Runtimes::prepare().unwrap()
    };
    match command(&runtimes) {
        Ok(mut command) => Some(output(command.env("INTENTKEY_SECRET", SECRET)).unwrap()),
        Err(why) if std::env::var_os("CI").is_some() => panic!("{name} cannot run, in CI: {why}"),
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "SKIPPED: the example {name}: {why}");
            None
        }
    }
}

fn policy() -> PathBuf {
    workspace::root().join("wasm/examples/payment.policy.json")
}

/// The key of the payment that all examples derive.
fn key() -> String {
    let policy = Policy::from_json(&std::fs::read_to_string(policy()).unwrap()).unwrap();
    let deriver = Deriver::new(policy, Secret::from_hex(SECRET).unwrap()).unwrap();
    let intent = r#"{"tenant": "ana", "action": "payment.create", "intent_epoch": 1767225700,
        "payload": {"creditor_key": "52998224725", "amount": "10.50", "currency": "BRL"}}"#;
    deriver.derive(&deriver.read(intent).unwrap()).unwrap().key.to_string()
}

/// The key, and the refusal of a field that the policy does not know.
fn key_and_refusal() -> String {
    format!("{}\nfield_unclassified colour\n", key())
}

#[test]
fn cloudflare_worker() {
    let Some(printed) = run("cloudflare-worker", |at| at.node_with_packages("trials/cloudflare-worker.mjs"))
    else {
        return;
    };
    assert_eq!(printed.trim(), key());
}

#[test]
fn page_webcrypto() {
    let Some(printed) = run("page-webcrypto", |at| at.browser("trials/page-webcrypto.mjs")) else { return };
    assert_eq!(printed.trim(), key());
}

#[test]
fn node_queue() {
    let Some(printed) = run("node-queue", |at| at.node("trials/node-queue.mjs")) else { return };
    assert_eq!(printed.trim(), key());
}

#[test]
fn agent_tool_call() {
    let Some(printed) = run("agent-tool-call", |at| at.node("trials/agent-tool-call.mjs")) else { return };
    assert_eq!(printed.trim().len(), 36, "a UUID");
}

#[test]
fn python_host() {
    let host = |at: &Runtimes| {
        let mut command = at.python("examples/python-host/host.py")?;
        command.arg(at.pack.join("intentkey.component.wasm")).arg("examples/payment.policy.json");
        Ok(command)
    };
    let Some(printed) = run("python-host", host) else { return };
    assert_eq!(printed, key_and_refusal());
}

#[test]
fn rust_host() {
    let pack = {
        let _lock = workspace::lock().unwrap();
        workspace::pack().unwrap()
    };
    let policy = std::fs::read_to_string(policy()).unwrap();
    let secret: Vec<u8> = (0..32).collect();
    let component = pack.join("intentkey.component.wasm");
    let mut deriver = intentkey_example_rust_host::Deriver::new(&component, &policy, &secret).unwrap();
    let mut intent = Intent {
        tenant: "ana".to_owned(),
        action: "payment.create".to_owned(),
        intent_epoch: 1_767_225_700,
        payload: r#"{"creditor_key": "529.982.247-25", "amount": "1.05e1", "currency": "BRL", "attempt": 3}"#
            .to_owned(),
    };
    assert_eq!(deriver.key(&intent).unwrap().unwrap(), key());
    intent.payload = intent.payload.replace("attempt", "colour");
    let refusal = deriver.key(&intent).unwrap().unwrap_err();
    assert_eq!((refusal.code.as_str(), refusal.fields), ("field_unclassified", vec!["colour".to_owned()]));
}
