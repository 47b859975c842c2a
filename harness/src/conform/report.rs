//! What came of holding a producer against a policy.

use std::fmt::{self, Write};

use intentkey_core::{Code, Policy, Rule};
use serde::Serialize;

use super::blame::{Blamed, Part};
use super::compare::{Difference, keys};
use super::{Bench, Judged, Settings};
use crate::field_path::pattern;
use crate::generate::json::Json;
use crate::hosts::Host as _;
use crate::report::Styles;

/// What came of holding a producer against a policy.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The policy's name.
    pub policy: String,
    /// The seed that repeats the run.
    pub seed: u64,
    /// How many intents both sides were given.
    pub cases: u64,
    /// How many of them they disagree on.
    pub disagreements: u64,
    /// Whether they agree on no sound intent at all.
    pub nothing_agrees: bool,
    /// Whether only the first disagreement was looked at.
    pub is_first_only: bool,
    /// The disagreements by kind, each with its smallest intent.
    pub findings: Vec<Finding>,
}

/// A kind of disagreement, and the smallest intent that shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What the producer does.
    pub what: String,
    /// What is special about the value in question; empty where nothing is.
    pub symptom: String,
    /// The field, without indexes, or the member of the intent; where it is one.
    pub field: Option<String>,
    /// The field's rule with its parameters.
    pub rule: Option<String>,
    /// What that rule says.
    pub says: Option<&'static str>,
    #[serde(skip)]
    severity: u8,
    /// How many cases were of this kind; 1 where only the first was looked at.
    pub count: u64,
    /// The intent.
    pub intent: String,
    /// The field's canonical form.
    pub canonical: Option<String>,
    /// What is expected.
    pub expected: String,
    /// The material of the key that is expected.
    pub material: Option<String>,
    /// What the producer answers.
    pub answered: String,
}

impl Report {
    pub(super) fn new(policy: &Policy, settings: &Settings, judged: &[Judged]) -> Self {
        let differ = judged.iter().filter(|judged| judged.difference.is_some());
        Report {
            policy: policy.name().to_owned(),
            seed: settings.seed,
            cases: judged.len() as u64,
            disagreements: differ.count() as u64,
            nothing_agrees: false,
            is_first_only: false,
            findings: Vec::new(),
        }
    }

    /// Whether the producer agrees on every case.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.disagreements == 0
    }

    /// Shows the simplest sound intent: there is none to start from.
    pub(super) fn nothing_agrees(&mut self, bench: &Bench<'_>, judged: &[Judged]) {
        self.nothing_agrees = true;
        let sound = judged.iter().filter(|judged| judged.expected.is_ok());
        let Some(simplest) = sound.min_by_key(|judged| judged.case.len()) else { return };
        let blamed = Blamed {
            case: simplest.case.clone(),
            expected: simplest.expected.clone(),
            told: simplest.answer.told(),
            difference: simplest.difference.clone().unwrap_or(Difference::Key),
            part: None,
        };
        self.add(bench, self.disagreements, blamed);
    }

    pub(super) fn add(&mut self, bench: &Bench<'_>, count: u64, blamed: Blamed) {
        let intent = blamed.case.text();
        let field = field(bench.policy, &blamed);
        let rule = field.as_deref().and_then(|field| {
            bench
                .policy
                .fields()
                .iter()
                .map(|own| (own.path().to_string(), own.rule()))
                .find(|own| own.0 == field)
        });
        let explained = bench.native.explain(&bench.ring, &intent);
        let canonical = explained.as_ref().and_then(|explained| {
            let own = |form: &&(String, String)| Some(pattern(&form.0)) == field;
            explained.fields.iter().find(own).map(|form| ascii(&form.1))
        });
        self.findings.push(Finding {
            what: blamed.difference.what(),
            symptom: if blamed.is_of_a_rule() { blamed.symptom() } else { String::new() },
            rule: rule.as_ref().map(|(_, rule)| {
                let parameters = std::iter::once(rule.name().to_owned()).chain(rule.parameters());
                parameters.collect::<Vec<_>>().join(", ")
            }),
            says: match &blamed.expected {
                Err(refused) if !blamed.is_of_a_rule() => remedy(&refused.code),
                _ => rule.as_ref().map(|(_, rule)| says(rule)),
            },
            severity: severity(&blamed.difference, blamed.is_of_a_rule()),
            field,
            count,
            intent: ascii(&intent),
            canonical,
            expected: match &blamed.expected {
                Ok(derived) => keys(&derived.key, derived.edge.as_ref().map(|edge| edge.key.as_str())),
                Err(refused) => match &refused.field {
                    Some(field) => format!("refused: {} at {field}", refused.code),
                    None => format!("refused: {}", refused.code),
                },
            },
            material: explained.map(|explained| ascii(&explained.material)),
            answered: blamed.told,
        });
    }

    /// Findings of one kind are one; other keys come first, then what the rules
    /// refuse, then all else.
    pub(super) fn sort(&mut self) {
        let mut findings: Vec<Finding> = Vec::new();
        for finding in std::mem::take(&mut self.findings) {
            let own = |own: &&mut Finding| {
                (&own.what, &own.symptom, &own.field) == (&finding.what, &finding.symptom, &finding.field)
            };
            match findings.iter_mut().find(own) {
                Some(own) => own.count += finding.count,
                None => findings.push(finding),
            }
        }
        findings.sort_by(|one, other| {
            let order = |finding: &Finding| (finding.severity, std::cmp::Reverse(finding.count));
            order(one).cmp(&order(other)).then_with(|| one.intent.cmp(&other.intent))
        });
        self.findings = findings;
    }
}

/// The field to blame.
fn field(policy: &Policy, blamed: &Blamed) -> Option<String> {
    if let Some(field) = blamed.field() {
        return Some(field);
    }
    let part = blamed.part.as_ref()?;
    let Part::Member(_) = part else { return Some(part.name()) };
    // A member with one field below it is that field.
    let name = part.name();
    let below = |path: &str| {
        path.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let mut fields = policy.fields().iter().map(|field| field.path().to_string()).filter(|path| below(path));
    let first = fields.next();
    match (first, fields.next()) {
        (Some(one), None) => Some(one),
        _ => Some(name),
    }
}

/// What comes first: other keys, as nobody notices them.
fn severity(difference: &Difference, of_a_rule: bool) -> u8 {
    match difference {
        Difference::Key
        | Difference::Edge
        | Difference::NoEdge
        | Difference::EdgeTooMany
        | Difference::Fingerprint
        | Difference::Bucket => 0,
        Difference::Refused | Difference::Garbled | Difference::NoAnswer => 1,
        _ if of_a_rule => 2,
        _ => 3,
    }
}

/// What the code of a refusal asks for.
fn remedy(code: &str) -> Option<&'static str> {
    Code::ALL.iter().find(|own| own.as_str() == code).map(|code| code.remedy())
}

/// What a rule says, in a sentence.
fn says(rule: &Rule) -> &'static str {
    match rule {
        Rule::Text(_) => {
            "text is compared by its canonical caseless form, NFC(fold(NFD(x))), unless the policy says otherwise"
        }
        Rule::Exact(_) => "the string as it is",
        Rule::Identifier(_) => "only digits . - /: the digits; else NFC(fold(NFD(x)))",
        Rule::PixKey(_) => {
            "as DICT stores it: check digits right, the mask dropped, letters of a CNPJ upper case, a phone as + and digits"
        }
        Rule::Email(_) => "NFC, A to Z lowered and nothing else folded",
        Rule::Phone(_) => "+ and 7 to 15 digits, separators dropped",
        Rule::Uuid(_) => "lower case, hyphenated",
        Rule::Digits(_) => "the ASCII digits, separators dropped",
        Rule::Decimal(_) => {
            "ASCII digits, an optional sign, point and exponent; a fixed scale, rounded once from the exact digits; minus zero is zero"
        }
        Rule::Integer(_) => "a whole number in ASCII digits; minus zero is zero",
        Rule::Currency(_) => "a code of ISO 4217, upper case",
        Rule::Boolean(_) => "true or false, and nothing else",
        Rule::Enum(_) => "one of the listed values",
        Rule::Timestamp(_) => "RFC 3339 in UTC, cut to the precision",
        Rule::Date(_) => "YYYY-MM-DD, a real day",
        _ => "see the policy",
    }
}

fn ascii(text: &str) -> String {
    Json::literal(text).ascii()
}

/// Writes the report for people.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(report: &Report, styles: Styles, out: &mut dyn Write) -> fmt::Result {
    let (style, verdict) = match report.disagreements {
        0 => (styles.good, String::from("the producer agrees on all of them")),
        count => (styles.bad, format!("the producer disagrees on {count}")),
    };
    writeln!(
        out,
        "{}: {} cases, seed {}: {}{verdict}{}",
        report.policy, report.cases, report.seed, style.0, style.1
    )?;
    if report.nothing_agrees {
        writeln!(
            out,
            "  It agrees on no sound intent. Compare the secret (INTENTKEY_SECRET, hexadecimal), its scope, and the \
             material:"
        )?;
    }
    for finding in &report.findings {
        write_finding(finding, styles, out)?;
    }
    if report.is_first_only {
        writeln!(out, "\n  --all shows one disagreement of each kind")?;
    }
    Ok(())
}

fn write_finding(finding: &Finding, styles: Styles, out: &mut dyn Write) -> fmt::Result {
    let symptom = if finding.symptom.is_empty() { String::new() } else { format!("{}: ", finding.symptom) };
    writeln!(out, "\n{}{symptom}{}{}", styles.bad.0, finding.what, styles.bad.1)?;
    let mut row = |name: &str, value: &str| writeln!(out, "  {name:<10} {value}");
    if let Some(field) = &finding.field {
        let rule = finding.rule.as_ref().map(|rule| format!(" ({rule})")).unwrap_or_default();
        row("field", &format!("{field}{rule}"))?;
    }
    if let Some(says) = finding.says {
        row("rule", says)?;
    }
    row("intent", &finding.intent)?;
    if let Some(canonical) = &finding.canonical {
        row("canonical", canonical)?;
    }
    if let Some(material) = &finding.material {
        row("material", material)?;
    }
    row("expected", &finding.expected)?;
    row("answered", &finding.answered)?;
    if finding.count > 1 {
        row("cases", &finding.count.to_string())?;
    }
    Ok(())
}

/// As in a pipe.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_text(self, Styles::default(), f)
    }
}
