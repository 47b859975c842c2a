//! What a runtime came to, and the table of all of them.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// How many disagreements a report shows.
const SHOWN: usize = 5;

/// A runtime's agreement with the cases.
#[derive(Debug)]
pub struct Report {
    /// The runtime.
    pub runtime: String,
    /// Its version.
    pub version: String,
    /// How many cases it ran.
    pub cases: usize,
    /// How many of them it agreed with, by every route.
    pub agreed: usize,
    /// The first that it did not.
    pub disagreements: Vec<Disagreement>,
}

/// A case that came out otherwise.
#[derive(Debug)]
pub struct Disagreement {
    /// The case.
    pub id: String,
    /// The way on which it was derived.
    pub route: String,
    /// What was expected, as JSON.
    pub expected: String,
    /// What came, as JSON.
    pub given: String,
}

impl Report {
    /// Reads the report that a runner printed as its last line.
    pub fn read(printed: &str) -> Result<Self> {
        let line =
            printed.lines().rev().find(|line| line.starts_with('{')).context("it printed no report")?;
        let report: Value = serde_json::from_str(line)?;
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let count = |name: &str| report[name].as_u64().and_then(|count| usize::try_from(count).ok());
        let disagreements = report["disagreements"].as_array().context("a report has disagreements")?;
        let disagreement = |one: &Value| Disagreement {
            id: text(&one["id"]),
            route: text(&one["route"]),
            expected: text(&one["expected"]),
            given: text(&one["given"]),
        };
        Ok(Report {
            runtime: text(&report["runtime"]),
            version: text(&report["version"]),
            cases: count("cases").context("a report has a number of cases")?,
            agreed: count("agreed").context("a report has a number of agreed cases")?,
            disagreements: disagreements.iter().map(disagreement).collect(),
        })
    }
}

/// Counts the cases of a runner in this process.
#[derive(Default)]
pub struct Tally {
    cases: usize,
    agreed: usize,
    disagreements: Vec<Disagreement>,
}

impl Tally {
    /// Counts a case by what came of it by each route: the route, what came, what was expected.
    pub fn count<'r>(&mut self, id: &str, routes: impl IntoIterator<Item = (&'r str, Value, Value)>) {
        self.cases += 1;
        let wrong = routes.into_iter().find(|(_, given, expected)| given != expected);
        let Some((route, given, expected)) = wrong else {
            self.agreed += 1;
            return;
        };
        if self.disagreements.len() < SHOWN {
            self.disagreements.push(Disagreement {
                id: id.to_owned(),
                route: route.to_owned(),
                expected: expected.to_string(),
                given: given.to_string(),
            });
        }
    }

    /// The report.
    #[must_use]
    pub fn report(self, runtime: &str, version: &str) -> Report {
        let Tally { cases, agreed, disagreements } = self;
        Report { runtime: runtime.to_owned(), version: version.to_owned(), cases, agreed, disagreements }
    }
}

/// A line of the table.
#[derive(Debug)]
pub enum Row {
    /// It ran.
    Ran(Report),
    /// It is not on this machine and cannot be put there.
    Absent {
        /// The runtime.
        runtime: String,
        /// Why.
        why: String,
    },
    /// It is there and did not get to the end.
    Failed {
        /// The runtime.
        runtime: String,
        /// Why.
        why: String,
    },
}

/// The table of runtimes.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let mut out = format!("{:24} {:>20} {:>7} {:>7}\n", "runtime", "version", "cases", "agreed");
    for row in rows {
        let written = match row {
            Row::Ran(Report { runtime, version, cases, agreed, .. }) => {
                writeln!(out, "{runtime:24} {version:>20} {cases:>7} {agreed:>7}")
            }
            Row::Absent { runtime, why } => writeln!(out, "{runtime:24} SKIPPED: {why}"),
            Row::Failed { runtime, why } => writeln!(out, "{runtime:24} FAILED: {why}"),
        };
        debug_assert!(written.is_ok(), "text can be written to");
    }
    out
}

/// What is wrong with the rows; in CI an absent runtime is wrong too.
#[must_use]
pub fn faults(rows: &[Row], in_ci: bool) -> Vec<String> {
    let mut faults = Vec::new();
    for row in rows {
        match row {
            Row::Ran(report) if report.agreed == report.cases && report.cases > 0 => {}
            Row::Ran(report) => faults.push(disagreement(report)),
            Row::Absent { runtime, why } if in_ci => {
                faults.push(format!("{runtime} is absent, in CI: {why}"))
            }
            Row::Absent { .. } => {}
            Row::Failed { runtime, why } => faults.push(format!("{runtime}: {why}")),
        }
    }
    faults
}

fn disagreement(report: &Report) -> String {
    let mut text = format!("{}: {} of {} agreed", report.runtime, report.agreed, report.cases);
    for one in &report.disagreements {
        let Disagreement { id, route, expected, given } = one;
        text.push_str(&format!("\n  {id} by {route}\n    expected {expected}\n    given    {given}"));
    }
    text
}
