use super::*;

fn load_text(name: &str, text: &str) -> Result<Policies, LoadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    load(&path)
}

const SOUND: &str = r#"
name = "refund"
actions = ["refund.create"]
bucket_seconds = 900

[identity]
order = { rule = "exact" }
"items[].sku" = { rule = "exact" }
"#;

#[test]
fn toml_and_json_are_one_schema() {
    let toml = load_text("refund.toml", SOUND).unwrap();
    let json = load_text(
        "refund.json",
        r#"{"name": "refund", "actions": ["refund.create"], "bucket_seconds": 900,
            "identity": {"order": {"rule": "exact"}, "items[].sku": {"rule": "exact"}}}"#,
    );
    let digest = |policies: &Policies| policies.iter().next().map(|(_, policy)| policy.digest());
    assert_eq!(digest(&toml), digest(&json.unwrap()));
}

#[test]
fn a_refusal_names_the_line() {
    for (find, replace, line) in [
        ("rule = \"exact\" }\n\"items", "rule = \"exakt\" }\n\"items", 7),
        ("\"items[].sku\"", "\"items[]sku\"", 8),
        ("bucket_seconds = 900", "bucket_seconds = \"900\"", 4),
        ("[identity]", "nonsense = 1\n[identity]", 6),
        ("[identity]", "edge_seconds = 451\n[identity]", 6),
        ("order = {", "order = { scale = 2,", 7),
    ] {
        let error = load_text("refund.toml", &SOUND.replace(find, replace)).unwrap_err();
        assert_eq!(error.line(), Some(line), "{error}");
        assert!(error.to_string().contains(&format!("refund.toml:{line}: policy_invalid at ")), "{error}");
    }
}

#[test]
fn policies_over_time_are_a_list() {
    let two = format!(
        "[[policies]]\nfrom_epoch = 0\n[policies.policy]{}[[policies]]\nfrom_epoch = 901\n[policies.policy]{}",
        SOUND.replace("[identity]", "[policies.policy.identity]"),
        SOUND.replace("[identity]", "[policies.policy.identity]"),
    );
    let error = load_text("two.toml", &two).unwrap_err();
    assert_eq!(error.refusal().and_then(Refusal::field), Some("[1].from_epoch"));
    assert_eq!(error.line(), Some(12));
    assert_eq!(load_text("two.toml", &two.replace("901", "900")).unwrap().iter().count(), 2);
}

#[test]
fn what_is_no_toml_is_refused_at_its_line() {
    let error = load_text("refund.toml", "name = \"a\"\nname = \"b\"").unwrap_err();
    assert!(error.to_string().contains("refund.toml:2: policy_invalid: duplicate key"), "{error}");
    let date = load_text("refund.toml", &SOUND.replace("900", "2026-01-01")).unwrap_err();
    assert_eq!((date.line(), date.refusal().and_then(Refusal::field)), (Some(4), Some("bucket_seconds")));
}

#[test]
fn json_is_refused_at_its_line_and_column() {
    let sound = r#"{
  "name": "refund",
  "actions": ["refund.create"],
  "bucket_seconds": 900,
  "identity": {"order": {"rule": "exact"}, "items[].sku": {"rule": "exact"}}
}"#;
    for (find, replace, line, column) in [
        (r#"{"order": {"rule": "exact"}"#, r#"{"order": {"rule": "exakt"}"#, 5, 34),
        ("900", r#""900""#, 4, 21),
        (r#""name": "refund","#, r#""name": "refund", "\u00e9": 1,"#, 2, 31),
        (r#""items[].sku""#, r#""items[]sku""#, 5, 58),
        ("900,", "900", 5, 3),
    ] {
        let error = load_text("refund.json", &sound.replace(find, replace)).unwrap_err();
        assert_eq!((error.line(), error.column()), (Some(line), Some(column)), "{error}");
        assert!(
            error.to_string().contains(&format!("refund.json:{line}:{column}: policy_invalid")),
            "{error}"
        );
    }
    let two = format!(
        "[\n{{\"from_epoch\": 0, \"policy\": {sound}}},\n{{\"from_epoch\": 901, \"policy\": {sound}}}]"
    );
    let error = load_text("two.json", &two).unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(8), Some(16)), "{error}");
}
