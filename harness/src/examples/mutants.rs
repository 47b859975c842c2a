//! Mutants: a policy changed in every sensible small way, one change at a time.

use serde_json::{Map, Value, json};

use intentkey_core::{Empty, Field, Policy, Rule};

use crate::field_path::{escaped, in_toml};

/// A policy that differs from its original in one thing.
pub(crate) struct Mutant {
    /// The place that was changed, as the policy has it.
    pub(crate) place: String,
    /// How.
    pub(crate) change: String,
    /// The policy, as JSON.
    pub(crate) policy: Value,
}

/// Every mutant of a policy, given as JSON; some of them may not be valid, or may be the same.
pub(crate) fn mutants(policy: &Policy, document: &Value) -> Vec<Mutant> {
    let mut mutants = Mutants { document, all: Vec::new() };
    mutants.around(policy);
    for field in policy.fields() {
        mutants.of_field(field);
    }
    for ignored in policy.ignored() {
        mutants.remove("ignored", &ignored.path().to_string(), "removed: such payloads are refused");
    }
    for list in policy.lists() {
        let path = list.path().to_string();
        let order = if list.is_any_order() { "matters" } else { "any" };
        mutants.edit(place("lists", &path), format!("order = \"{order}\""), |policy| {
            edit_table(policy, "lists", |lists| lists.insert(path.clone(), json!({ "order": order })));
        });
    }
    mutants.all
}

struct Mutants<'d> {
    document: &'d Value,
    all: Vec<Mutant>,
}

impl Mutants<'_> {
    fn edit(&mut self, place: String, change: impl Into<String>, edit: impl FnOnce(&mut Map<String, Value>)) {
        let mut policy = self.document.clone();
        if let Value::Object(members) = &mut policy {
            edit(members);
            self.all.push(Mutant { place, change: change.into(), policy });
        }
    }

    fn remove(&mut self, name: &str, path: &str, change: &str) {
        self.edit(place(name, path), change, |policy| {
            edit_table(policy, name, |paths| paths.remove(path));
        });
    }

    /// What stands outside of fields: actions, buckets, the key.
    fn around(&mut self, policy: &Policy) {
        let actions: Vec<&str> = policy.actions().collect();
        for action in actions.iter().filter(|_| actions.len() > 1) {
            let rest: Vec<&&str> = actions.iter().filter(|other| *other != action).collect();
            self.edit(String::from("actions"), format!("without {action}"), |policy| {
                policy.insert(String::from("actions"), json!(rest));
            });
        }
        let bucket = policy.bucket_seconds();
        if bucket > 0 {
            self.bucket(bucket.saturating_mul(2), "doubled");
            self.bucket(bucket / 2, "halved");
        }
        if policy.edge_seconds() > 0 {
            self.edit(String::from("edge_seconds"), "0", |policy| {
                policy.insert(String::from("edge_seconds"), json!(0));
            });
        }
        self.key("length", json!(policy.key_shape().length().saturating_sub(1)), "cut by a character");
        let scope = match policy.scope() {
            intentkey_core::Scope::All => "tenant",
            intentkey_core::Scope::Tenant => "all",
        };
        self.key("scope", json!(scope), &format!("\"{scope}\""));
    }

    fn bucket(&mut self, seconds: u64, change: &str) {
        self.edit(String::from("bucket_seconds"), format!("{change}: {seconds}"), |policy| {
            policy.insert(String::from("bucket_seconds"), json!(seconds));
            let edge = policy.get("edge_seconds").and_then(Value::as_u64).unwrap_or(0);
            policy.insert(String::from("edge_seconds"), json!(edge.min(seconds / 2)));
        });
    }

    fn key(&mut self, name: &str, value: Value, change: &str) {
        self.edit(format!("key.{name}"), change, |policy| {
            edit_table(policy, "key", |key| key.insert(name.to_owned(), value));
        });
    }

    fn of_field(&mut self, field: &Field) {
        let (class, path) = (class(field), field.path().to_string());
        let other = if class == "identity" { "checked" } else { "identity" };
        self.edit(place(class, &path), format!("moved to [{other}]"), |policy| {
            if let Some(own) = edit_table(policy, class, |fields| fields.remove(&path)) {
                edit_table(policy, other, |fields| fields.insert(path.clone(), own));
            }
        });
        self.edit(place(class, &path), "moved to [ignored]", |policy| {
            edit_table(policy, class, |fields| fields.remove(&path));
            edit_table(policy, "ignored", |paths| paths.insert(path.clone(), json!("a mutant")));
        });
        for (change, members) in alternatives(field.rule()) {
            self.edit(place(class, &path), change, |policy| {
                edit_table(policy, class, |fields| replace_rule(fields, &path, members));
            });
        }
        let required = !field.is_required();
        self.set(class, &path, "required", json!(required), format!("required = {required}"));
        if field.null_is_absent() {
            self.edit(place(class, &path), "null is refused", |policy| {
                edit_field(policy, class, &path, |own| own.remove("null"));
            });
        } else {
            self.set(class, &path, "null", json!("absent"), String::from("null = \"absent\""));
        }
        let words = [("keep", Empty::Keep), ("absent", Empty::Absent), ("refuse", Empty::Refuse)];
        for (word, _) in words.into_iter().filter(|(_, empty)| field.empty().is_some_and(|own| own != *empty))
        {
            self.set(class, &path, "empty", json!(word), format!("empty = \"{word}\""));
        }
    }

    fn set(&mut self, class: &str, path: &str, name: &str, value: Value, change: String) {
        self.edit(place(class, path), change, |policy| {
            edit_field(policy, class, path, |own| own.insert(name.to_owned(), value));
        });
    }
}

/// Other rules, and the same with other parameters, that somebody might have meant; each as what
/// is said of it and the members that say the rule.
fn alternatives(rule: &Rule) -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = Vec::new();
    let now = parameters(rule);
    let mut swap = |members: Value| all.push((said(&now, &members), members));
    match rule {
        Rule::Text(text) => {
            let with = |name: &str, value: &str| {
                let mut members = now.clone();
                members.insert(name.to_owned(), json!(value));
                Value::Object(members)
            };
            let folds = text.case == intentkey_core::Case::Fold;
            swap(with("case", if folds { "keep" } else { "fold" }));
            for space in ["trim", "collapse", "keep"] {
                swap(with("space", space));
            }
        }
        Rule::Exact(_) => ["text", "identifier"].into_iter().for_each(|rule| swap(json!({ "rule": rule }))),
        Rule::Identifier(_) => ["text", "exact"].into_iter().for_each(|rule| swap(json!({ "rule": rule }))),
        Rule::PixKey(key) => {
            swap(json!({ "rule": "pix_key", "check_digits": !key.check_digits }));
            swap(json!({ "rule": "identifier" }));
        }
        Rule::Email(_) => ["text", "exact"].into_iter().for_each(|rule| swap(json!({ "rule": rule }))),
        Rule::Phone(_) | Rule::Uuid(_) | Rule::Digits(_) | Rule::Date(_) | Rule::Currency(_) => {
            ["exact", "text"].into_iter().for_each(|rule| swap(json!({ "rule": rule })));
        }
        Rule::Decimal(decimal) => of_decimal(decimal, &now, &mut swap),
        Rule::Integer(_) => swap(json!({ "rule": "decimal", "scale": 0 })),
        Rule::Enum(listed) => {
            let folds = listed.case == intentkey_core::Case::Fold;
            let case = if folds { "keep" } else { "fold" };
            swap(json!({ "rule": "enum", "values": listed.values, "case": case }));
            let case = if folds { "fold" } else { "keep" };
            for value in listed.values.iter().filter(|_| listed.values.len() > 1) {
                let rest: Vec<_> = listed.values.iter().filter(|other| *other != value).collect();
                swap(json!({ "rule": "enum", "values": rest, "case": case }));
            }
        }
        Rule::Timestamp(_) => {
            for precision in ["second", "milli", "micro"] {
                swap(json!({ "rule": "timestamp", "precision": precision }));
            }
            swap(json!({ "rule": "exact" }));
        }
        _ => {}
    }
    all
}

fn of_decimal(decimal: &intentkey_core::Decimal, now: &Map<String, Value>, swap: &mut impl FnMut(Value)) {
    for rounding in ["half_up", "half_even", "refuse"] {
        let mut members = now.clone();
        members.insert(String::from("rounding"), json!(rounding));
        swap(Value::Object(members));
    }
    let scales = match decimal.scale {
        intentkey_core::Scale::Fixed(scale) => vec![scale.saturating_add(1), scale.saturating_sub(1)],
        _ => vec![2],
    };
    for scale in scales {
        let mut members = now.clone();
        members.remove("currency_field");
        members.insert(String::from("scale"), json!(scale));
        swap(Value::Object(members));
    }
}

/// What members say that differs from what is said now.
fn said(now: &Map<String, Value>, members: &Value) -> String {
    let values = |members: Option<&Value>| -> Vec<String> {
        members.and_then(Value::as_array).into_iter().flatten().map(Value::to_string).collect()
    };
    let differ =
        members.as_object().into_iter().flatten().filter(|(name, value)| now.get(*name) != Some(*value));
    let said = differ.map(|(name, value)| match now.get(name) {
        Some(old @ Value::Array(_)) => {
            let rest = values(Some(value));
            let gone: Vec<String> =
                values(Some(old)).into_iter().filter(|value| !rest.contains(value)).collect();
            format!("{name} without {}", gone.join(", "))
        }
        _ => format!("{name} = {value}"),
    });
    said.collect::<Vec<_>>().join(", ")
}

/// The rule and its parameters as members of a field's table.
fn parameters(rule: &Rule) -> Map<String, Value> {
    let mut members = Map::from_iter([(String::from("rule"), json!(rule.name()))]);
    for parameter in rule.parameters() {
        let Some((name, value)) = parameter.split_once('=') else { continue };
        match name {
            "currency_field" => {
                members.insert(String::from("scale"), json!("currency"));
                members.insert(name.to_owned(), json!(value));
            }
            // Of an enum and of Pix keys, a parameter for each value.
            "value" | "kind" => {
                let list = members.entry(format!("{name}s")).or_insert_with(|| json!([]));
                list.as_array_mut().into_iter().for_each(|list| list.push(json!(value)));
            }
            "check_digits" => {
                members.insert(name.to_owned(), json!(value == "true"));
            }
            _ => {
                let value = value.parse::<u64>().map_or_else(|_| json!(value), |number| json!(number));
                members.insert(name.to_owned(), value);
            }
        }
    }
    members
}

/// Gives a field another rule and leaves what else is said of it.
fn replace_rule(table: &mut Map<String, Value>, path: &str, rule: Value) {
    let Some(Value::Object(own)) = table.get_mut(path) else { return };
    own.retain(|name, _| matches!(name.as_str(), "required" | "null" | "empty"));
    if let Value::Object(rule) = rule {
        // Only text and exact keep what is empty; where the new rule cannot, it says nothing of it.
        let keeps = matches!(rule.get("rule").and_then(Value::as_str), Some("text" | "exact"));
        let takes = !matches!(rule.get("rule").and_then(Value::as_str), Some("enum" | "boolean"));
        let says_keep = own.get("empty").is_some_and(|empty| empty == "keep");
        if !takes || says_keep && !keeps {
            own.remove("empty");
        }
        own.extend(rule);
    }
}

/// Edits a table of a policy, made where it is not there.
fn edit_table<R: Default>(
    policy: &mut Map<String, Value>,
    name: &str,
    edit: impl FnOnce(&mut Map<String, Value>) -> R,
) -> R {
    match policy.entry(name).or_insert_with(|| Value::Object(Map::new())) {
        Value::Object(members) => edit(members),
        // Of a policy that is valid, every table is one.
        _ => R::default(),
    }
}

/// Edits the table of a field.
fn edit_field(
    policy: &mut Map<String, Value>,
    class: &str,
    path: &str,
    edit: impl FnOnce(&mut Map<String, Value>) -> Option<Value>,
) {
    edit_table(policy, class, |fields| match fields.get_mut(path) {
        Some(Value::Object(own)) => edit(own),
        _ => None,
    });
}

fn class(field: &Field) -> &'static str {
    match field.class() {
        intentkey_core::Class::Identity => "identity",
        intentkey_core::Class::Checked => "checked",
    }
}

fn place(table: &str, path: &str) -> String {
    in_toml(&format!("{table}.{}", escaped(path)))
}
