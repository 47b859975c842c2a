//! Faults of single values: of another kind, no Unicode text, empty, or not for the rule.

use intentkey_core::{Empty, Field, Rule};

use super::Fault;
use super::payload::Faults;
use crate::generate::json::{Json, Text};
use crate::generate::payload::currency_of;
use crate::generate::place::Place;
use crate::generate::rules::Coin;
use crate::generate::shape::Shape;

impl<'f> Faults<'f> {
    pub(super) fn kind(&self) -> Option<Fault> {
        let leaves = self.leaves(|_, _| true);
        let (place, _, index) = self.picks.among(&leaves)?;
        let kind = self.picks.among(&self.values(*index)?.other_kinds).cloned();
        Some(self.fault("a value of another kind", place, Some(kind?), "field_type"))
    }

    pub(super) fn lone_surrogate(&self) -> Option<Fault> {
        let leaves = self.leaves(|_, _| true);
        let (place, field, _) = self.picks.among(&leaves)?;
        let escapes =
            ["a\\ud83db", "\\ud800", "\\udc00", "\\uDE00\\uD83D", "x\\uD83D\\ud83d\\udE00", "\\ud83d\\u0041"];
        let text = Json::Text(Text::Escaped(String::from(*self.picks.among(&escapes)?)));
        let code = if matches!(field.rule(), Rule::Boolean(_)) { "field_type" } else { "text_not_unicode" };
        Some(self.fault("a lone surrogate", place, Some(text), code))
    }

    pub(super) fn empty(&self) -> Option<Fault> {
        let leaves = self.leaves(|place, field| match field.empty() {
            Some(Empty::Refuse) => true,
            Some(Empty::Absent) => field.is_required() && !place.is_element(),
            _ => false,
        });
        let (place, field, index) = self.picks.among(&leaves)?;
        let empty = self.picks.among(&self.values(*index)?.empty).cloned()?;
        let code = if field.empty() == Some(Empty::Absent) { "field_missing" } else { "field_empty" };
        Some(self.fault("empty", place, Some(empty), code))
    }

    /// For each leaf one value that its rule refuses.
    pub(super) fn refused_values(&self) -> Vec<Fault> {
        // An amount without its currency is refused for that, whatever its value.
        let has_currency = |index: usize| match currency_of(self.policy, index) {
            Some(currency) => {
                let path = self.policy.fields().get(currency).map(Field::path);
                path.and_then(|path| self.intent.payload.named(path))
                    .is_some_and(|value| Coin::written(value).is_some())
            }
            None => true,
        };
        let leaves = self.leaves(|place, _| match place.shape {
            Shape::Leaf(index) => has_currency(*index),
            _ => false,
        });
        let refused = |(place, _, index): &(&Place<'f>, &Field, usize)| {
            let values = self.values(*index)?;
            let (value, code) = self.picks.among(&values.refused).cloned()?;
            Some(self.fault("a value that the rule does not take", place, Some(value), code))
        };
        let mut faults: Vec<Fault> = leaves.iter().filter_map(refused).collect();
        faults.extend(self.currency_without_minor_unit());
        faults
    }

    fn currency_without_minor_unit(&self) -> Option<Fault> {
        // Absent amounts may be written, as null or empty: then the currency is not looked at.
        let has_value = |place: &Place<'_>| matches!(self.intent.payload.at(&place.steps), Some(Json::Literal(text)) if text != "null");
        let amounts = self.leaves(|place, _| place.is_present && has_value(place));
        let (.., amount) = *amounts.iter().find(|(.., index)| currency_of(self.policy, *index).is_some())?;
        let currency = currency_of(self.policy, amount)?;
        let leaves = self.leaves(|_, _| true);
        let (place, ..) = leaves.iter().find(|(.., index)| *index == currency)?;
        Some(self.fault(
            "a currency without a minor unit",
            place,
            Some(Json::text("XAU")),
            "currency_unknown",
        ))
    }
}
