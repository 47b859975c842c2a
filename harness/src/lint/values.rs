//! Rules and parameters that merge or split values.

use intentkey_core::{Case, Empty, Field, Form, Policy, Rule, Scale};

use super::names::Name;
use super::{Finding, Severity, identity_of, place_of};
use crate::field_path::escaped;
use crate::generate::json::Json;
use crate::generate::rules::Coin;

/// Words of names of numbers that are no money.
const NO_MONEY: &[&str] = &[
    "rate",
    "rates",
    "percent",
    "percentage",
    "pct",
    "ratio",
    "factor",
    "weight",
    "quantity",
    "qty",
    "count",
    "hours",
    "minutes",
    "days",
    "units",
    "volume",
    "length",
    "width",
    "height",
    "distance",
    "km",
    "kg",
    "latitude",
    "longitude",
    "lat",
    "lon",
    "lng",
    "score",
    "probability",
    "temperature",
    "shares",
    "tokens",
];

/// `fixed-scale-beside-currency`
pub(super) fn fixed_scale(policy: &Policy, findings: &mut Vec<Finding>) {
    let Some(currency) = policy.fields().iter().find(|field| is_currency(field)) else { return };
    let rule = currency.rule();
    for field in policy.fields() {
        let Rule::Decimal(decimal) = field.rule() else { continue };
        let Scale::Fixed(scale) = decimal.scale else { continue };
        if Name::of(field.path()).has(NO_MONEY) || listed_fit(rule, scale) {
            continue;
        }
        let (path, currency) = (field.path(), currency.path());
        let advice = match rule {
            Rule::Currency(_) if currency.to_string() == "currency" => {
                String::from("say scale = \"currency\"")
            }
            Rule::Currency(_) => format!("say scale = \"currency\", currency_field = \"{currency}\""),
            _ => format!("give {currency} the rule currency in [identity], and {path} scale = \"currency\""),
        };
        findings.push(Finding::new(
            "fixed-scale-beside-currency",
            Severity::Warning,
            place_of(field),
            format!(
                "{path} always has {scale} decimal places, whatever {currency} says: yen have none, and dinars have \
                 three, of which rounding would make one amount of two"
            ),
            advice,
        ));
    }
}

fn is_currency(field: &Field) -> bool {
    let text = matches!(field.rule(), Rule::Text(_) | Rule::Exact(_) | Rule::Enum(_) | Rule::Identifier(_));
    matches!(field.rule(), Rule::Currency(_))
        || text && Name::of(field.path()).has(&["currency", "ccy", "currencies", "moeda", "waehrung"])
}

/// Whether all the currencies that an enum lists have this scale.
fn listed_fit(rule: &Rule, scale: u8) -> bool {
    let Rule::Enum(listed) = rule else { return false };
    let minor = |value: &str| Coin::written(&Json::text(value)).and_then(|coin| coin.minor);
    listed.values.iter().all(|value| minor(value) == Some(scale))
}

/// `unstable-text-form`
pub(super) fn unstable_text(policy: &Policy, findings: &mut Vec<Finding>) {
    for field in policy.fields() {
        let Rule::Text(text) = field.rule() else { continue };
        if text.form != Form::NfcFirst || text.case == Case::Keep {
            continue;
        }
        let path = field.path();
        findings.push(Finding::new(
            "unstable-text-form",
            Severity::Warning,
            place_of(field),
            format!(
                "{path} has form = \"nfc_first\", which composes before it folds: some texts that differ in case only \
                 get two forms, and a canonical text fed back changes once more"
            ),
            "leave form out, unless keys of an existing producer are already in use",
        ));
    }
}

/// `empty-and-absent-differ`
pub(super) fn empty_and_absent(policy: &Policy, findings: &mut Vec<Finding>) {
    for field in identity_of(policy) {
        if field.is_required() || field.path().is_element() || !can_be_empty(field) {
            continue;
        }
        let path = field.path();
        findings.push(Finding::new(
            "empty-and-absent-differ",
            Severity::Warning,
            place_of(field),
            format!("{path} sent as \"\" and {path} left out are two intents with two keys"),
            "say empty = \"absent\", or empty = \"refuse\"",
        ));
    }
}

fn can_be_empty(field: &Field) -> bool {
    match field.rule() {
        Rule::Enum(listed) => listed.values.iter().any(|value| value.is_empty()),
        _ => field.empty() == Some(Empty::Keep),
    }
}

/// `compat-identifier`
pub(super) fn compat_identifier(policy: &Policy, findings: &mut Vec<Finding>) {
    for field in policy.fields().iter().filter(|field| matches!(field.rule(), Rule::Identifier(_))) {
        let path = field.path();
        findings.push(Finding::new(
            "compat-identifier",
            Severity::Note,
            place_of(field),
            format!("{path} has the rule identifier, which is there for existing producers: it merges 2024-1-12 and 2024-11-2"),
            "take exact for ids of your own, pix_key for Pix keys, digits for numbers with a mask",
        ));
    }
}

/// Words that give no reason.
const NO_REASONS: &[&str] = &[
    "todo", "tbd", "fixme", "none", "na", "n", "a", "nil", "null", "unknown", "ignored", "ignore", "reason",
    "because", "no", "yes", "true", "x", "xxx", "misc", "other", "field", "is", "the", "this", "not", "used",
    "unused", "needed", "dont", "don", "t", "care", "later",
];

/// `ignored-without-reason`
pub(super) fn without_reason(policy: &Policy, findings: &mut Vec<Finding>) {
    for ignored in policy.ignored() {
        let path = ignored.path();
        let own = Name::of(path).words;
        let words = super::names::words(ignored.reason());
        let says = |word: &String| !NO_REASONS.contains(&word.as_str()) && !own.contains(word);
        if words.iter().any(says) {
            continue;
        }
        findings.push(Finding::new(
            "ignored-without-reason",
            Severity::Warning,
            format!("ignored.{}", escaped(&path.to_string())),
            format!("nothing says why {path} may differ between two attempts at one intent"),
            "write the reason: \"new on every attempt\", \"presentation\", \"the attempt's clock\"",
        ));
    }
}
