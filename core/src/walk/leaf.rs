//! Leaves: from one value, or none, to its canonical form.

use alloc::string::{String, ToString as _};

use crate::error::{Code, Refusal};
use crate::policy::{Class, Empty, Leaf, Node, Trail};
use crate::rules::{Emptiness, Input, minor_units};
use crate::value::Value;

/// Judges leaves one after the other.
pub(crate) struct Leaves<'w, 'v> {
    root: &'w Node,
    payload: &'w Value<'v>,
    /// The canonical form of the leaf that was judged last.
    pub(crate) canonical: String,
    /// The decimal text of a number.
    number: String,
    /// Whether an identity leaf so far had a value other than "".
    pub(crate) identity_has_value: bool,
}

impl<'w, 'v> Leaves<'w, 'v> {
    pub(crate) fn new(root: &'w Node, payload: &'w Value<'v>) -> Self {
        Leaves {
            root,
            payload,
            canonical: String::with_capacity(64),
            number: String::new(),
            identity_has_value: false,
        }
    }

    /// Judges a value at a leaf: absent, null, kind, surrogate or unsafe number, empty, currency,
    /// then the rule's own. True where there is a value, whose canonical form is in `canonical`.
    pub(crate) fn judge(
        &mut self,
        leaf: &Leaf,
        value: Option<&Value<'_>>,
        trail: &Trail<'_>,
    ) -> Result<bool, Refusal> {
        let minor_unit = match (leaf.rule.currency_field(), value) {
            (Some(_), Some(value)) if self.comes_to_the_rule(leaf, value) => Some(self.minor_unit(leaf)?),
            _ => None,
        };
        let present =
            self.canonicalize(leaf, value, minor_unit).map_err(|code| Refusal::at(code, trail.to_field()))?;
        if present && leaf.class == Class::Identity && !self.canonical.is_empty() {
            self.identity_has_value = true;
        }
        Ok(present)
    }

    /// Whether nothing before the currency refuses an amount, and it has a value.
    fn comes_to_the_rule(&mut self, leaf: &Leaf, value: &Value<'_>) -> bool {
        *value != Value::Null
            && leaf
                .rule
                .text_of(value, &mut self.number)
                .is_ok_and(|text| !leaf.rule.prepare(text).is_empty())
    }

    /// The minor unit of the currency that an amount's rule names. The refusal names the
    /// currency's field.
    fn minor_unit(&mut self, leaf: &Leaf) -> Result<u8, Refusal> {
        let Some(path) = leaf.rule.currency_field() else {
            return Err(Refusal::new(Code::PolicyInvalid));
        };
        let at_currency = |code| Refusal::at(code, path.to_string());
        let (node, value) = super::currency_place(self.root, self.payload, path)?;
        let Node::Leaf(currency) = node else {
            return Err(at_currency(Code::PolicyInvalid));
        };
        if !self.canonicalize(currency, value, None).map_err(at_currency)? {
            return Err(at_currency(Code::FieldMissing));
        }
        minor_units(&self.canonical).ok_or_else(|| at_currency(Code::CurrencyUnknown))
    }

    fn canonicalize(
        &mut self,
        leaf: &Leaf,
        value: Option<&Value<'_>>,
        minor_unit: Option<u8>,
    ) -> Result<bool, Code> {
        self.canonical.clear();
        let value = match value {
            None => return absent(leaf),
            Some(Value::Null) if leaf.null_is_absent => return absent(leaf),
            Some(Value::Null) => return Err(Code::FieldNull),
            Some(value) => value,
        };
        let text = leaf.rule.prepare(leaf.rule.text_of(value, &mut self.number)?);
        let emptiness = leaf.rule.emptiness();
        if text.is_empty() && emptiness == Emptiness::Nothing {
            return empty(leaf);
        }
        leaf.rule.canonical(Input { text, minor_unit }, &mut self.canonical)?;
        if self.canonical.is_empty() && emptiness != Emptiness::None {
            return empty(leaf);
        }
        Ok(true)
    }
}

fn absent(leaf: &Leaf) -> Result<bool, Code> {
    if leaf.required { Err(Code::FieldMissing) } else { Ok(false) }
}

fn empty(leaf: &Leaf) -> Result<bool, Code> {
    match leaf.empty {
        Some(Empty::Keep) => Ok(true),
        Some(Empty::Absent) => absent(leaf),
        Some(Empty::Refuse) | None => Err(Code::FieldEmpty),
    }
}
