use super::*;

fn names() -> Vec<Box<str>> {
    ["amount", "note"].map(Box::from).to_vec()
}

fn read(message: &[u8]) -> Result<Value<'_>, Garbled> {
    // The names of every test's messages.
    Reader::new(message, Box::leak(names().into_boxed_slice())).value()
}

fn text(text: &[u8]) -> Vec<u8> {
    let mut written = u32::try_from(text.len()).unwrap().to_le_bytes().to_vec();
    written.extend(text);
    written
}

fn tagged(tag: u8, rest: &[u8]) -> Vec<u8> {
    [&[tag], rest].concat()
}

#[test]
fn every_kind_is_read() {
    assert_eq!(read(&[0]), Ok(Value::Null));
    assert_eq!(read(&[1]), Ok(Value::Boolean(false)));
    assert_eq!(read(&[2]), Ok(Value::Boolean(true)));
    assert_eq!(read(&tagged(3, &10.5_f64.to_le_bytes())), Ok(Value::from(10.5)));
    assert_eq!(read(&tagged(4, &text("é".as_bytes()))), Ok(Value::from("é")));
    assert_eq!(read(&tagged(5, &text(b"-12"))), Ok(Value::BigInteger("-12".into())));
    assert_eq!(read(&[6]), Ok(Value::Foreign));
    assert_eq!(read(&[7, 2, 0, 0, 0, 0, 2]), Ok(Value::List(vec![Value::Null, Value::Boolean(true)])));
}

#[test]
fn names_are_places_or_written_out() {
    let mut message = vec![8, 2, 0, 0, 0, 1, 0, 0, 0xff, 0xff];
    message.extend(text(b"other"));
    message.push(1);
    let expected = Value::object([("note", Value::Null), ("other", Value::Boolean(false))]);
    assert_eq!(read(&message), Ok(expected));
}

#[test]
fn a_text_that_is_no_utf_8_is_not_unicode() {
    for unpaired in [&b"\xff"[..], b"\xed\xa0\x80", b"a\xed\xbf\xbf"] {
        assert_eq!(read(&tagged(4, &text(unpaired))), Ok(Value::NotUnicode));
        let mut message = vec![8, 1, 0, 0, 0, 0xff, 0xff];
        message.extend(text(unpaired));
        message.push(0);
        assert_eq!(read(&message), Ok(Value::Object(vec![(Name::NotUnicode, Value::Null)])));
    }
}

#[test]
fn what_the_glue_does_not_write_is_garbled() {
    let garbled: [&[u8]; 9] = [
        &[],
        &[9],
        &[3, 0, 0],
        &[4, 5, 0, 0, 0, b'a'],
        &[4, 0xff, 0xff, 0xff, 0xff],
        &[5, 1, 0, 0, 0, 0xff],
        &[7, 0xff, 0xff, 0xff, 0xff],
        &[8, 1, 0, 0, 0, 2, 0, 0],
        &[8, 1, 0, 0, 0, 1],
    ];
    for message in garbled {
        assert_eq!(read(message), Err(Garbled), "{message:?}");
    }
}

#[test]
fn no_depth_is_too_deep_to_be_refused() {
    let nested = |levels: usize| [[7, 1, 0, 0, 0].repeat(levels), vec![0]].concat();
    assert!(read(&nested(LEVELS)).is_ok());
    assert_eq!(read(&nested(LEVELS + 1)), Err(Garbled));
    assert_eq!(read(&nested(100_000)), Err(Garbled));
}
