//! A report for code scanning: SARIF 2.1.0 (OASIS).

use serde_json::{Value, json};

use super::super::{ALL, Finding, Lint, Report, Severity};

/// The reports as one SARIF log.
#[must_use]
pub fn to_sarif(reports: &[Report]) -> Value {
    let results: Vec<Value> = reports
        .iter()
        .flat_map(|report| report.findings.iter().map(|finding| of_finding(&report.file, finding)))
        .collect();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "intentkey lint",
                    "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": ALL.iter().map(of_lint).collect::<Vec<_>>(),
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn of_lint(lint: &Lint) -> Value {
    json!({
        "id": lint.id,
        "shortDescription": { "text": lint.summary },
        "fullDescription": { "text": lint.explanation },
        "help": { "text": lint.explanation },
        "defaultConfiguration": { "level": level(lint.severity) },
    })
}

fn of_finding(file: &str, finding: &Finding) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if let (Value::Object(members), Some(line)) = (&mut physical, finding.line) {
        members.insert(String::from("region"), json!({ "startLine": line }));
    }
    let mut result = json!({
        "ruleId": finding.id,
        "ruleIndex": ALL.iter().position(|lint| lint.id == finding.id),
        "level": level(finding.severity),
        "message": { "text": format!("{}. What to do: {}.", finding.why, finding.advice) },
        "locations": [{
            "physicalLocation": physical,
            "logicalLocations": [{ "fullyQualifiedName": finding.place }],
        }],
    });
    if let (Value::Object(members), Some(reason)) = (&mut result, &finding.accepted) {
        members.insert(
            String::from("suppressions"),
            json!([{ "kind": "inSource", "status": "accepted", "justification": reason }]),
        );
    }
    result
}

fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

/// A file's name as a URI reference (RFC 3986): what is not unreserved is escaped, byte by byte.
fn uri(file: &str) -> String {
    let mut uri = String::with_capacity(file.len());
    for byte in file.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
