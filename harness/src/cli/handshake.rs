//! `intentkey handshake`: what two producers compare before money moves.

use std::io::{Write as _, stdout};
use std::process::ExitCode;

use serde::Serialize;

use super::{DeriverArgs, Failure};

/// Print the policy's digest and the secrets' check values, to compare with another producer's
///
/// Two producers whose output is equal (names aside) derive equal keys. Nothing in it is secret.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  intentkey handshake --policy pix-payment.toml --secret-file pix.secret")]
pub(super) struct Args {
    #[command(flatten)]
    deriver: DeriverArgs,
}

#[derive(Serialize)]
struct Handshake {
    policies: Vec<Policy>,
    secrets: Vec<Secret>,
    unicode: &'static str,
    currencies: &'static str,
}

#[derive(Serialize)]
struct Policy {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_epoch: Option<u64>,
    digest: String,
}

#[derive(Serialize)]
struct Secret {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tenant: Option<String>,
    from_epoch: u64,
    check: String,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let core = args.deriver.deriver()?.1.handshake();
    let policies = core.policies.into_iter().map(|policy| Policy {
        name: policy.name,
        from_epoch: policy.from_epoch,
        digest: policy.digest,
    });
    let secrets = core.secrets.into_iter().map(|secret| Secret {
        id: secret.id,
        tenant: secret.tenant,
        from_epoch: secret.from_epoch,
        check: secret.check,
    });
    let handshake = Handshake {
        policies: policies.collect(),
        secrets: secrets.collect(),
        unicode: core.unicode,
        currencies: core.currencies,
    };
    let text = serde_json::to_string_pretty(&handshake)? + "\n";
    stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
