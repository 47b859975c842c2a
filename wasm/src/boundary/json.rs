//! JSON text for results that are not worth a layout of their own.

use alloc::string::String;

use super::Refused;

/// Writes JSON objects and lists into a text, with the commas that are due.
#[derive(Default)]
pub struct Json {
    text: String,
}

impl Json {
    /// The text so far.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// Begins an object or a list.
    pub fn begin(&mut self, bracket: char) {
        self.separate();
        self.text.push(bracket);
    }

    /// Ends an object or a list.
    pub fn end(&mut self, bracket: char) {
        self.text.push(bracket);
    }

    /// Writes the name of the member that comes next.
    pub fn name(&mut self, name: &str) {
        self.string(name);
        self.text.push(':');
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) {
        self.separate();
        self.text.push('"');
        for character in text.chars() {
            match character {
                '"' | '\\' => self.text.extend(['\\', character]),
                '\0'..='\u{1f}' => self.text.extend(escape(character)),
                _ => self.text.push(character),
            }
        }
        self.text.push('"');
    }

    /// Writes a member that is a string.
    pub fn text_member(&mut self, name: &str, text: &str) {
        self.name(name);
        self.string(text);
    }

    /// Writes a member that is a string, where there is one.
    pub fn optional_member(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text_member(name, text);
        }
    }

    /// Writes a number.
    pub fn number(&mut self, number: u64) {
        self.separate();
        push_number(&mut self.text, number);
    }

    /// Writes a member that is a number.
    pub fn number_member(&mut self, name: &str, number: u64) {
        self.name(name);
        self.number(number);
    }

    /// Writes `null`, `true` or `false`.
    pub fn word(&mut self, word: &str) {
        self.separate();
        self.text.push_str(word);
    }

    fn separate(&mut self) {
        if !matches!(self.text.chars().next_back(), None | Some('{' | '[' | ':' | ',')) {
            self.text.push(',');
        }
    }
}

/// Appends a number in decimal digits. The library's formatting is five kilobytes of Wasm.
pub(super) fn push_number(text: &mut String, number: u64) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// `\u00xx`.
fn escape(control: char) -> impl Iterator<Item = char> {
    let code = u32::from(control);
    let digit = |value| char::from_digit(value, 16).unwrap_or('0');
    ['\\', 'u', '0', '0', digit(code >> 4), digit(code & 0xf)].into_iter()
}

/// A refusal as JSON: `{"code","field","fields","message"}`, members without a value left out.
#[must_use]
pub fn refused(refused: &Refused) -> String {
    let mut json = Json::default();
    json.begin('{');
    json.text_member("code", refused.code);
    json.optional_member("field", refused.field.as_deref());
    if !refused.fields.is_empty() {
        json.name("fields");
        json.begin('[');
        refused.fields.iter().for_each(|field| json.string(field));
        json.end(']');
    }
    json.text_member("message", &refused.message);
    json.end('}');
    json.into_text()
}
