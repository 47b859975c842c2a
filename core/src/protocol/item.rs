//! RFC 8941 items (section 4.2.3), as far as a string needs: the string, and parameters to skip.

use alloc::string::String;

/// The string that an item is; `None` where it is anything else.
pub(super) fn string(value: &[u8]) -> Option<String> {
    let mut input = Input(value);
    input.skip_while(|byte| byte == b' ');
    let string = input.string()?;
    input.skip_parameters()?;
    input.skip_while(|byte| byte == b' ');
    input.0.is_empty().then_some(string)
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn next_if(&mut self, wanted: impl Fn(u8) -> bool) -> Option<u8> {
        self.0.first().copied().filter(|byte| wanted(*byte))?;
        self.next()
    }

    /// How many bytes were skipped.
    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) -> usize {
        let before = self.0.len();
        while self.next_if(&wanted).is_some() {}
        before - self.0.len()
    }

    /// Section 4.2.5.
    fn string(&mut self) -> Option<String> {
        self.next_if(|byte| byte == b'"')?;
        let mut string = String::new();
        loop {
            match self.next()? {
                b'"' => return Some(string),
                b'\\' => string.push(char::from(self.next_if(|byte| matches!(byte, b'"' | b'\\'))?)),
                byte @ b' '..=b'~' => string.push(char::from(byte)),
                _ => return None,
            }
        }
    }

    /// Section 4.2.3.2.
    fn skip_parameters(&mut self) -> Option<()> {
        while self.next_if(|byte| byte == b';').is_some() {
            self.skip_while(|byte| byte == b' ');
            self.next_if(|byte| byte.is_ascii_lowercase() || byte == b'*')?;
            self.skip_while(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.*".contains(&byte)
            });
            if self.next_if(|byte| byte == b'=').is_some() {
                self.skip_bare_item()?;
            }
        }
        Some(())
    }

    /// Section 4.2.3.1.
    fn skip_bare_item(&mut self) -> Option<()> {
        match self.0.first()? {
            b'"' => self.string().map(drop),
            b'-' | b'0'..=b'9' => self.skip_number(),
            b'?' => {
                self.next();
                self.next_if(|byte| matches!(byte, b'0' | b'1')).map(drop)
            }
            b':' => self.skip_bytes(),
            b'*' | b'A'..=b'Z' | b'a'..=b'z' => {
                self.skip_while(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte));
                Some(())
            }
            _ => None,
        }
    }

    /// At most 15 digits, or 12, a point, and 1 to 3.
    fn skip_number(&mut self) -> Option<()> {
        self.next_if(|byte| byte == b'-');
        let integer = self.skip_while(|byte| byte.is_ascii_digit());
        if self.next_if(|byte| byte == b'.').is_none() {
            return (1..=15).contains(&integer).then_some(());
        }
        let fraction = self.skip_while(|byte| byte.is_ascii_digit());
        ((1..=12).contains(&integer) && (1..=3).contains(&fraction)).then_some(())
    }

    /// Base64 between colons (section 4.2.7), with all, some or none of its padding. What it says does
    /// not matter.
    fn skip_bytes(&mut self) -> Option<()> {
        self.next();
        let digits = self.skip_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
        let padding = self.skip_while(|byte| byte == b'=');
        self.next_if(|byte| byte == b':')?;
        matches!((digits % 4, padding), (0, 0) | (2, 0..=2) | (3, 0..=1)).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn an_item_is_a_string_with_parameters_to_skip() {
        for (value, expected) in [
            (r#""abc""#, Some("abc")),
            (r#"  "a c"  "#, Some("a c")),
            (r#""a\"\\c""#, Some("a\"\\c")),
            (r#""""#, Some("")),
            (r#""a";q"#, Some("a")),
            (r#""a"; *k-1.x_=1;b=-12.345;c=?1;d=tok/en:x;e="s\"";f=:aGk=:"#, Some("a")),
            (r#""a\b""#, None),
            (r#""a"#, None),
            (r#""a\"#, None),
            (r#""a" b"#, None),
            (r#""a", "b""#, None),
            (r#""a";"#, None),
            (r#""a";Q=1"#, None),
            (r#""a";q="#, None),
            (r#""a";q=1."#, None),
            (r#""a";q=1.2345"#, None),
            (r#""a";q=1234567890123456"#, None),
            (r#""a";q=?2"#, None),
            (r#""a";q=:a"#, None),
            (r#""a";q=:a=b:"#, None),
            (r#""a";q=:aGk=:"#, Some("a")),
            (r#""a";q=:aGk:"#, Some("a")),
            (r#""a";q=:a:"#, None),
            (r#""a";q=::"#, Some("a")),
            ("\t\"a\"", None),
            ("\"a\u{7f}\"", None),
            ("\"\u{e9}\"", None),
            ("abc", None),
            ("12", None),
            ("", None),
        ] {
            assert_eq!(string(value.as_bytes()).as_deref(), expected, "{value}");
        }
    }

    /// Compares every text of up to five characters of an alphabet, after a beginning, with what `sfv`
    /// reads; how many were strings.
    fn compare(beginning: &str, alphabet: &[u8]) -> u32 {
        let mut texts = Vec::from([Vec::from(beginning)]);
        let mut strings = 0;
        for length in 0..=5 {
            for text in &texts {
                let read = sfv::Parser::new(text).with_version(sfv::Version::Rfc8941).parse::<sfv::Item>();
                let expected =
                    read.ok().and_then(|item| item.bare_item.as_string().map(|s| s.as_str().into()));
                assert_eq!(string(text), expected, "{}", text.escape_ascii());
                strings += u32::from(expected.is_some());
            }
            if length < 5 {
                let longer = |text: &Vec<u8>| {
                    alphabet.iter().map(|byte| [text, &[*byte][..]].concat()).collect::<Vec<_>>()
                };
                texts = texts.iter().flat_map(longer).collect();
            }
        }
        strings
    }

    #[test]
    fn items_are_read_as_sfv_reads_them() {
        let strings = compare("", b"\"\\ a;=1.?-*");
        assert!(strings > 500, "{strings} were strings");
        // Bytes, and what follows them.
        let strings = compare("\"k\";f=:", b"aQ/+=:; ");
        assert!(strings > 100, "{strings} were strings");
    }
}
