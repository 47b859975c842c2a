//! Decimal arithmetic against a second opinion, where that one does not round while it parses.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use intentkey_core::{Deriver, Intent, Policy, Secret, Value};
use rust_decimal::{Decimal, RoundingStrategy};

/// A small generator of pseudo-random numbers (SplitMix64), so that every run is the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

fn canonical(scale: u32, rounding: &str, text: &str) -> String {
    let policy = format!(
        r#"{{"name": "n", "actions": ["a"], "bucket_seconds": 0,
            "identity": {{"n": {{"rule": "decimal", "scale": {scale}, "rounding": "{rounding}"}}}}}}"#
    );
    let deriver = Deriver::new(Policy::from_json(&policy).unwrap(), Secret::new([7; 32]).unwrap()).unwrap();
    let payload = Value::object([("n", Value::from(text))]);
    let intent =
        Intent { tenant: "t".into(), action: "a".into(), epoch: 0_u64.into(), payload: (&payload).into() };
    deriver.explain(&intent).unwrap().fields.pop().unwrap().canonical.unwrap()
}

#[test]
fn rounding_agrees_with_rust_decimal() {
    let mut random = Random(1);
    for _ in 0..5_000 {
        // Few digits, many of them fives and nines: ties and carries.
        let digits = 1 + random.below(12);
        let number: String = (0..digits)
            .map(|_| ['0', '4', '5', '5', '9', '9', '1'].get(random.below(7) as usize).unwrap())
            .collect();
        let (whole, fraction) = number.split_at(random.below(digits + 1) as usize);
        let sign = ["", "-"].get(random.below(2) as usize).unwrap();
        let text = format!("{sign}0{whole}.{fraction}0");
        let scale = random.below(6) as u32;
        let exact = Decimal::from_str_exact(&text).unwrap();
        for (rounding, strategy) in [
            ("half_up", RoundingStrategy::MidpointAwayFromZero),
            ("half_even", RoundingStrategy::MidpointNearestEven),
        ] {
            let mut rounded = exact.round_dp_with_strategy(scale, strategy);
            rounded.rescale(scale);
            let expected = if rounded.is_zero() { rounded.abs() } else { rounded }.to_string();
            assert_eq!(canonical(scale, rounding, &text), expected, "{text} at {scale}, {rounding}");
        }
    }
}
