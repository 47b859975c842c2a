//! Merges and splits, their causes, widths and edges.

use intentkey::audit::report::{Edge, Width};

use super::*;

/// Three merges, four splits, three true retries and one conflict, each planted by hand.
fn planted() -> Events {
    let mut events: Vec<String> = Vec::new();
    let mut add = |id: &str, epoch: u64, payload: &str| events.push(event(id, epoch, payload));
    // Merge: the rule takes two dates for one.
    add("m1a", 1000, r#""to":"2024-1-12","amount":1,"request":"1""#);
    add("m1b", 1001, r#""to":"2024-11-2","amount":1,"request":"2""#);
    // Merge of three: the order, which is ignored, tells them apart.
    add("m2a", 1000, r#""to":"b","amount":2,"request":"3","order":"A""#);
    add("m2b", 1001, r#""to":"b","amount":2,"request":"4","order":"B""#);
    add("m2c", 1002, r#""to":"b","amount":2,"request":"5","order":"C""#);
    // Merge: nothing but the request, which differs in retries too.
    add("m3a", 1000, r#""to":"c","amount":3,"request":"6""#);
    add("m3b", 1001, r#""to":"c","amount":3,"request":"7""#);
    // Splits: letter case, an amount, another action, and an edge.
    add("s1", 1000, r#""to":"d","amount":4,"text":"Rent""#);
    add("s1", 1001, r#""to":"d","amount":4,"text":"RENT""#);
    add("s2", 1000, r#""to":"e","amount":5"#);
    add("s2", 1001, r#""to":"e","amount":"5.01""#);
    add("s3", 1000, r#""to":"f","amount":6"#);
    add("s3", 1001, r#""to":"f","amount":6"#);
    add("s4", 1095, r#""to":"g","amount":7"#);
    add("s4", 1104, r#""to":"g","amount":7"#);
    // True retries: the order stays, the request does not.
    for (number, request) in ["8", "9", "10", "11"].iter().enumerate() {
        let payload = format!(r#""to":"h","amount":8,"request":"{request}","order":"D""#);
        add("r1", 1000 + number as u64, &payload);
    }
    // A conflict: the note, which is checked.
    add("k1", 1000, r#""to":"i","amount":9,"note":"one""#);
    add("k1", 1001, r#""to":"i","amount":9,"note":"two""#);
    // The second of s3 is a refund.
    events[12] = events[12].replace("\"pay\"", "\"refund\"");
    Events::new("events.jsonl", events.concat())
}

#[test]
fn planted_merges_and_splits_are_counted_exactly() {
    let report = planted().audit(&by_id());
    assert!(report.is_whole() && !report.is_clean());
    assert_eq!((report.events.read, report.events.keyed, report.events.refused), (21, 21, 0));
    let truth = report.truth.unwrap();
    assert_eq!((truth.intents, truth.without), (13, 0));
    assert_eq!((truth.merged_keys, truth.lost_intents), (3, 4));
    // The fourth split is joined by the edge's key: 1095 and 1104 are within 10 s of 1100.
    assert_eq!((truth.split_intents, truth.extra_keys, truth.split_by_bucket), (3, 3, 0));
    assert_eq!(truth.joined_intents, 1);
    assert_eq!(report.keys.count, 3 + 8 + 1 + 1);
    assert_eq!(report.keys.repeats, 8);
    assert_eq!(report.keys.conflicts, 1);
    assert_eq!(report.span, Some([1000, 1104]));
}

#[test]
fn the_fields_that_merged_and_split_are_named() {
    let report = planted().audit(&by_id());
    let truth = report.truth.unwrap();
    let (merges, splits) = (truth.merges.unwrap(), truth.splits.unwrap());
    assert_eq!((merges.compared, splits.compared), (3, 3));
    assert_eq!(counts(&merges.fields), [("request", 3), ("(nothing)", 1), ("order", 1), ("to", 1)]);
    assert_eq!(counts(&splits.fields), [("(action)", 1), ("amount", 1), ("text", 1)]);
    let find =
        |causes: &[Cause], field: &str| causes.iter().find(|cause| cause.field == field).unwrap().clone();
    // Three keys hold true retries: one and its note, four and their requests, and two at an edge.
    let order = find(&merges.fields, "order");
    assert_eq!((&*order.class, order.in_retries), ("ignored", Some([0, 3])));
    assert_eq!(find(&merges.fields, "request").in_retries, Some([1, 3]));
    let to = find(&merges.fields, "to");
    assert_eq!((&*to.class, to.rule.as_deref()), ("identity", Some("identifier")));
    assert_eq!(to.how, [(String::from("punctuation or a mask"), 1)]);
    assert_eq!(find(&splits.fields, "text").how, [(String::from("letter case"), 1)]);
    assert_eq!(find(&splits.fields, "amount").how, [(String::from("another number"), 1)]);
    assert_eq!(find(&splits.fields, "(action)").example, ["line 12", "line 13"]);
}

#[test]
fn a_true_id_that_the_policy_ignores_is_no_cause() {
    let text = [("A", 1, 1), ("B", 1, 2), ("C", 2, 3), ("C", 2, 4)].map(|(order, amount, request)| {
        let payload = format!(r#""to":"a","amount":{amount},"request":"{request}","order":"{order}""#);
        event("x", 1000, &payload).replace(",\"id\":\"x\"", "")
    });
    let events = Events::new("events.jsonl", text.concat());
    for truth in ["order", "payload.order"] {
        let mapping = Mapping { truth: Some(truth.into()), ..Mapping::default() };
        let truth = events.audit(&Settings { mapping, ..Settings::default() }).truth.unwrap();
        assert_eq!((truth.intents, truth.merged_keys), (3, 1));
        // What is left differs in the retry of C too: nothing tells A and B apart.
        assert_eq!(counts(&truth.merges.unwrap().fields), [("(nothing)", 1), ("request", 1)]);
    }
}

#[test]
fn widths_and_edges_are_counted_in_one_pass() {
    // One intent at seconds 3595 and 3604; another, equal, at 5000.
    let payload = r#""to":"a","amount":1"#;
    let text = [event("one", 3595, payload), event("one", 3604, payload), event("two", 5000, payload)];
    let report = Events::new("events.jsonl", text.concat()).audit(&by_id());
    let width = |seconds: u64| *report.sweep.iter().find(|row| row.bucket_seconds == seconds).unwrap();
    let at = |seconds, keys, merged, split| Width {
        bucket_seconds: seconds,
        is_policy: seconds == 100,
        keys,
        repeats: 3 - keys,
        merged_keys: merged,
        lost_intents: merged,
        split_intents: split,
        extra_keys: split,
    };
    assert_eq!(width(60), at(60, 3, 0, 1));
    assert_eq!(width(100), at(100, 3, 0, 1));
    assert_eq!(width(3600), at(3600, 2, 1, 1));
    assert_eq!(width(7200), at(7200, 1, 1, 0));
    assert_eq!(width(0), at(0, 1, 1, 0));
    assert_eq!(report.sweep.first().unwrap().bucket_seconds, 60);
    assert!(report.sweep.iter().any(|row| row.bucket_seconds == 86_400));
    let edge = |seconds: u64| *report.edges.iter().find(|row| row.edge_seconds == seconds).unwrap();
    let at = |seconds, near, joined, split| Edge {
        edge_seconds: seconds,
        is_policy: seconds == 10,
        near,
        parted: 1,
        joined,
        merged_keys: 0,
        lost_intents: 0,
        split_intents: split,
        extra_keys: split,
    };
    assert_eq!(edge(0), at(0, 0, 0, 1));
    // 5000 is the first second of a bucket.
    assert_eq!(edge(2), at(2, 1, 0, 1));
    assert_eq!(edge(5), at(5, 3, 1, 0));
    assert_eq!(edge(10), at(10, 3, 1, 0));
}

#[test]
fn what_the_edge_joins_is_no_split_and_all_reports_say_so() {
    // 10 s of protection at 1100: 1090 and 1109 share the edge's key; 1089 and 1110 share nothing.
    let of = |to: &str| format!(r#""to":"{to}","amount":1"#);
    let text = [
        event("joined", 1090, &of("a")),
        event("joined", 1109, &of("a")),
        event("split", 1089, &of("b")),
        event("split", 1110, &of("b")),
    ];
    let report = Events::new("events.jsonl", text.concat()).audit(&by_id());
    let truth = report.truth.as_ref().unwrap();
    assert_eq!((truth.split_intents, truth.extra_keys, truth.joined_intents), (1, 1, 1));
    assert_eq!((truth.merged_keys, truth.split_by_bucket), (0, 1));
    let splits = truth.splits.as_ref().unwrap();
    assert_eq!(counts(&splits.fields), [("(bucket)", 1)]);
    assert_eq!(splits.fields[0].how, [(String::from("cut by a bucket's edge"), 1)]);
    assert_eq!(splits.fields[0].example, ["line 3", "line 4"]);
    let own = report.edges.iter().find(|edge| edge.is_policy).unwrap();
    assert_eq!((own.edge_seconds, own.split_intents, own.extra_keys), (10, 1, 1));
    assert_eq!((own.parted, own.joined, own.merged_keys), (2, 1, 0));
    // The command `why` says of the two pairs what the audit counts.
    let plain = |text: &str| text.replace(",\"id\":\"joined\"", "").replace(",\"id\":\"split\"", "");
    let texts: Vec<String> = text.iter().map(|text| plain(text)).collect();
    let verdict =
        |one: usize, other: usize| intentkey::why::why(&policies(), [&texts[one], &texts[other]]).verdict;
    assert_eq!(verdict(0, 1), intentkey::why::Verdict::SameByEdge);
    assert_eq!(verdict(2, 3), intentkey::why::Verdict::Different);
    let mut shown = String::new();
    intentkey::audit::report::write_text(&report, Default::default(), &mut shown).unwrap();
    assert!(shown.contains("; 1 intent has more than one key (1 too many)."), "{shown}");
    let joined = "1 intent more has two keys, which edge protection joins";
    assert!(shown.contains(joined), "{shown}");
    let page = intentkey::audit::report::to_html(&report);
    assert!(page.contains("1 intent has more than one key (1 too many).") && page.contains(joined));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!((&json["truth"]["split_intents"], &json["truth"]["joined_intents"]), (&1.into(), &1.into()));
}

#[test]
fn conflicts_are_placed_and_their_fields_named() {
    let of = |to: &str, note: &str| format!(r#""to":"{to}","amount":1,"note":"{note}""#);
    let text = [
        event("1", 1000, &of("a", "one")),
        event("2", 1000, &of("b", "one")),
        event("1", 1001, &of("a", "ONE")),
        event("1", 1002, &of("a", "two")),
        // Under the key of the edge at 1100.
        event("3", 1095, &of("c", "one")),
        event("3", 1104, &of("c", "two")),
    ];
    for settings in [
        by_id(),
        Settings { mapping: Mapping { truth: None, drop: vec!["id".into()], ..by_id().mapping }, ..by_id() },
    ] {
        let report = Events::new("events.jsonl", text.concat()).audit(&settings);
        assert_eq!(report.keys.conflicts, 2);
        assert_eq!(report.keys.conflicting, [["line 1", "line 4"], ["line 5", "line 6"]]);
        let fields = report.keys.conflict_fields.as_ref().unwrap();
        assert_eq!((fields.compared, counts(&fields.fields)), (2, vec![("note", 2)]));
        let mut shown = String::new();
        intentkey::audit::report::write_text(&report, Default::default(), &mut shown).unwrap();
        assert!(shown.contains("line 1 and line 4") && shown.contains("note [checked, text]"), "{shown}");
        let page = intentkey::audit::report::to_html(&report);
        assert!(page.contains("line 1 and line 4; line 5 and line 6") && page.contains("conflicting keys"));
    }
}

#[test]
fn edge_protection_can_merge_what_buckets_kept_apart() {
    let payload = r#""to":"a","amount":1"#;
    let text = [event("one", 98, payload), event("two", 101, payload)].concat();
    let report = Events::new("events.jsonl", text).audit(&by_id());
    assert_eq!(report.truth.unwrap().merged_keys, 1);
    let merged: Vec<(u64, u64)> =
        report.edges.iter().map(|edge| (edge.edge_seconds, edge.merged_keys)).collect();
    assert_eq!(merged, [(0, 0), (1, 0), (2, 1), (5, 1), (10, 1), (20, 1), (30, 1)]);
}

#[test]
fn without_true_ids_clusters_and_repeats_are_counted() {
    let payload = r#""to":"a","amount":1"#;
    let times = [1000, 1000, 1003, 1040, 5000];
    let text: String = times.iter().map(|time| event("x", *time, payload)).collect();
    let settings = Settings {
        mapping: Mapping { drop: vec![String::from("id")], ..Mapping::default() },
        ..Settings::default()
    };
    let report = Events::new("events.jsonl", text).audit(&settings);
    assert!(report.truth.is_none() && report.is_clean());
    assert_eq!((report.keys.count, report.keys.repeats), (2, 3));
    let gaps: Vec<(Option<u64>, u64)> =
        report.gaps.iter().filter(|bin| bin.count > 0).map(|bin| (bin.up_to_seconds, bin.count)).collect();
    assert_eq!(gaps, [(Some(0), 1), (Some(5), 1), (Some(60), 1), (Some(21_600), 1)]);
    let sizes: Vec<(Option<u64>, u64, u64)> = report
        .keys
        .sizes
        .iter()
        .filter(|size| size.keys > 0)
        .map(|size| (size.up_to, size.keys, size.events))
        .collect();
    assert_eq!(sizes, [(Some(1), 1, 1), (Some(5), 1, 4)]);
    let large = &report.keys.largest[0];
    assert_eq!((large.events, large.span, &*large.first), (4, [1000, 1040], "line 1"));
    let slots = &report.timeline;
    assert_eq!(slots.slot_seconds, 60);
    assert_eq!(slots.slots.iter().map(|slot| slot.events).sum::<u64>(), 5);
    assert_eq!(slots.slots.iter().map(|slot| slot.repeats).sum::<u64>(), 3);
}

#[test]
fn threads_change_nothing() {
    let mut text = String::new();
    for number in 0..20_000_u64 {
        let payload =
            format!(r#""to":"u{}","amount":{},"x{}":1"#, number % 900, number % 7, number % 50 % 49);
        let payload =
            if number % 50 == 0 { payload } else { payload.split(",\"x").next().unwrap().to_owned() };
        text.push_str(&event(&format!("i{}", number % 5000), 1000 + number % 777, &payload));
    }
    let events = Events::new("events.jsonl", text);
    let report = |threads| {
        let report = events.audit(&Settings { threads, ..by_id() });
        serde_json::to_string(&report).unwrap()
    };
    let one = report(1);
    assert_eq!(one, report(4));
    assert_eq!(one, report(3));
}

#[test]
fn a_true_id_can_be_one_of_its_tenant() {
    let payload = r#""to":"a","amount":1"#;
    let text = [event("1", 1000, payload), event("1", 1000, payload).replace("acme", "other")].concat();
    let events = Events::new("events.jsonl", text);
    let splits = |settings: &Settings| events.audit(settings).truth.unwrap().split_intents;
    assert_eq!(splits(&by_id()), 1);
    assert_eq!(splits(&Settings { truth_per_tenant: true, ..by_id() }), 0);
}

#[test]
fn policies_over_time_count_each_event_under_its_own() {
    let older = POLICY.replace(r#""case": "keep", "#, "");
    let list =
        format!(r#"[{{"from_epoch": 0, "policy": {older}}}, {{"from_epoch": 2000, "policy": {POLICY}}}]"#);
    let policies = Policies::from_json(&list).unwrap();
    let upper = r#""to":"a","amount":1,"text":"RENT""#;
    let lower = r#""to":"a","amount":1,"text":"rent""#;
    let text = [
        event("one", 1000, upper),
        event("one", 1001, lower),
        event("two", 2000, upper),
        event("two", 2001, lower),
    ];
    let events = Events::new("events.jsonl", text.concat());
    let report = audit(&policies, &[Input::from(events.path.as_path())], &by_id()).unwrap();
    assert_eq!(report.truth.unwrap().split_intents, 1);
    // Before the first policy there is none.
    let later = Policies::from_json(&format!(r#"[{{"from_epoch": 2000, "policy": {POLICY}}}]"#)).unwrap();
    let report = audit(&later, &[Input::from(events.path.as_path())], &by_id()).unwrap();
    assert_eq!((report.refused[0].code, report.refused[0].count), ("policy_missing_for_epoch", 2));
}

#[test]
fn an_export_of_days_says_that_it_has_no_times() {
    let day = |number: u64| event(&number.to_string(), number * 86_400, r#""to":"a","amount":1"#);
    let report = Events::new("events.jsonl", (1..4).map(day).collect::<String>()).audit(&by_id());
    assert!(report.days_only);
    let with_a_time =
        (1..4).map(day).chain([event("9", 86_401, r#""to":"a","amount":1"#)]).collect::<String>();
    assert!(!Events::new("events.jsonl", with_a_time).audit(&by_id()).days_only);
}
