//! The bytes of keys, against values computed with Python's `hmac` and `hashlib`.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use hmac::{Hmac, KeyInit as _, Mac as _};
use intentkey_core::{
    Class, DatedPolicy, Deriver, Intent, Key, Keyring, KeyringEntry, Payload, Policies, Policy,
    RecordedIntent, Secret, TenantEntry, Value,
};
use sha2::Sha256;

fn secret() -> Secret {
    Secret::new(core::array::from_fn::<u8, 32, _>(|index| index as u8)).unwrap()
}

fn policy(scope: &str) -> Policy {
    let text = r#"{"name": "test", "actions": ["pay"], "bucket_seconds": 60, "edge_seconds": 5,
        "key": {"length": 40, "scope": "SCOPE"},
        "identity": {"id": {"rule": "exact"}}, "checked": {"note": {"rule": "text", "required": false}}}"#;
    Policy::from_json(&text.replace("SCOPE", scope)).unwrap()
}

fn intent(epoch: u64) -> Intent<'static> {
    Intent {
        tenant: "acme".into(),
        action: "pay".into(),
        epoch: epoch.into(),
        payload: Payload::Json(r#"{"id": "A-1", "note": " X"}"#),
    }
}

/// The second in the middle of bucket 100, and the last one.
const MIDDLE: u64 = 6030;
const LAST: u64 = 6059;

const KEY: &str = "b3c9126ddc1cd6dbe4b7d1b34754f2d39c2f2e28";
const TENANT_KEY: &str = "2aae59db37680008d940a90f431a6b6e4a2a34d2";
const EDGE_KEY: &str = "b4c15208d77a9fa3e3e5cb4d95355791fb93a72a";

#[test]
fn a_key_and_its_fingerprint() {
    let deriver = Deriver::new(policy("all"), secret()).unwrap();
    let derived = deriver.derive(&intent(MIDDLE)).unwrap();
    assert_eq!(derived.key.as_str(), KEY);
    let fingerprint = "bd01595ba9c3af334aa720fac41487158463b04ce3b8955ab52ddf126c65683f";
    assert_eq!(derived.fingerprint.to_string(), fingerprint);
    assert_eq!((derived.bucket, &*derived.secret_id, derived.edge), (100, "default", None));
    assert_eq!(deriver.derive_key(&intent(MIDDLE)).unwrap().key.as_str(), KEY);
    assert_eq!(deriver.fingerprint(&intent(MIDDLE)).unwrap().to_hex(), fingerprint);
}

#[test]
fn a_tenants_secret_serves_that_tenant() {
    let master = Deriver::new(policy("tenant"), secret()).unwrap();
    let derived = master.derive(&intent(MIDDLE)).unwrap();
    assert_eq!(derived.key.as_str(), TENANT_KEY);
    assert_eq!(
        derived.fingerprint.to_hex(),
        "c22d10fd2dc4507b2cbd6654d549e010f900c73f26dc27ea912da22326c6ed7c"
    );
    let tenant_secret = secret().for_tenant("acme");
    let hex = "0d1327e9fa6746d25f909aa747c1af9c2502c4dc92a588b266ff5f2f5a60bc14";
    assert!(tenant_secret == Secret::from_hex(hex).unwrap());
    let entry = TenantEntry { id: "2026".into(), from_epoch: 0, tenant: "acme".into(), tenant_secret };
    let held = Deriver::new(policy("tenant"), Keyring::of_tenants(vec![entry]).unwrap()).unwrap();
    let by_tenant = held.derive(&intent(MIDDLE)).unwrap();
    assert_eq!((by_tenant.key, by_tenant.fingerprint), (derived.key, derived.fingerprint));
    assert_eq!(&*by_tenant.secret_id, "2026");
    assert_eq!(
        held.handshake().secrets.first().map(|secret| secret.check.clone()).as_deref(),
        Some("04e13aa8")
    );
    assert_eq!(
        master.handshake().secrets.first().map(|secret| secret.check.clone()).as_deref(),
        Some("47095ba6")
    );
}

#[test]
fn producers_on_both_sides_of_an_edge_share_a_key() {
    let deriver = Deriver::new(policy("all"), secret()).unwrap();
    let before = deriver.derive(&intent(LAST)).unwrap();
    let after = deriver.derive(&intent(LAST + 1)).unwrap();
    assert_ne!(before.key, after.key);
    assert_eq!(before.edge.as_ref().map(|edge| edge.key.as_str()), Some(EDGE_KEY));
    assert_eq!(before.edge, after.edge);
    let edges =
        |epoch: u64| deriver.derive_key(&intent(epoch)).unwrap().edge.map(|edge| edge.key.to_string());
    assert_eq!((edges(6054), edges(6055).as_deref()), (None, Some(EDGE_KEY)));
    assert_eq!((edges(6064).as_deref(), edges(6065)), (Some(EDGE_KEY), None));
    assert_eq!(edges(0), None);
}

#[test]
fn a_rotation_splits_no_bucket() {
    let ring = Keyring::new(vec![
        KeyringEntry { id: "new".into(), from_epoch: 6001, secret: Secret::new([2; 32]).unwrap() },
        KeyringEntry { id: "old".into(), from_epoch: 0, secret: secret() },
    ]);
    let deriver = Deriver::new(policy("all"), ring.unwrap()).unwrap();
    let last = deriver.derive(&intent(LAST)).unwrap();
    assert_eq!((&*last.secret_id, deriver.derive(&intent(6000)).unwrap().key == last.key), ("old", true));
    let edge = last.edge.unwrap();
    assert_eq!((&*edge.secret_id, edge.key.as_str()), ("new", "035cdfd62db52c505242160d5fc0a6dbdf8ed4d7"));
    assert_eq!(edge.fingerprint.to_hex(), "efeb5662e5a2ac33cd6d5e69e836186b49b7dc6f38a246d7a03b1e95f574e3a9");
    assert_eq!(deriver.derive(&intent(LAST + 1)).unwrap().edge, Some(edge));
    // The key of an id goes by the intent's own second, as it is in no bucket.
    let from_id = |epoch: u64| {
        deriver
            .key_from_id(&RecordedIntent { tenant: "acme", id: "order \"7\"", epoch: epoch.into() })
            .unwrap()
    };
    assert_eq!(from_id(6000).as_str(), "f24dc7e611c5641ba9e004c49ab34d43b1a72068");
    assert_eq!(from_id(6001).as_str(), "f10ca97ddae44b59b259fdae0f00dc3023044995");
}

#[test]
fn an_id_gives_a_key_of_its_own() {
    let recorded = RecordedIntent { tenant: "acme", id: "order \"7\"", epoch: MIDDLE.into() };
    let all = Deriver::new(policy("all"), secret()).unwrap();
    assert_eq!(all.key_from_id(&recorded).unwrap().as_str(), "f24dc7e611c5641ba9e004c49ab34d43b1a72068");
    let scoped = Deriver::new(policy("tenant"), secret()).unwrap();
    assert_eq!(scoped.key_from_id(&recorded).unwrap().as_str(), "0043a9d52c314471eb640ee6990d0df319869b6e");
    let refused = |tenant, id| {
        all.key_from_id(&RecordedIntent { tenant, id, epoch: MIDDLE.into() }).unwrap_err().code()
    };
    assert_eq!(refused("", "7").as_str(), "tenant_empty");
    assert_eq!(refused("acme", "").as_str(), "identity_empty");
    let random = core::array::from_fn(|index| index as u8 | 0xf0);
    assert_eq!(Key::recorded(random).as_str(), "f0f1f2f3-f4f5-46f7-b8f9-fafbfcfdfeff");
}

#[test]
fn nobody_shares_an_edge_with_a_policy_that_begins_there() {
    let version = |from_epoch| DatedPolicy { from_epoch, policy: policy("all") };
    let policies = Policies::new(vec![version(6060), version(5940)]).unwrap();
    let deriver = Deriver::new(policies, secret()).unwrap();
    let has_edge = |epoch: u64| deriver.derive_key(&intent(epoch)).unwrap().edge.is_some();
    assert_eq!([5940, 5999, 6000, 6059, 6060, 6119].map(has_edge), [false, true, true, false, false, true]);
    assert_eq!(deriver.derive_key(&intent(5939)).unwrap_err().code().as_str(), "policy_missing_for_epoch");
}

#[test]
fn a_mac_from_elsewhere_gives_the_same_key() {
    let policy = policy("all");
    let mac_under = |key: &[u8; 32], material: &[u8]| -> [u8; 32] {
        let mut state = Hmac::<Sha256>::new_from_slice(key).unwrap();
        state.update(material);
        state.finalize().into_bytes().into()
    };
    let master = core::array::from_fn::<u8, 32, _>(|index| index as u8);
    let mac = |material: &[u8]| mac_under(&master, material);
    let material = policy.material(&intent(LAST)).unwrap();
    let materials = policy.materials(&intent(LAST)).unwrap();
    assert_eq!(materials.key, material);
    assert_eq!(materials.fingerprint, br#"["acme","pay",{"id":"A-1","note":"x"}]"#);
    let derived = Deriver::new(policy.clone(), secret()).unwrap().derive(&intent(LAST)).unwrap();
    let own = mac_under(&mac(b"intentkey fingerprint v1"), &materials.fingerprint);
    assert_eq!(derived.fingerprint.as_bytes(), &own);
    assert_eq!(material.bytes, br#"["acme","pay",{"id":"A-1"},100]"#);
    assert_eq!((material.bucket_start, policy.key_from_mac(&mac(&material.bytes)).as_str()), (6000, KEY));
    let edge = material.edge.unwrap();
    assert_eq!(edge.bytes, br#"["acme","pay",{"id":"A-1"},"edge",101]"#);
    assert_eq!((edge.bucket_start, policy.key_from_mac(&mac(&edge.bytes)).as_str()), (6060, EDGE_KEY));
}

#[test]
fn an_explanation_shows_what_became_of_each_field() {
    let policy = Policy::from_json(
        r#"{"name": "test", "actions": ["pay"], "bucket_seconds": 60,
            "identity": {"amount": {"rule": "decimal"}, "items[].sku": {"rule": "exact"}},
            "checked": {"note": {"rule": "text", "required": false}}, "ignored": {"id": "of the request"}}"#,
    );
    let deriver = Deriver::new(policy.unwrap(), secret()).unwrap();
    let payload = Value::object([
        ("items", Value::List(vec![Value::object([("sku", Value::from("a\"b"))])])),
        ("amount", Value::from(1.5)),
        ("id", Value::from(7)),
    ]);
    let explained = deriver.explain(&Intent { payload: payload.into(), ..intent(MIDDLE) }).unwrap();
    assert_eq!(explained.material, r#"["acme","pay",{"amount":"1.50","items":[{"sku":"a\"b"}]},100]"#);
    let fields: Vec<_> = explained
        .fields
        .iter()
        .map(|field| (field.field.as_str(), field.class, field.kind, field.rule, field.canonical.as_deref()))
        .collect();
    let (identity, checked) = (Some(Class::Identity), Some(Class::Checked));
    assert_eq!(
        fields,
        [
            ("amount", identity, Some("number"), Some("decimal"), Some("1.50")),
            ("id", None, None, None, None),
            ("items[0].sku", identity, Some("string"), Some("exact"), Some("a\"b")),
            ("note", checked, None, Some("text"), None),
        ]
    );
}
