//! Two payloads that were made together: the same places, and at each place two values whose
//! relation is known by construction.

use super::json::{Json, Text};

/// One of the two payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The first.
    One,
    /// The second.
    Other,
}

/// What the two payloads have at one place.
#[derive(Clone, Debug)]
pub(crate) enum Pair {
    /// A leaf.
    Leaf(Leaf),
    /// Ignored parts; each side has its own.
    Free([Option<Json>; 2]),
    /// An object.
    Object {
        /// The members that the policy declares here.
        members: Vec<(String, Pair)>,
        /// Whether the other side writes `{}` where nothing is in it.
        hollow: bool,
    },
    /// A list.
    List(List),
}

/// A leaf of two payloads.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// The index of its field in the policy.
    pub(crate) field: usize,
    /// Whether it is an identity field.
    pub(crate) identity: bool,
    /// The value on each side; `None` is absent.
    pub(crate) values: [Option<Json>; 2],
    /// Whether the field has a value other than "" on each side.
    pub(crate) has_value: [bool; 2],
}

/// A list of two payloads.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// Its elements; `None` where the list is absent.
    pub(crate) elements: Option<Vec<Pair>>,
    /// Whether the order of the elements does not count.
    pub(crate) any_order: bool,
    /// Where it does not: how the other side reorders them.
    pub(crate) order: Vec<u8>,
    /// Whether it is required.
    pub(crate) required: bool,
    /// Whether an identity leaf lies below.
    pub(crate) in_key: bool,
    /// Whether an identity or checked leaf lies below.
    pub(crate) in_fingerprint: bool,
}

/// Which side is looked at, for each part.
pub(crate) struct View<'v> {
    /// The side of the leaf with this number, in walking order.
    pub(crate) leaf: &'v dyn Fn(usize) -> Side,
    /// The side of ignored parts.
    pub(crate) free: Side,
    /// The side of what is spelled by structure: the order of lists, empty objects.
    pub(crate) structure: Side,
}

impl Side {
    /// What belongs to this side.
    pub(crate) fn of<T>(self, [one, other]: &[T; 2]) -> &T {
        match self {
            Side::One => one,
            Side::Other => other,
        }
    }
}

impl Pair {
    /// One of the payloads.
    pub(crate) fn side(&self, side: Side) -> Json {
        self.view(&View { leaf: &|_| side, free: side, structure: side })
    }

    /// The first payload with one leaf of the other.
    pub(crate) fn with_leaf(&self, number: usize) -> Json {
        let leaf = |at| if at == number { Side::Other } else { Side::One };
        self.view(&View { leaf: &leaf, free: Side::One, structure: Side::One })
    }

    /// The first payload with another value at one leaf.
    pub(crate) fn with_value(&self, number: usize, value: &Json) -> Json {
        let mut changed = self.clone();
        changed.set_leaf(&mut 0, number, value);
        changed.side(Side::One)
    }

    fn set_leaf(&mut self, next: &mut usize, number: usize, value: &Json) {
        match self {
            Pair::Leaf(leaf) => {
                if *next == number {
                    leaf.values = [Some(value.clone()), Some(value.clone())];
                }
                *next += 1;
            }
            Pair::Free(_) => {}
            Pair::Object { members, .. } => {
                members.iter_mut().for_each(|member| member.1.set_leaf(next, number, value));
            }
            Pair::List(list) => {
                list.elements.iter_mut().flatten().for_each(|element| element.set_leaf(next, number, value));
            }
        }
    }

    /// The first payload with the ignored parts of the other.
    pub(crate) fn with_free(&self) -> Json {
        self.view(&View { leaf: &|_| Side::One, free: Side::Other, structure: Side::One })
    }

    /// A payload.
    pub(crate) fn view(&self, view: &View<'_>) -> Json {
        self.write(view, &mut 0, false).unwrap_or_else(|| Json::Object(Vec::new()))
    }

    /// The leaves in walking order.
    pub(crate) fn leaves(&self) -> Vec<&Leaf> {
        let mut leaves = Vec::new();
        self.collect_leaves(&mut leaves);
        leaves
    }

    /// Whether an identity leaf of the first payload has a value other than "", where the leaf
    /// with this number is taken from the other.
    pub(crate) fn has_identity(&self, from_other: Option<usize>) -> bool {
        self.leaves().iter().enumerate().any(|(number, leaf)| {
            let side = if from_other == Some(number) { Side::Other } else { Side::One };
            leaf.identity && *side.of(&leaf.has_value)
        })
    }

    /// Changes the list with this number, in walking order; tells whether there is one.
    pub(crate) fn edit_list(&mut self, number: usize, edit: &mut dyn FnMut(&mut List)) -> bool {
        self.visit_lists(&mut 0, &mut |at, list| {
            if at == number {
                edit(list);
            }
            at == number
        })
    }

    /// How many lists there are.
    pub(crate) fn count_lists(&mut self) -> usize {
        let mut count = 0;
        self.visit_lists(&mut count, &mut |_, _| false);
        count
    }

    /// Puts a leaf's values in each other's place; tells whether there is a leaf that satisfies
    /// the condition.
    pub(crate) fn swap_first(&mut self, condition: &dyn Fn(&Leaf) -> bool) -> bool {
        match self {
            Pair::Leaf(leaf) if condition(leaf) => {
                leaf.values.swap(0, 1);
                leaf.has_value.swap(0, 1);
                true
            }
            Pair::Leaf(_) | Pair::Free(_) => false,
            Pair::Object { members, .. } => members.iter_mut().any(|member| member.1.swap_first(condition)),
            Pair::List(list) => {
                list.elements.iter_mut().flatten().any(|element| element.swap_first(condition))
            }
        }
    }

    fn visit_lists(&mut self, next: &mut usize, visit: &mut dyn FnMut(usize, &mut List) -> bool) -> bool {
        match self {
            Pair::Leaf(_) | Pair::Free(_) => false,
            Pair::Object { members, .. } => {
                members.iter_mut().any(|member| member.1.visit_lists(next, visit))
            }
            Pair::List(list) => {
                let number = *next;
                *next += 1;
                visit(number, list)
                    || list.elements.iter_mut().flatten().any(|element| element.visit_lists(next, visit))
            }
        }
    }

    fn collect_leaves<'p>(&'p self, leaves: &mut Vec<&'p Leaf>) {
        match self {
            Pair::Leaf(leaf) => leaves.push(leaf),
            Pair::Free(_) => {}
            Pair::Object { members, .. } => members.iter().for_each(|member| member.1.collect_leaves(leaves)),
            Pair::List(list) => {
                list.elements.iter().flatten().for_each(|element| element.collect_leaves(leaves))
            }
        }
    }

    /// What a side has at this place. A member is left out where nothing is in it.
    fn write(&self, view: &View<'_>, next_leaf: &mut usize, is_member: bool) -> Option<Json> {
        match self {
            Pair::Leaf(leaf) => {
                let side = (view.leaf)(*next_leaf);
                *next_leaf += 1;
                side.of(&leaf.values).clone()
            }
            Pair::Free(values) => view.free.of(values).clone(),
            Pair::Object { members, hollow } => {
                let mut written = Vec::with_capacity(members.len());
                for (name, member) in members {
                    if let Some(value) = member.write(view, next_leaf, true) {
                        written.push((Text::Plain(name.clone()), value));
                    }
                }
                let shown = *hollow && view.structure == Side::Other;
                (!written.is_empty() || !is_member || shown).then_some(Json::Object(written))
            }
            Pair::List(list) => list.write(view, next_leaf),
        }
    }
}

impl List {
    fn write(&self, view: &View<'_>, next_leaf: &mut usize) -> Option<Json> {
        let elements = self.elements.as_ref()?.iter();
        let mut written: Vec<Json> =
            elements.filter_map(|element| element.write(view, next_leaf, false)).collect();
        if self.any_order && view.structure == Side::Other {
            written = reordered(written, &self.order);
        }
        Some(Json::List(written))
    }
}

fn reordered(mut left: Vec<Json>, order: &[u8]) -> Vec<Json> {
    let mut choices = order.iter().copied().map(usize::from).chain(std::iter::repeat(0));
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let choice = choices.next().unwrap_or(0) % left.len();
        ordered.push(left.remove(choice));
    }
    ordered
}
