//! JSON as it is written, not as it is meant: names and scalars stay tokens, so that escapes,
//! duplicates, lone surrogates and the spelling of numbers survive.

use crate::random::Random;

/// A JSON value as text.
#[derive(Clone, Debug)]
pub enum Json {
    /// A string with its quotes, a number, `true`, `false` or `null`; or what no reader takes.
    Token(String),
    /// A list.
    List(Vec<Json>),
    /// An object: names with their quotes.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A token.
    #[must_use]
    pub fn token(text: &str) -> Self {
        Json::Token(text.to_owned())
    }

    /// Reads JSON text; `None` where it is not well-formed enough.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value()?;
        reader.space();
        (reader.at == text.len()).then_some(value)
    }

    /// The member of this name.
    pub fn member(&mut self, name: &str) -> Option<&mut Json> {
        let quoted = format!("\"{name}\"");
        let Json::Object(members) = self else { return None };
        members.iter_mut().find(|(name, _)| *name == quoted).map(|(_, value)| value)
    }

    /// The values in it, itself included.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + match self {
            Json::Token(_) => 0,
            Json::List(items) => items.iter().map(Json::count).sum(),
            Json::Object(members) => members.iter().map(|(_, value)| value.count()).sum(),
        }
    }

    /// The `n`th value in it; itself is the first, number 0.
    pub fn nth(&mut self, n: &mut usize) -> Option<&mut Json> {
        if *n == 0 {
            return Some(self);
        }
        *n -= 1;
        match self {
            Json::Token(_) => None,
            Json::List(items) => items.iter_mut().find_map(|item| item.nth(n)),
            Json::Object(members) => members.iter_mut().find_map(|(_, value)| value.nth(n)),
        }
    }

    /// Calls `take` with every name and the scalar beside it.
    pub fn each_leaf(&self, name: &str, take: &mut impl FnMut(&str, &str)) {
        match self {
            Json::Token(token) => take(name, token),
            Json::List(items) => items.iter().for_each(|item| item.each_leaf(name, take)),
            Json::Object(members) => members.iter().for_each(|(name, value)| value.each_leaf(name, take)),
        }
    }

    /// The text, compact.
    #[must_use]
    pub fn compact(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, &mut |_| "", &mut |token| token.to_owned());
        out
    }

    /// The text with white space anywhere and escapes for any character.
    #[must_use]
    pub fn disguised(&self, random: &mut Random) -> String {
        let seed = random.below(usize::MAX) as u64;
        let mut out = String::new();
        let mut spaces = Random::new(seed);
        let mut escapes = Random::new(seed + 1);
        self.write(&mut out, &mut |_| spaces.pick(&["", "", " ", "\n", "\t ", "\r\n"]), &mut |token| {
            escaped(token, &mut escapes)
        });
        out
    }

    fn write(
        &self,
        out: &mut String,
        space: &mut impl FnMut(()) -> &'static str,
        spelled: &mut impl FnMut(&str) -> String,
    ) {
        out.push_str(space(()));
        match self {
            Json::Token(token) => out.push_str(&spelled(token)),
            Json::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    item.write(out, space, spelled);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    out.push_str(space(()));
                    out.push_str(&spelled(name));
                    out.push_str(space(()));
                    out.push(':');
                    value.write(out, space, spelled);
                }
                out.push('}');
            }
        }
        out.push_str(space(()));
    }
}

/// A string's token with some characters as escapes; other tokens as they are.
fn escaped(token: &str, random: &mut Random) -> String {
    let Some(inner) = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return token.to_owned();
    };
    let mut out = String::from('"');
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character == '\\' {
            // An escape already: `\u` with its four digits, or one character.
            let kind = characters.next().unwrap_or_default();
            out.extend([character, kind]);
            out.extend(characters.by_ref().take(if kind == 'u' { 4 } else { 0 }));
        } else if random.once_in(3) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                let digits = if random.once_in(2) { format!("{unit:04x}") } else { format!("{unit:04X}") };
                out.push_str("\\u");
                out.push_str(&digits);
            }
        } else {
            out.push(character);
        }
    }
    out.push('"');
    out
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.space();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self) -> Option<Json> {
        if self.takes(b'[') {
            return self.items(b']', Reader::value).map(Json::List);
        }
        if self.takes(b'{') {
            return self.items(b'}', Reader::member).map(Json::Object);
        }
        self.token().map(Json::Token)
    }

    fn member(&mut self) -> Option<(String, Json)> {
        let name = self.token()?;
        self.takes(b':').then(|| self.value().map(|value| (name, value)))?
    }

    fn items<T>(&mut self, end: u8, read: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        if self.takes(end) {
            return Some(items);
        }
        loop {
            items.push(read(self)?);
            if self.takes(end) {
                return Some(items);
            }
            self.takes(b',').then_some(())?;
        }
    }

    fn token(&mut self) -> Option<String> {
        self.space();
        let from = self.at;
        if self.peek()? == b'"' {
            self.at += 1;
            while self.peek()? != b'"' {
                self.at += if self.peek()? == b'\\' { 2 } else { 1 };
            }
            self.at += 1;
        } else {
            while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) {
                self.at += 1;
            }
        }
        (self.at > from).then(|| self.text.get(from..self.at).map(str::to_owned))?
    }
}
