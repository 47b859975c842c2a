//! Fields: a rule's values, and what absent, null and empty mean beside them.

use intentkey_core::{Class, Empty, Field, Rule};
use proptest::strategy::{BoxedStrategy, Just, Strategy as _, Union};

use super::cycle::cycle;
use super::json::Json;
use super::pair::{Leaf, Pair};
use super::rules::Spellings;

/// What the two values of a leaf are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    /// One value, in one spelling.
    Same,
    /// One meaning, in two spellings.
    Equal,
    /// Two meanings, where the field has two; else the same value.
    Different,
}

/// Whether a field takes part in a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Presence {
    /// As the policy says.
    Free,
    /// There must be a value: amounts need their currency.
    Present,
    /// There must be none.
    Absent,
}

/// A field with what is known of its rule's values.
pub(crate) struct FieldStrategies<'p> {
    /// The field.
    pub(crate) field: &'p Field,
    /// Its index in the policy.
    pub(crate) index: usize,
    /// What is known of its values.
    pub(crate) spellings: &'p Spellings,
}

/// One value of a leaf, and whether it is one other than "".
type Valued = (Option<Json>, bool);

impl FieldStrategies<'_> {
    /// A leaf of this field.
    pub(crate) fn leaf(&self, relation: Relation, presence: Presence) -> BoxedStrategy<Pair> {
        let (index, identity) = (self.index, self.field.class() == Class::Identity);
        self.values(relation, presence)
            .prop_map(move |[one, other]| {
                Pair::Leaf(Leaf {
                    field: index,
                    identity,
                    has_value: [one.1, other.1],
                    values: [one.0, other.0],
                })
            })
            .boxed()
    }

    fn values(&self, relation: Relation, presence: Presence) -> BoxedStrategy<[Valued; 2]> {
        let may_be_absent = !self.field.is_required() && !self.field.path().is_element();
        let absent = self.absent();
        if presence == Presence::Absent && may_be_absent {
            return pairs(&absent, relation == Relation::Equal);
        }
        let may_be_absent = may_be_absent && presence == Presence::Free;
        let mut options: Vec<(u32, BoxedStrategy<[Valued; 2]>)> = Vec::new();
        if may_be_absent && relation != Relation::Different {
            options.push((2, pairs(&absent, relation == Relation::Equal)));
        }
        let empty: Vec<Valued> = self.kept_empty();
        if !empty.is_empty() && relation != Relation::Different {
            options.push((1, pairs(&empty, relation == Relation::Equal)));
        }
        options.push((8, self.present(relation)));
        if relation == Relation::Different {
            if may_be_absent {
                options.push((2, self.present_or(&absent)));
            }
            if !empty.is_empty() {
                options.push((1, self.present_or(&empty)));
            }
            if may_be_absent && !empty.is_empty() {
                options.push((1, (cycle(&empty), cycle(&absent)).prop_map(<[Valued; 2]>::from).boxed()));
            }
        }
        Union::new_weighted(options).boxed()
    }

    /// The spellings of no value.
    fn absent(&self) -> Vec<Valued> {
        let mut spellings = vec![(None, false)];
        if self.field.null_is_absent() {
            spellings.push((Some(Json::null()), false));
        }
        if self.field.empty() == Some(Empty::Absent) {
            spellings.extend(self.spellings.empty.iter().map(|empty| (Some(empty.clone()), false)));
        }
        spellings
    }

    /// The spellings of the empty text, where it is one.
    fn kept_empty(&self) -> Vec<Valued> {
        match self.field.empty() {
            Some(Empty::Keep) => {
                self.spellings.empty.iter().map(|empty| (Some(empty.clone()), false)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn present(&self, relation: Relation) -> BoxedStrategy<[Valued; 2]> {
        // An enum can list "": a value, and not one that says what the action is.
        let may_be_blank = matches!(self.field.rule(), Rule::Enum(_));
        let valued = move |json: Json| {
            let blank = may_be_blank && json == Json::text("");
            (Some(json), !blank)
        };
        match (relation, &self.spellings.different) {
            (Relation::Different, Some(different)) => {
                different.clone().prop_map(move |pair| pair.map(valued)).boxed()
            }
            (Relation::Equal, _) => {
                self.spellings.equal.clone().prop_map(move |pair| pair.map(valued)).boxed()
            }
            _ => {
                let same = move |[one, _]: [Json; 2]| [one.clone(), one].map(valued);
                self.spellings.equal.clone().prop_map(same).boxed()
            }
        }
    }

    fn present_or(&self, others: &[Valued]) -> BoxedStrategy<[Valued; 2]> {
        (self.present(Relation::Same), cycle(others)).prop_map(|([value, _], other)| [value, other]).boxed()
    }
}

/// Two of the values, or one of them twice.
fn pairs(values: &[Valued], two: bool) -> BoxedStrategy<[Valued; 2]> {
    if two {
        // The first on one side half of the time: then a counterexample is simple.
        let first = values.first().cloned().unwrap_or_default();
        return (Union::new(vec![Just(first).boxed(), cycle(values).boxed()]), cycle(values))
            .prop_map(<[Valued; 2]>::from)
            .boxed();
    }
    cycle(values).prop_map(|value| [value.clone(), value]).boxed()
}
