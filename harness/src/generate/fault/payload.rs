//! Faults of payloads.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use intentkey_core::{Field, Policy};

use super::Fault;
use crate::field_path::escaped;
use crate::generate::intent::Intent;
use crate::generate::json::{Json, Text};
use crate::generate::payload::{Payloads, currency_of};
use crate::generate::pick::Picks;
use crate::generate::place::{Place, Step, child, edited, places, with};
use crate::generate::rules::Spellings;
use crate::generate::shape::Shape;

/// Names that no policy has by chance, and that some hosts treat as something special.
const NAMES: &[&str] = &[
    "undeclared",
    "__proto__",
    "constructor",
    "x.y",
    "a[0]",
    "[]",
    "\\",
    "",
    "\u{e9}",
    "e\u{301}",
    "\u{1f600}",
    "toString",
    "\u{0}",
    " ",
    "a\"b",
    "undeclared_and_so_long_that_its_path_is_cut_after_sixty_four_characters_of_it",
];

/// Values of an undeclared member, and what is unclassified below it.
const UNDECLARED: &[(&str, &[&str])] = &[
    ("null", &[""]),
    ("1", &[""]),
    ("{}", &[""]),
    ("[]", &[""]),
    ("\"\\ud800\"", &[""]),
    ("9007199254740993", &[""]),
    ("{\"a\":1}", &[".a"]),
    ("[1,2]", &["[]"]),
    ("[[],{\"b\":2}]", &["[]", "[].b"]),
    ("{\"a\":{\"c.d\":null}}", &[".a.c\\.d"]),
];

/// The most characters of a path that a refusal lists.
const LONGEST_PATH: usize = 64;

/// What makes faults of one intent.
pub(super) struct Faults<'f> {
    pub(super) payloads: &'f Payloads,
    pub(super) policy: &'f Policy,
    pub(super) intent: &'f Intent,
    pub(super) picks: &'f Picks,
    pub(super) places: Vec<Place<'f>>,
}

pub(super) fn faults(payloads: &Payloads, intent: &Intent, picks: &Picks) -> Vec<Fault> {
    let places = places(payloads.shape(), &intent.payload);
    let faults = Faults { payloads, policy: payloads.policy(), intent, picks, places };
    let mut all: Vec<Fault> = [
        faults.unclassified(),
        faults.missing_leaf(),
        faults.missing_structure(),
        faults.null_leaf(),
        faults.structure(true),
        faults.structure(false),
        faults.kind(),
        faults.lone_surrogate(),
        faults.lone_surrogate_in_name(),
        faults.empty(),
        faults.duplicate(),
        faults.without_identity(payloads.shape()),
    ]
    .into_iter()
    .flatten()
    .collect();
    all.extend(faults.refused_values());
    all
}

impl<'f> Faults<'f> {
    /// The leaves that satisfy a condition, with their fields.
    pub(super) fn leaves(
        &self,
        condition: impl Fn(&Place<'f>, &'f Field) -> bool,
    ) -> Vec<(&Place<'f>, &'f Field, usize)> {
        let leaf = |place: &'_ Place<'f>| match place.shape {
            Shape::Leaf(index) => self.policy.fields().get(*index).map(|field| (field, *index)),
            _ => None,
        };
        let with_field =
            self.places.iter().filter_map(|place| leaf(place).map(|(field, index)| (place, field, index)));
        with_field.filter(|(place, field, _)| condition(place, field)).collect()
    }

    pub(super) fn fault(
        &self,
        what: &str,
        place: &Place<'_>,
        value: Option<Json>,
        code: &'static str,
    ) -> Fault {
        let path = place.path();
        let payload = with(&self.intent.payload, &place.steps, value);
        Fault::of_payload(self.intent, format!("{path}: {what}"), payload, code, Some(path))
    }

    /// What is known of a field's values, in the payload's currency.
    pub(super) fn values(&self, index: usize) -> Option<Rc<Spellings>> {
        self.payloads.spellings_in(index, &self.intent.payload)
    }

    /// The objects that the payload has.
    pub(super) fn objects(&self) -> Vec<&Place<'f>> {
        self.places
            .iter()
            .filter(|place| place.is_present && matches!(place.shape, Shape::Object(_)))
            .collect()
    }

    fn unclassified(&self) -> Option<Fault> {
        let objects = self.objects();
        let mut payload = self.intent.payload.clone();
        // By the member's place: one that is added twice is replaced.
        let mut added: BTreeMap<String, (String, &[&str])> = BTreeMap::new();
        for _ in 0..=self.picks.below(3) {
            let object = self.picks.among(&objects)?;
            let name = self.undeclared_name(object)?;
            let (value, below) = self.picks.among(UNDECLARED)?;
            let mut steps = object.steps.clone();
            steps.push(Step::Name(name.clone()));
            payload = with(&payload, &steps, Some(Json::literal(*value)));
            let path = |parent: &str| child(parent, object.steps.is_empty(), &name);
            added.insert(path(&object.path()), (path(&object.pattern()), below));
        }
        let paths =
            added.values().flat_map(|(path, below)| below.iter().map(move |below| format!("{path}{below}")));
        let mut fields: Vec<String> = paths.map(|path| path.chars().take(LONGEST_PATH).collect()).collect();
        fields.sort_unstable();
        fields.dedup();
        let what = String::from("a field that the policy does not have");
        Some(Fault { fields, ..Fault::of_payload(self.intent, what, payload, "field_unclassified", None) })
    }

    /// A name that the policy does not have there, though perhaps one that looks like it.
    fn undeclared_name(&self, object: &Place<'_>) -> Option<String> {
        let Shape::Object(members) = object.shape else { return None };
        let mut names: Vec<String> = NAMES.iter().map(|name| String::from(*name)).collect();
        for name in members.keys() {
            names.extend([
                format!("{name} "),
                name.to_uppercase(),
                name.to_lowercase(),
                format!("{name}\u{0}"),
            ]);
            names.extend(name.chars().next().map(String::from));
        }
        names.retain(|name| !members.contains_key(name));
        self.picks.among(&names).cloned()
    }

    fn missing_leaf(&self) -> Option<Fault> {
        let leaves =
            self.leaves(|place, field| place.is_present && field.is_required() && !place.is_element());
        let (place, ..) = self.picks.among(&leaves)?;
        Some(self.fault("left out", place, None, "field_missing"))
    }

    /// An object or a list left out that has required leaves: the first of them is named, or the
    /// list that it is in.
    fn missing_structure(&self) -> Option<Fault> {
        let structures = self.structures(|place| !place.is_element() && place.shape.is_required(self.policy));
        let place = self.picks.among(&structures)?;
        let path = first_required(self.policy, place.shape, place.path())?;
        Some(self.fault("left out", place, None, "field_missing").at(&path))
    }

    /// Objects and lists below the payload; none with a currency in it, since an amount that comes
    /// before would be refused in its place.
    pub(super) fn structures(&self, condition: impl Fn(&Place<'f>) -> bool) -> Vec<&Place<'f>> {
        let is_currency = |field: usize| {
            (0..self.policy.fields().len()).any(|amount| currency_of(self.policy, amount) == Some(field))
        };
        let structure = |place: &&Place<'f>| {
            matches!(place.shape, Shape::Object(_) | Shape::List { .. })
                && !place.steps.is_empty()
                && !place.shape.any_leaf(&is_currency)
                && condition(place)
        };
        self.places.iter().filter(structure).collect()
    }

    fn null_leaf(&self) -> Option<Fault> {
        let leaves = self.leaves(|_, field| !field.null_is_absent());
        let (place, ..) = self.picks.among(&leaves)?;
        Some(self.fault("null", place, Some(Json::null()), "field_null"))
    }

    fn structure(&self, null: bool) -> Option<Fault> {
        let structures = self.structures(|_| true);
        let place = *self.picks.among(&structures)?;
        if null {
            return Some(self.fault(
                "null where the policy has more",
                place,
                Some(Json::null()),
                "field_null",
            ));
        }
        let others: &[&str] = match place.shape {
            Shape::Object(_) => &["\"x\"", "1", "true", "[]", "[{}]", "\"\"", "\"\\ud800\""],
            _ => &["{}", "\"x\"", "0", "{\"a\":1}", "false", "\"\""],
        };
        let other = Json::literal(*self.picks.among(others)?);
        Some(self.fault("a value of another kind", place, Some(other), "field_type"))
    }

    fn lone_surrogate_in_name(&self) -> Option<Fault> {
        let objects = self.objects();
        let place = *self.picks.among(&objects)?;
        let name =
            Text::Escaped(String::from(*self.picks.among(&["\\ud83d", "a\\udc00", "\\ud800\\ud800"])?));
        let payload = edited(&self.intent.payload, &place.steps, &|value| match value {
            Some(Json::Object(members)) => {
                let member = (name.clone(), Json::literal("1"));
                Some(Json::Object(members.iter().cloned().chain([member]).collect()))
            }
            other => other.cloned(),
        })?;
        let field = (!place.steps.is_empty()).then(|| place.path());
        let what = String::from("a lone surrogate in a name");
        Some(Fault::of_payload(self.intent, what, payload, "text_not_unicode", field))
    }

    fn duplicate(&self) -> Option<Fault> {
        let objects = self.objects();
        let place = *self.picks.among(&objects)?;
        let member = |value: &Json| match value {
            Json::Object(members) => self.picks.among(members).cloned(),
            _ => None,
        };
        let repeated = RefCell::new(None);
        let payload = edited(&self.intent.payload, &place.steps, &|value| {
            let (Some(Json::Object(members)), Some((Text::Plain(name), own))) =
                (value, value.and_then(member))
            else {
                return value.cloned();
            };
            *repeated.borrow_mut() = Some(name.clone());
            let again = (spelled_again(&name, self.picks.below(2) == 1), own);
            Some(Json::Object(members.iter().cloned().chain([again]).collect()))
        })?;
        let path = child(&place.path(), place.steps.is_empty(), &repeated.into_inner()?);
        Some(Fault::of_payload(self.intent, format!("{path}: twice"), payload, "field_duplicate", Some(path)))
    }
}

/// The name, its first character perhaps as an escape: the same name all the same.
fn spelled_again(name: &str, as_escape: bool) -> Text {
    let mut rest = name.chars();
    match rest.next() {
        Some(first @ ' '..='~')
            if as_escape
                && !rest.as_str().contains(['"', '\\'])
                && !rest.as_str().contains(char::is_control) =>
        {
            Text::Escaped(format!("\\u{:04x}{}", u32::from(first), rest.as_str()))
        }
        _ => Text::Plain(name.to_owned()),
    }
}

/// The path of the first required leaf at or below a place, or of the list that it is in.
fn first_required(policy: &Policy, shape: &Shape, path: String) -> Option<String> {
    match shape {
        Shape::Leaf(index) => policy.fields().get(*index)?.is_required().then_some(path),
        Shape::Ignored => None,
        Shape::List { element, .. } => element.is_required(policy).then_some(path),
        Shape::Object(members) => members
            .iter()
            .find_map(|(name, member)| first_required(policy, member, format!("{path}.{}", escaped(name)))),
    }
}
