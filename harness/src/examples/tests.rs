use super::mutate::{Mutation, mutate};
use super::*;

const POLICY: &str = r#"{"name": "transfer", "actions": ["transfer"], "bucket_seconds": 900,
    "identity": {"to": {"rule": "email"}, "amount": {"rule": "decimal"}},
    "checked": {"note": {"rule": "text", "required": false}},
    "ignored": {"request_id": "new on every attempt"}}"#;

fn policies() -> Policies {
    Policies::from_json(POLICY).unwrap()
}

fn tested(examples: &str) -> Vec<Option<String>> {
    let report = Examples::from_toml(examples).unwrap().test(&policies());
    report.results.into_iter().map(|tested| tested.failure).collect()
}

#[track_caller]
fn passes(examples: &str) {
    assert_eq!(tested(examples), [None], "{examples}");
}

#[track_caller]
fn fails(examples: &str, why: &str) {
    assert_eq!(tested(examples), [Some(why.to_owned())], "{examples}");
}

#[test]
fn a_group_must_share_a_key() {
    let group = |one: &str, other: &str| format!("[[same]]\nname = \"g\"\npayloads = [{one}, {other}]");
    let ana = r#"{ to = "ana@example.com", amount = 10 }"#;
    passes(&group(ana, r#"{ amount = "10.00", to = "ANA@EXAMPLE.COM", request_id = "x" }"#));
    fails(
        &group(ana, r#"{ to = "ana@example.com", amount = 11 }"#),
        "intents 1 and 2 should share a key: different keys: they differ in amount",
    );
    fails(
        &group(ana, r#"{ to = "ana@example.com", amount = 10, note = "x" }"#),
        "intents 1 and 2 should not conflict: same key, and a conflict: note must not change between attempts",
    );
    fails(&group(ana, "{ amount = 10 }"), "intent 2: is refused: field_missing at to");
}

#[test]
fn others_must_not_share_a_key() {
    let group = |one: &str, other: &str| format!("[[different]]\nname = \"g\"\npayloads = [{one}, {other}]");
    let ana = r#"{ to = "ana@example.com", amount = 10 }"#;
    passes(&group(ana, r#"{ to = "ana@example.com", amount = 10.01 }"#));
    fails(
        &group(ana, r#"{ to = "Ana@example.com", amount = 10.001 }"#),
        "intents 1 and 2 should not share a key: same key: amount, to came to the same",
    );
}

#[test]
fn some_must_share_a_key_and_conflict() {
    let group = |one: &str, other: &str| {
        let payload = |note: &str| format!("{{ to = \"ana@example.com\", amount = 10, note = \"{note}\" }}");
        format!("[[conflict]]\nname = \"g\"\npayloads = [{}, {}]", payload(one), payload(other))
    };
    passes(&group("for lunch", "for dinner"));
    fails(
        &group("for lunch", " FOR LUNCH"),
        "intents 1 and 2 should conflict: same key: note came to the same",
    );
}

#[test]
fn some_must_be_refused() {
    let case =
        |code: &str, payload: &str| format!("[[refused]]\nname = \"r\"\n{code}\npayloads = [{payload}]");
    passes(&case("code = \"field_missing\"\nfield = \"to\"", "{ amount = 10 }"));
    passes(&case("code = \"field_null\"", r#"'{"to": null, "amount": 1}'"#));
    passes(&case("code = \"field_duplicate\"", r#"'{"to": "a@b", "to": "a@b", "amount": 1}'"#));
    fails(
        &case("code = \"field_missing\"\nfield = \"amount\"", "{ amount = 10 }"),
        "intent 1: should be refused at amount, and is as field_missing at to",
    );
    fails(
        &case("code = \"field_null\"", "{ amount = 10 }"),
        "intent 1: should be refused as field_null, and is as field_missing at to",
    );
    fails(
        &case("code = \"field_null\"", r#"{ to = "a@b", amount = 10 }"#),
        "intent 1: should be refused as field_null, and has a key",
    );
}

#[test]
fn a_group_may_pin_its_key_and_say_what_is_around_it() {
    // Python: hmac.new(bytes(range(32)), b'["acme","transfer",{"amount":"10.00","to":"a@b"},1963584]', sha256)
    let key = "13dc027e410db728e87ea9e17f9df61a1418c24e82cea0d5bcc36af1bc4f6882";
    let pinned = |key: &str| {
        format!(
            "tenant = \"acme\"\nintent_epoch = 1767225600\n[[same]]\nname = \"p\"\nkey = \"{key}\"\n\
             payloads = [{{ to = \"a@b\", amount = 10 }}]"
        )
    };
    passes(&pinned(key));
    fails(&pinned("0"), &format!("intent 1: has the key {key}, and not the one that is pinned"));
    let other = "[[different]]\nname = \"d\"\nintents = [\n{ tenant = \"acme\", payload = { to = \"a@b\", amount = 1 } },\n\
                 { tenant = \"umbrella\", payload = { to = \"a@b\", amount = 1 } },\n\
                 { tenant = \"acme\", intent_epoch = 9000, payload = { to = \"a@b\", amount = 1 } }]";
    passes(other);
}

#[test]
fn json_is_the_same_schema() {
    let examples = Examples::from_json(
        r#"{"same": [{"name": "s", "payloads": [{"to": "a@b", "amount": 1.50}, {"to": "a@b", "amount": 1.5}]}],
            "refused": [{"name": "r", "code": "field_null", "payloads": [{"to": null, "amount": 1}]},
                {"name": "lone", "code": "text_not_unicode", "payloads": [{"to": "\ud800", "amount": 1}]}]}"#,
    );
    assert!(examples.unwrap().test(&policies()).passed());
}

#[test]
fn what_is_no_example_is_refused_with_its_place() {
    for (text, says) in [
        ("[[same]]\nname = \"a\"\npayload = [{}]", "unknown field `payload`"),
        ("[[saem]]\nname = \"a\"", "unknown field `saem`"),
        ("[[different]]\nname = \"a\"\npayloads = [{}]", "[[different]] \"a\": needs at least 2"),
        ("[[same]]\nname = \"a\"", "[[same]] \"a\": needs at least 1"),
        ("[[same]]\nname = \"\"\npayloads = [{}]", "an example has a name"),
        (
            "[[same]]\nname = \"a\"\npayloads = [{}]\n[[same]]\nname = \"a\"\npayloads = [{}]",
            "no other has the same",
        ),
        ("[[refused]]\nname = \"a\"\npayloads = [{}]", "says no code"),
        ("[[refused]]\nname = \"a\"\ncode = \"wrong\"\npayloads = [{}]", "there is no code wrong"),
        ("[[different]]\nname = \"a\"\nkey = \"x\"\npayloads = [{}, {}]", "key belongs to [[same]] alone"),
        ("[[same]]\nname = \"a\"\npayloads = [{ a = inf }]", "a number that JSON has not"),
        ("secret_hex = \"00\"", "64 hex digits"),
        ("[[same]]\nname = 5", "invalid type"),
    ] {
        let error = Examples::from_toml(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

/// Examples that notice all but what is known.
const EXAMPLES: &str = r#"
[[same]]
name = "spellings"
payloads = [
  { to = "ana@example.com", amount = 10, note = "a b", request_id = "1" },
  { to = " ANA@example.com", amount = "10.00", note = " A B" },
]

[[different]]
name = "other amounts, other people"
payloads = [
  { to = "ana@example.com", amount = 10 },
  { to = "ana@example.com", amount = 10.01 },
  { to = "bob@example.com", amount = 10 },
]

[[conflict]]
name = "another note"
payloads = [{ to = "ana@example.com", amount = 10, note = "lunch" }, { to = "ana@example.com", amount = 10 }]

[[refused]]
name = "nobody is paid"
code = "field_missing"
payloads = [{ amount = 10 }]
"#;

fn mutated(examples: &str) -> Mutation {
    let examples = Examples::from_toml(examples).unwrap();
    assert!(examples.test(&policies()).passed());
    mutate(&examples, &policies(), POLICY, &|_, _| {})
}

fn survivors(mutation: &Mutation) -> Vec<String> {
    mutation.survivors.iter().map(|survivor| format!("{}: {}", survivor.place, survivor.change)).collect()
}

#[test]
fn what_no_example_notices_survives() {
    let mutation = mutated(EXAMPLES);
    assert_eq!(
        survivors(&mutation),
        [
            "bucket_seconds: doubled: 1800",
            "bucket_seconds: halved: 450",
            "key.length: cut by a character",
            "key.scope: \"tenant\"",
            "identity.amount: rounding = \"half_even\"",
            "identity.amount: rounding = \"refuse\"",
            "identity.amount: scale = 3",
            "identity.amount: required = false",
            "identity.amount: null = \"absent\"",
            "identity.amount: empty = \"absent\"",
            "checked.note: space = \"collapse\"",
            "checked.note: null = \"absent\"",
            "checked.note: empty = \"absent\"",
            "checked.note: empty = \"refuse\"",
            "identity.to: rule = \"text\"",
            "identity.to: null = \"absent\"",
            "identity.to: empty = \"absent\"",
        ]
    );
    assert_eq!(mutation.mutants, 30);
    assert!((mutation.score() - 43.33).abs() < 0.01, "{}", mutation.score());
}

/// Every suggestion, added as it is printed, makes its change noticed, and passes.
#[test]
fn suggestions_are_examples_that_notice() {
    let before = mutated(EXAMPLES);
    let mut added = String::from(EXAMPLES);
    for survivor in &before.survivors {
        let suggestion = survivor.suggestion.as_ref().unwrap_or_else(|| panic!("{}", survivor.change));
        added.push_str(&report::example(survivor, suggestion));
    }
    let after = mutated(&added);
    assert_eq!(survivors(&after), Vec::<String>::new());
}
