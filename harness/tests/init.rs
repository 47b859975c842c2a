//! The command `intentkey init`: what it proposes, and what it leaves to a person.
#![expect(clippy::panic, reason = "a test may panic")]

use std::process::{Command, Output};

use intentkey::init::{NoSamples, propose};

/// Ten payments as a shop logs them.
fn payments() -> String {
    let payment = |number: u32| {
        format!(
            "{{\"tenant\":\"acme\",\"action\":\"pix.transfer\",\"intent_epoch\":{},\"payload\":{{\
             \"amount\":\"{number}.50\",\"currency\":\"BRL\",\"creditor_key\":\"ana{number}@example.com\",\
             \"request_id\":\"r{number}\",\"created_at\":\"2026-11-30T12:00:00Z\",\"remittance\":\"Rent for {number}\",\
             \"device\":\"d{number}\",\"items\":[{{\"sku\":\"A-{number}\",\"quantity\":1}}],\"method\":\"{}\"}}}}\n",
            1_796_040_000 + number,
            if number.is_multiple_of(2) { "standard" } else { "express" },
        )
    };
    (0..10).map(payment).collect()
}

fn line<'t>(text: &'t str, start: &str) -> &'t str {
    text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start} in\n{text}"))
}

#[test]
fn what_name_and_values_say_is_classified_with_its_reason() {
    let proposal = propose("shop", &payments()).unwrap();
    let text = &proposal.text;
    assert_eq!(line(text, "name"), "name = \"shop\"");
    assert!(line(text, "actions").starts_with("actions = [\"pix.transfer\"]"));
    let amount = line(text, "amount");
    assert!(amount.starts_with("amount = { rule = \"decimal\", scale = \"currency\" }"), "{amount}");
    assert!(amount.contains("# named as an amount, the values are numbers"), "{amount}");
    for start in [
        "currency = { rule = \"currency\" }",
        "creditor_key = { rule = \"email\" }",
        "\"items[].sku\" = { rule = \"exact\", empty = \"refuse\" }",
        "\"items[].quantity\" = { rule = \"integer\" }",
        "request_id = \"new on every attempt\"",
        "created_at = \"the attempt's clock\"",
        "# remittance = { rule = \"text\" }",
        "# device = { rule = \"exact\" }",
        "# method = { rule = \"enum\", values = [\"express\", \"standard\"] }",
        "# items = { order = \"any\" }",
    ] {
        line(text, start);
    }
    assert_eq!(proposal.undecided, ["device", "method", "remittance"]);
    assert_eq!(proposal.refusal, None);
}

#[test]
fn a_value_of_a_sample_shows_only_in_a_closed_list() {
    let text = propose("shop", &payments()).unwrap().text;
    for value in ["ana1", "A-1", "Rent", "r1", "2026-11-30"] {
        assert!(!text.contains(value), "{value} in\n{text}");
    }
}

#[test]
fn what_samples_lack_is_optional() {
    let samples = r#"{"order_id":"a","coupon":null,"items":[{"sku":"x"},{"sku":"y","label":"z"}],"phone":""}
{"order_id":"b","items":[],"phone":"+5511987654321","meta":{}}
{"order_id":"c","phone":"+5511987654321","meta":{"user_agent":"x"}}"#;
    let proposal = propose("order", samples).unwrap();
    let text = &proposal.text;
    line(text, "order_id = { rule = \"exact\", empty = \"refuse\" }");
    line(text, "\"items[].sku\" = { rule = \"exact\", empty = \"refuse\", required = false }");
    line(text, "# \"items[].label\" = { rule = \"exact\", required = false }");
    line(text, "# phone = { rule = \"phone\", required = false, empty = \"absent\" }");
    line(text, "\"meta.user_agent\" = \"presentation\"");
    assert!(!text.contains("\nmeta =") && !text.contains("\nitems ="), "{text}");
    // Nothing says what the actions are.
    assert!(text.contains("# DECIDE: the actions"));
    assert_eq!(proposal.refusal.unwrap().field(), Some("actions"));
}

#[test]
fn a_field_that_is_two_things_is_left_to_decide() {
    let samples = "{\"order_id\":\"a\",\"amount\":1,\"to\":\"x\"}\n{\"order_id\":\"a\",\"amount\":{\"value\":1},\"to\":[1]}";
    let proposal = propose("order", samples).unwrap();
    for path in ["amount", "amount.value", "to", "to[]"] {
        assert!(proposal.undecided.iter().any(|undecided| undecided == path), "{:?}", proposal.undecided);
    }
}

#[test]
fn names_that_toml_must_quote_are_quoted() {
    let samples = r#"{"a.b \"c\"\\\n\u007f": {"amount": 1}, "é": true}"#;
    let proposal = propose("odd \"name\"", samples).unwrap();
    assert!(proposal.text.contains("name = \"odd \\\"name\\\"\""), "{}", proposal.text);
    // It is TOML, whatever the names: what is missing is the actions.
    assert_eq!(proposal.refusal.unwrap().field(), Some("actions"));
}

#[test]
fn a_schema_is_as_good_as_samples() {
    let schema = r##"{
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "tenant": { "type": "string" },
            "action": { "enum": ["order.place", "order.cancel"] },
            "intent_epoch": { "type": "integer" },
            "payload": { "$ref": "#/$defs/payload" }
        },
        "$defs": {
            "payload": {
                "type": "object",
                "required": ["amount", "currency", "customer"],
                "properties": {
                    "amount": { "type": ["number", "string"] },
                    "currency": { "type": "string" },
                    "customer": { "type": "object", "required": ["id"], "properties": { "id": { "type": "string", "format": "uuid" } } },
                    "due": { "type": "string", "format": "date" },
                    "gift": { "type": "boolean" },
                    "user_agent": { "type": "string" },
                    "self": { "$ref": "#/$defs/payload/properties/self" },
                    "lines": { "type": "array", "items": { "type": "object", "properties": { "sku": { "type": "string" } } } }
                }
            }
        }
    }"##;
    let proposal = propose("order", schema).unwrap();
    let text = &proposal.text;
    assert!(line(text, "actions").starts_with("actions = [\"order.cancel\", \"order.place\"]"));
    for start in [
        "amount = { rule = \"decimal\", scale = \"currency\" }",
        "currency = { rule = \"currency\" }",
        "user_agent = \"presentation\"",
        "# due = { rule = \"date\", required = false }",
        "# gift = { rule = \"boolean\", required = false }",
        "\"lines[].sku\" = { rule = \"exact\", empty = \"refuse\", required = false }",
    ] {
        line(text, start);
    }
    assert_eq!(proposal.refusal, None);
}

#[test]
fn what_is_no_sample_is_an_error() {
    assert_eq!(propose("x", "").unwrap_err(), NoSamples::Empty);
    assert_eq!(propose("x", "not JSON\n[1]\n").unwrap_err(), NoSamples::Empty);
    assert_eq!(propose("x", r#"{"$schema": "x"}"#).unwrap_err(), NoSamples::NoProperties);
    let array = propose("x", "[\n  {\"order_id\": \"a\"},\n  {\"order_id\": \"b\"}\n]\n").unwrap();
    assert_eq!((array.samples, array.broken), (2, None));
    assert_eq!(propose("x", "[]").unwrap_err(), NoSamples::Empty);
    let proposal = propose("x", "{\"order_id\":\"a\"}\nbroken\n\n[]\n").unwrap();
    assert_eq!((proposal.samples, proposal.broken), (1, Some((2, 2))));
}

/// A bank's export as spreadsheets write it in Brazil: semicolons, decimal commas, Windows-1252.
#[test]
fn a_table_is_proposed_from_in_its_own_notation() {
    let folder = tempfile::tempdir().unwrap();
    let samples = folder.path().join("extrato.csv");
    let rows: String = (10..30)
        .map(|day| {
            format!(";{day}/11/2026 08:{day};Caf\u{e9} {day};00{day};-1.0{day},50;S\u{e3}o Paulo;\r\n")
        })
        .collect();
    let table = format!(";Data;Descri\u{e7}\u{e3}o;id_cliente;Valor;Cidade;\r\n{rows}1;2\r\n");
    let latin: Vec<u8> = table.chars().map(|character| u8::try_from(character).unwrap()).collect();
    std::fs::write(&samples, latin).unwrap();
    let run = |more: &[&str]| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_intentkey"));
        command.args(["init", samples.to_str().unwrap()]).args(more).output().unwrap()
    };
    let refused = run(&[]);
    assert_eq!((refused.status.code(), refused.stdout.is_empty()), (Some(2), true));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("line 1 is not UTF-8: say --encoding windows-1252"), "{said}");
    let output = run(&["--encoding", "windows-1252"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("left out: 1 that cannot be read, the first is line 22: not as many fields"),
        "{said}"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    line(&text, "# DECIDE: numbers with a comma, which no rule reads: --decimal-comma");
    line(&text, "# DECIDE: the values are dates that are not ISO 8601");
    // Digits with leading zeros are a name.
    line(&text, "id_cliente = { rule = \"exact\", empty = \"refuse\" }");
    line(&text, "# \"Descri\u{e7}\u{e3}o\" = { rule = \"text\" }");
    let output = run(&["--encoding", "latin1", "--decimal-comma", "Valor", "--delimiter", "semicolon"]);
    let text = String::from_utf8(output.stdout).unwrap();
    line(&text, "Valor = { rule = \"decimal\", scale = 2 }");
    for wrong in [["--encoding", "klingon"], ["--delimiter", "ab"], ["--delimiter", "\""]] {
        assert_eq!(run(&wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn the_proposal_of_the_command_derives_the_samples_once_decided() {
    let folder = tempfile::tempdir().unwrap();
    let samples = folder.path().join("shop.jsonl");
    std::fs::write(&samples, payments()).unwrap();
    let run = |arguments: &[&str]| -> Output {
        Command::new(env!("CARGO_BIN_EXE_intentkey")).args(arguments).output().unwrap()
    };
    let output = run(&["init", samples.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("left to decide: 3: device, method, remittance"), "{said}");
    let text = String::from_utf8(output.stdout).unwrap();
    // A person takes every guess.
    let decided = text
        .replace("\n# remittance =", "\nremittance =")
        .replace("\n# device =", "\ndevice =")
        .replace("\n# method =", "\nmethod =");
    let policy = folder.path().join("shop.toml");
    std::fs::write(&policy, decided).unwrap();
    let output = run(&["audit", policy.to_str().unwrap(), samples.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}
