//! The schema of a policy: what its members are and what each may hold.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::build::Builder;
use super::field::{Class, Empty, Field, Ignored, List};
use super::path::Path;
use super::retention::Retention;
use super::table::{Table, invalid, member_place};
use super::{Action, Policy, Scope};
use crate::bucket::Buckets;
use crate::error::Refusal;
use crate::key::KeyShape;
use crate::material;
use crate::rules::{Emptiness, Rule};
use crate::sorted::sorted_by;
use crate::value::Value;

/// The widest bucket: below it, the arithmetic on epochs has room to spare.
const WIDEST_BUCKET: u64 = 100_000_000_000;

/// Reads a whole policy.
pub(super) fn read(document: &Value<'_>) -> Result<Policy, Refusal> {
    let mut table = Table::open(document, "")?;
    let name = required_string(&mut table, "name")?;
    let actions = read_actions(&mut table)?;
    let buckets = read_buckets(&mut table)?;
    let (shape, scope, destinations) = read_key(&mut table)?;
    let mut fields = Vec::new();
    read_fields(&mut table, "identity", Class::Identity, &mut fields)?;
    if fields.is_empty() {
        return Err(table.refuse("identity", "must be a table with at least one field"));
    }
    read_fields(&mut table, "checked", Class::Checked, &mut fields)?;
    let ignored = read_ignored(&mut table)?;
    let orders = read_lists(&mut table)?;
    let retention = match table.take("retention") {
        None => None,
        Some(value) => Some(Retention::read(value, "retention")?),
    };
    table.finish()?;

    let fields = sorted_by(fields, |one, other| one.path.cmp(&other.path));
    let mut builder = Builder::default();
    for field in &fields {
        builder.add_field(field)?;
    }
    for path in &ignored {
        builder.add_ignored(path)?;
    }
    for list in &orders {
        builder.order(list)?;
    }
    let (root, lists) = builder.finish(&fields)?;
    Ok(Policy {
        name: name.into(),
        actions,
        buckets,
        shape,
        scope,
        destinations,
        has_checked: fields.iter().any(|field| field.class == Class::Checked),
        fields,
        ignored,
        lists,
        retention,
        root,
    })
}

fn required_string<'v>(table: &mut Table<'v>, name: &'static str) -> Result<&'v str, Refusal> {
    match table.string(name)? {
        Some(text) if !text.is_empty() => Ok(text),
        _ => Err(table.refuse(name, "must be a string that is not empty")),
    }
}

fn read_actions(table: &mut Table<'_>) -> Result<Vec<Action>, Refusal> {
    let actions = table.strings("actions")?.unwrap_or_default();
    if actions.is_empty() || actions.contains(&"") {
        return Err(table.refuse("actions", "must be a list of at least one action, none of them empty"));
    }
    Ok(actions
        .into_iter()
        .map(|name| Action { name: name.into(), written: material::written(name) })
        .collect())
}

fn read_buckets(table: &mut Table<'_>) -> Result<Buckets, Refusal> {
    let Some(seconds) = table.integer("bucket_seconds", 0, WIDEST_BUCKET)? else {
        return Err(table.refuse(
            "bucket_seconds",
            "is missing: say for how many seconds equal intents are one intent, or 0 for all time",
        ));
    };
    let edge_seconds = table.integer("edge_seconds", 0, WIDEST_BUCKET)?.unwrap_or(0);
    if edge_seconds > seconds / 2 {
        return Err(table.refuse("edge_seconds", "must be at most half of bucket_seconds"));
    }
    Ok(Buckets { seconds, edge_seconds })
}

fn read_key(table: &mut Table<'_>) -> Result<(KeyShape, Scope, Vec<Box<str>>), Refusal> {
    let Some(value) = table.take("key") else {
        return Ok((KeyShape::default(), Scope::All, Vec::new()));
    };
    let mut key = Table::open(value, &table.place_of("key"))?;
    let shape = KeyShape::read(&mut key)?;
    let scope = key.word("scope", &[("all", Scope::All), ("tenant", Scope::Tenant)])?;
    let destinations = key.strings("destinations")?.unwrap_or_default();
    key.finish()?;
    Ok((shape, scope.unwrap_or(Scope::All), destinations.into_iter().map(Box::from).collect()))
}

/// A path that the policy declares.
struct Declared<'v> {
    path: Path,
    value: &'v Value<'v>,
    place: String,
}

/// Opens a table whose names are paths.
fn take_paths<'v>(table: &mut Table<'v>, name: &'static str) -> Result<Vec<Declared<'v>>, Refusal> {
    let Some(value) = table.take(name) else { return Ok(Vec::new()) };
    let mut paths = Table::open(value, &table.place_of(name))?;
    let mut all = Vec::new();
    for (text, value) in paths.take_all() {
        let place = paths.place_of(text);
        let path = Path::parse(text).map_err(|problem| invalid(&place, problem))?;
        all.push(Declared { path, value, place });
    }
    Ok(all)
}

fn read_fields(
    table: &mut Table<'_>,
    name: &'static str,
    class: Class,
    fields: &mut Vec<Field>,
) -> Result<(), Refusal> {
    for Declared { path, value, place } in take_paths(table, name)? {
        let mut table = Table::open(value, &place)?;
        let rule = Rule::from_table(&mut table)?;
        let required = table.boolean("required")?.unwrap_or(true);
        let null_is_absent = table.word("null", &[("absent", true)])?.unwrap_or(false);
        let empty = read_empty(&mut table, &rule)?;
        let absent = [("null", null_is_absent), ("empty", empty == Some(Empty::Absent))];
        if path.is_element()
            && let Some((option, _)) = absent.into_iter().find(|option| option.1)
        {
            return Err(table.refuse(option, ELEMENTS_ARE_NEVER_ABSENT));
        }
        table.finish()?;
        fields.push(Field { path, class, rule, required, null_is_absent, empty });
    }
    Ok(())
}

const ELEMENTS_ARE_NEVER_ABSENT: &str =
    "an element of a list is never absent; leave the option out, or take the list in another shape";

fn read_empty(table: &mut Table<'_>, rule: &Rule) -> Result<Option<Empty>, Refusal> {
    let words: &[(&'static str, Empty)] = match rule.manners().emptiness {
        // `empty` is then an unknown member of the field's table.
        Emptiness::None => return Ok(None),
        Emptiness::Meaningful => {
            &[("keep", Empty::Keep), ("absent", Empty::Absent), ("refuse", Empty::Refuse)]
        }
        Emptiness::Nothing => &[("absent", Empty::Absent), ("refuse", Empty::Refuse)],
    };
    Ok(table.word("empty", words)?.or(rule.default_empty()))
}

fn read_ignored(table: &mut Table<'_>) -> Result<Vec<Ignored>, Refusal> {
    let mut ignored = Vec::new();
    for Declared { path, value, place } in take_paths(table, "ignored")? {
        let Value::String(reason) = value else {
            return Err(invalid(&place, "must be a string: the reason why the field is ignored"));
        };
        ignored.push(Ignored { path, reason: (&**reason).into() });
    }
    Ok(sorted_by(ignored, |one, other| one.path.cmp(&other.path)))
}

fn read_lists(table: &mut Table<'_>) -> Result<Vec<List>, Refusal> {
    let mut lists = Vec::new();
    for Declared { path, value, place } in take_paths(table, "lists")? {
        let mut table = Table::open(value, &place)?;
        let any_order = table.word("order", &[("matters", false), ("any", true)])?.unwrap_or(false);
        table.finish()?;
        lists.push(List { path, any_order });
    }
    Ok(lists)
}

/// The place of a field, for refusals that come after its table is closed.
pub(super) fn place_of(class: &str, path: &Path) -> String {
    member_place(class, &path.text())
}
