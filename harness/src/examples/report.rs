//! Reports of examples: for people, for programs, and for CI.

use std::fmt::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

use super::Report;
use super::mutate::{Mutation, Suggestion, Survivor};

const GREEN: (&str, &str) = ("\u{1b}[32m", "\u{1b}[0m");
const RED: (&str, &str) = ("\u{1b}[1;31m", "\u{1b}[0m");
const PLAIN: (&str, &str) = ("", "");

/// Writes each example on a line, with what is wrong, and how many passed.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(report: &Report, coloured: bool, out: &mut dyn Write) -> fmt::Result {
    let style = |style: (&'static str, &'static str)| if coloured { style } else { PLAIN };
    for tested in &report.results {
        let (word, (begin, end)) = match tested.failure {
            None => ("ok", style(GREEN)),
            Some(_) => ("FAILED", style(RED)),
        };
        writeln!(out, "{begin}{word:<6}{end}  {:<9}  {}", tested.kind, tested.name)?;
        if let Some(failure) = &tested.failure {
            writeln!(out, "        {failure}")?;
        }
    }
    let failed = report.results.iter().filter(|tested| tested.failure.is_some()).count();
    writeln!(out, "{}: {} passed, {failed} failed", report.policy, report.results.len() - failed)
}

/// Writes the score, the changes that no example notices by their place, and then the examples that
/// would notice them.
///
/// # Errors
///
/// Those of the writer.
pub fn write_mutation(mutation: &Mutation, coloured: bool, out: &mut dyn Write) -> fmt::Result {
    let noticed = mutation.mutants.saturating_sub(mutation.survivors.len());
    writeln!(
        out,
        "mutation: {noticed} of {} changes are noticed, {:.0} %",
        mutation.mutants,
        mutation.score()
    )?;
    let (begin, end) = if coloured { RED } else { PLAIN };
    for survivors in mutation.survivors.chunk_by(|one, other| one.place == other.place) {
        let Some(first) = survivors.first() else { continue };
        writeln!(out, "\n{begin}unnoticed{end} at {}", first.place)?;
        for survivor in survivors {
            match &survivor.suggestion {
                Some(suggestion) => writeln!(out, "  {}: {}", survivor.change, suggestion.shows.says())?,
                None => {
                    writeln!(out, "  {}: no intent was found that it treats differently", survivor.change)?;
                }
            }
        }
    }
    write_suggestions(mutation, out)
}

fn write_suggestions(mutation: &Mutation, out: &mut dyn Write) -> fmt::Result {
    let found: Vec<(&Survivor, &Suggestion)> = mutation
        .survivors
        .iter()
        .filter_map(|survivor| Some((survivor, survivor.suggestion.as_ref()?)))
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    let (examples, notice) =
        if found.len() == 1 { ("an example", "notices it") } else { ("examples", "notice them") };
    writeln!(out, "\n{examples} that {notice}, to add:")?;
    for (survivor, suggestion) in found {
        writeln!(out)?;
        out.write_str(&example(survivor, suggestion))?;
    }
    Ok(())
}

/// The example as TOML, to paste.
pub(super) fn example(survivor: &Survivor, suggestion: &Suggestion) -> String {
    let mut text = format!("    [[{}]]\n", suggestion.kind);
    text.push_str(&format!(
        "    name = {}\n",
        quoted(&format!("{}: not {}", survivor.place, survivor.change))
    ));
    if let Some(code) = &suggestion.code {
        text.push_str(&format!("    code = {}\n", quoted(code)));
    }
    if let Some(key) = &suggestion.key {
        text.push_str(&format!("    key = {}\n", quoted(key)));
    }
    text.push_str("    intents = [\n");
    for intent in &suggestion.intents {
        text.push_str(&format!("      {},\n", inline(intent)));
    }
    text.push_str("    ]\n");
    text
}

/// An intent as an inline table, its payload as JSON text.
fn inline(intent: &str) -> String {
    let members: std::collections::BTreeMap<String, &serde_json::value::RawValue> =
        serde_json::from_str(intent).unwrap_or_default();
    let mut parts = Vec::new();
    for name in ["tenant", "action", "intent_epoch", "payload"] {
        if let Some(value) = members.get(name) {
            let value = if name == "payload" { quoted(value.get()) } else { value.get().to_owned() };
            parts.push(format!("{name} = {value}"));
        }
    }
    format!("{{ {} }}", parts.join(", "))
}

/// A TOML string: literal where it can be, so that JSON text stays readable.
fn quoted(text: &str) -> String {
    let literal = !text.contains('\'') && !text.contains(char::is_control);
    if literal && text.contains('"') {
        return format!("'{text}'");
    }
    // JSON escapes what TOML does, but for this control.
    crate::generate::json::Json::text(text).compact().replace('\u{7f}', "\\u007f")
}

/// The report as JSON: `{"policy", "passed", "examples": [{"name", "kind", "passed", "failure"}],
/// "mutation": {"mutants", "score", "survivors"}}`.
#[must_use]
pub fn to_json(report: &Report, mutation: Option<&Mutation>) -> Value {
    let examples = report.results.iter().map(|tested| {
        json!({
            "name": tested.name,
            "kind": tested.kind,
            "passed": tested.failure.is_none(),
            "failure": tested.failure,
        })
    });
    let mut value = json!({
        "policy": report.policy,
        "passed": report.passed(),
        "examples": examples.collect::<Vec<_>>(),
    });
    if let (Value::Object(members), Some(mutation)) = (&mut value, mutation) {
        members.insert(String::from("mutation"), of_mutation(mutation));
    }
    value
}

fn of_mutation(mutation: &Mutation) -> Value {
    let survivors = mutation.survivors.iter().map(|survivor| {
        json!({
            "place": survivor.place,
            "change": survivor.change,
            "suggestion": survivor.suggestion.as_ref().map(|suggestion| json!({
                "shows": suggestion.shows.as_str(),
                "kind": suggestion.kind,
                "code": suggestion.code,
                "key": suggestion.key,
                "intents": suggestion.intents,
                "toml": example(survivor, suggestion),
            })),
        })
    });
    json!({
        "mutants": mutation.mutants,
        "score": mutation.score(),
        "survivors": survivors.collect::<Vec<_>>(),
    })
}

/// The report as a JUnit document: the policy is a suite, an example a case.
///
/// # Errors
///
/// Those of the XML writer.
pub fn to_junit(report: &Report) -> Result<String, quick_junit::SerializeError> {
    let mut document = quick_junit::Report::new("intentkey test");
    let mut suite = TestSuite::new(report.policy.as_str());
    for tested in &report.results {
        let status = match &tested.failure {
            None => TestCaseStatus::success(),
            Some(failure) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(failure.as_str());
                status.set_type(tested.kind);
                status
            }
        };
        let mut case = TestCase::new(tested.name.as_str(), status);
        case.set_classname(format!("{}.{}", report.policy, tested.kind));
        suite.add_test_case(case);
    }
    document.add_test_suite(suite);
    document.to_string()
}
