//! Where keys come from, side by side.

use std::fmt;

use super::{Destination, Outcome, Rules, Setup, Strategy, run};

/// Every strategy at every kind of destination, with all safety rules on.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// In the order of [`Strategy::ALL`], each in that of [`Destination::ALL`].
    rows: Vec<(Strategy, Vec<Outcome>)>,
}

impl Comparison {
    /// What is compared, in a line.
    pub const TITLE: &'static str = "effects of one intent, all safety rules on (steps to a second one)";

    /// Explores all of them.
    #[must_use]
    pub fn explore() -> Self {
        let of = |strategy| {
            let at = |destination| run(Setup { strategy, destination, rules: Rules::ALL });
            (strategy, Destination::ALL.map(at).to_vec())
        };
        Comparison { rows: Strategy::ALL.map(of).to_vec() }
    }

    /// What came of a set-up, where it is one of those compared.
    #[must_use]
    pub fn outcome(&self, setup: Setup) -> Option<&Outcome> {
        self.rows.iter().flat_map(|row| &row.1).find(|outcome| outcome.setup == setup)
    }

    /// The strategies, each with the most effects of one intent at every kind of destination.
    pub(super) fn cells(&self) -> impl Iterator<Item = (Strategy, Vec<String>)> + '_ {
        self.rows.iter().map(|(strategy, outcomes)| (*strategy, outcomes.iter().map(effects).collect()))
    }
}

fn effects(outcome: &Outcome) -> String {
    match &outcome.double_effect {
        Some(trace) => format!("2 ({} steps)", trace.len()),
        None => "at most 1".to_owned(),
    }
}

/// As a table for the terminal.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", Self::TITLE)?;
        let kinds = Destination::ALL.map(|destination| format!("{destination:>18}")).join("");
        writeln!(f, "  {:36}{kinds}", "")?;
        for (strategy, cells) in self.cells() {
            let cells: String = cells.iter().map(|cell| format!("{cell:>18}")).collect();
            writeln!(f, "  {strategy:36}{cells}")?;
        }
        Ok(())
    }
}
