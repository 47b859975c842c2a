//! What a field is, guessed from its name and its values; and how sure the guess is.

use super::fields::{Fields, Kind, Seen};
use super::names::{last, says, words};

/// Where a field most likely belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Identity,
    Checked,
    Ignored,
}

/// A guess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) section: Section,
    /// The rule and its parameters as TOML; for an ignored field its reason.
    pub(super) rule: String,
    /// Why.
    pub(super) reason: String,
    /// Whether name and values say it; else a person decides.
    pub(super) is_sure: bool,
}

/// Names of what is new on every attempt.
const OF_THE_ATTEMPT: &[&str] = &[
    "request id",
    "req id",
    "trace id",
    "traceparent",
    "span id",
    "correlation id",
    "attempt",
    "attempts",
    "retry",
    "retries",
    "retry count",
    "nonce",
    "x request id",
];

/// Names of the attempt's clock.
const OF_THE_CLOCK: &[&str] = &[
    "created at",
    "updated at",
    "sent at",
    "received at",
    "requested at",
    "timestamp",
    "sent on",
    "now",
    "data criacao",
    "criado em",
];

/// Names of presentation.
const OF_PRESENTATION: &[&str] =
    &["user agent", "ip", "ip address", "browser", "referer", "referrer", "session id"];

/// Names of keys and ids that stand for the whole intent.
const OF_THE_INTENT: &[&str] = &[
    "idempotency key",
    "idempotency token",
    "intent id",
    "client token",
    "dedupe id",
    "deduplication id",
    "message id",
    "event id",
    "transaction id",
    "end to end id",
];

/// Names of amounts of money.
const OF_MONEY: &[&str] = &["amount", "price", "fee", "cost", "valor", "preco", "pre\u{e7}o", "importe"];

/// Names of amounts that follow from others.
const OF_SUMS: &[&str] = &["total", "subtotal", "sum", "tax", "discount", "balance"];

/// Names of numbers of things.
const OF_COUNTS: &[&str] = &["quantity", "qty", "units", "quantidade", "qtd", "cantidad"];

/// Names of those who get something.
const OF_PAYEES: &[&str] = &[
    "creditor",
    "payee",
    "recipient",
    "beneficiary",
    "to",
    "destination",
    "receiver",
    "pix key",
    "account",
    "iban",
];

/// Names of things that have ids of their own.
const OF_THINGS: &[&str] = &[
    "order",
    "invoice",
    "customer",
    "product",
    "sku",
    "item",
    "subscription",
    "contract",
    "bill",
    "payment",
    "charge",
    "merchant",
    "user",
    "ticket",
    "booking",
    "address",
    "pedido",
    "cliente",
    "produto",
    "fatura",
];

/// Names of free text.
const OF_TEXT: &[&str] = &[
    "note",
    "notes",
    "description",
    "message",
    "comment",
    "memo",
    "remittance",
    "reason",
    "text",
    "title",
    "subject",
    "descricao",
    "descri\u{e7}\u{e3}o",
    "observacao",
    "mensagem",
];

/// Guesses what a field is.
pub(super) fn guess(path: &str, seen: &Seen, fields: &Fields) -> Guess {
    let words = words(last(path));
    let about = |phrases: &[&str]| says(&words, phrases);
    if about(OF_THE_INTENT) {
        return doubtful(
            Section::Identity,
            exact(seen),
            "looks like the intent's own id or key: where every attempt has the same, derive from it alone (key_from_id), and from no other field",
        );
    }
    if about(OF_THE_ATTEMPT) {
        let is_sure = !seen.is_required() || seen.is_always_new() || fields.samples < 8;
        return ignored("new on every attempt", is_sure, "named as what belongs to the attempt");
    }
    if about(OF_THE_CLOCK) {
        return ignored(
            "the attempt's clock",
            true,
            "named as the attempt's clock: intent_epoch says when it was decided",
        );
    }
    if about(OF_PRESENTATION) {
        return ignored("presentation", true, "named as presentation");
    }
    by_value(path, &words, seen, fields)
}

fn by_value(path: &str, words: &[String], seen: &Seen, fields: &Fields) -> Guess {
    let about = |phrases: &[&str]| says(words, phrases);
    if about(&["currency", "moeda"]) {
        let rule = "{ rule = \"currency\"";
        return if seen.is_currency() || (seen.is_text() && fields.samples == 0) {
            sure(rule, seen, "named currency, and the values have three letters")
        } else {
            doubtful(
                Section::Identity,
                closed(rule, seen),
                "named currency, but not every value has three letters",
            )
        };
    }
    if seen.is_number_with_comma() {
        return doubtful(
            Section::Identity,
            closed("{ rule = \"decimal\", scale = 2", seen),
            "numbers with a comma, which no rule reads: --decimal-comma reads them from a table, producers send 1234.56",
        );
    }
    if about(OF_MONEY) && !seen.is_number() {
        let rule = closed("{ rule = \"decimal\", scale = 2", seen);
        return doubtful(Section::Identity, rule, "named as an amount, but not every value is a number");
    }
    if seen.is_number() && about(&["cents", "minor"]) {
        return sure(
            "{ rule = \"integer\"",
            seen,
            "named as an amount in the smallest unit, and the values are numbers",
        );
    }
    if seen.is_number() && (about(OF_MONEY) || about(OF_SUMS)) {
        let has_currency = fields.fields.contains_key("currency");
        let rule = if has_currency {
            "{ rule = \"decimal\", scale = \"currency\""
        } else {
            "{ rule = \"decimal\", scale = 2"
        };
        if about(OF_SUMS) {
            return doubtful(
                Section::Checked,
                closed(rule, seen),
                "a sum that may follow from other fields: then it is checked, not identity",
            );
        }
        if seen.places > 2 && !has_currency {
            return doubtful(
                Section::Identity,
                closed(rule, seen),
                "an amount with more than two places: which scale is it?",
            );
        }
        let reason = if has_currency {
            "named as an amount, the values are numbers, and `currency` is beside it"
        } else {
            "named as an amount, and the values are numbers of two places at most"
        };
        return sure(rule, seen, reason);
    }
    if seen.is_number() && about(OF_COUNTS) && seen.places == 0 {
        return sure("{ rule = \"integer\"", seen, "named as a number of things, and the values are whole");
    }
    if about(OF_TEXT) {
        return doubtful(
            Section::Checked,
            closed("{ rule = \"text\"", seen),
            "free text: identity if it makes another action, checked if it must not change, ignored if nobody cares",
        );
    }
    by_shape(path, words, seen)
}

fn by_shape(path: &str, words: &[String], seen: &Seen) -> Guess {
    let about = |phrases: &[&str]| says(words, phrases);
    let is_payee = about(OF_PAYEES);
    // `customer.id` is the id of a customer.
    let is_of_a_thing = says(&super::names::words(path), OF_THINGS);
    for (shape, rule, what) in [
        ("e-mail", "email", "e-mail addresses"),
        ("phone with +", "phone", "phones in international form"),
        ("UUID", "uuid", "UUIDs"),
        ("date", "date", "dates"),
        ("timestamp", "timestamp", "timestamps with an offset"),
    ] {
        if seen.is_all(shape) {
            let rule = closed(&format!("{{ rule = \"{rule}\""), seen);
            let is_thing =
                shape == "UUID" && is_of_a_thing || is_payee && shape != "date" && shape != "timestamp";
            let reason = format!("the values are {what}");
            return if is_thing {
                Guess {
                    section: Section::Identity,
                    rule,
                    reason: format!("{reason}, and the name says whose"),
                    is_sure: true,
                }
            } else {
                doubtful(Section::Identity, rule, &format!("{reason}: do they say what the action is?"))
            };
        }
    }
    for (shape, what) in [
        ("date, not ISO 8601", "dates that are not ISO 8601: export them as 2026-11-30 or with an offset"),
        ("date and time without an offset", "dates and times without an offset, which `timestamp` refuses"),
    ] {
        if seen.is_all(shape) {
            let reason = format!("the values are {what}; do they say what the action is?");
            return doubtful(Section::Identity, exact(seen), &reason);
        }
    }
    let is_pix = is_payee && about(&["pix key", "creditor key", "pix"]);
    if is_pix && seen.is_text() {
        return doubtful(
            Section::Identity,
            closed("{ rule = \"pix_key\"", seen),
            "named as a Pix key: it takes CPF, CNPJ, phone, e-mail and random keys, and nothing else",
        );
    }
    if let Some(values) = seen.closed() {
        let list: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
        let rule = closed(&format!("{{ rule = \"enum\", values = [{}]", list.join(", ")), seen);
        return doubtful(
            Section::Identity,
            rule,
            "few values, each several times: is the list complete, and does it say what the action is?",
        );
    }
    let is_id = about(&["id", "number", "code", "sku", "ref", "reference", "key"]);
    let is_named = (is_of_a_thing && is_id) || (about(OF_THINGS) && words.len() == 1);
    if seen.is_text() && is_named && !seen.is_free_text() {
        return sure(
            "{ rule = \"exact\", empty = \"refuse\"",
            seen,
            "named as the id of a thing: compared as it is",
        );
    }
    if is_payee && seen.is_text() && !seen.is_free_text() {
        return doubtful(
            Section::Identity,
            exact(seen),
            "named as who gets it: is every attempt's spelling the same?",
        );
    }
    rest(path, seen)
}

/// What nothing is known of but its kind.
fn rest(path: &str, seen: &Seen) -> Guess {
    let (rule, what) = match () {
        () if seen.kinds.is_empty() => (String::from("\"\""), "always null here: what is it otherwise?"),
        () if seen.is_kind(Kind::Empty) => {
            (String::from("\"\""), "always empty here: what is in it otherwise?")
        }
        () if seen.is_kind(Kind::Boolean) => (closed("{ rule = \"boolean\"", seen), "booleans"),
        () if seen.is_kind(Kind::Whole) => (closed("{ rule = \"integer\"", seen), "whole numbers"),
        () if seen.is_number() && seen.is_text() && seen.places == 0 => (
            exact(seen),
            "digits: `exact` where they are a name, whose leading zeros count, `integer` where they are a number",
        ),
        () if seen.is_number() => {
            (closed("{ rule = \"decimal\", scale = 2", seen), "numbers: which scale is it?")
        }
        () if seen.is_free_text() => (closed("{ rule = \"text\"", seen), "free text"),
        () if seen.is_text() => (exact(seen), "text: `exact` compares it as it is, `text` without case"),
        () => (exact(seen), "values of several kinds, which no rule takes"),
    };
    let of_list = if path.contains("[]") { ", in a list" } else { "" };
    doubtful(Section::Identity, rule, &format!("{what}{of_list}; nothing in its name says what it is"))
}

fn exact(seen: &Seen) -> String {
    closed("{ rule = \"exact\"", seen)
}

fn sure(rule: &str, seen: &Seen, reason: &str) -> Guess {
    Guess { section: Section::Identity, rule: closed(rule, seen), reason: reason.to_owned(), is_sure: true }
}

fn doubtful(section: Section, rule: String, reason: &str) -> Guess {
    Guess { section, rule, reason: reason.to_owned(), is_sure: false }
}

fn ignored(why: &str, is_sure: bool, reason: &str) -> Guess {
    let reason = if is_sure { reason.to_owned() } else { format!("{reason}, but its values repeat") };
    Guess { section: Section::Ignored, rule: format!("\"{why}\""), reason, is_sure }
}

/// The rule with what the samples say of absence.
fn closed(rule: &str, seen: &Seen) -> String {
    let mut rule = rule.to_owned();
    if !seen.is_required() || seen.is_null || (seen.is_empty && !rule.contains("empty")) {
        rule.push_str(", required = false");
    }
    if seen.is_null {
        rule.push_str(", null = \"absent\"");
    }
    if seen.is_empty && !rule.contains("empty") && !rule.contains("\"enum\"") && !rule.contains("\"boolean\"")
    {
        rule.push_str(", empty = \"absent\"");
    }
    rule + " }"
}
