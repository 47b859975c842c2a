//! Payloads: strategies that follow from a policy.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use intentkey_core::{Case, Class, Policy, Rule, Scale};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{BoxedStrategy, Just, Strategy as _, Union};

use super::cycle::Turns;
use super::field::{FieldStrategies, Presence, Relation};
use super::json::{Json, Text};
use super::junk::junk;
use super::pair::{List, Pair};
use super::rules::distinct::letters;
use super::rules::letters::Equality;
use super::rules::{Coin, Spellings, spellings};
use super::shape::Shape;

/// The most elements of a list.
const MOST_ELEMENTS: usize = 3;

/// What the two payloads are to each other, part by part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relations {
    /// Identity fields.
    pub(crate) identity: Relation,
    /// Checked fields.
    pub(crate) checked: Relation,
    /// Whether each side has ignored parts of its own.
    pub(crate) free_differs: bool,
}

impl Relations {
    /// One payload.
    pub(crate) const SAME: Relations =
        Relations { identity: Relation::Same, checked: Relation::Same, free_differs: false };
}

/// Makes payloads of one policy.
pub(crate) struct Payloads {
    policy: Rc<Policy>,
    shape: Shape,
    /// The currency fields that give amounts their scale, and whether all those amounts may be
    /// absent.
    currencies: Vec<(usize, bool)>,
    /// What is known of a field's values, by its index and the currency that it is in. Kept, so
    /// that what goes through a list goes on where it was.
    spellings: RefCell<HashMap<(usize, Tie), Rc<Spellings>>>,
    leaves: RefCell<HashMap<LeafKind, BoxedStrategy<Pair>>>,
}

/// What decides the strategy of a leaf: its field, its currency, and what is asked of it.
type LeafKind = (usize, Tie, Relation, Presence);

/// What ties a field's values to the payload's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Tie {
    /// Nothing.
    Loose,
    /// It is the currency: the code.
    Code(&'static str),
    /// It is an amount: the decimal places.
    Minor(Option<u8>),
}

/// The currencies of a payload, by the index of their field; `None` for an absent currency.
type Coins = BTreeMap<usize, Option<&'static Coin>>;

impl Payloads {
    /// Of a policy.
    pub(crate) fn of(policy: &Policy) -> Self {
        let currencies = currencies(policy);
        Payloads {
            policy: Rc::new(policy.clone()),
            shape: Shape::of(policy),
            currencies,
            spellings: RefCell::default(),
            leaves: RefCell::default(),
        }
    }

    /// The policy.
    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Its tree.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The names of rules that there is no generator for.
    pub(crate) fn without_generator(&self) -> Vec<&'static str> {
        let fields = self.policy.fields().iter();
        fields
            .map(intentkey_core::Field::rule)
            .filter(|rule| spellings(rule, None).is_none())
            .map(Rule::name)
            .collect()
    }

    /// Whether a field takes any text.
    pub(crate) fn takes_any_text(&self, field: usize) -> bool {
        let rule = self.policy.fields().get(field).map(intentkey_core::Field::rule);
        matches!(rule, Some(Rule::Text(_) | Rule::Exact(_) | Rule::Identifier(_)))
    }

    /// Letters of which a field that takes any text takes no two for equal.
    pub(crate) fn distinct_letters(&self, field: usize) -> Option<&'static [char]> {
        let equality = match self.policy.fields().get(field)?.rule() {
            Rule::Exact(_) => None,
            Rule::Identifier(_) => Some(Equality::Caseless),
            Rule::Text(text) if text.case == Case::Fold => Some(Equality::Caseless),
            Rule::Text(_) => Some(Equality::Canonical),
            _ => return None,
        };
        Some(letters(equality))
    }

    /// What is known of a field's values in the currency of a payload.
    pub(crate) fn spellings_in(&self, field: usize, payload: &Json) -> Option<Rc<Spellings>> {
        let own = self.currencies.iter().find(|currency| currency.0 == field).map(|currency| currency.0);
        let coin = own.or_else(|| currency_of(&self.policy, field)).and_then(|currency| {
            let path = self.policy.fields().get(currency)?.path();
            Coin::written(payload.named(path)?)
        });
        self.spellings(field, coin)
    }

    fn spellings(&self, field: usize, coin: Option<&'static Coin>) -> Option<Rc<Spellings>> {
        let rule = self.policy.fields().get(field)?.rule();
        let key = (field, Tie::of(rule, coin));
        if let Some(known) = self.spellings.borrow().get(&key) {
            return Some(Rc::clone(known));
        }
        let new = Rc::new(spellings(rule, coin)?);
        self.spellings.borrow_mut().insert(key, Rc::clone(&new));
        Some(new)
    }

    /// Two payloads, both with something to say what the action is.
    ///
    /// Over a run, each currency that an amount can be in takes its turn.
    pub(crate) fn pairs(self: &Rc<Self>, relations: Relations) -> BoxedStrategy<Pair> {
        let coins = Coin::with_minor_unit();
        let payloads = Rc::clone(self);
        let turns = if self.currencies.is_empty() { 1 } else { coins.len() };
        Turns::new(turns, move |turn| payloads.in_currency(turn, &coins, relations))
            .prop_filter("an identity field has a value", |pair| pair.has_identity(None))
            .boxed()
    }

    fn in_currency(&self, turn: usize, coins: &[&'static Coin], relations: Relations) -> BoxedStrategy<Pair> {
        let of_field = |(number, (field, dispensable)): (usize, &(usize, bool))| {
            let index = (turn + number * 7).checked_rem(coins.len()).unwrap_or(0);
            let absent = *dispensable && turn % 4 == 3;
            (*field, coins.get(index).copied().filter(|_| !absent))
        };
        let chosen: Coins = self.currencies.iter().enumerate().map(of_field).collect();
        self.place(&self.shape, relations, &chosen)
    }

    fn place(&self, shape: &Shape, relations: Relations, coins: &Coins) -> BoxedStrategy<Pair> {
        if shape.is_free() {
            return self.free(shape, relations.free_differs);
        }
        match shape {
            Shape::Leaf(field) => self.leaf(*field, relations, coins),
            Shape::Object(members) => {
                let names: Vec<String> = members.keys().cloned().collect();
                let members: Vec<_> =
                    members.values().map(|member| self.place(member, relations, coins)).collect();
                (members, proptest::bool::ANY)
                    .prop_map(move |(members, hollow)| Pair::Object {
                        members: names.iter().cloned().zip(members).collect(),
                        hollow,
                    })
                    .boxed()
            }
            Shape::List { element, any_order } => self.list(element, *any_order, relations, coins),
            Shape::Ignored => self.free(shape, relations.free_differs),
        }
    }

    fn leaf(&self, index: usize, relations: Relations, coins: &Coins) -> BoxedStrategy<Pair> {
        let Some(field) = self.policy.fields().get(index) else {
            return Just(Pair::Free([None, None])).boxed();
        };
        let relation = match field.class() {
            Class::Identity => relations.identity,
            Class::Checked => relations.checked,
        };
        let own = coins.get(&index).copied();
        let (coin, presence) = match (own, currency_of(&self.policy, index).and_then(|of| coins.get(&of))) {
            // The currency itself.
            (Some(Some(coin)), _) => (Some(coin), Presence::Present),
            (Some(None), _) | (None, Some(None)) => (None, Presence::Absent),
            // An amount in it.
            (None, Some(coin)) => (*coin, Presence::Free),
            (None, None) => (None, Presence::Free),
        };
        let key = (index, Tie::of(field.rule(), coin), relation, presence);
        if let Some(known) = self.leaves.borrow().get(&key) {
            return known.clone();
        }
        let leaf = match self.spellings(index, coin) {
            Some(spellings) => {
                FieldStrategies { field, index, spellings: &spellings }.leaf(relation, presence)
            }
            None => Just(Pair::Free([None, None])).boxed(),
        };
        self.leaves.borrow_mut().insert(key, leaf.clone());
        leaf
    }

    fn list(
        &self,
        element: &Shape,
        any_order: bool,
        relations: Relations,
        coins: &Coins,
    ) -> BoxedStrategy<Pair> {
        let required = element.is_required(&self.policy);
        let in_key = element.has_class(&self.policy, Class::Identity);
        let in_fingerprint = in_key || element.has_class(&self.policy, Class::Checked);
        let elements = vec(self.place(element, relations, coins), 0..=MOST_ELEMENTS).prop_map(Some).boxed();
        let elements = if required {
            elements
        } else {
            Union::new_weighted(vec![(1, Just(None).boxed()), (4, elements)]).boxed()
        };
        (elements, vec(any::<u8>(), 0..=MOST_ELEMENTS))
            .prop_map(move |(elements, order)| {
                Pair::List(List { elements, any_order, order, required, in_key, in_fingerprint })
            })
            .boxed()
    }

    /// Ignored parts, which may be there or not.
    fn free(&self, shape: &Shape, differs: bool) -> BoxedStrategy<Pair> {
        let value = || proptest::option::weighted(0.6, anything(shape));
        match differs {
            true => (value(), value()).prop_map(|(one, other)| Pair::Free([one, other])).boxed(),
            false => value().prop_map(|one| Pair::Free([one.clone(), one])).boxed(),
        }
    }
}

impl Tie {
    fn of(rule: &Rule, coin: Option<&'static Coin>) -> Self {
        match (rule, coin) {
            (Rule::Currency(_), Some(coin)) => Tie::Code(coin.code),
            (Rule::Decimal(_), Some(coin)) => Tie::Minor(coin.minor),
            _ => Tie::Loose,
        }
    }
}

/// Any value of a place with ignored parts only. Objects and lists that lead to them are what the
/// policy says they are; what is ignored is anything.
pub(crate) fn anything(shape: &Shape) -> BoxedStrategy<Json> {
    match shape {
        Shape::Object(members) => {
            let names: Vec<String> = members.keys().cloned().collect();
            let members: Vec<_> =
                members.values().map(|member| proptest::option::weighted(0.6, anything(member))).collect();
            members
                .prop_map(move |members| {
                    let named = names.iter().cloned().map(Text::Plain).zip(members);
                    Json::Object(named.filter_map(|(name, value)| Some((name, value?))).collect())
                })
                .boxed()
        }
        Shape::List { element, .. } => vec(anything(element), 0..=MOST_ELEMENTS).prop_map(Json::List).boxed(),
        Shape::Leaf(_) | Shape::Ignored => junk(),
    }
}

/// The index of the currency field that gives a field its scale.
pub(crate) fn currency_of(policy: &Policy, field: usize) -> Option<usize> {
    let Rule::Decimal(decimal) = policy.fields().get(field)?.rule() else { return None };
    let Scale::Currency(path) = &decimal.scale else { return None };
    policy.fields().iter().position(|other| other.path() == path)
}

fn currencies(policy: &Policy) -> Vec<(usize, bool)> {
    let amounts: Vec<(usize, usize)> = (0..policy.fields().len())
        .filter_map(|amount| Some((amount, currency_of(policy, amount)?)))
        .collect();
    let mut currencies: Vec<usize> = amounts.iter().map(|amount| amount.1).collect();
    currencies.sort_unstable();
    currencies.dedup();
    let may_be_absent = |field: usize| {
        policy.fields().get(field).is_some_and(|field| !field.is_required() && !field.path().is_element())
    };
    currencies
        .into_iter()
        .map(|currency| {
            let mut depend = amounts.iter().filter(|amount| amount.1 == currency).map(|amount| amount.0);
            (currency, may_be_absent(currency) && depend.all(may_be_absent))
        })
        .collect()
}
