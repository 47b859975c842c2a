//! One and the same events in many shapes of files: one report.

use std::io::Write as _;

use intentkey::events::{EpochUnit, Origin};

use super::*;

/// Four events: a retry in another spelling, and a merge.
fn lines() -> String {
    [
        event("1", 1_767_225_600, r#""to":"a","amount":"1.50""#),
        event("1", 1_767_225_601, r#""to":"A","amount":1.5,"request":"r""#),
        event("2", 1_767_225_602, r#""to":"a","amount":"1.5","request":"r""#),
        event("3", 1_767_225_603, r#""to":"b","amount":"2""#),
    ]
    .concat()
}

/// What the four events come to, however they are written.
fn assert_is_right(report: &Report) {
    let truth = report.truth.as_ref().unwrap();
    let seen = (report.events.read, report.events.keyed, report.keys.count, truth.intents, truth.merged_keys);
    assert_eq!(seen, (4, 4, 2, 3, 1), "{:?}", report.refused);
    assert_eq!(report.span, Some([1_767_225_600, 1_767_225_603]));
    assert!(report.is_whole());
}

fn with(mapping: Mapping) -> Settings {
    Settings { mapping, ..Settings::default() }
}

#[test]
fn compression_and_names_do_not_count() {
    let text = lines();
    let mut gzip = Vec::new();
    // Two members, as when files are put together.
    let (start, rest) = text.split_at(100);
    for part in [start, rest] {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(part.as_bytes()).unwrap();
        gzip.extend(encoder.finish().unwrap());
    }
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let frame = |part: &str| ruzstd::encoding::compress_to_vec(part.as_bytes(), level);
    // Two frames, and one between them that is to be skipped.
    let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"xyz"].concat();
    let zstd = [frame(start), skipped, frame(rest)].concat();
    for (name, content) in [
        ("events.jsonl", text.clone().into_bytes()),
        ("events", text.clone().into_bytes()),
        ("events", format!("\u{feff}{text}").into_bytes()),
        ("events.jsonl", text.replace('\n', "\r\n").into_bytes()),
        ("events.jsonl", text.trim_end().as_bytes().to_vec()),
        ("events.jsonl.gz", gzip.clone()),
        ("events", gzip),
        ("events.ndjson.zst", zstd),
    ] {
        assert_is_right(&Events::new(name, content).audit(&by_id()));
    }
}

#[test]
fn a_table_is_the_same_as_lines() {
    let table = "id,tenant,action,intent_epoch,to,amount,request\n\
                 1,acme,pay,1767225600,a,1.50,\n\
                 1,acme,pay,1767225601,A,1.5,r\n\
                 2,acme,pay,1767225602,a,1.5,r\n\
                 3,acme,pay,1767225603,b,2,\n";
    assert_is_right(&Events::new("events.csv", table).audit(&by_id()));
    assert_is_right(&Events::new("export", table).audit(&by_id()));
    assert_is_right(&Events::new("events.tsv", table.replace(',', "\t")).audit(&by_id()));
}

#[test]
fn a_table_may_be_separated_otherwise() {
    let table = "id,tenant,action,intent_epoch,to,amount\n\
                 1,acme,pay,1767225600,a,1.50\n\
                 1,acme,pay,1767225601,A,1.5\n\
                 2,acme,pay,1767225602,a,1.5\n\
                 3,acme,pay,1767225603,b,2\n";
    for delimiter in [";", "|", "\t"] {
        let table = table.replace(',', delimiter);
        assert_is_right(&Events::new("events.csv", &table).audit(&by_id()));
        // As a spreadsheet says it.
        let said = format!("sep={delimiter}\r\n{table}");
        assert_is_right(&Events::new("events.csv", said).audit(&by_id()));
    }
    let settings = with(Mapping { delimiter: Some("^".parse().unwrap()), ..by_id().mapping });
    assert_is_right(&Events::new("events.csv", table.replace(',', "^")).audit(&settings));
    // A column without a name, as data frames write the number of the row; and one after the end.
    let framed: String = (0..).zip(table.lines()).map(|(row, line)| format!("{row},{line},\n")).collect();
    let framed = framed.replacen("0,", ",", 1);
    let settings = with(Mapping { drop: vec![String::from("column_1")], ..by_id().mapping });
    assert_is_right(&Events::new("events.csv", framed).audit(&settings));
}

#[test]
fn a_table_with_decimal_commas_is_read_where_it_is_said() {
    let table = "id;tenant;action;intent_epoch;to;amount\n\
                 1;acme;pay;1767225600;a;1.234,50\n\
                 1;acme;pay;1767225601;A;1234,5\n\
                 2;acme;pay;1767225602;a;1234.50\n\
                 3;acme;pay;1767225603;b;-0,5\n";
    let report = Events::new("events.csv", table).audit(&by_id());
    let [refused] = report.refused.as_slice() else { panic!("{:?}", report.refused) };
    assert_eq!((refused.code, refused.count, &*refused.first), ("decimal_malformed", 3, "line 2"));
    assert!(refused.advice.as_ref().is_some_and(|advice| advice.contains("--decimal-comma")));
    let settings = with(Mapping { decimal_comma: vec![String::from("amount")], ..by_id().mapping });
    let report = Events::new("events.csv", table).audit(&settings);
    // Points that stand between no thousands are no thousands: the number stays as it is.
    assert_eq!((report.events.keyed, report.keys.count), (4, 2));
    let lines = Events::new("events.jsonl", "{}");
    let error = audit(&policies(), &[Input::from(lines.path.as_path())], &settings).unwrap_err().to_string();
    assert!(error.contains("--decimal-comma is for tables"), "{error}");
}

#[test]
fn a_table_that_is_not_utf_8_is_refused_as_a_whole_or_read_in_its_encoding() {
    let table = b"id;tenant;action;intent_epoch;to;amount\n\
                  1;acme;pay;1767225600;S\xe3o;1.50\n\
                  1;acme;pay;1767225601;s\xe3O;1.5\n\
                  2;acme;pay;1767225602;S\xe3o;1.5\n\
                  3;acme;pay;1767225603;b;2\n";
    let events = Events::new("events.csv", table);
    let input = [Input::from(events.path.as_path())];
    let error = audit(&policies(), &input, &by_id()).unwrap_err().to_string();
    assert!(error.contains("line 2 is not UTF-8: say --encoding windows-1252"), "{error}");
    let encoded = |label: &str| with(Mapping { encoding: Some(label.parse().unwrap()), ..by_id().mapping });
    assert_is_right(&events.audit(&encoded("windows-1252")));
    assert_is_right(&events.audit(&encoded("latin1")));
    // Said to be UTF-8, each such row is broken.
    let report = events.audit(&encoded("utf-8"));
    assert_eq!((report.events.broken, report.events.keyed), (3, 1));
    // UTF-16 says so itself, in lines too.
    let wide = |text: &str| -> Vec<u8> {
        [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let text: String = table.iter().map(|byte| char::from(*byte)).collect();
    assert_is_right(&Events::new("events.csv", wide(&text)).audit(&by_id()));
    let line =
        r#"{"tenant":"acme","action":"pay","intent_epoch":1,"payload":{"to":"a","amount":1},"id":"1"}"#;
    assert_eq!(Events::new("events.jsonl", wide(line)).audit(&by_id()).events.keyed, 1);
    // Cut in a character: what there is, and that it is not all.
    let cut = wide(&text);
    assert!(!Events::new("events.csv", &cut[..cut.len() - 1]).audit(&by_id()).is_whole());
}

#[test]
fn an_export_is_mapped() {
    let table = "row,merchant,created_at,status,order_id,to,amount\n\
                 7,acme,2026-01-01 00:00:00+00,ok,1,a,1.50\n\
                 8,acme,2026-01-01T03:00:01.999+03:00,ok,1,A,1.5\n\
                 9,acme,2026-01-01 00:00:02+00,failed,2,a,1.5\n\
                 10,acme,2026-01-01 00:00:03+00,ok,3,b,2\n";
    let mapping = Mapping {
        tenant: Some(Origin::Column(String::from("merchant"))),
        action: Some(Origin::Constant(String::from("pay"))),
        epoch: Some(Origin::Column(String::from("created_at"))),
        drop: vec![String::from("row"), String::from("status")],
        truth: Some(String::from("order_id")),
        ..Mapping::default()
    };
    let settings = Settings { mapping: mapping.clone(), ..Settings::default() };
    assert_is_right(&Events::new("events.csv", table).audit(&settings));
    // Without an offset, and in milliseconds.
    let utc = Mapping { assume_utc: true, ..mapping.clone() };
    let naive = table.replace("+00,", ",").replace("T03:00:01.999+03:00", "T00:00:01.999");
    assert_is_right(
        &Events::new("events.csv", naive).audit(&Settings { mapping: utc, ..Settings::default() }),
    );
    // The same as JSON, the tenant and the true id deeper down.
    let json = "{\"meta\":{\"merchant\":\"acme\",\"id\":1},\"at\":1767225600000,\"to\":\"a\",\"amount\":\"1.50\"}\n\
                {\"meta\":{\"merchant\":\"acme\",\"id\":\"1\"},\"at\":1767225601999,\"to\":\"A\",\"amount\":1.5}\n\
                {\"meta\":{\"merchant\":\"acme\",\"id\":2},\"at\":\"1767225602000\",\"to\":\"a\",\"amount\":1.5}\n\
                {\"meta\":{\"merchant\":\"acme\",\"id\":3},\"at\":1767225603000,\"to\":\"b\",\"amount\":2}\n";
    let mapping = Mapping {
        tenant: Some(Origin::Column(String::from("meta.merchant"))),
        epoch: Some(Origin::Column(String::from("at"))),
        epoch_unit: EpochUnit::Milliseconds,
        drop: vec![String::from("meta")],
        truth: Some(String::from("meta.id")),
        ..mapping
    };
    assert_is_right(&Events::new("events.jsonl", json).audit(&Settings { mapping, ..Settings::default() }));
}

#[test]
fn a_column_can_hold_the_payload() {
    let table = "tenant,action,intent_epoch,id,payload,status\n\
                 acme,pay,1767225600,1,\"{\"\"to\"\":\"\"a\"\",\"\"amount\"\":1.5}\",ok\n\
                 acme,pay,1767225601,1,\"{\"\"to\"\":\"\"A\"\",\"\"amount\"\":1.5}\",ok\n\
                 acme,pay,1767225602,2,\"{\"\"to\"\":\"\"a\"\",\"\"amount\"\":1.5}\",ok\n\
                 acme,pay,1767225603,3,\"{\"\"to\"\":\"\"b\"\",\"\"amount\"\":1.5}\",ok\n";
    assert_is_right(&Events::new("events.csv", table).audit(&by_id()));
}

#[test]
fn names_with_dots_are_paths() {
    let policy = r#"{"name":"order","actions":["pay"],"bucket_seconds":0,"identity":{
        "customer.id":{"rule":"exact"},"items[].sku":{"rule":"exact"},"gift":{"rule":"boolean"}}}"#;
    let policies: Policies = Policy::from_json(policy).unwrap().into();
    let table = "tenant,action,intent_epoch,customer.id,items[0].sku,items[1].sku,gift\n\
                 acme,pay,1,7,A,B,true\n\
                 acme,pay,1,7,A,,false\n";
    let lines = "{\"tenant\":\"acme\",\"action\":\"pay\",\"intent_epoch\":1,\"payload\":\
                 {\"customer\":{\"id\":\"7\"},\"items\":[{\"sku\":\"A\"},{\"sku\":\"B\"}],\"gift\":true}}\n\
                 {\"tenant\":\"acme\",\"action\":\"pay\",\"intent_epoch\":1,\"payload\":\
                 {\"customer\":{\"id\":\"7\"},\"items\":[{\"sku\":\"A\"}],\"gift\":false}}\n";
    let table = Events::new("events.csv", table);
    let lines = Events::new("events.jsonl", lines);
    let inputs = [Input::from(table.path.as_path()), Input::from(lines.path.as_path())];
    let report = audit(&policies, &inputs, &Settings::default()).unwrap();
    assert_eq!((report.events.keyed, report.keys.count), (4, 2), "{:?}", report.refused);
}

#[test]
fn a_table_that_lacks_a_column_is_one_clear_error() {
    let error = |table: &str, settings: &Settings| {
        let events = Events::new("events.csv", table);
        audit(&policies(), &[Input::from(events.path.as_path())], settings).unwrap_err().to_string()
    };
    let text = error("tenant,action,to,amount\n", &Settings::default());
    assert!(
        text.contains("there is no column \"intent_epoch\"; the columns are tenant, action, to, amount"),
        "{text}"
    );
    let text = error("tenant,action,intent_epoch,a,a.b\n1,2,3,4,5\n", &Settings::default());
    assert!(text.contains("\"a.b\" stands where another column has something else"), "{text}");
    let text = error("tenant,action,intent_epoch,a,a\n", &Settings::default());
    assert!(text.contains("two columns are named \"a\""), "{text}");
    assert!(error("", &Settings::default()).contains("no first row"));
}
