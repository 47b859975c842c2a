use super::*;

fn policies(text: &str) -> Policies {
    Policies::from_json(text).unwrap()
}

fn cart() -> Policies {
    policies(
        r#"{"name": "cart", "actions": ["buy", "cancel"], "bucket_seconds": 900, "edge_seconds": 20,
            "identity": {"items[].sku": {"rule": "exact"}, "items[].n": {"rule": "integer"},
                "note": {"rule": "text", "required": false, "empty": "absent"}},
            "checked": {"gift": {"rule": "boolean", "required": false}},
            "ignored": {"trace": "new on every attempt"}, "lists": {"items": {"order": "any"}}}"#,
    )
}

fn intent(epoch: u64, payload: &str) -> String {
    format!(r#"{{"tenant": "acme", "action": "buy", "intent_epoch": {epoch}, "payload": {payload}}}"#)
}

fn compared(one: &str, other: &str) -> Comparison {
    why(&cart(), [&intent(450, one), &intent(450, other)])
}

fn names<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<&'r str> {
    rows.map(|row| row.name.as_str()).collect()
}

#[test]
fn a_field_that_splits_is_named() {
    let comparison =
        compared(r#"{"items": [{"sku": "a", "n": 1}]}"#, r#"{"items": [{"sku": "a", "n": "2"}]}"#);
    assert_eq!(comparison.verdict, Verdict::Different);
    assert_eq!(names(comparison.split()), ["items[0].n"]);
    let row = comparison.split().next().unwrap();
    assert_eq!(row.raw, [Some("1".into()), Some("\"2\"".into())]);
    assert_eq!(row.canonical, [Some("\"1\"".into()), Some("\"2\"".into())]);
    assert_eq!(comparison.summary(), "different keys: they differ in items[0].n");
}

#[test]
fn the_order_of_a_list_that_does_not_count_splits_nothing() {
    let comparison = compared(
        r#"{"items": [{"sku": "b", "n": 2}, {"sku": "a", "n": 1}]}"#,
        r#"{"items": [{"sku": "a", "n": 1}, {"sku": "b", "n": "2.0"}]}"#,
    );
    assert_eq!(comparison.verdict, Verdict::Same);
    assert_eq!(names(comparison.split()), Vec::<&str>::new());
    assert_eq!(names(comparison.merged()), ["items[1].n"]);
    let longer = compared(
        r#"{"items": [{"sku": "b", "n": 2}, {"sku": "a", "n": 1}]}"#,
        r#"{"items": [{"sku": "a", "n": 1}]}"#,
    );
    assert_eq!(names(longer.split()), ["items[1].n", "items[1].sku"]);
}

#[test]
fn merges_conflicts_and_ignored_parts_are_told_apart() {
    let one = r#"{"items": [], "note": " Hi ", "gift": true, "trace": 1}"#;
    let same = compared(one, r#"{"items": [], "note": "hi", "gift": true, "trace": 2}"#);
    assert_eq!((same.verdict, same.summary().as_str()), (Verdict::Same, "same key: note came to the same"));
    assert_eq!(names(same.merged()), ["note", "trace"]);
    let conflict = compared(one, r#"{"items": [], "note": "hi", "gift": false}"#);
    assert_eq!(conflict.verdict, Verdict::Conflict);
    assert_eq!(names(conflict.in_conflict()), ["gift"]);
}

#[test]
fn what_is_around_the_payload_counts_too() {
    let payload = r#"{"items": [], "note": "hi"}"#;
    let later = why(&cart(), [&intent(450, payload), &intent(1350, payload)]);
    assert_eq!((later.verdict, names(later.split())), (Verdict::Different, vec!["bucket"]));
    let edge = why(&cart(), [&intent(899, payload), &intent(900, payload)]);
    assert_eq!(edge.verdict, Verdict::SameByEdge);
    let other = intent(450, payload).replace("acme", "umbrella");
    assert_eq!(names(why(&cart(), [&intent(450, payload), &other]).split()), ["tenant"]);
}

#[test]
fn a_refused_side_shows_what_it_sent() {
    let comparison =
        compared(r#"{"items": [], "note": "hi"}"#, r#"{"items": [], "note": 1.50, "more": [{"a": 1}]}"#);
    assert_eq!(comparison.verdict, Verdict::Refused);
    assert!(comparison.summary().starts_with("the second is refused: field_unclassified: more[].a"));
    let raw =
        |name: &str| comparison.rows.iter().find(|row| row.name == name).and_then(|row| row.raw[1].clone());
    assert_eq!(raw("note").as_deref(), Some("1.50"), "as it was written");
    assert_eq!(raw("more[0].a").as_deref(), Some("1"));
    // What was not evaluated is neither absent nor different.
    let evaluated = |name: &str| comparison.rows.iter().find(|row| row.name == name).map(|row| row.evaluated);
    assert_eq!(evaluated("note"), Some([true, false]));
    assert_eq!(evaluated("bucket"), Some([true, false]));
    assert_eq!(evaluated("tenant"), Some([true, true]));
    assert_eq!(names(comparison.split()), Vec::<&str>::new());
    assert_eq!(names(comparison.merged()), Vec::<&str>::new());
    let mut text = String::new();
    report::write_text(&comparison, false, &mut text).unwrap();
    let note = text.lines().find(|line| line.contains(" note ")).unwrap();
    assert!(note.starts_with("  note") && note.ends_with("1.50    -> not evaluated"), "{text}");
    let gift = text.lines().find(|line| line.contains(" gift ")).unwrap();
    assert!(gift.contains("-> absent") && gift.ends_with("-       -> not evaluated"), "{text}");
    let nonsense = why(&cart(), ["{", &intent(1, "{}")]);
    assert_eq!(nonsense.verdict, Verdict::Refused);
}
