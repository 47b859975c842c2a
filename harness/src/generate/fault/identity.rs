//! The fault of an intent that does not say what it is.

use intentkey_core::{Class, Empty, Policy};

use super::Fault;
use super::payload::Faults;
use crate::generate::json::{Json, Text};
use crate::generate::payload::currency_of;
use crate::generate::shape::Shape;

impl Faults<'_> {
    /// Every identity field without a value, where the policy allows that of each.
    pub(super) fn without_identity(&self, shape: &Shape) -> Option<Fault> {
        // Where an empty text is one, it says as little as none.
        let as_text = self.picks.below(2) == 1;
        let payload = blank(self.policy, shape, Some(&self.intent.payload), false, as_text)??;
        let what = String::from("no identity field has a value");
        Some(Fault::of_payload(self.intent, what, payload, "identity_empty", None))
    }
}

/// The value with no identity field that says anything; `None` where one must.
fn blank(
    policy: &Policy,
    shape: &Shape,
    value: Option<&Json>,
    is_element: bool,
    as_text: bool,
) -> Option<Option<Json>> {
    if !shape.has_class(policy, Class::Identity) {
        // An amount among what is checked would miss its currency.
        let depends = |field: usize| currency_of(policy, field).is_some();
        return (!shape.any_leaf(&depends)).then(|| value.cloned());
    }
    match (shape, value) {
        (Shape::Leaf(index), _) => {
            let field = policy.fields().get(*index)?;
            let keeps = field.empty() == Some(Empty::Keep);
            let may_be_absent = !field.is_required() && !is_element;
            if may_be_absent && (!keeps || !as_text) {
                return Some(None);
            }
            keeps.then(|| Some(Json::text("")))
        }
        (Shape::List { .. }, value) => Some(value.map(|_| Json::List(Vec::new()))),
        (Shape::Object(members), Some(Json::Object(own))) => {
            let mut blanked = Vec::new();
            for (name, member) in members {
                let value = own.iter().find(|own| own.0.is(name)).map(|own| &own.1);
                if let Some(value) = blank(policy, member, value, false, as_text)? {
                    blanked.push((Text::Plain(name.clone()), value));
                }
            }
            Some(Some(Json::Object(blanked)))
        }
        (Shape::Object(_), None) => Some(None),
        _ => None,
    }
}
