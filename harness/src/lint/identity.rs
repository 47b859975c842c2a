//! What the identity is made of: nothing that must be there, too little, or too much.

use intentkey_core::{Class, Empty, Field, Policy, Rule, Segment};

use super::attempt::by_name;
use super::names::{Name, words};
use super::{Finding, Severity, identity_of, place_of};

/// `nothing-required`
pub(super) fn nothing_required(policy: &Policy, findings: &mut Vec<Finding>) {
    if identity_of(policy).any(Field::is_required) {
        return;
    }
    findings.push(Finding::new(
        "nothing-required",
        Severity::Warning,
        String::from("identity"),
        String::from(
            "no identity field is required: a producer that forgets fields gets a key all the same, which \
             different intents then share",
        ),
        "make the fields required without which nobody could say what is to be done",
    ));
}

/// `identity-too-narrow`
pub(super) fn too_narrow(policy: &Policy, findings: &mut Vec<Finding>) {
    if !identity_of(policy).all(is_narrow) {
        return;
    }
    let fields: Vec<String> = identity_of(policy).map(|field| field.path().to_string()).collect();
    findings.push(Finding::new(
        "identity-too-narrow",
        Severity::Warning,
        String::from("identity"),
        format!(
            "{} alone say what the action is, and they have few values or ones that come again: different \
             intents of one tenant share a key",
            fields.join(", ")
        ),
        "add what tells two intents apart (who is paid, which order, which event), or record a UUID",
    ));
}

/// Whether a field has few values, or values that come again and again.
fn is_narrow(field: &Field) -> bool {
    let name = Name::of(field.path());
    match field.rule() {
        Rule::Boolean(_) | Rule::Enum(_) | Rule::Currency(_) | Rule::Decimal(_) => true,
        Rule::Integer(_) => name.has(&[
            "amount", "quantity", "qty", "count", "cents", "minor", "units", "value", "total", "price",
            "sum", "size", "level", "priority", "step", "rating", "score", "percent",
        ]),
        _ => false,
    }
}

/// `empty-is-an-identity`
pub(super) fn empty_is_an_identity(policy: &Policy, findings: &mut Vec<Finding>) {
    let tells = |field: &&Field| field.is_required() && !is_narrow(field);
    let telling: Vec<&Field> = identity_of(policy).filter(tells).collect();
    // Where two tell intents apart, one of them is left; where nothing else is, the core refuses it.
    let [field] = telling.as_slice() else { return };
    let others: Vec<String> = identity_of(policy)
        .filter(|other| other.path() != field.path())
        .map(|other| other.path().to_string())
        .collect();
    let in_list = field.path().segments().contains(&Segment::Element);
    if field.empty() != Some(Empty::Keep) || in_list || others.is_empty() {
        return;
    }
    let path = field.path();
    findings.push(Finding::new(
        "empty-is-an-identity",
        Severity::Note,
        place_of(field),
        format!(
            "{path} may be \"\", and then nothing but {} says what the action is: events whose {path} got lost \
             and that are equal in the rest share a key",
            others.join(", ")
        ),
        "say empty = \"refuse\": no other key changes",
    ));
}

/// Ids of an intent, wherever they are met.
const INTENT_IDS: &[&[&str]] = &[
    &["intent", "id"],
    &["intent", "uuid"],
    &["intent", "key"],
    &["intent", "ref"],
    &["intent", "reference"],
    &["operation", "id"],
    &["op", "id"],
    &["command", "id"],
    &["event", "id"],
    &["message", "id"],
    &["msg", "id"],
    &["job", "id"],
    &["client", "order", "id"],
    &["merchant", "order", "id"],
    &["external", "id"],
];

/// Ids of a payment: the intent's, but where what is done is to take another one back.
const PAYMENT_IDS: &[&[&str]] = &[
    &["instruction", "id"],
    &["end", "to", "end", "id"],
    &["e2e", "id"],
    &["uetr"],
    &["txid"],
    &["transaction", "id"],
    &["txn", "id"],
    &["tx", "id"],
];

/// What is done to something that is there already.
const REVERSING: &[&str] = &[
    "refund",
    "reverse",
    "reversal",
    "void",
    "capture",
    "cancel",
    "chargeback",
    "dispute",
    "confirm",
    "settle",
    "return",
    "devolution",
    "estorno",
];

/// Things whose id is the intent's where the action is to make one.
const THINGS: &[&str] = &[
    "transaction",
    "txn",
    "tx",
    "payment",
    "transfer",
    "payout",
    "order",
    "charge",
    "booking",
    "reservation",
    "refund",
    "withdrawal",
    "deposit",
    "purchase",
    "checkout",
    "subscription",
    "shipment",
    "invoice",
    "notification",
];

/// What is done to make a thing.
const MAKING: &[&str] = &[
    "create", "place", "new", "submit", "send", "make", "open", "issue", "initiate", "request", "add",
    "post", "book", "execute", "start",
];

/// Words of names that speak of another thing than the intent.
const OTHER: &[&str] = &[
    "original",
    "parent",
    "related",
    "refunded",
    "reversed",
    "previous",
    "source",
    "linked",
    "referenced",
    "of",
];

/// Words of fields that say in whose numbering an id counts, or which part of an intent it is.
const SCOPES: &[&str] = &[
    "provider",
    "account",
    "source",
    "tenant",
    "merchant",
    "issuer",
    "org",
    "organization",
    "organisation",
    "region",
    "shop",
    "store",
    "channel",
    "system",
    "namespace",
    "customer",
    "user",
    "environment",
    "env",
    "livemode",
    "mode",
    "kind",
    "type",
    "version",
    "partner",
    "platform",
    "country",
    "branch",
    "project",
    "workspace",
    "team",
    "app",
    "application",
    "service",
    "client",
    "bank",
    "ispb",
    "participant",
    "step",
    "sequence",
    "seq",
    "index",
    "position",
    "line",
    "part",
    "installment",
    "instalment",
    "leg",
    "occurrence",
];

/// `intent-id-beside-fields`
pub(super) fn intent_id(policy: &Policy, findings: &mut Vec<Finding>) {
    let Some(id) = identity_of(policy).find(|field| is_intent_id(policy, field)) else { return };
    let decoration: Vec<String> = identity_of(policy)
        .filter(|field| field.path() != id.path() && !is_scope(field))
        .map(|field| field.path().to_string())
        .collect();
    if decoration.is_empty() {
        return;
    }
    let path = id.path();
    findings.push(Finding::new(
        "intent-id-beside-fields",
        Severity::Warning,
        place_of(id),
        format!(
            "{path} is an id of the intent: it says alone which one is meant, and {} can only split it",
            decoration.join(", ")
        ),
        format!(
            "keep {path} in [identity] and move {} to [checked], where a change is a conflict and not another intent",
            if decoration.len() == 1 { "the other field" } else { "the other fields" }
        ),
    ));
}

fn is_intent_id(policy: &Policy, field: &Field) -> bool {
    let in_list = field.path().segments().contains(&Segment::Element);
    let is_id = matches!(
        field.rule(),
        Rule::Uuid(_)
            | Rule::Exact(_)
            | Rule::Text(_)
            | Rule::Identifier(_)
            | Rule::Digits(_)
            | Rule::Integer(_)
    );
    if in_list || !is_id || !field.is_required() {
        return false;
    }
    let name = Name::of(field.path());
    if name.has(OTHER) {
        return false;
    }
    let reverses = policy.actions().map(words).all(|action| has_any(&action, REVERSING));
    if INTENT_IDS.iter().any(|words| name.is(words))
        || !reverses && PAYMENT_IDS.iter().any(|words| name.is(words))
    {
        return true;
    }
    let at_top = field.path().segments().len() == 1;
    if at_top && [&["id"][..], &["uuid"], &["guid"]].iter().any(|words| name.is(words)) {
        return true;
    }
    is_id_of_what_is_made(policy, &name)
}

/// `order_id` where the action is `order.place`, but not where it is `order.cancel`.
fn is_id_of_what_is_made(policy: &Policy, name: &Name) -> bool {
    let [thing, id] = name.words.as_slice() else { return false };
    if !matches!(id.as_str(), "id" | "uuid" | "guid" | "reference" | "ref")
        || !THINGS.contains(&thing.as_str())
    {
        return false;
    }
    policy.actions().map(words).any(|action| {
        let is_last = action.last() == Some(thing);
        action.contains(thing) && (is_last || action.iter().any(|word| MAKING.contains(&word.as_str())))
    })
}

fn has_any(words: &[String], any_of: &[&str]) -> bool {
    words.iter().any(|word| any_of.contains(&word.as_str()))
}

fn is_scope(field: &Field) -> bool {
    matches!(field.rule(), Rule::Boolean(_) | Rule::Enum(_)) || Name::of(field.path()).has(SCOPES)
}

/// Words of names whose text is a code or a name and no prose.
const CODES: &[&str] = &[
    "id",
    "ids",
    "uuid",
    "ref",
    "reference",
    "references",
    "number",
    "no",
    "num",
    "nr",
    "code",
    "codes",
    "sku",
    "key",
    "account",
    "iban",
    "bic",
    "username",
    "login",
    "handle",
    "slug",
    "symbol",
    "ticker",
    "order",
    "invoice",
    "customer",
    "product",
    "item",
    "plan",
    "ticket",
    "coupon",
    "voucher",
    "promo",
    "city",
    "country",
    "state",
    "region",
    "currency",
    "language",
    "locale",
    "status",
    "type",
    "kind",
    "category",
    "channel",
    "method",
    "brand",
    "model",
    "serial",
    "isbn",
    "ean",
    "vin",
    "plate",
    "zip",
    "postcode",
    "url",
    "uri",
    "host",
    "domain",
    "path",
    "tag",
    "label",
    "version",
    "email",
    "phone",
    "end",
    "name",
    "names",
    "surname",
    "firstname",
    "lastname",
    "company",
];

/// Words of names whose text is prose, under whatever rule.
const PROSE: &[&str] = &[
    "description",
    "memo",
    "note",
    "notes",
    "comment",
    "comments",
    "message",
    "text",
    "remark",
    "remarks",
    "narrative",
    "narration",
    "remittance",
    "purpose",
    "instructions",
    "prompt",
    "body",
    "content",
    "subject",
    "title",
    "reason",
    "details",
    "summary",
    "question",
    "query",
    "caption",
    "statement",
    "address",
    "greeting",
];

/// `free-text-in-identity`
pub(super) fn free_text(policy: &Policy, findings: &mut Vec<Finding>) {
    // What changes with every attempt is found for that.
    let is_text = |field: &&Field| field.is_required() && is_prose(field) && by_name(field).is_none();
    for field in identity_of(policy).filter(is_text) {
        let path = field.path();
        findings.push(Finding::new(
            "free-text-in-identity",
            Severity::Warning,
            place_of(field),
            format!("{path} is free text that must be there: reworded or mistyped once, the same intent has another key"),
            format!("record a UUID with the intent and take that for {path}; move the text to [checked]"),
        ));
    }
}

fn is_prose(field: &Field) -> bool {
    debug_assert_eq!(field.class(), Class::Identity);
    let name = Name::of(field.path());
    let (code, prose) = (name.has(CODES), name.has(PROSE));
    match field.rule() {
        Rule::Text(_) => prose && !name.has(&["id", "code", "key", "ref"]) || !code,
        Rule::Exact(_) | Rule::Identifier(_) => prose && !code,
        _ => false,
    }
}
