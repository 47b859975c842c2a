//! How much a derivation costs beyond its hashing: ratios to bare HMAC-SHA256 of the same
//! material, with a ready key state, in the same run, over 10,000 rotating payloads.
//!
//! `cargo bench -p intentkey-core` prints the table; nothing that is derived is kept from one
//! round to the next.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a benchmark may panic"
)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use hmac::{Hmac, KeyInit as _, Mac as _};
use intentkey_core::{Deriver, Intent, Policy, Secret, Value};
use sha2::Sha256;

const PAYLOADS: usize = 10_000;
const SECRET: [u8; 32] = [7; 32];
const PIX: &str = include_str!("../../tests/vectors/pix.policy.json");

/// A payment, and the material that it derives from.
struct Payment {
    payload: Value<'static>,
    line: String,
    material: Vec<u8>,
    fingerprint_material: Vec<u8>,
}

/// The texts of remittances: plain ones, and ones with the accents of Portuguese.
const ASCII: [&str; 4] = ["Invoice 2026/118", "Rent November", "lunch on friday", "ORDER A-9931 thank you"];
const ACCENTS: [&str; 4] = [
    "Almo\u{e7}o de s\u{e1}bado",
    "Presta\u{e7}\u{e3}o de servi\u{e7}os",
    "JO\u{c3}O E JOS\u{c9}",
    "m\u{ea}s de mar\u{e7}o",
];

fn check_digit(digits: &[u32]) -> u32 {
    let sum: u32 = digits.iter().rev().zip(2..).map(|(digit, weight)| digit * weight).sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

fn cpf(number: usize) -> String {
    let mut digits: Vec<u32> =
        format!("{:09}", 100_000_000 + number * 7919).bytes().map(|byte| u32::from(byte - b'0')).collect();
    digits.push(check_digit(&digits));
    digits.push(check_digit(&digits));
    let text: String = digits.iter().map(u32::to_string).collect();
    format!("{}.{}.{}-{}", &text[..3], &text[3..6], &text[6..9], &text[9..])
}

/// The fields of a payment, as they stand in its payload and its line.
struct Fields {
    key: String,
    amount: String,
    text: String,
    request: String,
}

fn fields(number: usize, texts: [&'static str; 4]) -> Fields {
    Fields {
        key: cpf(number),
        amount: format!("{}.{:02}", number % 1000, number % 100),
        text: format!("{} {number}", texts[number % texts.len()]),
        request: format!("{number:032x}"),
    }
}

fn payload(Fields { key, amount, text, request }: Fields) -> Value<'static> {
    Value::object([
        ("creditor_key", Value::from(key)),
        ("amount", Value::from(amount)),
        ("currency", Value::from("BRL")),
        ("remittance", Value::from(text)),
        ("request_id", Value::from(request)),
    ])
}

fn line(Fields { key, amount, text, request }: Fields) -> String {
    format!(
        r#"{{"tenant":"loja-aurora","action":"pix.transfer","intent_epoch":1767225700,"payload":{{"creditor_key":"{key}","amount":"{amount}","currency":"BRL","remittance":"{text}","request_id":"{request}"}}}}"#
    )
}

/// Each kind of input lies together in memory, as a producer's own would.
fn payments(deriver: &Deriver, texts: [&'static str; 4]) -> Vec<Payment> {
    let payloads: Vec<_> = (0..PAYLOADS).map(|number| payload(fields(number, texts))).collect();
    let lines: Vec<_> = (0..PAYLOADS).map(|number| line(fields(number, texts))).collect();
    let materials: Vec<_> =
        payloads.iter().map(|payload| deriver.explain(&intent(payload)).unwrap().material).collect();
    let inputs = payloads.into_iter().zip(lines).zip(materials);
    inputs
        .map(|((payload, line), material)| Payment {
            payload,
            line,
            fingerprint_material: format!("{}]", material.rsplit_once(',').unwrap().0).into_bytes(),
            material: material.into_bytes(),
        })
        .collect()
}

fn intent<'a>(payload: &'a Value<'a>) -> Intent<'a> {
    Intent {
        tenant: "loja-aurora".into(),
        action: "pix.transfer".into(),
        epoch: 1_767_225_700_u64.into(),
        payload: payload.into(),
    }
}

fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    payments: &[Payment],
    mut derive: impl FnMut(&Payment),
) {
    group.bench_function(name, |bencher| {
        let mut next = payments.iter().cycle();
        bencher.iter(|| derive(next.next().unwrap()));
    });
}

fn bare(state: &Hmac<Sha256>, material: &[u8]) -> [u8; 32] {
    let mut state = state.clone();
    state.update(material);
    state.finalize().into_bytes().into()
}

fn benchmark(criterion: &mut Criterion, deriver: &Deriver, texts: &str, payments: &[Payment]) {
    let state = Hmac::<Sha256>::new_from_slice(&SECRET).unwrap();
    let mut group = criterion.benchmark_group(texts);
    group.throughput(Throughput::Elements(1));
    measure(&mut group, "bare", payments, |payment| {
        black_box(bare(&state, &payment.material));
    });
    measure(&mut group, "bare twice", payments, |payment| {
        black_box((bare(&state, &payment.material), bare(&state, &payment.fingerprint_material)));
    });
    measure(&mut group, "derive_key, typed", payments, |payment| {
        black_box(deriver.derive_key(&intent(&payment.payload)).unwrap());
    });
    measure(&mut group, "derive, typed", payments, |payment| {
        black_box(deriver.derive(&intent(&payment.payload)).unwrap());
    });
    measure(&mut group, "derive_key, JSON line", payments, |payment| {
        black_box(deriver.derive_key(&deriver.read(&payment.line).unwrap()).unwrap());
    });
    group.finish();
}

/// What each is compared with, and the most that it may cost.
const RATIOS: [(&str, &str, f64, f64); 3] = [
    ("derive_key, typed", "bare", 2.0, 3.0),
    ("derive, typed", "bare twice", 2.0, 3.0),
    ("derive_key, JSON line", "bare", 4.0, 4.0),
];

fn median(texts: &str, name: &str) -> f64 {
    let folder = name.replace([' ', ','], "_").replace("__", "_");
    let root = std::env::var("CARGO_TARGET_DIR")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../target").to_owned());
    let candidates = [name.to_owned(), folder];
    let estimates = candidates
        .iter()
        .find_map(|name| {
            std::fs::read_to_string(format!("{root}/criterion/{texts}/{name}/new/estimates.json")).ok()
        })
        .unwrap();
    let estimates: serde_json::Value = serde_json::from_str(&estimates).unwrap();
    estimates["median"]["point_estimate"].as_f64().unwrap()
}

fn main() {
    let mut criterion = Criterion::default()
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_secs(1))
        .configure_from_args();
    let deriver = Deriver::new(Policy::from_json(PIX).unwrap(), Secret::new(SECRET).unwrap()).unwrap();
    for (texts, sample) in [("ascii", ASCII), ("accents", ACCENTS)] {
        benchmark(&mut criterion, &deriver, texts, &payments(&deriver, sample));
    }
    criterion.final_summary();
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    println!("\n| medians of one run | ns | ratio | at most |\n| --- | --- | --- | --- |");
    for texts in ["ascii", "accents"] {
        for (name, base, most_ascii, most_accents) in RATIOS {
            let (nanoseconds, base_nanoseconds) = (median(texts, name), median(texts, base));
            let most = if texts == "ascii" { most_ascii } else { most_accents };
            let ratio = nanoseconds / base_nanoseconds;
            println!(
                "| {texts}: {name} / {base} | {nanoseconds:.0} / {base_nanoseconds:.0} | {ratio:.2} | {most} |"
            );
        }
    }
}
