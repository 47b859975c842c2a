use super::json::{self, Json};
use super::*;

use intentkey_core::{Deriver, Intent, Payload, Policies, Policy, Secret, Value};

const POLICY: &str = r#"{"name": "test", "actions": ["pay"], "bucket_seconds": 900,
    "identity": {"note": {"rule": "text"}}}"#;

fn held(id: &str, from_epoch: Option<u64>, tenant: Option<&str>) -> HeldSecret {
    HeldSecret {
        id: id.to_owned(),
        from_epoch,
        tenant: tenant.map(ToOwned::to_owned),
        secret: vec![7; 32].into(),
    }
}

fn code<T>(result: Result<T, Refused>) -> &'static str {
    result.err().map_or("", |refused| refused.code)
}

#[test]
fn a_refusal_keeps_its_code_field_fields_and_message() {
    let deriver = Deriver::new(Policy::from_json(POLICY).unwrap(), Secret::new([7; 32]).unwrap()).unwrap();
    let refused = |payload| {
        let intent = Intent {
            tenant: "acme".into(),
            action: "pay".into(),
            epoch: 5_u64.into(),
            payload: Payload::Json(payload),
        };
        let refusal = deriver.derive(&intent).unwrap_err();
        let refused = Refused::from(refusal.clone());
        assert_eq!(refused.message, refusal.message());
        (refused.code, refused.field, refused.fields)
    };
    let fields = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(refused("{}"), ("field_missing", Some("note".into()), Vec::new()));
    assert_eq!(refused("{"), ("json_malformed", None, Vec::new()));
    assert_eq!(refused(r#"{"b": 1, "a": 2}"#), ("field_unclassified", None, fields(&["a", "b"])));
}

#[test]
fn a_refusal_as_json_leaves_out_what_it_has_not() {
    let refused = Refused::new(Code::TenantEmpty).because("say whose");
    assert_eq!(json::refused(&refused), r#"{"code":"tenant_empty","message":"say whose"}"#);
    let refused = Refused { fields: vec!["a\"\u{1}".into(), "b".into()], ..refused.at("x") };
    assert_eq!(
        json::refused(&refused),
        r#"{"code":"tenant_empty","field":"x","fields":["a\"\u0001","b"],"message":"say whose"}"#
    );
}

#[test]
fn a_place_lies_below_another() {
    let refused = Refused::new(Code::PolicyInvalid);
    assert_eq!(refused.clone().below("[1].policy").field.as_deref(), Some("[1].policy"));
    assert_eq!(refused.at("name").below("[1].policy").field.as_deref(), Some("[1].policy.name"));
}

#[test]
fn json_has_the_commas_that_are_due() {
    let mut json = Json::default();
    json.begin('{');
    json.name("list");
    json.begin('[');
    json.number(1);
    json.begin('[');
    json.end(']');
    json.word("null");
    json.end(']');
    json.text_member("text", "é\\\n");
    json.optional_member("none", None);
    json.number_member("last", u64::MAX);
    json.end('}');
    assert_eq!(json.into_text(), r#"{"list":[1,[],null],"text":"é\\\u000a","last":18446744073709551615}"#);
}

#[test]
fn policies_over_time_name_the_place_of_what_is_refused() {
    let dated = |from_epoch, policy| Dated { from_epoch, policy: PolicySource::Json(policy) };
    let field = |texts: &[Dated<'_>]| policies(texts).unwrap_err().field;
    assert_eq!(policies(&[dated(Some(0), POLICY), dated(Some(900), POLICY)]).unwrap().iter().count(), 2);
    assert_eq!(field(&[dated(None, POLICY)]).as_deref(), Some("[0].from_epoch"));
    assert_eq!(field(&[dated(Some(0), POLICY), dated(Some(1), POLICY)]).as_deref(), Some("[1].from_epoch"));
    assert_eq!(field(&[dated(Some(0), POLICY), dated(Some(900), "{}")]).as_deref(), Some("[1].policy.name"));
    assert_eq!(field(&[dated(Some(0), "{")]).as_deref(), Some("[0].policy"));
    assert_eq!(code(policies(&[])), "policy_invalid");
    let value =
        Dated { from_epoch: Some(0), policy: PolicySource::Value(Value::object([("name", Value::from(5))])) };
    assert_eq!(field(&[value]).as_deref(), Some("[0].policy.name"));
}

#[test]
fn a_keyring_is_of_masters_or_of_tenants() {
    let policy = r#"{"name": "test", "actions": ["pay"], "bucket_seconds": 900,
        "key": {"scope": "tenant"}, "identity": {"note": {"rule": "text"}}}"#;
    let opens =
        |held| keyring(held).and_then(|keyring| Ok(Deriver::new(Policies::from_json(policy)?, keyring)?));
    assert!(opens(vec![held("a", Some(0), None), held("b", Some(900), None)]).is_ok());
    assert!(opens(vec![held("a", Some(0), Some("acme")), held("a", Some(0), Some("other"))]).is_ok());
    assert_eq!(
        code(opens(vec![held("a", Some(0), Some("acme")), held("b", Some(0), None)])),
        "keyring_invalid"
    );
    assert_eq!(code(opens(vec![held("a", None, None)])), "keyring_invalid");
    assert_eq!(code(opens(Vec::new())), "keyring_invalid");
    let weak = HeldSecret { secret: vec![0; 32].into(), ..held("a", Some(0), None) };
    assert_eq!(code(opens(vec![weak])), "secret_weak");
}

#[test]
fn seconds_are_integral_and_not_negative() {
    assert_eq!(seconds(0.0), Some(0));
    assert_eq!(seconds(-0.0), Some(0));
    assert_eq!(seconds(1_767_225_600.0), Some(1_767_225_600));
    for number in [-1.0, 0.5, f64::NAN, f64::INFINITY, 1e300] {
        assert_eq!(seconds(number), None, "{number}");
    }
}
