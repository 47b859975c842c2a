//! Writes events under `policies/pix-payment.toml` with planted merges and splits, and prints how many
//! there are: what an audit of millions of events must find.
//!
//! ```console
//! $ cargo run --release -p intentkey --example planted -- 10000000 planted.jsonl
//! $ intentkey audit harness/policies/pix-payment.toml planted.jsonl --truth intent_id
//! ```

use std::fs::File;
use std::io::{BufWriter, Result, Write};

/// Of each hundred events: two pairs of intents that are one to the policy, three intents that it
/// takes for two (another amount, another spelling that the rule tells apart, another bucket), five
/// intents that are repeated in another spelling, and eighty that are alone.
const BLOCK: u64 = 100;
const MERGES: u64 = 2;
const SPLITS: u64 = 3;
const RETRIES: u64 = 5;

/// The beginning of a bucket, and the days over which events are spread.
const FROM: u64 = 1_796_040_000;
const SECONDS: u64 = 30 * 86_400;

/// The width of the policy's buckets, in seconds; far enough from their edges.
const BUCKET: u64 = 900;
const MIDDLE: u64 = 300;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let events: u64 = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(BLOCK);
    let path = arguments.next().unwrap_or_else(|| String::from("planted.jsonl"));
    let blocks = events / BLOCK;
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for block in 0..blocks {
        let second = FROM + block * SECONDS / blocks.max(1);
        write_block(block, second / BUCKET * BUCKET + MIDDLE + block % 300, &mut out)?;
    }
    out.flush()?;
    println!(
        "{} events; merged keys {}, split intents {} (by bucket {}), repeats {}",
        blocks * BLOCK,
        blocks * MERGES,
        blocks * SPLITS,
        blocks,
        blocks * (MERGES + RETRIES)
    );
    Ok(())
}

fn write_block(block: u64, epoch: u64, out: &mut impl Write) -> Result<()> {
    let name = |number: u64| block * BLOCK + number;
    let mut number = 0;
    let mut next = || {
        number += 1;
        name(number)
    };
    for _ in 0..MERGES {
        let (one, other) = (next(), next());
        event(out, one, epoch, one, "10.00", "Rent")?;
        event(out, other, epoch + 1, one, "10", "RENT")?;
    }
    let [amount, text, bucket] = [next(), next(), next()];
    event(out, amount, epoch, amount, "10.00", "Rent")?;
    event(out, amount, epoch, amount, "10.01", "Rent")?;
    event(out, text, epoch, text, "10.00", "Rent")?;
    event(out, text, epoch, text, "10.00", "The rent")?;
    event(out, bucket, epoch, bucket, "10.00", "Rent")?;
    event(out, bucket, epoch + BUCKET, bucket, "10.00", "Rent")?;
    for _ in 0..RETRIES {
        let intent = next();
        event(out, intent, epoch, intent, "12.5", "Caf\u{e9}")?;
        event(out, intent, epoch + 2, intent, "12.50", "CAFE\u{301}")?;
    }
    for _ in 0..BLOCK - 2 * (MERGES + SPLITS + RETRIES) {
        let intent = next();
        event(out, intent, epoch, intent, "7.77", "Almo\u{e7}o")?;
    }
    Ok(())
}

fn event(out: &mut impl Write, id: u64, epoch: u64, payee: u64, amount: &str, text: &str) -> Result<()> {
    writeln!(
        out,
        "{{\"tenant\":\"tenant-{}\",\"action\":\"pix.transfer\",\"intent_epoch\":{epoch},\"payload\":{{\
         \"creditor_key\":\"payee-{payee}@example.com\",\"amount\":\"{amount}\",\"currency\":\"BRL\",\
         \"remittance\":\"{text}\",\"request_id\":\"{id:08x}{epoch:08x}\"}},\"intent_id\":{id}}}",
        payee % 1000
    )
}
