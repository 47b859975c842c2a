//! What a difference of two policies can do to keys at worst, from what stands in them alone.
//!
//! It never says less than what can happen. Where two rules are not known to agree, it says that
//! anything can.

use intentkey_core::{
    Case, Class, Field, Form, Path, Policy, Precision, Rounding, Rule, Scale, Segment, Space, Text,
};

use super::Verdict;
use super::change::Change;
use super::exhaust::exhaust;

/// What can become of keys of intents that both policies accept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct May {
    /// Intents with two keys can come to have one.
    pub merge: bool,
    /// Intents with one key can come to have two.
    pub split: bool,
    /// An intent can come to have another key.
    pub move_: bool,
}

impl May {
    pub(super) const STAY: May = May { merge: false, split: false, move_: false };
    pub(super) const MOVE: May = May { merge: false, split: false, move_: true };
    pub(super) const MERGE: May = May { merge: true, split: false, move_: true };
    pub(super) const SPLIT: May = May { merge: false, split: true, move_: true };
    pub(super) const ANYTHING: May = May { merge: true, split: true, move_: true };
    /// Of the edge key: an intent keeps its own.
    pub(super) const MERGE_AT_EDGES: May = May { merge: true, split: false, move_: false };
    pub(super) const SPLIT_AT_EDGES: May = May { merge: false, split: true, move_: false };

    /// The worst of it.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        match self {
            May { merge: true, .. } => Verdict::Merges,
            May { split: true, .. } | May { move_: true, .. } => Verdict::SplitsInFlight,
            May::STAY => Verdict::SameKeys,
        }
    }

    /// The changes that can be, the gravest first.
    pub(super) fn changes(self) -> impl Iterator<Item = Change> {
        let all = [(self.merge, Change::Merges), (self.split, Change::Splits), (self.move_, Change::Moves)];
        all.into_iter().filter_map(|(may, change)| may.then_some(change))
    }

    fn or(self, other: May) -> May {
        May {
            merge: self.merge || other.merge,
            split: self.split || other.split,
            move_: self.move_ || other.move_,
        }
    }

    fn without_merge(self, none: bool) -> May {
        May { merge: self.merge && !none, ..self }
    }

    fn without_split(self, none: bool) -> May {
        May { split: self.split && !none, ..self }
    }
}

/// Of one width of buckets and another: exactly what can be.
pub(super) fn of_buckets(before: u64, after: u64) -> May {
    // Intents of one old bucket come apart unless each old bucket lies in one new one.
    let lies_within = |inner: u64, outer: u64| outer == 0 || (inner != 0 && outer.is_multiple_of(inner));
    May { merge: !lies_within(after, before), split: !lies_within(before, after), move_: true }
}

/// Of one rule and another of an identity field.
pub(super) fn of_rules(old: &Rule, new: &Rule) -> May {
    if let Some(may) = exhaust(old, new) {
        return may;
    }
    match (old, new) {
        // No value is both.
        (Rule::Boolean(_), _) | (_, Rule::Boolean(_)) => May::STAY,
        (Rule::PixKey(_), Rule::PixKey(_)) => May::STAY,
        (Rule::Text(old), Rule::Text(new)) => of_texts(old, new),
        (Rule::Timestamp(old), Rule::Timestamp(new)) => match (old.precision, new.precision) {
            (_, Precision::Second) | (Precision::Micro, Precision::Milli) => May::MERGE,
            (Precision::Second, _) | (Precision::Milli, Precision::Micro) => May::SPLIT,
            _ => May::ANYTHING,
        },
        _ => match (number(old), number(new)) {
            (Some(old), Some(new)) => of_numbers(&old, &new),
            _ => May::ANYTHING
                .without_merge(takes_no_two_for_one(new, old))
                .without_split(takes_no_two_for_one(old, new)),
        },
    }
}

/// Whether two values that `one` takes for one are one to `other` too, of those that both take.
fn takes_no_two_for_one(one: &Rule, other: &Rule) -> bool {
    match (one, other) {
        (Rule::Exact(_), _) => true,
        // They hold ASCII alone, and neither case nor white space around it tells any two apart.
        (Rule::Text(_), Rule::Digits(_) | Rule::Uuid(_) | Rule::Phone(_) | Rule::Date(_)) => true,
        (Rule::Text(_), Rule::Timestamp(_) | Rule::Currency(_) | Rule::PixKey(_)) => true,
        (Rule::Text(_), Rule::Decimal(_) | Rule::Integer(_)) => true,
        _ => false,
    }
}

fn of_texts(old: &Text, new: &Text) -> May {
    let case = match (old.case, new.case) {
        (Case::Keep, Case::Fold) => May::MERGE,
        (Case::Fold, Case::Keep) => May::SPLIT,
        _ => May::STAY,
    };
    let space = match (old.space, new.space) {
        (before, after) if before == after => May::STAY,
        (Space::Keep, _) | (Space::Trim, Space::Collapse) => May::MERGE,
        (_, Space::Keep) | (Space::Collapse, Space::Trim) => May::SPLIT,
        _ => May::ANYTHING,
    };
    // The form of existing producers folds once and normalizes before that: it takes for two what
    // is one canonically, and trims before it folds.
    let form = match (old.form, new.form) {
        (Form::Canonical, Form::Canonical) | (Form::NfcFirst, Form::NfcFirst) => May::STAY,
        _ => May::ANYTHING,
    };
    case.or(space).or(form)
}

/// A number's decimal places and whether it is rounded to them.
struct Number<'r> {
    scale: &'r Scale,
    rounding: Rounding,
}

fn number(rule: &Rule) -> Option<Number<'_>> {
    match rule {
        Rule::Decimal(decimal) => Some(Number { scale: &decimal.scale, rounding: decimal.rounding }),
        Rule::Integer(_) => Some(Number { scale: &Scale::Fixed(0), rounding: Rounding::Refuse }),
        _ => None,
    }
}

fn of_numbers(old: &Number<'_>, new: &Number<'_>) -> May {
    // What is not rounded is one number exactly where it is one form.
    let [old_exact, new_exact] = [old, new].map(|number| number.rounding == Rounding::Refuse);
    let anything = May::ANYTHING.without_merge(new_exact).without_split(old_exact);
    match (old.scale, new.scale) {
        (before, after) if before == after => {
            if old.rounding == new.rounding || old_exact || new_exact {
                May::STAY
            } else {
                anything
            }
        }
        // What both take has so few places that neither rounds it.
        (Scale::Fixed(before), Scale::Fixed(after))
            if old_exact && after >= before || new_exact && after <= before =>
        {
            May::MOVE
        }
        // Else each way can do either: 0.0449 and 0.0451 are one at three places and two at two.
        _ => anything,
    }
}

/// Of the order of a list, which no key shows where no identity field lies below it.
pub(super) fn of_order(policies: [&Policy; 2], list: &Path, worst: May) -> May {
    let shows = |policy: &Policy| has_identity_below(policy, list.segments());
    if policies.into_iter().any(shows) { worst } else { May::STAY }
}

/// Whether an identity field brings a list into keys that another policy knows, and has in none of
/// its own: then the number of its elements counts, also where none of them has the field.
pub(super) fn brings_list(field: &Field, other: &Policy) -> bool {
    let segments = field.path().segments();
    let lists = segments.iter().enumerate().filter(|(_, segment)| **segment == Segment::Element);
    let mut above = lists.filter_map(|(index, _)| segments.get(..index));
    field.class() == Class::Identity
        && above.any(|list| is_known(other, list) && !has_identity_below(other, list))
}

fn is_known(policy: &Policy, place: &[Segment]) -> bool {
    let fields = policy.fields().iter().map(Field::path);
    let mut paths = fields.chain(policy.ignored().iter().map(|ignored| ignored.path()));
    paths.any(|path| path.segments().starts_with(place) || place.starts_with(path.segments()))
}

fn has_identity_below(policy: &Policy, place: &[Segment]) -> bool {
    let identity = policy.fields().iter().filter(|field| field.class() == Class::Identity);
    identity.into_iter().any(|field| field.path().segments().starts_with(place))
}
