//! `enum`: one of a few listed values.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::text::CASES;
use super::{Canonical, Case, Emptiness, Input, parameter};
use crate::buffer::Buffer;
use crate::error::{Code, Refusal};
use crate::policy::Table;
use crate::sorted::sorted_by;
use crate::unicode;

/// One of the values that the policy lists, in the listed spelling. Compared exactly, or by the
/// fold of [`Text`](super::Text), and never trimmed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Enum {
    /// The values, in the policy's order.
    pub values: Vec<Box<str>>,
    /// Whether case matters.
    pub case: Case,
    /// The values folded, where they are compared so; in the same order.
    folded: Vec<Box<str>>,
}

impl Canonical for Enum {
    const NAME: &'static str = "enum";
    const MAY_NEED_ESCAPES: bool = true;
    const EMPTINESS: Emptiness = Emptiness::None;
    const TRIMS: bool = false;

    fn read(parameters: &mut Table<'_>) -> Result<Self, Refusal> {
        let case = parameters.word("case", CASES)?.unwrap_or(Case::Keep);
        let values = match parameters.strings("values")? {
            Some(values) if !values.is_empty() => values,
            _ => return Err(parameters.refuse("values", "must be a list of at least one string")),
        };
        let folded: Vec<Box<str>> = match case {
            Case::Keep => Vec::new(),
            Case::Fold => values.iter().map(|value| fold(value).into_boxed_str()).collect(),
        };
        for (index, value) in folded.iter().enumerate() {
            if folded.iter().take(index).any(|other| other == value) {
                return Err(parameters.refuse("values", "two values differ in case or normalization only"));
            }
        }
        Ok(Enum { values: values.into_iter().map(Box::from).collect(), case, folded })
    }

    fn parameters(&self) -> Vec<String> {
        let values = self.values.iter().map(|value| ["value=", value].concat()).collect();
        let values = sorted_by(values, |one: &String, other| one.cmp(other));
        core::iter::once(parameter("case", CASES, &self.case)).chain(values).collect()
    }

    fn canonical(&self, input: Input<'_>, out: &mut Buffer) -> Result<(), Code> {
        let index = match self.case {
            Case::Keep => self.values.iter().position(|value| **value == *input.text),
            Case::Fold => {
                let text = fold(input.text);
                self.folded.iter().position(|value| **value == *text)
            }
        };
        let value = index.and_then(|index| self.values.get(index)).ok_or(Code::ValueNotListed)?;
        out.push_str(value);
        Ok(())
    }
}

fn fold(text: &str) -> String {
    let mut folded = Buffer::with_capacity(text.len());
    unicode::fold_canonical(text, &mut folded);
    folded.into_string()
}
