//! Every code is provoked, at its field, and nothing that comes with an intent or a keyring shows
//! in a refusal.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use intentkey_core::{Code, Deriver, Keyring, Policies, Policy, Refusal, Secret};

const POLICY: &str = r#"{
    "name": "test", "actions": ["pay"], "bucket_seconds": 60,
    "identity": {
        "amount": {"rule": "decimal", "scale": "currency", "required": false},
        "currency": {"rule": "currency", "required": false},
        "exact": {"rule": "integer", "required": false},
        "key": {"rule": "pix_key", "required": false},
        "on": {"rule": "date", "required": false},
        "channel": {"rule": "enum", "values": ["web", "app"], "required": false},
        "text": {"rule": "text", "required": false, "empty": "refuse"},
        "items[].sku": {"rule": "exact"}
    },
    "ignored": {"junk": "not part of it", "attempt": "new on every attempt"}
}"#;

fn deriver() -> Deriver {
    Deriver::new(Policy::from_json(POLICY).unwrap(), Secret::new([7; 32]).unwrap()).unwrap()
}

fn derive(deriver: &Deriver, text: &str) -> Result<String, Refusal> {
    deriver.derive(&deriver.read(text)?).map(|derived| derived.key.to_string())
}

/// An intent with these members in its payload, beside an item.
fn with(members: &str) -> String {
    let comma = if members.is_empty() { "" } else { "," };
    format!(
        r#"{{"tenant":"t","action":"pay","intent_epoch":60,"payload":{{"items":[{{"sku":"a"}}]{comma}{members}}}}}"#
    )
}

/// Texts that are refused: the code, the field, the fields.
fn refused() -> Vec<(Code, Option<&'static str>, String)> {
    let deep = |levels: usize| format!(r#""zz":{}{}"#, "[".repeat(levels), "]".repeat(levels));
    let many = format!(r#""zz":[{}0]"#, "0,".repeat(65_536));
    let long = format!(r#""text":"{}""#, "x".repeat((1 << 20) + 1));
    let huge = format!(r#""junk":"{}""#, "x".repeat(4 << 20));
    let changed = |from: &str, to: &str| with("").replace(from, to);
    vec![
        (Code::JsonMalformed, None, "{".to_owned()),
        (Code::PayloadTooLarge, None, with(&many)),
        (Code::PayloadTooLarge, None, with(&long)),
        (Code::PayloadTooLarge, None, with(&huge)),
        (Code::PayloadTooDeep, None, with(&deep(64))),
        (Code::IntentInvalid, Some("tenant"), changed(r#""tenant":"t","#, "")),
        (Code::IntentInvalid, Some("action"), changed(r#""pay""#, "7")),
        (Code::IntentInvalid, Some("key"), changed(r#""action""#, r#""key":1,"action""#)),
        (
            Code::PayloadNotObject,
            None,
            r#"{"tenant":"t","action":"pay","intent_epoch":60,"payload":[]}"#.to_owned(),
        ),
        (Code::TenantEmpty, None, changed(r#""tenant":"t""#, r#""tenant":"""#)),
        (Code::EpochInvalid, None, changed("60", "60.5")),
        (Code::EpochInvalid, None, changed("60", "-60")),
        (Code::EpochInMilliseconds, None, changed("60", "1767225600000")),
        (Code::ActionUnknown, None, changed(r#""pay""#, r#""Pay""#)),
        (Code::TextNotUnicode, None, with(r#""\ud800":1"#)),
        (Code::TextNotUnicode, Some("zz[1]"), with(r#""zz":[1,{"\udc00":1}]"#)),
        (Code::FieldDuplicate, Some("junk"), with(r#""junk":1,"junk":2"#)),
        (Code::FieldDuplicate, Some("zz[0].y"), with(r#""zz":[{"y":1,"y":2}]"#)),
        (Code::FieldUnclassified, None, with(r#""zz":{"y":[1]}"#)),
        (Code::FieldMissing, Some("items"), changed(r#""items":[{"sku":"a"}]"#, "")),
        (Code::FieldMissing, Some("items[1].sku"), changed(r#"{"sku":"a"}"#, r#"{"sku":"a"},{}"#)),
        (Code::FieldMissing, Some("currency"), with(r#""amount":1"#)),
        (Code::FieldNull, Some("items"), changed(r#"[{"sku":"a"}]"#, "null")),
        (Code::FieldNull, Some("text"), with(r#""text":null"#)),
        (Code::FieldType, Some("items[0]"), changed(r#"{"sku":"a"}"#, "5")),
        (Code::FieldType, Some("text"), with(r#""text":5"#)),
        (Code::TextNotUnicode, Some("text"), with(r#""text":"\ud800""#)),
        (Code::FieldEmpty, Some("text"), with(r#""text":" ""#)),
        (Code::NumberUnsafe, Some("exact"), with(r#""exact":9007199254740993"#)),
        (Code::DecimalMalformed, Some("exact"), with(r#""exact":"1,5""#)),
        (Code::DecimalOutOfRange, Some("exact"), with(r#""exact":"1e28""#)),
        (Code::DecimalInexact, Some("exact"), with(r#""exact":1.5"#)),
        (Code::CurrencyUnknown, Some("currency"), with(r#""currency":"BTC""#)),
        (Code::CurrencyUnknown, Some("currency"), with(r#""amount":1,"currency":"XAU""#)),
        (Code::PixKeyUnrecognized, Some("key"), with(r#""key":"123.456.789-00""#)),
        (Code::ValueMalformed, Some("on"), with(r#""on":"2026-02-30""#)),
        (Code::ValueNotListed, Some("channel"), with(r#""channel":"Web""#)),
        (Code::IdentityEmpty, None, changed(r#"[{"sku":"a"}]"#, "[]")),
    ]
}

#[test]
fn every_code_is_provoked_by_an_intent() {
    let deriver = deriver();
    assert!(derive(&deriver, &with("")).is_ok());
    for (code, field, text) in refused() {
        let refusal = derive(&deriver, &text).unwrap_err();
        let shown = text.get(..200).unwrap_or(&text);
        assert_eq!((refusal.code(), refusal.field()), (code, field), "{shown}");
        let fields: &[&str] = if code == Code::FieldUnclassified { &["zz.y[]"] } else { &[] };
        assert_eq!(refusal.fields(), fields, "{shown}");
        assert_eq!(refusal.message(), code.remedy(), "{shown}");
    }
}

/// What is refused before there is an intent, or because of its secret.
fn set_up() -> Vec<(Code, Result<String, Refusal>)> {
    let secret = || Secret::new([7; 32]).unwrap();
    let tenant_ring = r#"[{"id": "a", "from_epoch": 0, "tenant": "u", "tenant_secret_hex": "00112233445566778899aabbccddeeff"}]"#;
    let late_ring = r#"[{"id": "a", "from_epoch": 61, "secret_hex": "00112233445566778899aabbccddeeff"}]"#;
    let tenants = POLICY.replace(r#""bucket_seconds""#, r#""key": {"scope": "tenant"}, "bucket_seconds""#);
    let under = |policy: &str, ring: &str| {
        let deriver = Deriver::new(Policies::from_json(policy)?, Keyring::from_json(ring)?)?;
        derive(&deriver, &with(""))
    };
    let later = format!(r#"[{{"from_epoch": 120, "policy": {POLICY}}}]"#);
    vec![
        (Code::PolicyInvalid, Policy::from_json("[]").map(|_| String::new())),
        (
            Code::PolicyMissingForEpoch,
            Deriver::new(Policies::from_json(&later).unwrap(), secret())
                .and_then(|deriver| derive(&deriver, &with(""))),
        ),
        (Code::KeyringInvalid, Keyring::from_json("[]").map(|_| String::new())),
        (Code::SecretWeak, Secret::new([0; 32]).map(|_| String::new())),
        (Code::TenantNotHeld, under(&tenants, tenant_ring)),
        (Code::SecretMissingForEpoch, under(POLICY, late_ring)),
    ]
}

#[test]
fn every_code_is_provoked_by_the_set_up() {
    for (code, outcome) in set_up() {
        assert_eq!(outcome.unwrap_err().code(), code);
    }
}

#[test]
fn no_code_is_without_a_test() {
    let provoked: BTreeSet<Code> =
        refused().into_iter().map(|case| case.0).chain(set_up().into_iter().map(|case| case.0)).collect();
    assert_eq!(provoked, Code::ALL.iter().copied().collect());
}

/// A canary is planted in every value, in the tenant, the action and the secret.
#[test]
fn no_refusal_shows_a_value_or_a_secret() {
    const CANARY: &str = "c4n4ry";
    let secret = Secret::new(*b"c4n4ry-c4n4ry-c4n4ry").unwrap();
    let deriver = Deriver::new(Policy::from_json(POLICY).unwrap(), secret).unwrap();
    let planted = [
        r#""text":"c4n4ry\ud800""#,
        r#""text":"c4n4ry","text":"c4n4ry""#,
        r#""text":["c4n4ry"]"#,
        r#""zz":"c4n4ry""#,
        r#""exact":"c4n4ry""#,
        r#""exact":"0.c4n4ry""#,
        r#""currency":"c4n4ry""#,
        r#""amount":"c4n4ry","currency":"BRL""#,
        r#""amount":1,"currency":"c4n4ry""#,
        r#""key":"c4n4ry""#,
        r#""key":"c4n4ry@""#,
        r#""on":"c4n4ry""#,
        r#""channel":"c4n4ry""#,
        r#""text":"c4n4ry"#,
        r#""junk":"c4n4ry",}"#,
    ];
    let whole = [
        with("").replace(r#""pay""#, r#""c4n4ry""#),
        with("").replace("60", r#""c4n4ry""#),
        with("").replace(r#""t""#, r#"["c4n4ry"]"#),
        with("").replace(r#"{"items":[{"sku":"a"}]}"#, r#""c4n4ry""#),
        "c4n4ry".to_owned(),
    ];
    for text in planted.iter().map(|members| with(members)).chain(whole) {
        let refusal = derive(&deriver, &text).unwrap_err();
        let shown = format!("{refusal} {refusal:?} {:#?}", refusal.message());
        assert!(!shown.contains(CANARY), "{text}: {shown}");
    }
    for ring in [
        r#"[{"id": "a", "from_epoch": 0, "secret_hex": "c4n4ry"}]"#,
        r#"[{"id": "a", "from_epoch": "c4n4ry", "secret_hex": "00112233445566778899aabbccddeeff"}]"#,
        r#"[{"id": "a", "from_epoch": 0, "secret": "c4n4ry"}]"#,
        r#"[{"id": "a", "from_epoch": 0, "c4n4ry": 1, "secret_hex": "00112233445566778899aabbccddeeff"}]"#,
        r#"[{"id": ["c4n4ry"], "from_epoch": 0}]"#,
        r#"["c4n4ry"]"#,
        "c4n4ry",
    ] {
        let refusal = Keyring::from_json(ring).unwrap_err();
        assert!(!format!("{refusal} {refusal:?}").contains(CANARY), "{ring}: {refusal}");
    }
    let hex: String = CANARY.bytes().map(|byte| format!("{byte:02x}")).collect();
    let shown = format!("{deriver:?} {:?}", deriver.handshake());
    assert!(!shown.contains(CANARY) && !shown.contains(&hex), "{shown}");
}
