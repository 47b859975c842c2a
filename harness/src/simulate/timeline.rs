//! A trace as two timelines: what each attempt does, and what happens elsewhere.

use std::fmt::Write as _;

use intentkey_core::protocol::Status;

use super::world::{Action, Said, Step, World};
use super::{Comparison, Destination, Outcome, Rules, assumed};

/// A line of the timelines: seconds, attempt 1, attempt 2, elsewhere.
type Line = (u64, [String; 3]);

const HEADINGS: [&str; 3] = ["attempt 1", "attempt 2", "store, destination, recovery"];

/// A run for people; with its trace, where it found a double effect.
#[must_use]
pub fn text(outcome: &Outcome) -> String {
    let mut text = format!("{}\n", title(outcome));
    let Some(trace) = &outcome.double_effect else { return text };
    let lines = lines(trace);
    let width = |column: usize| {
        let longest = lines.iter().map(|(_, cells)| cells.get(column).map_or(0, String::len)).max();
        longest.unwrap_or(0).max(HEADINGS.get(column).map_or(0, |heading| heading.len()))
    };
    let (first, second) = (width(0), width(1));
    let mut row = |time: &str, cells: [&str; 3]| {
        let [one, two, elsewhere] = cells;
        let line = format!("  {time:>5}  {one:first$}  {two:second$}  {elsewhere}");
        text.push_str(line.trim_end());
        text.push('\n');
    };
    row("time", HEADINGS);
    for (seconds, [one, two, elsewhere]) in &lines {
        row(&format!("{seconds} s"), [one, two, elsewhere]);
    }
    text
}

/// The comparison and runs as a page of their own, with no script and nothing to load; what was
/// assumed, where none of the runs found a double effect.
#[must_use]
pub fn html(comparison: &Comparison, outcomes: &[Outcome]) -> String {
    let mut page = String::from(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>intentkey simulate</title>\n<style>\
         body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}\
         table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;\
         border-bottom:1px solid #ccc}td:first-child{white-space:nowrap;color:#666}\
         .double{color:#b00020;font-weight:600}</style>\n<h1>intentkey simulate</h1>\n",
    );
    push_comparison(comparison, &mut page);
    for outcome in outcomes {
        let class = if outcome.double_effect.is_some() { " class=\"double\"" } else { "" };
        let _ = writeln!(page, "<h2{class}>{}</h2>", escaped(&title(outcome)));
        let Some(trace) = &outcome.double_effect else { continue };
        let _ = write!(page, "<table><tr><th>time");
        for heading in HEADINGS {
            let _ = write!(page, "<th>{heading}");
        }
        for (seconds, cells) in lines(trace) {
            let _ = write!(page, "\n<tr><td>{seconds} s");
            for cell in cells {
                let _ = write!(page, "<td>{}", escaped(&cell));
            }
        }
        let _ = writeln!(page, "\n</table>");
    }
    push_assumed(outcomes, &mut page);
    page
}

fn push_comparison(comparison: &Comparison, page: &mut String) {
    let _ = write!(page, "<h2>{}</h2>\n<table><tr><th>", escaped(Comparison::TITLE));
    for destination in Destination::ALL {
        let _ = write!(page, "<th>{destination}");
    }
    for (strategy, cells) in comparison.cells() {
        let _ = write!(page, "\n<tr><td>{strategy}");
        for cell in cells {
            let _ = write!(page, "<td>{cell}");
        }
    }
    let _ = writeln!(page, "\n</table>");
}

fn push_assumed(outcomes: &[Outcome], page: &mut String) {
    let is_sound = outcomes.iter().all(|outcome| outcome.double_effect.is_none());
    let Some(first) = outcomes.first().filter(|_| is_sound) else { return };
    let _ = writeln!(page, "<h2>assumed</h2>\n<ul>");
    for line in assumed(first.setup.rules) {
        let _ = writeln!(page, "<li>{}", escaped(line));
    }
    let _ = writeln!(page, "</ul>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn title(outcome: &Outcome) -> String {
    let setup = &outcome.setup;
    let off = |on: bool, rule: &'static str| if on { "" } else { rule };
    let Rules { fencing, unknown_is_not_absent, in_flight_stays, stated_lag } = setup.rules;
    let found = match &outcome.double_effect {
        Some(trace) => format!("DOUBLE EFFECT after {} steps", trace.len()),
        None => "at most one effect".to_owned(),
    };
    format!(
        "{} | {}{}{}{}{}: {found} ({} states)",
        setup.strategy,
        setup.destination,
        off(fencing, ", without fencing"),
        off(unknown_is_not_absent, ", unknown treated as absent"),
        off(in_flight_stays, ", in flight expires"),
        off(stated_lag, ", without stated lag"),
        outcome.states
    )
}

fn lines(trace: &[(Action, World)]) -> Vec<Line> {
    let mut before = World::new();
    let mut lines = Vec::new();
    for (action, after) in trace {
        let mut cells = [String::new(), String::new(), String::new()];
        let (column, what) = told(*action, &before, after);
        if let Some(cell) = cells.get_mut(column) {
            *cell = what;
        }
        lines.push((after.now, cells));
        before = after.clone();
    }
    lines
}

/// In which column an action is told, and how.
fn told(action: Action, before: &World, after: &World) -> (usize, String) {
    let attempt = |index: usize| after.attempts.get(index).copied();
    let effects = match after.effects {
        count if count == before.effects => "nothing new happens".to_owned(),
        1 => "EFFECT".to_owned(),
        count => format!("EFFECT number {count}"),
    };
    match action {
        Action::Claim(index) => {
            let Some(attempt) = attempt(index) else { return (index, String::new()) };
            let key = attempt.key;
            let came_to = match attempt.step {
                Step::Owns => "owns the effect".to_owned(),
                Step::Waits => "409 in flight, comes back".to_owned(),
                _ if after.is_done() => "gets the stored outcome".to_owned(),
                _ => "409 unsettled".to_owned(),
            };
            (index, format!("claims key {key}: {came_to}"))
        }
        Action::Send(index) => (index, "sends the request".to_owned()),
        Action::Stop(index) => (index, "its time is over: sends nothing".to_owned()),
        Action::TimeOut(index) => (index, "waits for the answer no longer".to_owned()),
        Action::Settle(index) => {
            let key = attempt(index).map_or(0, |attempt| attempt.key);
            let was_written = before.rows.get(&key) != after.rows.get(&key);
            (index, if was_written { "writes the outcome" } else { "is not the owner any more" }.to_owned())
        }
        Action::Crash(index) => (index, "CRASHES".to_owned()),
        Action::Redeliver(index) => (index, "is delivered again".to_owned()),
        Action::Arrive(_, true) => (2, format!("the request arrives: {effects}")),
        Action::Arrive(_, false) => (2, format!("the request arrives: {effects}; its answer is lost")),
        Action::Lose(_) => (2, "the request is lost".to_owned()),
        Action::Recover(key, said) => (2, format!("recovery {}", taken_up(key, said, before, after))),
        Action::Forget => (2, "recovery CRASHES".to_owned()),
        Action::Write => {
            let changed = after.rows.iter().find(|(key, row)| before.rows.get(key) != Some(row));
            let status = changed.map_or("nothing", |(_, row)| match row.status {
                Status::InFlight => "to look again later",
                Status::Done => "done",
                Status::Released => "released: it did not happen",
                Status::Unsettled => "unsettled",
            });
            (2, format!("recovery writes {status}"))
        }
        Action::Tick => (2, "time passes".to_owned()),
    }
}

/// What recovery does with a row that it takes up.
fn taken_up(key: u8, said: Said, before: &World, after: &World) -> String {
    let row = after.rows.get(&key);
    if row.is_some_and(|row| row.status == Status::Unsettled) {
        return "gives up".to_owned();
    }
    if row != before.rows.get(&key) {
        return format!("takes key {key} over, to execute what was recorded");
    }
    let what = match said {
        Said::Found => "found",
        Said::Absent if before.executed.contains_key(&key) => "absent, though it was executed",
        Said::Absent => "absent",
        Said::Nothing => "no answer",
    };
    format!("looks key {key} up: {what}")
}
