//! The proxy between clients and services that others wrote: Flask, Python's http.server, Node; curl,
//! Stripe's client, and a fuzzer that reads an OpenAPI description.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use std::io::Write as _;
use std::process::Command;

use intentkey_tests::runtimes::{is_there, output, python_packages};
use intentkey_tests::services::{Got, Running, curl, folder};
use intentkey_tests::workspace;

/// What is missing is skipped, loudly; in CI it is an error.
fn needed<T>(what: &str, found: Result<T, String>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(why) if std::env::var_os("CI").is_some() => panic!("{what} cannot run, in CI: {why}"),
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "SKIPPED: {what}: {why}");
            None
        }
    }
}

/// Python with Flask, Stripe's client and schemathesis.
fn python(script: &str) -> Result<Command, String> {
    let _lock = workspace::lock().map_err(|error| error.to_string())?;
    let folder = folder().map_err(|error| error.to_string())?;
    let packages = python_packages(&folder)?;
    let mut command = Command::new("python3");
    command.arg(script).current_dir(&folder).env("PYTHONPATH", packages);
    Ok(command)
}

/// A program with a script that needs nothing but itself.
fn plain(program: &str, script: &str) -> Result<Command, String> {
    is_there(program)?;
    let folder = folder().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg(script).current_dir(folder);
    Ok(command)
}

struct Setup {
    service: Running,
    proxy: Running,
    _database: tempfile::TempDir,
}

impl Setup {
    fn new(service: Command, arguments: &[&str]) -> Self {
        let service = Running::service(service).unwrap();
        let database = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", database.path().join("intents.db").display());
        let proxy = Running::proxy(&service.url, &url, arguments).unwrap();
        Setup { service, proxy, _database: database }
    }

    fn post(&self, path: &str, arguments: &[&str]) -> Got {
        let url = format!("{}{path}", self.proxy.url);
        curl(&[&["-X", "POST", &url], arguments].concat()).unwrap()
    }

    /// The service's effects: all, and the most of one key.
    fn effects(&self) -> (u64, u64) {
        let effects = curl(&[&format!("{}/effects", self.service.url)]).unwrap().json().unwrap();
        (effects["total"].as_u64().unwrap(), effects["most"].as_u64().unwrap())
    }
}

const TENANT: [&str; 2] = ["--tenant", "acme"];
const JSON: [&str; 2] = ["-H", "content-type: application/json"];

#[test]
fn flask_before_curl() {
    let Some(flask) =
        needed("Flask", python("flask_app.py").and_then(|python| is_there("curl").map(|()| python)))
    else {
        return;
    };
    let setup = Setup::new(flask, &TENANT);
    let pay = |key: &str, body: &str| {
        setup
            .post("/payments", &[&JSON[..], &["-H", &format!("idempotency-key: {key}"), "-d", body]].concat())
    };
    let first = pay("\"k-1\"", r#"{"amount": 5}"#);
    assert_eq!((first.status, first.header("location")), (201, Some("/payments/1")));
    assert_eq!(first.header("set-cookie"), Some("a=b"));
    let again = pay("\"k-1\"", r#"{"amount": 5}"#);
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!((again.header("location"), again.header("set-cookie")), (Some("/payments/1"), None));
    assert_eq!(pay("\"k-1\"", r#"{"amount": 6}"#).status, 422);
    assert_eq!(pay("k-1", r#"{"amount": 5}"#).status, 400);
    assert_eq!(setup.effects(), (1, 1));

    // A partial effect, and then a status that many would take for "try again".
    for (nth, status) in (2..).zip([400, 429, 503]) {
        let path = format!("/partial/{status}");
        let key = format!("idempotency-key: \"partial-{status}\"");
        for _ in 0..3 {
            assert_eq!(setup.post(&path, &["-H", &key, "-d", ""]).status, status);
        }
        assert_eq!(setup.effects(), (nth, 1));
    }

    // HTTP/2, a body in chunks, and one that is asked for first.
    for arguments in [
        &["--http2-prior-knowledge"][..],
        &["-H", "transfer-encoding: chunked"],
        &["-H", "expect: 100-continue"],
    ] {
        let key = ["-H", "idempotency-key: \"k-1\"", "-d", r#"{"amount": 5}"#];
        let got = setup.post("/payments", &[arguments, &JSON, &key].concat());
        assert_eq!((got.status, got.header("idempotent-replayed")), (201, Some("true")), "{arguments:?}");
    }

    // curl gives up after half a second; Flask goes on, and its answer is there.
    let slow = ["-H", "idempotency-key: \"slow\"", "-d", ""];
    let url = format!("{}/slow", setup.proxy.url);
    assert!(curl(&[&["--max-time", "0.5", "-X", "POST", &*url], &slow[..]].concat()).is_err());
    assert_eq!(setup.post("/slow", &slow).status, 409);
    let mut got = setup.post("/slow", &slow);
    for _ in 0..10 {
        if got.status != 409 {
            break;
        }
        // Retry-After is the most that it can take; it is done sooner.
        std::thread::sleep(std::time::Duration::from_millis(500));
        got = setup.post("/slow", &slow);
    }
    assert_eq!((got.status, got.header("idempotent-replayed")), (201, Some("true")));
    assert_eq!(setup.effects(), (5, 1));

    let rules = curl(&[&format!("{}/.well-known/idempotency", setup.proxy.url)]).unwrap().json().unwrap();
    assert_eq!(rules["expiry"]["seconds"], 604_800);
    let health = curl(&[&format!("{}/healthz", setup.proxy.admin)]).unwrap();
    assert_eq!((health.status, &*health.body), (200, "ok\n"));
}

/// The README's command, as it stands there, on free ports.
#[test]
fn the_readmes_command_starts_the_proxy() {
    let readme = std::fs::read_to_string(workspace::root().join("README.md")).unwrap();
    let line =
        readme.lines().find(|line| line.starts_with("$ ") && line.contains("--bin intentkey-proxy -- "));
    let (_, arguments) = line.unwrap().split_once(" -- ").unwrap();
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let [_, upstream, _, database, rest @ ..] = &*arguments else { panic!("{arguments:?}") };
    assert_eq!((arguments[0], arguments[2]), ("--upstream", "--database"));
    let folder = tempfile::tempdir().unwrap();
    let database = database.replace("intents.db", &folder.path().join("intents.db").display().to_string());
    let proxy = Running::proxy(upstream, &database, rest).unwrap();
    assert!(proxy.url.starts_with("http://127.0.0.1:"));
}

#[test]
fn pythons_own_server_and_node() {
    for (program, script) in [("python3", "plain.py"), ("node", "node.mjs")] {
        let Some(service) =
            needed(script, plain(program, script).and_then(|plain| is_there("curl").map(|()| plain)))
        else {
            continue;
        };
        let setup = Setup::new(service, &TENANT);
        for replayed in [None, Some("true"), Some("true")] {
            let got = setup.post("/pay", &["-H", "idempotency-key: \"k\"", "-d", "amount=1"]);
            assert_eq!((got.status, got.header("idempotent-replayed")), (201, replayed), "{script}");
            let body = got.json().unwrap();
            assert_eq!((&body["count"], &body["body"]), (&1.into(), &"amount=1".into()));
        }
        let large = "x".repeat(100_000);
        assert_eq!(setup.post("/pay", &["-H", "idempotency-key: \"l\"", "-d", &large]).status, 201);
        assert_eq!(setup.effects(), (2, 1), "{script}");
    }
}

#[test]
fn stripes_client_repeats_under_one_key() {
    let Some(mut client) = needed("Stripe's client", python("stripe_client.py")) else { return };
    let setup =
        Setup::new(python("flask_app.py").unwrap(), &["--tenant-authorization", "--dialect", "stripe"]);
    assert_eq!(output(client.arg(&setup.proxy.url)).unwrap().trim(), "ok");
    assert_eq!(setup.effects(), (2, 1));
}

#[test]
fn a_fuzzer_finds_no_answer_that_is_not_described() {
    let Some(mut fuzzer) = needed("schemathesis", python("fuzz.py")) else { return };
    let setup = Setup::new(python("flask_app.py").unwrap(), &TENANT);
    fuzzer.args(["run", &format!("{}/openapi.json", setup.proxy.url)]);
    fuzzer.args([
        "--checks",
        "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
    ]);
    fuzzer.args(["--max-examples", "60", "--seed", "1", "--generation-database", "none"]);
    let printed = output(&mut fuzzer).unwrap();
    assert!(printed.contains("No issues found"), "{printed}");
    let (all, most) = setup.effects();
    assert!(all > 0 && most == 1, "{all} effects, {most} of one key");
}
