//! `intentkey simulate`: the protocol under a model checker.

use std::fs;
use std::io::{Write as _, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;

use super::Failure;
use crate::simulate::{
    Comparison, Destination, Outcome, Rules, Setup, Strategy, assumed, html, run as explore, text,
};

/// Explore every interleaving of two attempts at one intent, and show the shortest way to a double effect
///
/// The same decisions that the store makes run under a model checker: a queue that redelivers, crashes at
/// every step, owners that pause, delayed requests, lost answers, look-ups that lag or have no answer.
/// First comes a comparison of where keys come from, then what was asked for. Exit status 0: at most one effect;
/// 1: a double effect was found; 2: usage.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  intentkey simulate --destination look-up --without fencing")]
pub(super) struct Args {
    /// Where the key of an attempt comes from
    #[arg(long, value_enum, value_name = "STRATEGY", default_value = "frozen-epoch")]
    strategy: StrategyArg,

    /// What the destination is
    #[arg(long, value_enum, value_name = "KIND", default_value = "all")]
    destination: DestinationArg,

    /// Switch a safety rule off: "fencing" (an owner sends nothing once its time is over), "frozen-epoch"
    /// (the epoch is the intent's, not the attempt's clock) or "stated-lag" (the longest delay that is
    /// stated holds how far a look-up lags)
    #[arg(long, value_enum, value_name = "RULE")]
    without: Vec<RuleArg>,

    /// Switch a safety rule off: a look-up that found nothing, or had no answer, says that nothing happened
    #[arg(long)]
    treat_unknown_as_absent: bool,

    /// Switch a safety rule off: a row in flight expires, and the next repeat executes
    #[arg(long)]
    expire_in_flight: bool,

    /// Write all of it as a page to this file too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StrategyArg {
    PerAttempt,
    AttemptClock,
    Recorded,
    FrozenEpoch,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DestinationArg {
    Idempotent,
    LookUp,
    LaggingLookUp,
    Neither,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuleArg {
    Fencing,
    FrozenEpoch,
    StatedLag,
}

impl Args {
    fn strategy(&self) -> Result<Strategy, Failure> {
        let is_clock_read = self.without.contains(&RuleArg::FrozenEpoch);
        match self.strategy {
            StrategyArg::PerAttempt | StrategyArg::Recorded if is_clock_read => {
                Err("--without frozen-epoch needs a derived key: this strategy has no epoch to freeze".into())
            }
            StrategyArg::PerAttempt => Ok(Strategy::PerAttempt),
            StrategyArg::Recorded => Ok(Strategy::Recorded),
            StrategyArg::FrozenEpoch if !is_clock_read => Ok(Strategy::FrozenEpoch),
            StrategyArg::AttemptClock | StrategyArg::FrozenEpoch => Ok(Strategy::AttemptClock),
        }
    }

    fn destinations(&self) -> Vec<Destination> {
        match self.destination {
            DestinationArg::Idempotent => vec![Destination::Idempotent],
            DestinationArg::LookUp => vec![Destination::LookUp],
            DestinationArg::LaggingLookUp => vec![Destination::LaggingLookUp],
            DestinationArg::Neither => vec![Destination::Neither],
            DestinationArg::All => Destination::ALL.to_vec(),
        }
    }

    fn rules(&self) -> Rules {
        Rules {
            fencing: !self.without.contains(&RuleArg::Fencing),
            unknown_is_not_absent: !self.treat_unknown_as_absent,
            in_flight_stays: !self.expire_in_flight,
            stated_lag: !self.without.contains(&RuleArg::StatedLag),
        }
    }
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (strategy, rules) = (args.strategy()?, args.rules());
    let mut out = stdout();
    let comparison = Comparison::explore();
    writeln!(out, "{comparison}")?;
    let outcomes: Vec<Outcome> = args
        .destinations()
        .into_iter()
        .map(|destination| {
            let setup = Setup { strategy, destination, rules };
            comparison.outcome(setup).cloned().unwrap_or_else(|| explore(setup))
        })
        .collect();
    for (number, outcome) in outcomes.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        if !outcome.is_done && outcome.double_effect.is_none() {
            return Err("the intent is never done: the simulation shows nothing".into());
        }
        out.write_all(text(outcome).as_bytes())?;
    }
    if let Some(file) = &args.html {
        fs::write(file, html(&comparison, &outcomes))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let is_sound = outcomes.iter().all(|outcome| outcome.double_effect.is_none());
    if is_sound {
        writeln!(out, "\nassumed:")?;
        for line in assumed(rules) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
