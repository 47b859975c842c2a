//! Reading the objects of a policy: every member is taken once, and what is left is refused.

use alloc::borrow::{Cow, ToOwned as _};
use alloc::string::String;
use alloc::vec::Vec;

use super::path::push_name;
use crate::decimal;
use crate::error::{Code, Refusal};
use crate::sorted::{find_equal, sorted_by};
use crate::value::{Name, Value};

/// The refusal of a policy at a place.
pub(crate) fn invalid(place: &str, message: impl Into<Cow<'static, str>>) -> Refusal {
    invalid_because(place, message.into())
}

#[cold]
#[inline(never)]
fn invalid_because(place: &str, message: Cow<'static, str>) -> Refusal {
    let refusal = if place.is_empty() {
        Refusal::new(Code::PolicyInvalid)
    } else {
        Refusal::at(Code::PolicyInvalid, place.to_owned())
    };
    refusal.because(message)
}

/// The place of a member.
pub(crate) fn member_place(parent: &str, name: &str) -> String {
    let mut place = String::from(parent);
    push_name(&mut place, name);
    place
}

/// An object of a policy while it is read.
pub(crate) struct Table<'v> {
    place: String,
    members: Vec<(&'v str, &'v Value<'v>)>,
    allowed: Vec<&'static str>,
}

impl<'v> Table<'v> {
    /// Opens an object: its names are text, and each occurs once.
    pub(crate) fn open(value: &'v Value<'v>, place: &str) -> Result<Self, Refusal> {
        let Value::Object(object) = value else {
            return Err(invalid(place, "must be a table"));
        };
        let mut members: Vec<(&str, &Value<'_>)> = Vec::with_capacity(object.len());
        for (name, value) in object {
            let Name::Unicode(name) = name else {
                return Err(invalid(place, "a name here is not Unicode text"));
            };
            if *value == Value::NotUnicode {
                return Err(invalid(&member_place(place, name), "must be Unicode text"));
            }
            members.push((name, value));
        }
        let members = sorted_by(members, |one, other| one.0.cmp(other.0));
        if let Some((name, _)) = find_equal(&members, |one, other| one.0 == other.0) {
            return Err(invalid(&member_place(place, name), "occurs twice"));
        }
        Ok(Table { place: place.to_owned(), members, allowed: Vec::new() })
    }

    /// The place of one of its members.
    pub(crate) fn place_of(&self, name: &str) -> String {
        member_place(&self.place, name)
    }

    /// The refusal of one of its members.
    pub(crate) fn refuse(&self, name: &str, message: impl Into<Cow<'static, str>>) -> Refusal {
        self.refuse_because(name, message.into())
    }

    #[cold]
    #[inline(never)]
    fn refuse_because(&self, name: &str, message: Cow<'static, str>) -> Refusal {
        invalid_because(&self.place_of(name), message)
    }

    /// Takes a member whatever it is.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<&'v Value<'v>> {
        self.allowed.push(name);
        let index = self.members.iter().position(|member| member.0 == name)?;
        Some(self.members.remove(index).1)
    }

    /// Takes all members, for tables whose names are the policy's own; in code-point order.
    pub(crate) fn take_all(&mut self) -> Vec<(&'v str, &'v Value<'v>)> {
        core::mem::take(&mut self.members)
    }

    /// Takes a string.
    pub(crate) fn string(&mut self, name: &'static str) -> Result<Option<&'v str>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.refuse(name, "must be a string")),
        }
    }

    /// Takes a boolean.
    pub(crate) fn boolean(&mut self, name: &'static str) -> Result<Option<bool>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Boolean(value)) => Ok(Some(*value)),
            Some(_) => Err(self.refuse(name, "must be true or false")),
        }
    }

    /// Takes an integer within bounds.
    pub(crate) fn integer(
        &mut self,
        name: &'static str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        integer_within(value, least, most).map(Some).ok_or_else(|| {
            self.refuse(
                name,
                ["must be an integer from ", &decimal::integer(least), " to ", &decimal::integer(most)]
                    .concat(),
            )
        })
    }

    /// Takes one of a few words.
    pub(crate) fn word<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[(&'static str, T)],
    ) -> Result<Option<T>, Refusal> {
        let index = self.index_of_word(name, &|index| words.get(index).map(|word| word.0))?;
        Ok(index.and_then(|index| words.get(index)).map(|word| word.1))
    }

    /// Takes a word and gives its index among those that are known.
    fn index_of_word(
        &mut self,
        name: &'static str,
        word_at: &dyn Fn(usize) -> Option<&'static str>,
    ) -> Result<Option<usize>, Refusal> {
        let words = || (0..).map_while(word_at);
        let found = match self.take(name) {
            None => return Ok(None),
            Some(Value::String(text)) => words().position(|word| word == text),
            Some(_) => None,
        };
        match found {
            Some(index) => Ok(Some(index)),
            None => Err(self.refuse(name, ["must be ", &quoted(&mut words())].concat())),
        }
    }

    /// Takes a list of strings that are not empty and differ.
    pub(crate) fn strings(&mut self, name: &'static str) -> Result<Option<Vec<&'v str>>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let Value::List(elements) = value else {
            return Err(self.refuse(name, "must be a list of strings"));
        };
        let mut strings: Vec<&str> = Vec::with_capacity(elements.len());
        for element in elements {
            match element {
                Value::String(text) => strings.push(text),
                _ => return Err(self.refuse(name, "must be a list of strings")),
            }
        }
        let sorted = sorted_by(strings.clone(), |one, other| one.cmp(other));
        if find_equal(&sorted, |one, other| one == other).is_some() {
            return Err(self.refuse(name, "an element occurs twice"));
        }
        Ok(Some(strings))
    }

    /// Refuses what nobody took.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        match self.members.first() {
            None => Ok(()),
            Some((name, _)) => Err(invalid(
                &self.place_of(name),
                ["is unknown here; allowed are ", &quoted(&mut self.allowed.iter().copied())].concat(),
            )),
        }
    }
}

/// An integral number within bounds.
pub(crate) fn integer_within(value: &Value<'_>, least: u64, most: u64) -> Option<u64> {
    let Value::Number(number) = value else { return None };
    let double = number.as_f64();
    let integer = double as u64;
    (integer as f64 == double && (least..=most).contains(&integer)).then_some(integer)
}

/// `"a", "b" or "c"`.
pub(crate) fn quoted(words: &mut dyn Iterator<Item = &'static str>) -> String {
    let words: Vec<String> = words.map(|word| ["\"", word, "\""].concat()).collect();
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => [&others.join(", "), " or ", last].concat(),
    }
}
