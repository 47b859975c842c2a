//! A bad policy is refused at its place, and says what is allowed there.

use intentkey_core::{Class, Code, Deriver, Keyring, Policies, Policy, Secret};

const SOUND: &str = r#"{
    "name": "order", "actions": ["order.place"], "bucket_seconds": 900, "edge_seconds": 20,
    "key": {"format": "hex", "length": 40, "scope": "tenant", "destinations": ["open-finance-brasil"]},
    "identity": {
        "id": {"rule": "text"},
        "amount": {"rule": "decimal", "scale": "currency"},
        "currency": {"rule": "currency"},
        "items[].sku": {"rule": "exact"},
        "to[]": {"rule": "email"}
    },
    "checked": {"note": {"rule": "text", "required": false}},
    "ignored": {"meta": "for operators"},
    "lists": {"items": {"order": "any"}},
    "retention": {"ttl_seconds": 604800, "callers": {"queue": 86400, "stripe": "unmeasured"}}
}"#;

#[test]
fn a_sound_policy_says_what_it_holds() {
    let policy = Policy::from_json(SOUND).unwrap();
    let paths: Vec<_> =
        policy.fields().iter().map(|field| (field.path().to_string(), field.class())).collect();
    let identity = |path: &str| (path.to_owned(), Class::Identity);
    assert_eq!(
        paths,
        [
            identity("amount"),
            identity("currency"),
            identity("id"),
            identity("items[].sku"),
            ("note".to_owned(), Class::Checked),
            identity("to[]"),
        ]
    );
    assert_eq!(policy.lists().iter().map(|list| list.is_any_order()).collect::<Vec<_>>(), [true, false]);
    let retention = policy.retention().unwrap();
    assert_eq!(retention.ttl_seconds(), Some(604_800));
    let callers: Vec<_> =
        retention.callers().iter().map(|caller| (caller.name(), caller.horizon_seconds())).collect();
    assert_eq!(callers, [("queue", Some(86_400)), ("stripe", None)]);
}

#[test]
fn what_is_wrong_is_refused_at_its_place() {
    for (from, to, place, says) in [
        (r#""name": "order""#, r#""name": """#, "name", "not empty"),
        (r#""name": "order","#, "", "name", "not empty"),
        (r#"["order.place"]"#, "[]", "actions", "at least one"),
        (r#"["order.place"]"#, r#"["a", "a"]"#, "actions", "twice"),
        (r#""bucket_seconds": 900,"#, "", "bucket_seconds", "missing"),
        (": 900", ": -1", "bucket_seconds", "from 0 to"),
        (": 900", ": 0.5", "bucket_seconds", "from 0 to"),
        (": 20", ": 451", "edge_seconds", "half"),
        (r#""hex""#, r#""base32""#, "key.format", r#""hex", "base64url", "uuid" or "uuid4""#),
        (": 40", ": 31", "key.length", "from 32 to 64"),
        (": 40", ": 65", "key.length", "from 32 to 64"),
        (r#""hex", "length": 40"#, r#""base64url", "length": 44"#, "key.length", "from 22 to 43"),
        (r#""hex""#, r#""uuid""#, "key.length", "leave it out"),
        (r#""scope": "tenant""#, r#""scope": "user""#, "key.scope", r#""all" or "tenant""#),
        (r#"{"rule": "text"}"#, r#"{"rule": "txt"}"#, "identity.id.rule", r#""identifier""#),
        (r#"{"rule": "text"}"#, "{}", "identity.id.rule", "missing"),
        (
            r#"{"rule": "text"}"#,
            r#"{"rule": "text", "form": "nfkc"}"#,
            "identity.id.form",
            r#""canonical" or "nfc_first""#,
        ),
        (r#"{"rule": "text"}"#, r#"{"rule": "text", "scale": 2}"#, "identity.id.scale", r#""space""#),
        (
            r#"{"rule": "text"}"#,
            r#"{"rule": "text", "required": 1}"#,
            "identity.id.required",
            "true or false",
        ),
        (r#"{"rule": "text"}"#, r#"{"rule": "text", "null": "keep"}"#, "identity.id.null", r#""absent""#),
        (
            r#"{"rule": "text"}"#,
            r#"{"rule": "uuid", "empty": "keep"}"#,
            "identity.id.empty",
            r#""absent" or "refuse""#,
        ),
        (r#"{"rule": "text"}"#, r#"{"rule": "boolean", "empty": "absent"}"#, "identity.id.empty", "unknown"),
        (
            r#"{"rule": "text"}"#,
            r#"{"rule": "enum", "values": ["a", "A"], "case": "fold"}"#,
            "identity.id.values",
            "case",
        ),
        (r#"{"rule": "text"}"#, r#"{"rule": "enum", "values": []}"#, "identity.id.values", "at least one"),
        (r#"{"rule": "text"}"#, r#"{"rule": "enum"}"#, "identity.id.values", "at least one"),
        (r#"{"rule": "text"}"#, r#"{"rule": "pix_key", "kinds": ["iban"]}"#, "identity.id.kinds", r#""cpf""#),
        (r#"{"rule": "text"}"#, r#"{"rule": "decimal", "scale": 19}"#, "identity.id.scale", "0 to 18"),
        (
            r#"{"rule": "text"}"#,
            r#"{"rule": "decimal", "currency_field": "currency"}"#,
            "identity.id.currency_field",
            "only",
        ),
        (
            r#"{"rule": "text"}"#,
            r#"{"rule": "timestamp", "precision": "nano"}"#,
            "identity.id.precision",
            r#""milli""#,
        ),
        (
            r#""scale": "currency""#,
            r#""scale": "currency", "currency_field": "note""#,
            "identity.amount.currency_field",
            "identity field",
        ),
        (
            r#""scale": "currency""#,
            r#""scale": "currency", "currency_field": "to[]""#,
            "identity.amount.currency_field",
            "without []",
        ),
        (
            r#""to[]": {"rule": "email"}"#,
            r#""to[]": {"rule": "email", "null": "absent"}"#,
            r"identity.to\[\].null",
            "never absent",
        ),
        (
            r#""to[]": {"rule": "email"}"#,
            r#""to[]": {"rule": "email", "empty": "absent"}"#,
            r"identity.to\[\].empty",
            "never absent",
        ),
        (r#""to[]""#, r#""to[0]""#, r"identity.to\[0\]", "`]`"),
        (r#""to[]""#, r#""[]""#, r"identity.\[\]", "not empty"),
        (r#""to[]""#, r#""to\\x""#, r"identity.to\\x", "backslash"),
        (r#""to[]""#, r#""id.to""#, r"identity.id\.to", "overlaps"),
        (r#""to[]""#, r#""items""#, r"identity.items\[\]\.sku", "overlaps"),
        (r#""note""#, r#""id""#, "checked.id", "twice"),
        (r#""meta""#, r#""items""#, "ignored.items", "overlaps"),
        (r#""meta": "for operators""#, r#""meta": true"#, "ignored.meta", "reason"),
        (r#"{"items": {"order""#, r#"{"rows": {"order""#, "lists.rows", "no field"),
        (r#"{"items": {"order""#, r#"{"items[]": {"order""#, r"lists.items\[\]", "no field"),
        (r#""order": "any""#, r#""order": "none""#, "lists.items.order", r#""matters" or "any""#),
        (": 604800", ": 0", "retention.ttl_seconds", "from 1"),
        (r#""unmeasured""#, r#""often""#, "retention.callers.stripe", "unmeasured"),
        (r#""lists""#, r#""list""#, "list", r#""retention""#),
        (r#""name": "order""#, r#""name": "order", "name": "order""#, "name", "twice"),
        (r#""name": "order""#, r#""name": "\ud800""#, "name", "Unicode"),
    ] {
        let changed = SOUND.replacen(from, to, 1);
        assert_ne!(changed, SOUND, "{from}");
        let refusal = Policy::from_json(&changed).unwrap_err();
        assert_eq!((refusal.code(), refusal.field()), (Code::PolicyInvalid, Some(place)), "{to}: {refusal}");
        assert!(refusal.message().contains(says), "{to}: {refusal}");
    }
}

#[test]
fn what_is_no_policy_at_all_is_refused() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let path = vec!["a"; 65].join(".");
    let long_path = SOUND.replace(r#""id""#, &format!("\"{path}\""));
    for text in ["", "{", "null", "[]", "{} {}", "\u{feff}{}", &deep, &long_path, &" ".repeat((4 << 20) + 1)]
    {
        assert_eq!(Policy::from_json(text).unwrap_err().code(), Code::PolicyInvalid);
    }
    let most = SOUND.replace(r#""id""#, &format!("\"{}\"", vec!["a"; 64].join(".")));
    assert!(Policy::from_json(&most).is_ok());
}

#[test]
fn the_digest_covers_what_decides_and_nothing_else() {
    let digest = |policy: &str| Policy::from_json(policy).unwrap().digest();
    let sound = digest(SOUND);
    for (from, to) in [
        (r#""name": "order""#, r#""name": "another""#),
        ("for operators", "another reason"),
        (r#"["open-finance-brasil"]"#, r#"["stripe"]"#),
        ("604800", "604801"),
        (r#"{"rule": "text"}"#, r#"{"rule": "text", "space": "trim", "empty": "keep", "required": true}"#),
    ] {
        assert_eq!(digest(&SOUND.replacen(from, to, 1)), sound, "{to}");
    }
    for (from, to) in [
        ("order.place", "order.cancel"),
        (": 900", ": 901"),
        (": 20", ": 21"),
        (": 40", ": 41"),
        (r#""scope": "tenant""#, r#""scope": "all""#),
        (r#"{"rule": "text"}"#, r#"{"rule": "exact"}"#),
        (r#"{"rule": "text"}"#, r#"{"rule": "text", "space": "collapse"}"#),
        (r#"{"rule": "text"}"#, r#"{"rule": "text", "required": false}"#),
        (r#"{"rule": "text"}"#, r#"{"rule": "text", "null": "absent"}"#),
        (r#""meta""#, r#""metadata""#),
        (r#""order": "any""#, r#""order": "matters""#),
    ] {
        assert_ne!(digest(&SOUND.replacen(from, to, 1)), sound, "{to}");
    }
}

#[test]
fn policies_over_time_cut_no_bucket() {
    let policies = |epochs: &[(u64, u64)]| {
        let entries: Vec<_> = epochs
            .iter()
            .map(|(from, width)| {
                let policy = SOUND.replace(": 900", &format!(": {width}"));
                format!(r#"{{"from_epoch": {from}, "policy": {policy}}}"#)
            })
            .collect();
        Policies::from_json(&format!("[{}]", entries.join(",")))
            .map_err(|refusal| refusal.field().map(str::to_owned))
    };
    assert!(policies(&[(0, 900), (9000, 600)]).is_ok());
    assert!(policies(&[(9000, 600), (0, 900)]).is_ok());
    assert!(policies(&[(900, 900)]).is_ok());
    for (epochs, place) in [
        (&[(0, 900), (600, 600)][..], "[1].from_epoch"),
        (&[(0, 900), (900, 600)], "[1].from_epoch"),
        (&[(0, 900), (0, 900)], "[1].from_epoch"),
        (&[(1, 900)], "[0].from_epoch"),
        (&[(0, 900), (99_999_999_999 * 900, 900)], "[1].from_epoch"),
    ] {
        assert_eq!(policies(epochs).unwrap_err().as_deref(), Some(place), "{epochs:?}");
    }
    assert_eq!(policies(&[]).unwrap_err(), None);
    let nested = Policies::from_json(r#"[{"from_epoch": 0, "policy": {}}]"#).unwrap_err();
    assert_eq!(nested.field(), Some("[0].policy.name"));
}

#[test]
fn keyrings_that_contradict_are_refused() {
    const HEX: &str = "00112233445566778899aabbccddeeff";
    let entry =
        |id: &str, from: u64| format!(r#"{{"id": "{id}", "from_epoch": {from}, "secret_hex": "{HEX}"}}"#);
    let tenant = format!(r#"{{"id": "a", "from_epoch": 0, "tenant": "u", "tenant_secret_hex": "{HEX}"}}"#);
    for (ring, valid) in [
        (entry("a", 0), true),
        (format!("{},{}", entry("b", 60), entry("a", 0)), true),
        (format!("{},{}", entry("a", 0), entry("b", 0)), false),
        (format!("{},{}", entry("a", 0), entry("a", 60)), false),
        (entry("", 0), false),
        (String::new(), false),
        (tenant.clone(), true),
        (format!("{tenant},{}", tenant.replace("\"u\"", "\"v\"")), true),
        (format!("{tenant},{tenant}"), false),
        (tenant.replace("\"u\"", "\"\""), false),
        (format!("{tenant},{}", entry("a", 0)), false),
    ] {
        let read = Keyring::from_json(&format!("[{ring}]"));
        assert_eq!(
            read.as_ref().err().map(|refusal| refusal.code()),
            (!valid).then_some(Code::KeyringInvalid),
            "{ring}"
        );
    }
    let forever = Policy::from_json(&SOUND.replace(": 900", ": 0").replace(": 20", ": 0")).unwrap();
    let two = Keyring::from_json(&format!("[{},{}]", entry("a", 0), entry("b", 60))).unwrap();
    assert_eq!(Deriver::new(forever.clone(), two.clone()).unwrap_err().code(), Code::KeyringInvalid);
    assert!(Deriver::new(Policy::from_json(SOUND).unwrap(), two).is_ok());
    let all = Policy::from_json(&SOUND.replace(r#""scope": "tenant""#, r#""scope": "all""#)).unwrap();
    let tenants = Keyring::from_json(&format!("[{tenant}]")).unwrap();
    assert_eq!(Deriver::new(all, tenants.clone()).unwrap_err().code(), Code::KeyringInvalid);
    assert!(Deriver::new(forever.clone(), tenants).is_ok());
    let late = Keyring::from_json(&format!("[{}]", entry("a", 100_000_000_000))).unwrap();
    assert!(Deriver::new(forever, late.clone()).is_ok());
    assert_eq!(
        Deriver::new(Policy::from_json(SOUND).unwrap(), late).unwrap_err().code(),
        Code::KeyringInvalid
    );
    assert!(Deriver::new(Policy::from_json(SOUND).unwrap(), Secret::from_hex(HEX).unwrap()).is_ok());
}
