//! `intentkey store claim` and `settle`.

use std::time::Duration;

use intentkey_core::Fingerprint;
use intentkey_store::{Claim, Claimed, Owned, Response, Settled, Token};
use serde_json::{Value, json};

use super::key::{KeyArgs, RowArgs};
use super::{Database, Failure, TargetArgs, lines};

/// Claim a key
///
/// Prints {"outcome": "owned", "key", "token", "execute_by"}, {"outcome": "replay", "response"}, or the
/// outcome with the problem details that a service would answer.
#[derive(Debug, clap::Args)]
pub(super) struct ClaimArgs {
    #[command(flatten)]
    database: Database,

    #[command(flatten)]
    target: TargetArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// The fingerprint of the request, 64 hex digits
    #[arg(long, value_name = "HEX", value_parser = parse_fingerprint)]
    fingerprint: Fingerprint,

    /// Whose intent it is
    #[arg(long, value_name = "TENANT")]
    tenant: String,

    /// The action
    #[arg(long, value_name = "ACTION")]
    action: String,

    /// For how long the outcome is kept, in seconds; 7 days
    #[arg(long, value_name = "SECONDS")]
    ttl: Option<u64>,
}

/// Write an outcome, or say that nothing happened
///
/// Prints {"outcome": "written"}, "already_settled", "not_owner" or "still_unknown".
#[derive(Debug, clap::Args)]
pub(super) struct SettleArgs {
    #[command(flatten)]
    database: Database,

    #[command(flatten)]
    row: RowArgs,

    /// The token that the claim printed
    #[arg(long, value_name = "HEX", value_parser = parse_token)]
    token: Token,

    #[command(flatten)]
    response: ResponseArgs,

    /// The effect is known not to have happened
    #[arg(long, conflicts_with = "status")]
    release: bool,
}

/// The outcome of an effect.
#[derive(Debug, clap::Args)]
pub(super) struct ResponseArgs {
    /// The status
    #[arg(long, value_name = "STATUS", default_value_t = 200)]
    status: u16,

    /// A header, "Name: value"; may be given more than once
    #[arg(long, value_name = "HEADER")]
    header: Vec<String>,

    /// The body
    #[arg(long, value_name = "TEXT", default_value = "")]
    body: String,
}

impl ResponseArgs {
    pub(super) fn response(&self) -> Result<Response, Failure> {
        let mut response = Response::new(self.status, self.body.as_str());
        for header in &self.header {
            let (name, value) = header.split_once(':').ok_or("a header is \"Name: value\"")?;
            response = response.with_header(name, value.trim());
        }
        Ok(response)
    }
}

fn parse_fingerprint(text: &str) -> Result<Fingerprint, &'static str> {
    lines::bytes(text).map(Fingerprint::from_bytes).ok_or("a fingerprint has 64 hex digits")
}

fn parse_token(text: &str) -> Result<Token, &'static str> {
    lines::bytes(text).map(Token::from_bytes).ok_or("a token has 32 hex digits")
}

pub(super) async fn claim(args: &ClaimArgs) -> Result<bool, Failure> {
    let key = args.key.key(&args.tenant)?;
    let target = args.target.target();
    let mut claim = Claim::new(key, args.fingerprint, &args.tenant, &args.action, target);
    if let Some(ttl) = args.ttl {
        claim = claim.keep_for(Duration::from_secs(ttl));
    }
    let claimed = args.database.open().await?.claim(&claim).await?;
    let is_yes = matches!(claimed, Claimed::Owned(_) | Claimed::Replay(_));
    Ok(lines::answer(&line(&claimed), is_yes)?)
}

fn line(claimed: &Claimed) -> Value {
    let refused = |outcome: &str| {
        let problem: Option<Value> =
            claimed.problem().and_then(|problem| serde_json::from_str(&problem.body()).ok());
        json!({ "outcome": outcome, "problem": problem })
    };
    match claimed {
        Claimed::Owned(owned) => json!({
            "outcome": "owned",
            "key": owned.key.as_str(),
            "token": lines::token(&owned.token),
            "execute_by": owned.execute_by.millis() as f64 / 1000.0,
        }),
        Claimed::Replay(response) => json!({ "outcome": "replay", "response": lines::response(response) }),
        Claimed::InFlight { retry_after } => {
            let mut line = refused("in_flight");
            if let Some(line) = line.as_object_mut() {
                line.insert("retry_after".into(), json!(retry_after));
            }
            line
        }
        Claimed::Unsettled => refused("unsettled"),
        Claimed::PayloadConflict => refused("payload_conflict"),
        Claimed::TooLate => refused("too_late"),
        Claimed::TooEarly => refused("too_early"),
    }
}

pub(super) async fn settle(args: &SettleArgs) -> Result<bool, Failure> {
    let store = args.database.open().await?;
    let owned = Owned::to_settle(args.row.key()?, args.token);
    let settled = match args.release {
        true => store.release(&owned).await?,
        false => store.settle(&owned, &args.response.response()?).await?,
    };
    let outcome = match settled {
        Settled::Written => "written",
        Settled::AlreadySettled => "already_settled",
        Settled::NotOwner => "not_owner",
        Settled::StillUnknown => "still_unknown",
    };
    Ok(lines::answer(&json!({ "outcome": outcome }), settled == Settled::Written)?)
}
