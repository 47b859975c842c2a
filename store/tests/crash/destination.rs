//! A destination in a process of its own: it executes, honours keys or not, can be asked, and counts.
//!
//! A request is a line, `execute KIND KEY INTENT MILLISECONDS`, `look KEY` or `count INTENT`; the answer is
//! a line too. A request that has arrived is executed after so many milliseconds, whatever becomes of its
//! sender. Of every other key it leaves the first look-up without an answer.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Default)]
struct Effects {
    keys: HashSet<String>,
    by_intent: HashMap<String, u64>,
    /// Keys that were looked up.
    looked: HashSet<String>,
}

pub(crate) fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("port {}", listener.local_addr().unwrap().port());
    let effects = Arc::new(Mutex::new(Effects::default()));
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let effects = effects.clone();
            thread::spawn(move || serve(&stream, &effects));
        }
    });
    // Until whoever started this process has gone.
    let _ = std::io::stdin().read_line(&mut String::new());
}

fn serve(mut stream: &TcpStream, effects: &Mutex<Effects>) {
    let mut line = String::new();
    // A request whose end has not arrived is no request.
    if BufReader::new(stream).read_line(&mut line).is_err() || !line.ends_with('\n') {
        return;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let answer = match words[..] {
        ["execute", kind, key, intent, millis] => {
            let is_known = || effects.lock().unwrap().keys.contains(key);
            // What it has executed already it answers at once.
            if kind != "idempotent" || !is_known() {
                thread::sleep(Duration::from_millis(millis.parse().unwrap()));
            }
            let mut effects = effects.lock().unwrap();
            let is_new = effects.keys.insert(key.into());
            if is_new || kind != "idempotent" {
                *effects.by_intent.entry(intent.into()).or_default() += 1;
            }
            "done".into()
        }
        ["look", key] => {
            let mut effects = effects.lock().unwrap();
            if effects.looked.insert(key.into()) && key.ends_with(['0', '2', '4', '6', '8', 'a', 'c', 'e']) {
                return;
            }
            let found = effects.keys.contains(key);
            if found { "found".into() } else { "absent".into() }
        }
        ["count", intent] => effects.lock().unwrap().by_intent.get(intent).unwrap_or(&0).to_string(),
        _ => panic!("no request: {line}"),
    };
    let _ = writeln!(stream, "{answer}");
}

/// Asks the destination; `None` where no answer came.
pub(crate) fn ask(port: u16, request: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    writeln!(stream, "{request}").ok()?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).ok()?;
    answer.strip_suffix('\n').map(Into::into)
}
