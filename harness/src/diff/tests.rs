use super::*;
use crate::audit::Control;
use crate::events::{Broken, Input, Mapping, Place};

const OLD: &str = r#"{"name": "transfer", "actions": ["transfer"], "bucket_seconds": 900, "edge_seconds": 20,
    "identity": {"to": {"rule": "email"}, "amount": {"rule": "decimal"},
        "memo": {"rule": "text", "required": false}, "tags[]": {"rule": "exact", "required": false}},
    "checked": {"note": {"rule": "text", "required": false}},
    "ignored": {"request_id": "new on every attempt"}}"#;

fn policies(text: &str) -> Policies {
    Policies::from_json(text).unwrap_or_else(|refusal| panic!("{refusal}: {text}"))
}

/// The old policy with a passage replaced.
fn changed(from: &str, to: &str) -> Policies {
    assert!(OLD.contains(from), "{from}");
    policies(&OLD.replace(from, to))
}

fn to(from: &str, new: &str) -> Report {
    diff(
        &policies(OLD),
        &changed(from, new),
        &Settings { cases: 128, not_before: 1_767_225_601, ..Settings::default() },
    )
}

#[track_caller]
fn is(report: &Report, verdict: Verdict, kinds: &[&str], changes: &[Change]) {
    let found: Vec<&str> = report.differences.iter().map(|difference| difference.kind.change).collect();
    assert_eq!(found, kinds);
    assert_eq!(report.verdict, verdict, "{found:?}");
    let found: Vec<Change> = report.witnesses.iter().map(|witness| witness.change).collect();
    assert_eq!(found, changes);
}

use Change::{Accepts, Agrees, Conflicts, Merges, Moves, Refuses, RefusesOtherwise, Splits};

#[test]
fn words_change_nothing() {
    let report = to("new on every attempt", "differs from attempt to attempt");
    is(&report, Verdict::SameKeys, &["name, a reason, destinations, retention"], &[]);
    assert!(report.is_same && report.roll_out.is_none());
}

#[test]
fn an_intent_that_keeps_its_key_is_shown_where_there_is_one() {
    let some_move =
        to(r#""amount": {"rule": "decimal"}"#, r#""amount": {"rule": "decimal", "rounding": "half_even"}"#);
    let [old, new] = &some_move.kept.unwrap().outcomes[0];
    assert_eq!(old, new);
    assert!(to("900", "1800").kept.is_none(), "all move");
}

#[test]
fn each_kind_of_change_has_its_witnesses() {
    let note = r#""note": {"rule": "text", "required": false}"#;
    let request = r#""request_id": "new on every attempt""#;
    for (from, new, verdict, kind, changes) in [
        (r#"["transfer"]"#, r#"["transfer", "refund"]"#, Verdict::SameKeys, "action added", &[Accepts][..]),
        ("900", "1800", Verdict::Merges, "bucket_seconds raised", &[Merges, Moves]),
        ("900", "450", Verdict::SplitsInFlight, "bucket_seconds lowered", &[Splits, Moves]),
        (
            r#""edge_seconds": 20"#,
            r#""edge_seconds": 0"#,
            Verdict::SplitsInFlight,
            "edge_seconds lowered",
            &[Splits],
        ),
        (
            r#""identity""#,
            r#""key": {"length": 40}, "identity""#,
            Verdict::SplitsInFlight,
            "key.format or key.length",
            &[Moves],
        ),
        (
            r#""identity""#,
            r#""key": {"scope": "tenant"}, "identity""#,
            Verdict::SplitsInFlight,
            "key.scope",
            &[Moves],
        ),
        (
            r#""checked": {"#,
            r#""checked": {"more": {"rule": "exact"}, "#,
            Verdict::SameKeys,
            "identity or checked field added, required",
            &[Refuses, Accepts, RefusesOtherwise],
        ),
        (note, "", Verdict::SameKeys, "identity or checked field removed", &[Refuses, RefusesOtherwise]),
        (request, "", Verdict::SameKeys, "ignored path removed", &[Refuses, RefusesOtherwise]),
        (
            r#""to": {"rule": "email"}"#,
            r#""to": {"rule": "email", "required": false}"#,
            Verdict::SameKeys,
            "required to optional",
            &[Accepts],
        ),
        (
            r#""amount": {"rule": "decimal"}"#,
            r#""amount": {"rule": "decimal", "null": "absent"}"#,
            Verdict::SameKeys,
            "null = \"absent\" added",
            &[RefusesOtherwise],
        ),
        (
            r#""memo": {"rule": "text", "required": false}"#,
            r#""memo": {"rule": "text", "required": false, "empty": "absent"}"#,
            Verdict::Merges,
            "empty from \"keep\" to \"absent\"",
            &[Merges, Moves],
        ),
        (
            r#""memo": {"rule": "text", "required": false}"#,
            r#""memo": {"rule": "text", "required": false, "case": "keep"}"#,
            Verdict::SplitsInFlight,
            "a rule's parameter",
            &[Splits, Moves],
        ),
        (
            r#""ignored""#,
            r#""lists": {"tags": {"order": "any"}}, "ignored""#,
            Verdict::Merges,
            "a list's order to \"any\"",
            &[Merges, Moves],
        ),
    ] {
        let new = OLD.replace(from, new).replace(", }", "}").replace("{, ", "{");
        let report = diff(&policies(OLD), &policies(&new), &Settings { cases: 128, ..Settings::default() });
        let found: Vec<Change> = report.witnesses.iter().map(|witness| witness.change).collect();
        assert_eq!(report.differences.iter().map(|one| one.kind.change).collect::<Vec<_>>(), [kind]);
        assert_eq!(report.verdict, verdict, "{kind}: {found:?}");
        for change in changes {
            assert!(found.contains(change), "{kind}: {change:?} not in {found:?}");
        }
        if verdict == Verdict::SameKeys {
            assert!(
                !found.iter().any(|change| matches!(change, Merges | Splits | Moves)),
                "{kind}: {found:?}"
            );
        }
    }
}

#[test]
fn fields_that_change_their_class_merge_or_split() {
    let memo = r#""memo": {"rule": "text", "required": false}, "#;
    let moved = |text: &str, to: &str, field: &str| {
        let at = format!("\"{to}\": {{");
        policies(&text.replace(&at, &format!("{at}{field}, ")))
    };
    let without = OLD.replace(memo, "");
    let settings = Settings { cases: 128, ..Settings::default() };
    let report = diff(
        &policies(OLD),
        &moved(&without, "checked", r#""memo": {"rule": "text", "required": false}"#),
        &settings,
    );
    assert_eq!(report.verdict, Verdict::Merges);
    assert_eq!(report.differences[0].kind.change, "identity field to checked");
    let witness = &report.witnesses[0];
    assert_eq!((witness.change, witness.intents.len()), (Merges, 2));
    assert!(witness.intents.iter().any(|intent| intent.contains("memo")), "{witness:?}");
    let report = diff(&policies(OLD), &moved(&without, "ignored", r#""memo": "presentation""#), &settings);
    assert_eq!(
        (report.verdict, report.differences[0].kind.change),
        (Verdict::Merges, "identity field to ignored")
    );
    let back = diff(&moved(&without, "ignored", r#""memo": "presentation""#), &policies(OLD), &settings);
    assert_eq!(
        (back.verdict, back.differences[0].kind.change),
        (Verdict::SplitsInFlight, "ignored field to identity")
    );
    let note = OLD.replace(r#""note": {"rule": "text", "required": false}"#, "");
    let report = diff(&policies(OLD), &moved(&note, "ignored", r#""note": "presentation""#), &settings);
    is(&report, Verdict::SameKeys, &["checked field to ignored"], &[Accepts, Agrees, RefusesOtherwise]);
    let back = diff(&moved(&note, "ignored", r#""note": "presentation""#), &policies(OLD), &settings);
    is(&back, Verdict::SameKeys, &["ignored field to checked"], &[Refuses, Conflicts, RefusesOtherwise]);
}

#[test]
fn a_witness_is_small_and_right() {
    let report = to(r#""amount": {"rule": "decimal"}"#, r#""amount": {"rule": "decimal", "scale": 1}"#);
    let merge = &report.witnesses[0];
    assert_eq!(merge.change, Merges);
    for intent in &merge.intents {
        assert!(!intent.contains("memo") && !intent.contains("note") && !intent.contains("tags"), "{intent}");
    }
    let [one, other] = [&merge.outcomes[0], &merge.outcomes[1]];
    assert_ne!(one[0], other[0]);
    assert_eq!(one[1], other[1]);
}

#[test]
fn a_roll_out_begins_where_no_bucket_is_cut() {
    let report = to("900", "600");
    let roll_out = report.roll_out.unwrap().unwrap();
    assert_eq!((roll_out.from_epoch, roll_out.multiple_of), (1_767_227_400, 1800));
    assert!(roll_out.tried >= 3);
    assert_eq!(roll_out.from_epoch % 900, 0);
    assert_eq!(roll_out.from_epoch % 600, 0);
    let forever = to(r#"900, "edge_seconds": 20"#, "0");
    assert_eq!(forever.roll_out.unwrap().unwrap_err(), NoRollOut::OneBucket);
    // A start that cuts a bucket is what core refuses.
    let cut =
        format!(r#"[{{"from_epoch": 0, "policy": {OLD}}}, {{"from_epoch": 1767225601, "policy": {OLD}}}]"#);
    assert!(Policies::from_json(&cut).is_err());
}

#[test]
fn events_are_counted() {
    let line = |amount: &str, memo: &str, epoch: u64| {
        format!(
            r#"{{"tenant":"t","action":"transfer","intent_epoch":{epoch},"payload":{{"to":"a@b","amount":{amount}{memo}}}}}"#
        )
    };
    let text = [
        line("1", "", 450),
        line("1", "", 460),
        line("1.04", "", 450),
        line("1.1", "", 450),
        line("1", r#","memo":"""#, 450),
        line("null", "", 450),
        String::from("no intent"),
        String::new(),
        line("1", r#","more":1"#, 450),
    ]
    .join("\n");
    let new = changed(
        r#""amount": {"rule": "decimal"}"#,
        r#""amount": {"rule": "decimal", "scale": 1, "null": "absent", "required": false}"#,
    );
    let folder = tempfile::tempdir().unwrap();
    let count = |old: &Policies, new: &Policies, name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let inputs = [Input::from(path.as_path())];
        events::count(old, new, &inputs, &Mapping::default(), &Control::default()).unwrap()
    };
    let place = |line| Place::new(0, line);
    let counts = count(&policies(OLD), &new, "events.jsonl", text.as_bytes());
    assert_eq!((counts.events, counts.keep, counts.move_), (8, 0, 5));
    assert_eq!((counts.refused, counts.accepted, counts.refused_by_both), (0, 1, 1));
    assert_eq!((counts.broken, counts.first.broken), (1, Some((place(7), Broken::NotJson))));
    assert_eq!((counts.merged, counts.split), (1, 0));
    assert_eq!(counts.first.merged, Some([place(1), place(3)]));
    assert_eq!((counts.first.move_, counts.first.accepted), (Some(place(1)), Some(place(6))));
    let back = count(&new, &policies(OLD), "events.jsonl", text.as_bytes());
    assert_eq!((back.merged, back.split, back.first.split), (0, 1, Some([place(1), place(3)])));
    assert_eq!(back.first.refused, Some((place(6), String::from("field_null at amount"))));
    assert_eq!(back.first.refused_by_both, Some((place(9), String::from("field_unclassified: more"))));
    let same = count(&policies(OLD), &policies(OLD), "events.jsonl", text.as_bytes());
    assert_eq!((same.keep, same.merged, same.split), (5, 0, 0));
    // Compressed, and cut in the middle: what there is, and that it is not all.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, text.repeat(400).as_bytes()).unwrap();
    let bytes = gzip.finish().unwrap();
    let whole = count(&policies(OLD), &new, "events.jsonl.gz", &bytes);
    assert!(whole.partial.is_empty() && whole.events == 2801, "{whole:?}");
    let cut = count(&policies(OLD), &new, "cut.jsonl.gz", bytes.get(..bytes.len() / 2).unwrap());
    assert!(cut.partial[0].contains("cannot be read from line"), "{cut:?}");
    let table =
        "tenant,action,intent_epoch,to,amount\nt,transfer,450,a@b,1\nt,transfer,450,a@b,1.04\nt,transfer\n";
    let counts = count(&policies(OLD), &new, "events.csv", table.as_bytes());
    assert_eq!((counts.events, counts.move_, counts.merged, counts.broken), (3, 2, 1, 1));
}

/// Whatever two policies are drawn to show, the verdict that structure gives is no less: a change of
/// each sensible kind, both ways.
#[test]
fn structure_never_says_less_than_what_can_be_found() {
    let full = r#"{"name": "full", "actions": ["pay", "refund"], "bucket_seconds": 900, "edge_seconds": 20,
        "identity": {"to": {"rule": "pix_key"}, "amount": {"rule": "decimal", "scale": "currency"},
            "currency": {"rule": "currency"}, "memo": {"rule": "text", "required": false},
            "id": {"rule": "identifier", "required": false}, "kind": {"rule": "enum", "values": ["a", "B", "b"]},
            "at": {"rule": "timestamp", "precision": "milli", "required": false},
            "share": {"rule": "decimal", "rounding": "half_even", "required": false},
            "items[].sku": {"rule": "exact", "required": false}},
        "checked": {"note": {"rule": "text", "required": false}, "items[].note": {"rule": "text", "required": false}},
        "ignored": {"request_id": "new on every attempt"}}"#;
    let old = Policy::from_json(full).unwrap();
    let document: serde_json::Value = serde_json::from_str(full).unwrap();
    let mut tried = 0;
    // Every third, since each takes long.
    for mutant in crate::examples::mutants::mutants(&old, &document).into_iter().step_by(3) {
        let Ok(new) = Policy::from_json(&mutant.policy.to_string()) else { continue };
        for [one, other] in [[&old, &new], [&new, &old]] {
            let worst = structure::differences(one, other).iter().map(|found| found.may.verdict()).max();
            let asked = [Change::Merges, Change::Splits, Change::Moves];
            let found = Search::new(one, other, 3, 7).witnesses(&asked, 3);
            let drawn = found.iter().map(|witness| weigh(witness.change)).max();
            assert!(drawn <= worst, "{}: {}: {worst:?} {found:?}", mutant.place, mutant.change);
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried}");
}

#[test]
fn a_difference_that_hardly_shows_counts_all_the_same() {
    // Drawn texts would hardly meet the one place where the two forms differ.
    let report = to(
        r#""memo": {"rule": "text", "required": false}"#,
        r#""memo": {"rule": "text", "required": false, "form": "nfc_first"}"#,
    );
    assert_eq!(report.verdict, Verdict::Merges);
    let text = report_text(&report);
    assert!(text.contains("transfer to transfer: merges"), "{text}");
    // What no witness is found of is said.
    for difference in &report.differences {
        for change in &difference.unshown {
            assert!(text.contains(&format!("possible: {}; no witness found", change.says())), "{text}");
        }
    }
    // What both take is not rounded by either.
    let exact = r#""amount": {"rule": "decimal", "rounding": "refuse"}"#;
    let report = to(r#""amount": {"rule": "decimal"}"#, exact);
    assert_eq!((report.verdict, report.differences[0].may), (Verdict::SameKeys, May::STAY));
}

#[test]
fn each_difference_has_a_witness_of_its_own() {
    let new = OLD
        .replace(r#""to": {"rule": "email"}"#, r#""to": {"rule": "text"}"#)
        .replace(r#""amount": {"rule": "decimal"}"#, r#""amount": {"rule": "decimal", "scale": 1}"#)
        .replace(
            r#""tags[]": {"rule": "exact", "required": false}"#,
            r#""tags[]": {"rule": "text", "required": false}"#,
        );
    let report = diff(&policies(OLD), &policies(&new), &Settings::default());
    let of = |place: &str| {
        let own = report.witnesses.iter().filter(|witness| witness.place.as_deref() == Some(place));
        own.map(|witness| witness.change).collect::<Vec<_>>()
    };
    assert_eq!(of("identity.to"), [Merges, Moves]);
    assert_eq!(of("identity.amount"), [Merges, Splits, Moves]);
    // As the policy has it.
    assert_eq!(of(r#"identity."tags[]""#), [Merges, Moves]);
}

#[test]
fn an_ignored_place_covers_what_a_new_field_takes_from_it() {
    let within = |more: &str| policies(&OLD.replace(r#""ignored": {"#, &format!(r#""ignored": {{{more}"#)));
    let old = within(r#""meta": "of the attempt", "#);
    let new = policies(&OLD.replace(r#""identity": {"#, r#""identity": {"meta.id": {"rule": "exact"}, "#));
    let report = diff(&old, &new, &Settings::default());
    assert_eq!(report.verdict, Verdict::SplitsInFlight);
    assert!(report.witnesses.iter().any(|witness| witness.change == Splits), "{report:?}");
    assert_eq!(diff(&new, &old, &Settings::default()).verdict, Verdict::Merges);
}

fn report_text(report: &Report) -> String {
    let mut text = String::new();
    report::write_text(report, None, false, &mut text).unwrap();
    text
}
