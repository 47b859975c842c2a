//! `intentkey store resolve` and `reconcile`.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use intentkey_store::{Resolution, Resolved};
use serde_json::json;

use super::claim::ResponseArgs;
use super::key::RowArgs;
use super::{Database, Failure, TargetArgs, lines};

/// Say what became of an effect whose outcome is unknown; it is put on record
///
/// Prints {"outcome": "written"}, "not_unsettled" (the outcome is known, or its owner is running) or
/// "not_found".
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("resolution").required(true).args(["found", "never_happened"]))]
pub(super) struct ResolveArgs {
    #[command(flatten)]
    database: Database,

    #[command(flatten)]
    row: RowArgs,

    /// It happened: repeats get the response
    #[arg(long)]
    found: bool,

    #[command(flatten)]
    response: ResponseArgs,

    /// It never happened, and no request is under way any more: the next repeat executes it
    #[arg(long)]
    never_happened: bool,

    /// Who says so
    #[arg(long, value_name = "NAME")]
    by: String,

    /// Why
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
}

/// Resolve what a destination's statement shows
///
/// The statement has one JSON object a line: first {"covers_from", "covers_until", "effects"}, in seconds
/// since 1970 and how many effects follow, then {"key", "status", "body"} for each effect.
///
/// Prints how many unknown effects were found, never happened, or are left, and how many effects of the
/// statement no row has ("unmatched": if it is not what you expect, keys may be spelled otherwise than
/// they were sent). A statement that was cut off, or none of whose keys is known, resolves nothing.
#[derive(Debug, clap::Args)]
pub(super) struct ReconcileArgs {
    #[command(flatten)]
    database: Database,

    #[command(flatten)]
    target: TargetArgs,

    /// The statement
    #[arg(long, value_name = "FILE")]
    statement: PathBuf,

    /// Who says so
    #[arg(long, value_name = "NAME")]
    by: String,
}

pub(super) async fn resolve(args: &ResolveArgs) -> Result<bool, Failure> {
    let resolution = match args.found {
        true => Resolution::Found(args.response.response()?),
        false => Resolution::NeverHappened,
    };
    let store = args.database.open().await?;
    let resolved = store.resolve(&args.row.key()?, &resolution, &args.by, &args.note).await?;
    let outcome = match resolved {
        Resolved::Written => "written",
        Resolved::NotUnsettled => "not_unsettled",
        Resolved::NotFound => "not_found",
    };
    Ok(lines::answer(&json!({ "outcome": outcome }), resolved == Resolved::Written)?)
}

pub(super) async fn reconcile(args: &ReconcileArgs) -> Result<bool, Failure> {
    let file = &args.statement;
    let statement = File::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let store = args.database.open().await?;
    let target = args.target.target();
    let reconciled =
        intentkey_store::reconcile(&*store, &target, BufReader::new(statement), &args.by).await?;
    lines::print(&json!({
        "found": reconciled.found,
        "never_happened": reconciled.never_happened,
        "left": reconciled.left,
        "unmatched": reconciled.unmatched,
    }))?;
    Ok(true)
}
