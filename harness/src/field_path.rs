//! Paths as refusals, explanations and columns write them: `creditor.key`, `items[2].sku`, `items[].sku`.

use serde_json::Value;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// To a member.
    Name(String),
    /// To the element with this index.
    Index(usize),
    /// To every element.
    Each,
}

/// Splits a path at its dots and brackets; a backslash keeps the next character in its name.
///
/// What is no path is read as well as it goes: names of columns are whatever an export has.
pub(crate) fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut name = String::new();
    let mut characters = path.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => name.extend(characters.next()),
            '.' => take(&mut name, &mut steps),
            '[' => {
                take(&mut name, &mut steps);
                let index: String = characters.by_ref().take_while(|&digit| digit != ']').collect();
                steps.push(index.parse().map_or(Step::Each, Step::Index));
            }
            _ => name.push(character),
        }
    }
    take(&mut name, &mut steps);
    steps
}

/// The steps to a column: those of its name where that is a path, else the name as it is.
///
/// `items[0].sku` is a path; `Price [USD]` and `S. No.` are names.
pub(crate) fn steps_of_column(name: &str) -> Vec<Step> {
    let steps = steps(name);
    let is_path = written(&steps) == name && !steps.contains(&Step::Each);
    let is_tidy = |step: &Step| !matches!(step, Step::Name(name) if name.trim() != name);
    if is_path && steps.iter().all(is_tidy) { steps } else { vec![Step::Name(name.to_owned())] }
}

fn take(name: &mut String, steps: &mut Vec<Step>) {
    if !name.is_empty() {
        steps.push(Step::Name(std::mem::take(name)));
    }
}

/// The path of some steps.
pub(crate) fn written(steps: &[Step]) -> String {
    steps.iter().fold(String::new(), |path, step| match step {
        Step::Name(name) => below(&path, name),
        Step::Index(index) => format!("{path}[{index}]"),
        Step::Each => path + "[]",
    })
}

/// The path without its indexes: `items[2].sku` is `items[].sku`.
pub(crate) fn pattern(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut characters = path.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                out.push(character);
                out.extend(characters.next());
            }
            '[' => {
                out.push_str("[]");
                characters.by_ref().find(|&digit| digit == ']');
            }
            _ => out.push(character),
        }
    }
    out
}

/// A name as paths write it.
pub(crate) fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        if matches!(character, '.' | '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// The path of a member of what is at `parent`, which is empty at the root.
pub(crate) fn below(parent: &str, name: &str) -> String {
    if parent.is_empty() { escaped(name) } else { format!("{parent}.{}", escaped(name)) }
}

/// A place of a policy (`identity.supplier\.tax_id`, as refusals write it) as the policy has it:
/// `identity."supplier.tax_id"`.
pub(crate) fn in_toml(place: &str) -> String {
    steps(place).iter().fold(String::new(), |place, step| match step {
        Step::Name(name) if place.is_empty() => toml_key(name),
        Step::Name(name) => format!("{place}.{}", toml_key(name)),
        Step::Index(index) => format!("{place}[{index}]"),
        Step::Each => place + "[]",
    })
}

/// A name as TOML has it.
pub(crate) fn toml_key(name: &str) -> String {
    let is_bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if is_bare {
        name.to_owned()
    } else if name.contains('\\') && !name.contains(|sign: char| sign == '\'' || sign.is_control()) {
        // A literal string, in which a backslash is one.
        format!("'{name}'")
    } else {
        toml_text(name)
    }
}

/// A string as TOML has it: as JSON has it, and DEL escaped.
pub(crate) fn toml_text(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// The values at a path: several where it goes through the elements of a list.
pub(crate) fn values_at<'v>(value: &'v Value, steps: &[Step]) -> Vec<&'v Value> {
    let Some((step, rest)) = steps.split_first() else { return vec![value] };
    match (step, value) {
        (Step::Name(name), Value::Object(members)) => {
            members.get(name).map(|member| values_at(member, rest)).unwrap_or_default()
        }
        (Step::Index(index), Value::Array(elements)) => {
            elements.get(*index).map(|element| values_at(element, rest)).unwrap_or_default()
        }
        (Step::Each, Value::Array(elements)) => {
            elements.iter().flat_map(|element| values_at(element, rest)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn name(text: &str) -> Step {
        Step::Name(text.to_owned())
    }

    #[test]
    fn a_path_is_split_at_its_dots_and_brackets() {
        assert_eq!(steps("creditor.key"), [name("creditor"), name("key")]);
        assert_eq!(steps(r"items[2].s\.ku"), [name("items"), Step::Index(2), name("s.ku")]);
        assert_eq!(steps("to[]"), [name("to"), Step::Each]);
        assert_eq!(
            steps(r"identity.creditor\.key.scale"),
            [name("identity"), name("creditor.key"), name("scale")]
        );
        assert_eq!(steps(r"identity.items\[\]\.sku"), [name("identity"), name("items[].sku")]);
        assert_eq!(steps("[1].policy.name"), [Step::Index(1), name("policy"), name("name")]);
    }

    #[test]
    fn steps_are_written_as_they_were_read() {
        for path in ["creditor.key", r"items[2].s\.ku", "to[]", "[1].policy"] {
            assert_eq!(written(&steps(path)), path);
        }
    }

    #[test]
    fn a_place_is_written_as_the_policy_has_it() {
        for (place, expected) in [
            ("bucket_seconds", "bucket_seconds"),
            ("identity.amount", "identity.amount"),
            (r"identity.supplier\.tax_id", r#"identity."supplier.tax_id""#),
            (r"identity.items\[\]\.sku.rule", r#"identity."items[].sku".rule"#),
            (r"[1].policy.ignored.a\\\.b", r"[1].policy.ignored.'a\.b'"),
            ("identity.valor pago", r#"identity."valor pago""#),
        ] {
            assert_eq!(in_toml(place), expected);
        }
    }

    #[test]
    fn the_name_of_a_column_is_a_path_or_a_name() {
        assert_eq!(steps_of_column("items[0].sku"), steps("items[0].sku"));
        assert_eq!(steps_of_column(r"a\.b"), [name("a.b")]);
        for column in ["Price [USD]", "S. No.", "DATA MOV.", "a..b", "[]", "Sub-Category", "x[]"] {
            assert_eq!(steps_of_column(column), [name(column)], "{column}");
        }
    }

    #[test]
    fn a_pattern_has_no_indexes() {
        assert_eq!(pattern(r"items[12].m[0].s\[0\]"), r"items[].m[].s\[0\]");
        assert_eq!(escaped("s[0].a"), r"s\[0\]\.a");
        assert_eq!((below("", "a.b"), below("a", "b")), (r"a\.b".to_owned(), "a.b".to_owned()));
    }

    #[test]
    fn values_are_found_through_lists() {
        let value = json!({ "items": [{ "sku": 1 }, {}, { "sku": 2 }] });
        assert_eq!(values_at(&value, &steps("items[].sku")), [&json!(1), &json!(2)]);
        assert_eq!(values_at(&value, &steps("items[2].sku")), [&json!(2)]);
        assert!(values_at(&value, &steps("items.sku")).is_empty());
    }
}
