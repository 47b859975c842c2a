//! Payloads from values and types of the caller's mean what their JSON text means.
#![cfg(feature = "serde")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use intentkey_core::{Code, Deriver, Intent, Payload, Policy, Secret, Value};
use serde::Serialize;

#[derive(Serialize)]
struct Order<'a> {
    id: &'a str,
    amount: f64,
    fee: f32,
    count: u64,
    gift: bool,
    note: Option<&'a str>,
    channel: Channel,
    items: Vec<(&'a str, i8)>,
    labels: BTreeMap<&'a str, &'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Channel {
    Web,
}

const POLICY: &str = r#"{
    "name": "order", "actions": ["order.place"], "bucket_seconds": 0,
    "identity": {
        "id": {"rule": "exact"}, "amount": {"rule": "decimal"}, "fee": {"rule": "decimal", "scale": 9},
        "count": {"rule": "integer"}, "gift": {"rule": "boolean"},
        "note": {"rule": "text", "required": false, "null": "absent"},
        "channel": {"rule": "enum", "values": ["web", "app"]},
        "labels.color": {"rule": "exact"}
    },
    "ignored": {"items": "priced elsewhere"}
}"#;

fn material(payload: Payload<'_>) -> Result<String, Code> {
    let deriver = Deriver::new(Policy::from_json(POLICY).unwrap(), Secret::new([7; 32]).unwrap()).unwrap();
    let intent = Intent { tenant: "t".into(), action: "order.place".into(), epoch: 0_u64.into(), payload };
    deriver.explain(&intent).map(|explained| explained.material).map_err(|refusal| refusal.code())
}

fn order(count: u64) -> Order<'static> {
    Order {
        id: "A-1",
        amount: 10.125,
        fee: 0.1,
        count,
        gift: false,
        note: None,
        channel: Channel::Web,
        items: vec![("a", 1)],
        labels: BTreeMap::from([("color", "red")]),
    }
}

#[test]
fn a_type_means_what_its_json_text_means() {
    let expected = r#"["t","order.place",{"amount":"10.13","channel":"web","count":"7","fee":"0.100000000","gift":false,"id":"A-1","labels":{"color":"red"}},0]"#;
    let typed = Value::from_serialize(&order(7)).unwrap();
    assert_eq!(material(typed.into()).as_deref(), Ok(expected));
    assert_eq!(material(Payload::Json(&serde_json::to_string(&order(7)).unwrap())).as_deref(), Ok(expected));
    assert_eq!(material(Value::from_serialize(&order(u64::MAX)).unwrap().into()), Err(Code::NumberUnsafe));
}

#[test]
fn what_json_has_no_kind_for_is_refused_where_a_rule_meets_it() {
    let with_id = |id: Value<'static>| {
        let Value::Object(mut members) = Value::from_serialize(&order(7)).unwrap() else {
            panic!("an object")
        };
        members.retain(|(name, _)| name.as_str() != Some("id"));
        members.push(("id".into(), id));
        material(Value::Object(members).into())
    };
    struct Bytes;
    impl Serialize for Bytes {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(b"A-1")
        }
    }
    assert_eq!(with_id(Value::from_serialize(&Bytes).unwrap()), Err(Code::FieldType));
    assert_eq!(with_id(Value::from_serialize(&BTreeMap::from([(1, 2)])).unwrap()), Err(Code::FieldType));
    assert_eq!(with_id(Value::Foreign), Err(Code::FieldType));
    assert_eq!(with_id(Value::NotUnicode), Err(Code::TextNotUnicode));
    assert_eq!(with_id(Value::BigInteger("1".into())), Err(Code::FieldType));
    assert!(with_id(Value::from("A-1")).is_ok());
}

#[test]
fn depth_harms_only_where_it_is_looked_at() {
    fn nested(levels: usize) -> serde_json::Value {
        (1..levels).fold(serde_json::json!([]), |inner, _| serde_json::json!([inner]))
    }
    let mut payload = serde_json::to_value(order(7)).unwrap();
    let mut given = |member: &str, levels: usize| {
        payload.as_object_mut().unwrap().insert(member.to_owned(), nested(levels));
        material(Value::from_serialize(&payload).unwrap().into()).err()
    };
    assert_eq!(given("items", 100), None);
    assert_eq!(given("more", 63), Some(Code::FieldUnclassified));
    assert_eq!(given("more", 64), Some(Code::PayloadTooDeep));
    assert_eq!(given("more", 100), Some(Code::PayloadTooDeep));
}

#[test]
fn the_limits_of_a_value_come_before_what_is_wrong_with_its_intent() {
    let deriver = Deriver::new(Policy::from_json(POLICY).unwrap(), Secret::new([7; 32]).unwrap()).unwrap();
    let many = Value::object([("zz", Value::List(vec![Value::Null; 65_536]))]);
    let refused = |payload: Value<'static>, epoch: i64| {
        let intent =
            Intent { tenant: "".into(), action: "x".into(), epoch: epoch.into(), payload: payload.into() };
        deriver.derive(&intent).unwrap_err().code()
    };
    assert_eq!(refused(many, -1), Code::PayloadTooLarge);
    assert_eq!(refused(Value::object([("zz", Value::List(vec![]))]), -1), Code::TenantEmpty);
}
