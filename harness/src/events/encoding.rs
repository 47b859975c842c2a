//! How text is encoded: UTF-8 unless it is said, or a byte order mark shows UTF-16.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::str::FromStr;

use encoding_rs::{Decoder, DecoderResult, UTF_8};

/// How many bytes of UTF-8 are made at once.
const ROOM: usize = 1 << 17;

/// An encoding of text, by a label of the WHATWG Encoding Standard: `utf-8`, `windows-1252`
/// (also as `latin1`), `utf-16le`, `shift_jis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// What a byte order mark at the beginning shows, where it is not UTF-8.
    pub(super) fn of_mark(start: &[u8]) -> Option<Self> {
        let (encoding, _) = encoding_rs::Encoding::for_bom(start)?;
        (encoding != UTF_8).then_some(Encoding(encoding))
    }

    /// Whether text needs no decoding.
    pub(super) fn is_utf8(self) -> bool {
        self.0 == UTF_8
    }

    /// The text as UTF-8, without a byte order mark.
    ///
    /// Bytes that the encoding does not have are an error: replaced, two events would be alike.
    pub(super) fn decoded<R: BufRead>(self, input: R) -> Decoded<R> {
        Decoded {
            input,
            decoder: self.0.new_decoder_with_bom_removal(),
            text: Vec::new(),
            start: 0,
            state: State::Reading,
        }
    }
}

impl FromStr for Encoding {
    type Err = String;

    fn from_str(label: &str) -> Result<Self, String> {
        encoding_rs::Encoding::for_label(label.as_bytes()).map(Encoding).ok_or_else(|| {
            String::from("a label of the WHATWG Encoding Standard, such as utf-8, windows-1252 or utf-16le")
        })
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name().to_ascii_lowercase())
    }
}

/// A text as UTF-8.
pub(super) struct Decoded<R> {
    input: R,
    decoder: Decoder,
    text: Vec<u8>,
    /// Where what is not read yet begins in `text`.
    start: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    /// The next bytes are malformed.
    Malformed,
    Done,
}

impl<R: BufRead> BufRead for Decoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.start >= self.text.len() && self.state == State::Reading {
            let input = self.input.fill_buf()?;
            let is_last = input.is_empty();
            self.text.resize(ROOM, 0);
            let (result, read, written) =
                self.decoder.decode_to_utf8_without_replacement(input, &mut self.text, is_last);
            self.input.consume(read);
            self.text.truncate(written);
            self.start = 0;
            self.state = match result {
                DecoderResult::Malformed(..) => State::Malformed,
                DecoderResult::InputEmpty if is_last => State::Done,
                DecoderResult::InputEmpty | DecoderResult::OutputFull => State::Reading,
            };
        }
        if self.start >= self.text.len() && self.state == State::Malformed {
            let name = self.decoder.encoding().name().to_ascii_lowercase();
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("this is not {name}")));
        }
        Ok(self.text.get(self.start..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.start = self.text.len().min(self.start + amount);
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn decoded(label: &str, bytes: &[u8]) -> io::Result<String> {
        // Two bytes at a time, so that characters are cut.
        let input = BufReader::with_capacity(2, bytes);
        let mut text = String::new();
        label.parse::<Encoding>().unwrap().decoded(input).read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn text_becomes_utf_8() {
        assert_eq!(decoded("windows-1252", b"S\xe3o Paulo \x80").unwrap(), "S\u{e3}o Paulo \u{20ac}");
        assert_eq!(decoded("latin1", b"\xc7").unwrap(), "\u{c7}");
        assert_eq!(decoded("utf-16le", b"\xff\xfea\0\x3d\xd8\x00\xde").unwrap(), "a\u{1f600}");
        assert_eq!(decoded("shift_jis", b"\x82\xa0\x82\xa2").unwrap(), "\u{3042}\u{3044}");
        assert_eq!(decoded("utf-8", b"").unwrap(), "");
    }

    #[test]
    fn nothing_is_replaced() {
        for (label, bytes) in [
            ("utf-16le", &b"a\0\x3d\xd8b\0"[..]),
            ("utf-16le", b"a\0b"),
            ("shift_jis", b"\x82"),
            ("utf-8", b"\xff"),
        ] {
            let error = decoded(label, bytes).unwrap_err();
            assert_eq!(error.to_string(), format!("this is not {label}"));
        }
    }

    #[test]
    fn a_mark_shows_utf_16() {
        assert_eq!(Encoding::of_mark(b"\xff\xfea\0").unwrap().to_string(), "utf-16le");
        assert_eq!(Encoding::of_mark(b"\xfe\xff\0a").unwrap().to_string(), "utf-16be");
        assert_eq!(Encoding::of_mark(b"\xef\xbb\xbfa"), None);
        assert_eq!(Encoding::of_mark(b"a,b"), None);
        assert!("klingon".parse::<Encoding>().is_err());
    }
}
