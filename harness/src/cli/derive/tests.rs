use super::*;
use intentkey_core::Secret;

fn deriver_policies() -> Policies {
    let policy = r#"{"name": "note", "actions": ["note.add"], "bucket_seconds": 60,
        "identity": {"id": {"rule": "exact"}}, "ignored": {"junk": "not part of it"}}"#;
    Policies::from_json(policy).unwrap()
}

fn deriver() -> Deriver {
    Deriver::new(deriver_policies(), Secret::new([1; 32]).unwrap()).unwrap()
}

fn results(input: &[u8]) -> (Vec<serde_json::Value>, u64) {
    let mut output = Vec::new();
    let refused =
        stream(&deriver(), false, input, &mut output, &mut Hints { policies: deriver_policies(), left: 0 })
            .unwrap();
    let lines = output.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    (lines.map(|line| serde_json::from_slice(line).unwrap()).collect(), refused)
}

const INTENT: &str = r#"{"tenant":"t","action":"note.add","intent_epoch":60,"payload":{"id":"a"}}"#;

#[test]
fn a_bad_line_gives_its_error_and_the_stream_goes_on() {
    let input =
        format!("{INTENT}\nnot json\n\n  \r\n{{\"tenant\":\"t\"}}\n{INTENT}\r\n\u{feff}{INTENT}\n{INTENT}");
    let (results, refused) = results(input.as_bytes());
    let codes: Vec<_> = results.iter().map(|result| result["error"]["code"].as_str()).collect();
    assert_eq!(
        codes,
        [None, Some("json_malformed"), Some("intent_invalid"), None, Some("json_malformed"), None]
    );
    assert_eq!(results[2]["error"]["field"], "action");
    assert_eq!(results[0], results[5]);
    assert_eq!(refused, 3);
}

#[test]
fn bytes_that_are_no_text_are_malformed() {
    let (results, _) = results(b"{\"tenant\":\"\xff\"}\n");
    assert_eq!(results[0]["error"]["code"], "json_malformed");
}

#[test]
fn a_line_is_as_long_as_json_text_may_be() {
    let with_junk = |length: usize| {
        let empty = INTENT.replace("\"id\":\"a\"", "\"id\":\"a\",\"junk\":\"\"");
        empty.replace("\"junk\":\"\"", &format!("\"junk\":\"{}\"", "x".repeat(length - empty.len())))
    };
    let input = format!("{}\n{}\n{}", with_junk(4 << 20), with_junk((4 << 20) + 1), with_junk(9 << 20));
    let (results, refused) = results(format!("{input}\n{INTENT}\n").as_bytes());
    assert_eq!(results[0], results[3]);
    assert_eq!(results[1]["error"]["code"], "payload_too_large");
    assert_eq!(results[2]["error"]["code"], "payload_too_large");
    assert_eq!(refused, 2);
}
