//! A report for programs.

use serde_json::{Value, json};

use super::super::{Finding, Report, Severity};

/// The report as JSON: `{"file", "policy", "findings": [{"id", "severity", "place", "line", "why",
/// "advice", "accepted"}], "errors", "warnings", "notes"}`; members without a value are left out.
#[must_use]
pub fn to_json(report: &Report) -> Value {
    json!({
        "file": report.file,
        "policy": report.policy,
        "findings": report.findings.iter().map(of_finding).collect::<Vec<_>>(),
        "errors": report.count(Severity::Error),
        "warnings": report.count(Severity::Warning),
        "notes": report.count(Severity::Note),
    })
}

fn of_finding(finding: &Finding) -> Value {
    let mut value = json!({
        "id": finding.id,
        "severity": finding.severity.as_str(),
        "place": finding.place,
        "why": finding.why,
        "advice": finding.advice,
    });
    if let Value::Object(members) = &mut value {
        members.extend(finding.line.map(|line| (String::from("line"), line.into())));
        members.extend(finding.accepted.clone().map(|reason| (String::from("accepted"), reason.into())));
    }
    value
}
