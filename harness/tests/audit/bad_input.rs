//! What is wrong with events and files is counted and placed, and the rest goes on.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use intentkey::events::Broken;

use super::*;

const SOUND: &str = r#""to":"a","amount":1"#;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// What is broken: how many, and where first.
fn broken(report: &Report) -> Vec<(Broken, u64, &str)> {
    report.broken.iter().map(|broken| (broken.what, broken.count, &*broken.first)).collect()
}

#[test]
fn broken_lines_are_counted_and_placed_and_the_rest_goes_on() {
    let mut text = Vec::new();
    text.extend(event("one", 1, SOUND).bytes());
    text.extend(b"{\"tenant\": oops}\n\n");
    text.extend(b"\xff\xfe\n");
    text.extend(format!("\"{}\"\n", "x".repeat(5 << 20)).bytes());
    text.extend(event("two", 2, r#""to":"b","amount":1"#).bytes());
    text.extend(b"[1,2]\n");
    text.extend(b"{\"tenant\":\"acme\",\"action\":\"pay\",\"intent_ep");
    let report = Events::new("events.jsonl", text).audit(&by_id());
    assert_eq!(
        broken(&report),
        [
            (Broken::NotJson, 1, "line 2"),
            (Broken::NotUtf8, 1, "line 4"),
            (Broken::TooLong, 1, "line 5"),
            (Broken::Cut, 1, "line 8")
        ]
    );
    // A list is JSON, and no event.
    assert_eq!((report.refused[0].code, &*report.refused[0].first), ("intent_invalid", "line 7"));
    assert_eq!((report.events.read, report.events.keyed, report.events.broken), (7, 2, 4));
    assert!(report.is_whole() && !report.is_clean());
}

#[test]
fn refused_events_are_counted_by_code_and_field() {
    let text = [
        event("1", 1, SOUND),
        event("2", 1, r#""to":"a""#),
        event("3", 1, r#""to":"a","amount":"x""#),
        event("4", 1, r#""to":"a","amount":"y""#),
        event("5", 1, r#""to":"a","amount":1,"extra":{"deep":[1]},"more":"BRL""#),
        event("6", 1, r#""to":"a","amount":1,"more":"2026-01-01""#),
        event("7", 1_767_225_600_000, SOUND),
        event("8", 1, SOUND).replace("pay", "steal"),
        event("9", 1, SOUND).replace("\"tenant\"", "\"merchant\""),
    ];
    let report = Events::new("events.jsonl", text.concat()).audit(&by_id());
    let refused: Vec<(&str, Option<&str>, u64, &str)> = report
        .refused
        .iter()
        .map(|refused| (refused.code, refused.field.as_deref(), refused.count, &*refused.first))
        .collect();
    assert_eq!(
        refused,
        [
            ("decimal_malformed", Some("amount"), 2, "line 3"),
            ("field_unclassified", None, 2, "line 5"),
            ("action_unknown", None, 1, "line 8"),
            ("epoch_in_milliseconds", None, 1, "line 7"),
            ("field_missing", Some("amount"), 1, "line 2"),
            ("intent_invalid", Some("tenant"), 1, "line 9"),
        ]
    );
    let [more, extra] = report.unclassified.as_slice() else { panic!("{:?}", report.unclassified) };
    let shape = |shape: &str, count| (String::from(shape), count);
    assert_eq!((&*more.field, more.count, &*more.first), ("more", 2, "line 5"));
    assert_eq!(more.shapes, [shape("date", 1), shape("three capitals", 1)]);
    assert_eq!((&*extra.field, extra.count), ("extra.deep[]", 1));
    assert_eq!(extra.shapes, [shape("whole number", 1)]);
    assert!(report.unclassified.iter().all(|field| field.values.is_empty()));
}

#[test]
fn a_truncated_gzip_gives_what_there_is_and_says_so() {
    let text: String = (0..5000).map(|number| event(&number.to_string(), number, SOUND)).collect();
    let whole = gzip(text.as_bytes());
    let cut = &whole[..whole.len() / 2];
    let report = Events::new("events.jsonl.gz", cut).audit(&by_id());
    assert!(!report.is_whole());
    assert!(report.events.keyed > 1000 && report.events.keyed < 5000, "{}", report.events.keyed);
    // The line that was cut is no broken line: nobody knows what it was.
    assert_eq!(report.events.broken, 0);
    let expected = format!("cannot be read from line {} on", report.events.keyed + 1);
    assert!(report.partial[0].contains(&expected), "{:?}", report.partial);
    // Cut in its header.
    let report = Events::new("events.jsonl.gz", &whole[..5]).audit(&by_id());
    assert!(!report.is_whole());
    assert_eq!(report.events.read, 0);
}

#[test]
fn a_damaged_zstandard_file_is_no_panic_and_no_whole_report() {
    let text: String = (0..5000).map(|number| event(&number.to_string(), number, SOUND)).collect();
    let whole =
        ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    for length in [3, 7, whole.len() / 3, whole.len() - 1] {
        let report = Events::new("events.jsonl.zst", &whole[..length]).audit(&by_id());
        // Three bytes are no Zstandard yet: a broken line.
        assert!(!report.is_whole() || report.events.broken == 1, "{length}");
    }
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    let report = Events::new("events.jsonl.zst", damaged).audit(&by_id());
    assert!(!report.is_clean());
}

#[test]
fn rows_of_a_table_that_are_no_events_are_placed() {
    let table = "tenant,action,intent_epoch,to,amount,id\n\
                 acme,pay,1,a,1,x\n\
                 acme,pay,2,a\n\
                 acme,pay,3,b,1,y\n\
                 acme,pay,4,\"c,1,z\n";
    let report = Events::new("events.csv", table).audit(&by_id());
    assert_eq!(broken(&report), [(Broken::Cut, 1, "line 5"), (Broken::Columns, 1, "line 3")]);
    assert_eq!(report.events.keyed, 2);
}

#[test]
fn no_value_shows_unless_asked_for() {
    let canary = "canary-8d1f";
    let text = [
        event("1", 1, &format!(r#""to":"{canary}","amount":1,"text":"{canary}""#)),
        event("1", 1, &format!(r#""to":"{canary}","amount":1,"text":"{canary}!","order":"{canary}""#)),
        event("2", 1, &format!(r#""to":"{canary}","amount":1,"text":"{canary}","order":"{canary}2""#)),
        event("3", 1, &format!(r#""to":"{canary}","amount":"{canary}""#)),
        event("4", 1, &format!(r#""to":"{canary}","amount":1,"extra":"{canary}""#)),
    ];
    let events = Events::new("events.jsonl", text.concat());
    for show_values in [false, true] {
        let report = events.audit(&Settings { show_values, ..by_id() });
        let truth = report.truth.as_ref().unwrap();
        assert_eq!((truth.merged_keys, truth.split_intents), (1, 1));
        let mut text = String::new();
        intentkey::audit::report::write_text(&report, Default::default(), &mut text).unwrap();
        let page = intentkey::audit::report::to_html(&report);
        let json = serde_json::to_string(&report).unwrap();
        for shown in [text, page, json] {
            assert_eq!(shown.contains(canary), show_values, "{shown}");
        }
    }
}

#[test]
fn json_that_is_no_lines_is_one_clear_error() {
    let events = [event("1", 1, SOUND), event("2", 2, SOUND)].map(|event| event.trim_end().to_owned());
    let pretty = |text: &str| {
        serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(text).unwrap()).unwrap()
    };
    let array = format!("[{}]", events.join(","));
    for text in
        [array.clone(), format!("\u{feff} [\n{}]", events.join(",\n")), pretty(&array), pretty(&events[0])]
    {
        for name in ["events.json", "events"] {
            let events = Events::new(name, &text);
            let error = audit(&policies(), &[Input::from(events.path.as_path())], &by_id()).unwrap_err();
            assert!(error.to_string().contains("jq -c '.[]' makes lines of an array"), "{text}: {error}");
        }
    }
    // Lists among the lines are no reason to stop.
    let report = Events::new("events.jsonl", format!("[1]\n{}\n", events[0])).audit(&by_id());
    assert_eq!((report.events.read, report.events.keyed), (2, 1));
}
