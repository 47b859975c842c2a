//! `intentkey-proxy`: the HTTP layer as a reverse proxy, for services in any language.
//!
//! It listens for HTTP/1.1 and HTTP/2 without TLS, beside the service or behind what ends TLS. Methods that
//! change state are claimed before they are sent on; all others are streamed through.
//!
//! 1. Where no connection to the service can be made, nothing was sent: the claim is released, and the client
//!    gets 502.
//! 2. Where the connection breaks after that, nobody knows: the claim stays in flight, and the client gets 502
//!    with a problem that says so. Then the service is asked, as `[look_up]` says, or the key is unsettled.
//! 3. The service says that nothing happened by the header `Intentkey-Effect: none` on its answer. No status
//!    says that. The header does not reach the client.
//! 4. The service gets the stored key in the header `Intent-Key`: what look-ups ask for.
//! 5. On SIGTERM and SIGINT it stops accepting, lets what runs come to its end and be recorded, and ends.
//! 6. `/healthz`, `/metrics` (Prometheus) and `/unsettled` are on an address of their own.
#![forbid(unsafe_code)]

mod admin;
mod choices;
mod framing;
mod look_up;
mod observe;
mod policy;
mod serve;
mod start;
mod upkeep;
mod upstream;

use std::process::ExitCode;

fn main() -> ExitCode {
    let choices = match choices::Choices::read() {
        Ok(choices) => choices,
        Err(error) => return fail(2, &error),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(1, &error.to_string()),
    };
    match runtime.block_on(start::run(choices)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(start::Error::Usage(error)) => fail(2, &error),
        Err(start::Error::Failed(error)) => fail(1, &error),
    }
}

fn fail(status: u8, error: &str) -> ExitCode {
    let mut out = std::io::stderr();
    // Where standard error is closed, the exit status is all that is left to say.
    let _ = std::io::Write::write_fmt(&mut out, format_args!("intentkey-proxy: {error}\n"));
    ExitCode::from(status)
}
