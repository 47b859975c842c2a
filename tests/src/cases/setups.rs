//! Derivers that are refused, and those that refuse by what they hold: policies over time, rings,
//! tenants' secrets.

use serde_json::{Value, json};

use super::{Case, Ring, Setup};

const MASTER: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const EPOCH: u64 = 1_767_225_700;
const EPOCHS: [u64; 8] = [0, 449, 899, 900, 1_000, 1_799, 1_800, EPOCH];

/// All of them.
pub(super) fn all() -> Vec<Case> {
    let bare = || Ring::Bare(MASTER.to_owned());
    let policies = broken_policies().into_iter().map(|policy| (policy, bare()));
    let keyrings = keyrings().into_iter().map(|keyring| (policy(json!({})), keyring));
    let mut cases = Vec::new();
    for (number, (policy, keyring)) in policies.chain(keyrings).enumerate() {
        cases.push(case(&format!("refused-{number}"), policy.to_string(), keyring, EPOCH, "t"));
    }
    // At epochs around those that the setups name, for two tenants.
    for (number, (policy, keyring)) in ordinary().into_iter().chain(tenants()).enumerate() {
        for (epoch, tenant) in EPOCHS.iter().flat_map(|epoch| [(*epoch, "t"), (*epoch, "other")]) {
            let id = format!("setup-{number}-{epoch}-{tenant}");
            cases.push(case(&id, policy.to_string(), keyring.clone(), epoch, tenant));
        }
    }
    cases.extend(texts());
    cases
}

fn case(id: &str, policy: String, keyring: Ring, epoch: u64, tenant: &str) -> Case {
    Case {
        id: id.to_owned(),
        setup: Setup { policy, as_object: true, keyring },
        intent: json!({ "tenant": tenant, "action": "a", "intent_epoch": epoch, "payload": { "id": "x" } })
            .to_string(),
        as_object: true,
        expect: Value::Null,
    }
}

/// A policy with these members in the place of its own.
fn policy(members: Value) -> Value {
    let mut policy = json!({
        "name": "setup", "actions": ["a"], "bucket_seconds": 900, "identity": { "id": { "rule": "exact" } },
    });
    if let (Some(policy), Value::Object(members)) = (policy.as_object_mut(), members) {
        policy.extend(members);
    }
    policy
}

fn broken_policies() -> Vec<Value> {
    let dated = |from: Value, one: Value| json!({ "from_epoch": from, "policy": one });
    let mut broken: Vec<Value> = vec![
        json!({}),
        json!([]),
        json!("x"),
        json!(null),
        json!([dated(json!(0), policy(json!({}))), dated(json!(0), policy(json!({})))]),
        json!([dated(json!(1), policy(json!({})))]),
        json!([dated(json!(900_000_000_000_u64), policy(json!({})))]),
        json!([dated(json!(-900), policy(json!({})))]),
        json!([dated(json!("0"), policy(json!({})))]),
        json!([{ "policy": policy(json!({})) }]),
        json!([{ "from_epoch": 0, "policy": policy(json!({})), "more": 1 }]),
        json!([dated(json!(0), policy(json!({ "name": "" })))]),
    ];
    let members = [
        json!({ "name": "" }),
        json!({ "name": 1 }),
        json!({ "actions": [] }),
        json!({ "actions": ["a", "a"] }),
        json!({ "actions": "a" }),
        json!({ "bucket_seconds": -1 }),
        json!({ "bucket_seconds": 1.5 }),
        json!({ "bucket_seconds": "900" }),
        json!({ "edge_seconds": 451 }),
        json!({ "key": { "format": "hex", "length": 31 } }),
        json!({ "key": { "format": "uuid", "length": 36 } }),
        json!({ "key": { "format": "octal" } }),
        json!({ "key": { "scope": "user" } }),
        json!({ "key": { "more": 1 } }),
        json!({ "identity": {} }),
        json!({ "identity": { "id": { "rule": "none" } } }),
        json!({ "identity": { "id": "exact" } }),
        json!({ "identity": { "id": { "rule": "exact", "case": "fold" } } }),
        json!({ "identity": { "id": { "rule": "decimal", "scale": 19 } } }),
        json!({ "identity": { "id": { "rule": "decimal", "scale": "currency" } } }),
        json!({ "identity": { "id": { "rule": "enum", "values": ["A", "a"], "case": "fold" } } }),
        json!({ "identity": { "id": { "rule": "email", "empty": "keep" } } }),
        json!({ "identity": { "id": { "rule": "exact" }, "id.x": { "rule": "exact" } } }),
        json!({ "identity": { "id[]": { "rule": "exact", "null": "absent" } } }),
        json!({ "identity": { "a..b": { "rule": "exact" } } }),
        json!({ "identity": { "a\\b": { "rule": "exact" } } }),
        json!({ "checked": { "id": { "rule": "exact" } } }),
        json!({ "ignored": { "x": "" } }),
        json!({ "ignored": { "x": 1 } }),
        json!({ "lists": { "id": { "order": "any" } } }),
        json!({ "retention": { "ttl_seconds": -1 } }),
        json!({ "__proto__": {} }),
        json!({ "more": 1 }),
    ];
    broken.extend(members.into_iter().map(policy));
    broken
}

fn keyrings() -> Vec<Ring> {
    let entry = |id: &str, from: Value, hex: &str| json!({ "id": id, "from_epoch": from, "secret_hex": hex });
    let rings = [
        json!([]),
        json!([entry("", json!(0), MASTER)]),
        json!([entry("a", json!(0), MASTER), entry("a", json!(900), &"02".repeat(32))]),
        json!([entry("a", json!(0), MASTER), entry("b", json!(0), &"02".repeat(32))]),
        json!([entry("a", json!(0), &"01".repeat(15))]),
        json!([entry("a", json!(0), &"00".repeat(32))]),
        json!([entry("a", json!(1_767_225_600_000_u64), MASTER)]),
        json!([entry("a", json!(1_800), MASTER), entry("b", json!(900), &"02".repeat(32))]),
        json!([{ "id": "a", "from_epoch": 0, "tenant": "t", "tenant_secret_hex": MASTER }]),
    ];
    let entries = rings.into_iter().map(|ring| Ring::Entries(ring.to_string()));
    let bare = ["", "01", &"01".repeat(15), &"00".repeat(32), &"01".repeat(16), &"ab".repeat(200)];
    entries.chain(bare.into_iter().map(|hex| Ring::Bare(hex.to_owned()))).collect()
}

/// Setups that derive, at some epochs at least.
fn ordinary() -> Vec<(Value, Ring)> {
    let ring = Ring::Entries(
        json!([{ "id": "old", "from_epoch": 0, "secret_hex": MASTER },
               { "id": "new", "from_epoch": 1_000, "secret_hex": "02".repeat(64) }])
        .to_string(),
    );
    let bare = || Ring::Bare(MASTER.to_owned());
    let over_time = json!([
        { "from_epoch": 1_800, "policy": policy(json!({ "name": "new", "key": { "format": "uuid4" } })) },
        { "from_epoch": 900, "policy": policy(json!({ "edge_seconds": 450 })) },
    ]);
    let formats =
        ["hex", "base64url", "uuid", "uuid4"].map(|format| policy(json!({ "key": { "format": format } })));
    let mut setups: Vec<(Value, Ring)> = formats.into_iter().map(|policy| (policy, bare())).collect();
    setups.extend([
        (over_time.clone(), bare()),
        (over_time, ring.clone()),
        (policy(json!({ "edge_seconds": 20 })), ring.clone()),
        (policy(json!({ "bucket_seconds": 0 })), ring),
        (policy(json!({ "bucket_seconds": 0 })), bare()),
        (policy(json!({ "bucket_seconds": 1 })), bare()),
        (policy(json!({ "key": { "length": 32, "scope": "tenant" }, "edge_seconds": 1 })), bare()),
    ]);
    setups
}

fn tenants() -> Vec<(Value, Ring)> {
    let scoped = || policy(json!({ "key": { "scope": "tenant" }, "edge_seconds": 20 }));
    let entry = |id: &str, from: u64, tenant: &str| json!({ "id": id, "from_epoch": from, "tenant": tenant, "tenant_secret_hex": MASTER });
    let ring = |entries: Value| Ring::Entries(entries.to_string());
    vec![
        (scoped(), ring(json!([entry("a", 0, "t")]))),
        (scoped(), ring(json!([entry("a", 900, "t"), entry("b", 1_800, "t")]))),
        (scoped(), ring(json!([entry("a", 0, "t"), entry("a", 0, "other")]))),
        (scoped(), ring(json!([entry("a", 0, "t"), entry("a", 900, "t")]))),
        (scoped(), ring(json!([entry("a", 0, "")]))),
    ]
}

/// Policies that only text can hold.
fn texts() -> Vec<Case> {
    let texts = [
        "",
        "{",
        "nul",
        r#"{"name":"a","name":"b","actions":["a"],"bucket_seconds":900,"identity":{"id":{"rule":"exact"}}}"#,
        r#"{"name":"a","actions":["a"],"bucket_seconds":900,"identity":{"id":{"rule":"exact"},"id":{"rule":"exact"}}}"#,
        r#"{"name":"\ud800","actions":["a"],"bucket_seconds":900,"identity":{"id":{"rule":"exact"}}}"#,
        r#"{"name":"a","actions":["a"],"bucket_seconds":9e2,"identity":{"id":{"rule":"exact"}}} x"#,
    ];
    let case = |(number, policy): (usize, &&str)| Case {
        id: format!("policy-text-{number}"),
        setup: Setup {
            policy: (*policy).to_owned(),
            as_object: false,
            keyring: Ring::Bare(MASTER.to_owned()),
        },
        intent: String::from("{}"),
        as_object: false,
        expect: Value::Null,
    };
    texts.iter().enumerate().map(case).collect()
}
