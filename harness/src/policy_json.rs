//! A policy as the JSON text that every host reads.

use intentkey_core::{Class, Empty, Field, Policy, Rule, Scope};
use serde_json::{Map, Value, json};

/// The policy in the schema of policies, every default written out: reading it gives a policy
/// with the same digest. What decides no key, the destinations and the retention, is left out.
///
/// ```
/// use intentkey::policy_json;
/// use intentkey_core::Policy;
///
/// let policy = Policy::from_json(r#"{"name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
///     "identity": {"order": {"rule": "exact"}}}"#)?;
/// let again = Policy::from_json(&policy_json::write(&policy).to_string())?;
/// assert_eq!(again.digest(), policy.digest());
/// # Ok::<(), intentkey_core::Refusal>(())
/// ```
#[must_use]
pub fn write(policy: &Policy) -> Value {
    let fields = |class| {
        let of_class = policy.fields().iter().filter(|field| field.class() == class);
        of_class.map(|field| (field.path().to_string(), of_field(field))).collect::<Map<_, _>>()
    };
    let ignored = policy.ignored().iter().map(|one| (one.path().to_string(), one.reason().into()));
    let lists = policy.lists().iter().map(|list| {
        let order = if list.is_any_order() { "any" } else { "matters" };
        (list.path().to_string(), json!({ "order": order }))
    });
    json!({
        "name": policy.name(),
        "actions": policy.actions().collect::<Vec<_>>(),
        "bucket_seconds": policy.bucket_seconds(),
        "edge_seconds": policy.edge_seconds(),
        "key": of_key(policy),
        "identity": fields(Class::Identity),
        "checked": fields(Class::Checked),
        "ignored": ignored.collect::<Map<_, _>>(),
        "lists": lists.collect::<Map<_, _>>(),
    })
}

fn of_key(policy: &Policy) -> Value {
    let shape = policy.key_shape();
    let format = shape.format().name();
    let scope = match policy.scope() {
        Scope::All => "all",
        Scope::Tenant => "tenant",
    };
    // A UUID has the length that it has.
    if format.starts_with("uuid") {
        return json!({ "format": format, "scope": scope });
    }
    json!({ "format": format, "length": shape.length(), "scope": scope })
}

fn of_field(field: &Field) -> Value {
    let mut members = of_rule(field.rule());
    members.insert("required".to_owned(), field.is_required().into());
    if field.null_is_absent() {
        members.insert("null".to_owned(), "absent".into());
    }
    let empty = field.empty().map(|empty| match empty {
        Empty::Keep => "keep",
        Empty::Absent => "absent",
        Empty::Refuse => "refuse",
    });
    if let Some(empty) = empty {
        members.insert("empty".to_owned(), empty.into());
    }
    Value::Object(members)
}

/// The rule with its parameters, which core gives as `name=value`.
pub(crate) fn of_rule(rule: &Rule) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("rule".to_owned(), rule.name().into());
    for parameter in rule.parameters() {
        let (name, value) = parameter.split_once('=').unwrap_or((&parameter, ""));
        match name {
            "kind" => push(&mut members, "kinds", value),
            "value" => push(&mut members, "values", value),
            "scale" => drop(members.insert(name.to_owned(), value.parse::<u8>().unwrap_or(0).into())),
            "check_digits" => drop(members.insert(name.to_owned(), (value == "true").into())),
            "currency_field" => {
                members.insert("scale".to_owned(), "currency".into());
                members.insert(name.to_owned(), value.into());
            }
            _ => drop(members.insert(name.to_owned(), value.into())),
        }
    }
    members
}

fn push(members: &mut Map<String, Value>, name: &str, value: &str) {
    if let Value::Array(values) = members.entry(name).or_insert_with(|| json!([])) {
        values.push(value.into());
    }
}
