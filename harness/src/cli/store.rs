//! `intentkey store`: a store, for operators and for trying it out.

mod claim;
mod key;
mod lines;
mod resolve;

use std::env;
use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use intentkey_core::protocol::Terms;
use intentkey_store::{Filter, Options, Store, StoreError, Target};
use serde_json::json;

use super::Failure;

/// Claim, settle, look after and resolve idempotency keys in a database
///
/// Results are JSON, one a line. Exit status 0: it is done; 1: the answer is no (a claim that is not
/// owned, a settlement by somebody else, no such key); 2: the command could not do its work.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  intentkey store init --database sqlite:intents.db")]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Make the schema, or bring it up to date
    Init(Database),
    Claim(claim::ClaimArgs),
    Settle(claim::SettleArgs),
    /// Show the row of a key or an edge key, without its response
    Get(GetArgs),
    /// List what recovery should look at now; nothing is written, and no worker kept from it
    Due(DueArgs),
    /// List what is unknown: given up on, or overdue and not looked at since
    Unsettled(ListArgs),
    /// List recorded intents that can never be executed as they are
    Parked(Database),
    /// Delete a recorded intent, such as a parked one once it is known what became of it
    Forget(GetArgs),
    Resolve(resolve::ResolveArgs),
    Reconcile(resolve::ReconcileArgs),
    /// Delete finished rows that have expired
    Sweep(SweepArgs),
    /// Count rows; reads the indexes of the whole table
    Stats(Database),
}

/// Where the store is.
#[derive(Debug, clap::Args)]
struct Database {
    /// The database, sqlite:PATH or postgres://...; without it INTENTKEY_DATABASE, since other processes
    /// can see an argument and a URL may hold a password
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    /// Take a database that may forget what it has confirmed
    #[arg(long)]
    unsafe_without_durability: bool,
}

/// What a destination was declared to be.
#[derive(Debug, clap::Args)]
struct TargetArgs {
    /// The destination's name
    #[arg(long, value_name = "NAME")]
    destination: String,

    /// It honours keys, for so many seconds
    #[arg(long, value_name = "SECONDS")]
    idempotent_for: Option<u64>,

    /// It can be asked for a key, and a request is under way for at most so many seconds
    #[arg(long, value_name = "SECONDS")]
    look_up_after: Option<u64>,

    /// How long an execution takes at most, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    execution: u64,
}

#[derive(Debug, clap::Args)]
struct GetArgs {
    #[command(flatten)]
    database: Database,

    #[command(flatten)]
    row: key::RowArgs,
}

#[derive(Debug, clap::Args)]
struct DueArgs {
    #[command(flatten)]
    list: ListArgs,

    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u32,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    database: Database,

    /// Of this destination only
    #[arg(long, value_name = "NAME")]
    destination: Option<String>,
}

#[derive(Debug, clap::Args)]
struct SweepArgs {
    #[command(flatten)]
    database: Database,

    /// Rows a transaction
    #[arg(long, value_name = "N", default_value_t = 1000)]
    batch: u32,
}

impl Database {
    async fn open(&self) -> Result<Box<dyn Store>, Failure> {
        self.open_with(Options::default().existing_only()).await.map_err(|error| match error.downcast_ref() {
            Some(StoreError::Missing) => format!("{error}: intentkey store init makes one").into(),
            _ => error,
        })
    }

    async fn open_with(&self, options: Options) -> Result<Box<dyn Store>, Failure> {
        let url = match &self.database {
            Some(url) => url.clone(),
            None => env::var("INTENTKEY_DATABASE").map_err(|_| "say --database or set INTENTKEY_DATABASE")?,
        };
        let options = match self.unsafe_without_durability {
            true => options.unsafe_without_durability(),
            false => options,
        };
        Ok(intentkey_store::open(&url, options).await?)
    }
}

impl ListArgs {
    fn of(&self, filter: Filter) -> Filter {
        match &self.destination {
            Some(destination) => filter.at(destination),
            None => filter,
        }
    }
}

impl TargetArgs {
    fn target(&self) -> Target {
        let seconds = Duration::from_secs;
        let terms = match (self.idempotent_for, self.look_up_after) {
            (Some(retention), Some(delay)) => {
                Terms::idempotent_by_key(seconds(retention)).and_look_up(seconds(delay))
            }
            (Some(retention), None) => Terms::idempotent_by_key(seconds(retention)),
            (None, Some(delay)) => Terms::look_up(seconds(delay)),
            (None, None) => Terms::neither(),
        };
        Target::new(&self.destination, terms, seconds(self.execution))
    }
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let is_yes = runtime.block_on(act(&args.verb))?;
    Ok(if is_yes { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

async fn act(verb: &Verb) -> Result<bool, Failure> {
    match verb {
        Verb::Init(database) => database.open_with(Options::default()).await.map(|_| true),
        Verb::Claim(args) => claim::claim(args).await,
        Verb::Settle(args) => claim::settle(args).await,
        Verb::Get(args) => get(args).await,
        Verb::Due(args) => due(args).await,
        Verb::Unsettled(args) => unsettled(args).await,
        Verb::Parked(database) => parked(database).await,
        Verb::Forget(args) => forget(args).await,
        Verb::Resolve(args) => resolve::resolve(args).await,
        Verb::Reconcile(args) => resolve::reconcile(args).await,
        Verb::Sweep(args) => sweep(args).await,
        Verb::Stats(database) => stats(database).await,
    }
}

async fn get(args: &GetArgs) -> Result<bool, Failure> {
    let row = args.database.open().await?.get(&args.row.key()?).await?;
    if let Some(row) = &row {
        lines::print(&row.to_json())?;
    }
    Ok(row.is_some())
}

async fn due(args: &DueArgs) -> Result<bool, Failure> {
    let filter = args.list.of(Filter::due()).limit(args.limit);
    for row in &args.list.database.open().await?.list(&filter).await? {
        lines::print(&row.to_json())?;
    }
    Ok(true)
}

async fn unsettled(args: &ListArgs) -> Result<bool, Failure> {
    let store = args.database.open().await?;
    let mut filter = args.of(Filter::unknown());
    loop {
        let rows = store.list(&filter).await?;
        let Some(last) = rows.last() else { return Ok(true) };
        filter = filter.after(last.key);
        for row in &rows {
            lines::print(&row.to_json())?;
        }
    }
}

async fn parked(database: &Database) -> Result<bool, Failure> {
    let store = database.open().await?;
    let mut after = None;
    loop {
        let parked = store.parked(after.as_ref(), 100).await?;
        let Some(last) = parked.last() else { return Ok(true) };
        after = Some(last.key);
        for parked in &parked {
            lines::print(&lines::parked(parked))?;
        }
    }
}

async fn forget(args: &GetArgs) -> Result<bool, Failure> {
    let is_forgotten = args.database.open().await?.forget(&args.row.key()?).await?;
    Ok(lines::answer(&json!({ "forgotten": is_forgotten }), is_forgotten)?)
}

async fn sweep(args: &SweepArgs) -> Result<bool, Failure> {
    let store = args.database.open().await?;
    let mut swept = 0;
    loop {
        let batch = store.sweep(args.batch.max(1)).await?;
        swept += batch;
        if batch < u64::from(args.batch.max(1)) {
            lines::print(&json!({ "swept": swept }))?;
            return Ok(true);
        }
    }
}

async fn stats(database: &Database) -> Result<bool, Failure> {
    let counts = database.open().await?.counts().await?;
    lines::print(&json!({
        "running": counts.running,
        "overdue": counts.overdue,
        "done": counts.done,
        "released": counts.released,
        "unsettled": counts.unsettled,
        "recorded": counts.recorded,
        "parked": counts.parked,
    }))?;
    Ok(true)
}
