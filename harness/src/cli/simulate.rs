//! `intentkey simulate`: the protocol under a model checker.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;

use super::Failure;
use crate::simulate::{Destination, Outcome, Rules, Setup, Strategy, assumed, html, run as explore, text};

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

    /// Write the traces as a page to this file too
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
    fn strategy(&self) -> Strategy {
        match self.strategy {
            StrategyArg::PerAttempt => Strategy::PerAttempt,
            StrategyArg::Recorded => Strategy::Recorded,
            StrategyArg::FrozenEpoch if !self.without.contains(&RuleArg::FrozenEpoch) => {
                Strategy::FrozenEpoch
            }
            StrategyArg::AttemptClock | StrategyArg::FrozenEpoch => Strategy::AttemptClock,
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
    compare();
    let (strategy, rules) = (args.strategy(), args.rules());
    let outcomes: Vec<Outcome> = args
        .destinations()
        .into_iter()
        .map(|destination| explore(Setup { strategy, destination, rules }))
        .collect();
    for (number, outcome) in outcomes.iter().enumerate() {
        if number > 0 {
            println!();
        }
        if !outcome.is_done && outcome.double_effect.is_none() {
            return Err("the intent is never done: the simulation shows nothing".into());
        }
        print!("{}", text(outcome));
    }
    if let Some(file) = &args.html {
        fs::write(file, html(&outcomes)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let is_sound = outcomes.iter().all(|outcome| outcome.double_effect.is_none());
    if is_sound {
        println!("\nassumed:");
        assumed(rules).for_each(|line| println!("  {line}"));
    }
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Where keys come from, side by side, with all safety rules on: the most effects of one intent.
fn compare() {
    println!("effects of one intent, all safety rules on (steps to a second one)\n");
    let kinds = Destination::ALL.map(|destination| format!("{destination:>18}")).join("");
    println!("  {:36}{kinds}", "");
    for strategy in Strategy::ALL {
        let cells = Destination::ALL.map(|destination| {
            let outcome = explore(Setup { strategy, destination, rules: Rules::ALL });
            let cell = match outcome.double_effect {
                Some(trace) => format!("2 ({} steps)", trace.len()),
                None => "at most 1".to_owned(),
            };
            format!("{cell:>18}")
        });
        println!("  {strategy:36}{}", cells.join(""));
    }
    println!();
}
