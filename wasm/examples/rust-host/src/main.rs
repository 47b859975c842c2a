//! Prints the key of a payment, and a refusal.
//!
//! ```console
//! INTENTKEY_SECRET=<32 characters or more> cargo run -p intentkey-example-rust-host -- \
//!     target/pack/intentkey.component.wasm wasm/examples/payment.policy.json
//! ```

use std::path::Path;

use intentkey_example_rust_host::{Deriver, Intent};
use wasmtime::Result;
use wasmtime::error::Context as _;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let component = arguments.next().context("the first argument is the component")?;
    let policy = std::fs::read_to_string(arguments.next().context("the second is the policy")?)?;
    let secret = std::env::var("INTENTKEY_SECRET").context("INTENTKEY_SECRET is the secret")?;
    let mut deriver = Deriver::new(Path::new(&component), &policy, secret.as_bytes())?;
    for payload in [
        r#"{"creditor_key": "529.982.247-25", "amount": "1.05e1", "currency": "BRL", "request_id": "77b2"}"#,
        r#"{"creditor_key": "529.982.247-25", "amount": "10.50", "currency": "BRL", "colour": "red"}"#,
    ] {
        let intent = Intent {
            tenant: "ana".to_owned(),
            action: "payment.create".to_owned(),
            intent_epoch: 1_767_225_700,
            payload: payload.to_owned(),
        };
        match deriver.key(&intent)? {
            Ok(key) => println!("{key}"),
            // field_unclassified colour: nothing is dropped in silence.
            Err(refusal) => println!("{} {}", refusal.code, refusal.fields.join(" ")),
        }
    }
    Ok(())
}
