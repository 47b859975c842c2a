//! What a derivation costs in wasmtime: the ratio to a component that only MACs the same bytes, in
//! the same run, over 10,000 payments in rotation.
//!
//! `cargo bench -p intentkey-tests` prints the table. The contenders take turns, so that a slow
//! moment of the machine meets all alike; nothing that is derived is kept from one to the next.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark may panic")]

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use intentkey_core::{Deriver, Epoch, Intent, Payload, Policy, Secret};
use intentkey_tests::workspace;
use wasmtime::component::{Component, Linker, ResourceAny};
use wasmtime::{Config, Engine, Store};
use wit_component::ComponentEncoder;

use derivation::exports::intentkey::keys::derivation as wit;

mod derivation {
    wasmtime::component::bindgen!({ path: "../wasm/wit", world: "deriver" });
}

mod yardstick {
    wasmtime::component::bindgen!({ path: "benches/hmac/wit", world: "yardstick" });
}

const PAYLOADS: usize = 10_000;
const SECRET: [u8; 32] = [7; 32];
/// Intents in one call, where they go together.
const BATCH: usize = 100;
const ROUNDS: usize = 41;
/// The most that a derivation may cost, as a ratio.
const AT_MOST: f64 = 2.0;
const TENANT: &str = "loja-aurora";
const ACTION: &str = "pix.transfer";

/// A payment as a host has it, and the bytes that its key is a MAC of.
struct Payment {
    intent: wit::Intent,
    material: Vec<u8>,
}

fn check_digit(digits: &[u32]) -> u32 {
    let sum: u32 = digits.iter().rev().zip(2..).map(|(digit, weight)| digit * weight).sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

fn cpf(number: usize) -> String {
    let nine = format!("{:09}", 100_000_000 + number * 7_919);
    let mut digits: Vec<u32> = nine.bytes().map(|byte| u32::from(byte - b'0')).collect();
    digits.push(check_digit(&digits));
    digits.push(check_digit(&digits));
    digits.iter().map(u32::to_string).collect()
}

fn payload(number: usize) -> String {
    let texts = ["Invoice 2026/118", "Rent November", "lunch on friday", "Almo\u{e7}o de s\u{e1}bado"];
    format!(
        r#"{{"creditor_key":"{}","amount":"{}.{:02}","currency":"BRL","remittance":"{} {number}","request_id":"{number:032x}"}}"#,
        cpf(number),
        number % 1_000,
        number % 100,
        texts[number % texts.len()],
    )
}

fn payments(deriver: &Deriver) -> Vec<Payment> {
    let payment = |number| {
        let epoch = 1_767_225_700 + i64::try_from(number).unwrap();
        let payload = payload(number);
        let intent = Intent {
            tenant: TENANT.into(),
            action: ACTION.into(),
            epoch: Epoch::from(epoch),
            payload: Payload::Json(&payload),
        };
        let material = deriver.explain(&intent).unwrap().material.into_bytes();
        let (tenant, action) = (TENANT.to_owned(), ACTION.to_owned());
        Payment { intent: wit::Intent { tenant, action, intent_epoch: epoch, payload }, material }
    };
    (0..PAYLOADS).map(payment).collect()
}

fn main() {
    let once = std::env::args().any(|argument| argument == "--test");
    let policy = std::fs::read_to_string(workspace::root().join("tests/vectors/pix.policy.json")).unwrap();
    let native = Deriver::new(Policy::from_json(&policy).unwrap(), Secret::new(SECRET).unwrap()).unwrap();
    let payments = payments(&native);
    let intents: Vec<wit::Intent> = payments.iter().map(|payment| payment.intent.clone()).collect();
    let engine = Engine::new(&Config::new()).unwrap();
    let (mut deriver, mut hmac) = (Derivation::new(&engine, &policy), Yardstick::new(&engine));
    assert_same(&mut deriver, &mut hmac, &payments);

    let [mut alone, mut keys, mut batches] = [const { Vec::new() }; 3];
    for _ in 0..if once { 1 } else { ROUNDS } {
        alone.push(time(|| payments.iter().map(|payment| hmac.mac(&payment.material).len()).sum()));
        keys.push(time(|| payments.iter().map(|payment| deriver.derive_key(&payment.intent).len()).sum()));
        batches.push(time(|| intents.chunks(BATCH).map(|batch| deriver.derive_batch(batch)).sum()));
    }
    let alone = median(&mut alone);
    println!("| in wasmtime, medians of one run | ns | ratio | at most |\n| --- | --- | --- | --- |");
    println!("| HMAC alone | {alone:.0} | 1.00 | |");
    let keys = median(&mut keys);
    println!("| derive-key | {keys:.0} | {:.2} | {AT_MOST} |", keys / alone);
    // With the fingerprints, which are a second MAC.
    let batches = median(&mut batches);
    println!("| derive-batch, of {BATCH} | {batches:.0} | {:.2} | |", batches / alone);
}

/// Nanoseconds a payment; what is counted is a length, so that nothing is left out.
fn time(run: impl FnOnce() -> usize) -> f64 {
    let started = Instant::now();
    std::hint::black_box(run());
    started.elapsed().as_nanos() as f64 / PAYLOADS as f64
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Both give the key that core gives.
fn assert_same(deriver: &mut Derivation, hmac: &mut Yardstick, payments: &[Payment]) {
    for payment in payments.iter().take(500) {
        assert_eq!(deriver.derive_key(&payment.intent), hmac.mac(&payment.material));
    }
}

/// The component with a policy and a secret.
struct Derivation {
    store: Store<()>,
    world: derivation::Deriver,
    held: ResourceAny,
}

impl Derivation {
    fn new(engine: &Engine, policy: &str) -> Self {
        let file = workspace::pack().unwrap().join("intentkey.component.wasm");
        let component = Component::from_file(engine, file).unwrap();
        let mut store = Store::new(engine, ());
        let world = derivation::Deriver::instantiate(&mut store, &component, &Linker::new(engine)).unwrap();
        let derivers = world.intentkey_keys_derivation().deriver();
        let (policies, keyring) =
            (wit::Policies::Json(policy.to_owned()), wit::Keyring::Bare(SECRET.to_vec()));
        let held = derivers.call_create(&mut store, &policies, &keyring).unwrap().unwrap();
        Derivation { store, world, held }
    }

    fn derive_key(&mut self, intent: &wit::Intent) -> String {
        let derivers = self.world.intentkey_keys_derivation().deriver();
        derivers.call_derive_key(&mut self.store, self.held, intent).unwrap().unwrap().key
    }

    fn derive_batch(&mut self, intents: &[wit::Intent]) -> usize {
        let derivers = self.world.intentkey_keys_derivation().deriver();
        derivers.call_derive_batch(&mut self.store, self.held, intents).unwrap().len()
    }
}

/// The component that only MACs, with a secret.
struct Yardstick {
    store: Store<()>,
    world: yardstick::Yardstick,
    held: ResourceAny,
}

impl Yardstick {
    fn new(engine: &Engine) -> Self {
        let component = Component::new(engine, built_yardstick()).unwrap();
        let mut store = Store::new(engine, ());
        let world = yardstick::Yardstick::instantiate(&mut store, &component, &Linker::new(engine)).unwrap();
        let held = world.intentkey_bench_macs().hmac().call_constructor(&mut store, &SECRET).unwrap();
        Yardstick { store, world, held }
    }

    fn mac(&mut self, bytes: &[u8]) -> String {
        self.world.intentkey_bench_macs().hmac().call_mac(&mut self.store, self.held, bytes).unwrap()
    }
}

/// Built as the component is, but for wasm-opt, which costs straight-line code nothing.
fn built_yardstick() -> Vec<u8> {
    let target: PathBuf = workspace::target().to_owned();
    let mut cargo: Command = workspace::cargo();
    cargo.args(["rustc", "--package", "intentkey-bench-hmac", "--lib", "--crate-type", "cdylib", "--locked"]);
    cargo.args(["--target", "wasm32-unknown-unknown", "--profile", "wasm"]);
    cargo.env("CARGO_TARGET_DIR", &target).env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+simd128");
    assert!(cargo.status().unwrap().success());
    let module = target.join("wasm32-unknown-unknown/wasm/intentkey_bench_hmac.wasm");
    let module = std::fs::read(module).unwrap();
    ComponentEncoder::default().module(&module).unwrap().validate(true).encode().unwrap()
}
