//! The playground, built as `npm --prefix www start` builds it, in Chromium: `www/tests/`, file by
//! file. What the page makes of random edits is held against the command here.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Once;

use intentkey_tests::runtimes::{chromium, is_there, output};
use intentkey_tests::workspace;
use serde_json::{Value, json};

/// The secret of the page, which protects nothing.
const SECRET: &str = "696e7365637572652064656d6f207365637265742c206e6f7420736563726574";
/// The most that the first picture loads, in kilobytes of 1,000 bytes: raw, and in brotli.
const FIRST: (u64, u64) = (260, 100);
/// The most that all of the page loads.
const ALL: (u64, u64) = (730, 230);

/// The folder that the page is built into, beside what its tests keep.
fn folder() -> PathBuf {
    workspace::target().join("playground")
}

/// Runs a file of tests in the browser; `false` where there is no browser to run it in.
fn passes(file: &str) -> bool {
    let needed = is_there("npm").and_then(|()| chromium());
    let chromium = match needed {
        Ok(chromium) => chromium,
        Err(why) if std::env::var_os("CI").is_some() => panic!("{file} cannot run, in CI: {why}"),
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "SKIPPED: the playground's {file}: {why}");
            return false;
        }
    };
    build();
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=tap"]).arg(format!("tests/{file}.test.mjs"));
    node.current_dir(workspace::root().join("www"))
        .env("INTENTKEY_CHROMIUM", chromium)
        .env("PLAYGROUND_SITE", folder().join("site"))
        .env("PLAYGROUND_ARTIFACTS", folder())
        .env("PLAYGROUND_COMMANDS", command().parent().unwrap());
    let printed = output(&mut node).unwrap();
    assert!(printed.contains("# fail 0") && !printed.contains("# pass 0"), "{printed}");
    true
}

/// Builds the page of the sources as they are: some seconds, once.
fn build() {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let pack = workspace::pack().unwrap();
        let mut node = Command::new("node");
        node.arg(workspace::root().join("www/build.mjs")).arg(pack.join("npm")).arg(folder().join("site"));
        output(&mut node).unwrap();
    });
}

/// The command, of the sources as they are. Built for a test, it has the dependencies that
/// `cargo test --all-features` has built already; else it would build them all with other features.
fn command() -> PathBuf {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--all-features", "--no-run", "--test", "command"]);
    let built = cargo.status().unwrap();
    assert!(built.success());
    workspace::target().join("debug/intentkey")
}

#[test]
fn two_producers_collide_split_and_are_refused() {
    let _lock = workspace::lock().unwrap();
    passes("collide");
}

#[test]
fn a_policy_is_edited_in_both_formats() {
    let _lock = workspace::lock().unwrap();
    passes("policy");
}

#[test]
fn the_pictures_of_time_count_keys_and_charges() {
    let _lock = workspace::lock().unwrap();
    passes("time");
}

#[test]
fn links_files_and_programs_carry_everything_but_a_secret() {
    let _lock = workspace::lock().unwrap();
    passes("share");
}

#[test]
fn bad_input_gets_its_error_and_the_next_keystroke_works() {
    let _lock = workspace::lock().unwrap();
    passes("hostile");
}

#[test]
fn any_static_host_serves_it_as_it_is() {
    let _lock = workspace::lock().unwrap();
    passes("deploy");
}

#[test]
fn everybody_can_use_it_on_every_screen() {
    let _lock = workspace::lock().unwrap();
    passes("look");
}

#[test]
fn it_weighs_what_the_readme_says_and_is_there_at_once() {
    let _lock = workspace::lock().unwrap();
    let readme = fs::read_to_string(workspace::root().join("README.md")).unwrap();
    let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = format!("{} KB ({} KB in brotli), and all of it {} KB ({})", FIRST.0, FIRST.1, ALL.0, ALL.1);
    assert!(readme.contains(&said), "the README does not say: {said}");
    if !passes("load") {
        return;
    }
    let weight: Value =
        serde_json::from_str(&fs::read_to_string(folder().join("weight.json")).unwrap()).unwrap();
    for (part, (raw, brotli)) in [("first", FIRST), ("all", ALL)] {
        for (measure, most) in [("raw", raw), ("brotli", brotli)] {
            let bytes = weight[part][measure].as_u64().unwrap();
            assert!(bytes > 0 && bytes <= most * 1000, "{part}, {measure}: {bytes} bytes, wanted {most} KB");
        }
    }
}

#[test]
fn random_edits_give_what_the_command_gives() {
    let _lock = workspace::lock().unwrap();
    if !passes("random") {
        return;
    }
    let log = fs::read_to_string(folder().join("random.jsonl")).unwrap();
    let mut intents: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut refused = Vec::new();
    for line in log.lines() {
        let noted: Value = serde_json::from_str(line).unwrap();
        if noted["outcome"].is_null() {
            refused.push(noted);
        } else {
            intents.entry(noted["policy"].as_str().unwrap().to_owned()).or_default().push(noted);
        }
    }
    let command = command();
    let compared: usize = intents.iter().map(|(policy, noted)| compare(&command, policy, noted)).sum();
    assert!(compared >= 20, "{compared} intents");
    for noted in refused {
        let given = derive(&command, noted["policy"].as_str().unwrap(), "");
        let error = String::from_utf8(given.stderr).unwrap();
        assert!(given.status.code() == Some(2) && error.contains("policy_invalid"), "{error}");
        let place = noted["line"].as_u64().map_or(".toml: ".to_owned(), |line| format!(".toml:{line}: "));
        // Where the text is no TOML at all, its two parsers may each point at another line.
        let is_there = noted["isPlaced"] == false || error.contains(&place);
        assert!(is_there, "the page has {place}, the command {error}\n{}", noted["policy"]);
    }
}

/// Derives with the command under a policy, and compares with what the page made of each intent.
fn compare(command: &Path, policy: &str, noted: &[Value]) -> usize {
    let lines: String = noted.iter().map(|noted| line(noted) + "\n").collect();
    let given = derive(command, policy, &lines);
    let printed = String::from_utf8(given.stdout).unwrap();
    let results: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(results.len(), noted.len(), "{}", String::from_utf8_lossy(&given.stderr));
    for (noted, result) in noted.iter().zip(&results) {
        assert_eq!(shown(result), noted["outcome"], "{}\n{policy}", line(noted));
    }
    results.len()
}

/// An intent as the command reads it: in one line, its payload as it was typed.
fn line(noted: &Value) -> String {
    let payload = noted["payload"].as_str().unwrap().replace('\n', " ");
    let intent = &noted["intent"];
    format!(
        r#"{{"tenant":{},"action":{},"intent_epoch":{},"payload":{payload}}}"#,
        intent["tenant"], intent["action"], intent["intent_epoch"]
    )
}

/// A result of the command as the page shows it.
fn shown(result: &Value) -> Value {
    if let Some(error) = result.get("error") {
        let fields = error["fields"]
            .as_array()
            .map(|fields| fields.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "));
        let mut shown = json!({ "code": error["code"] });
        if let Some(field) = error["field"].as_str().map(str::to_owned).or(fields) {
            shown["field"] = field.into();
        }
        return shown;
    }
    let mut shown = json!({ "key": result["key"], "fingerprint": result["fingerprint"] });
    if let Some(edge) = result.get("edge") {
        shown["edge"] = edge["key"].clone();
    }
    shown
}

fn derive(command: &Path, policy: &str, intents: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("policy.toml");
    fs::write(&file, policy).unwrap();
    let mut child = Command::new(command)
        .args(["derive", "--policy"])
        .arg(&file)
        .env("INTENTKEY_SECRET", SECRET)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A refused policy ends the command before it reads.
    let _ = child.stdin.take().unwrap().write_all(intents.as_bytes());
    child.wait_with_output().unwrap()
}
