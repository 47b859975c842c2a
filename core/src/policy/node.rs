//! The tree of places that a policy declares, laid out for walking.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::field::{Class, Empty};
use super::names::Names;
use super::path::Path;
use crate::rules::{Manners, Rule};

/// What a policy says of one place.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Leaf(Leaf),
    Ignored,
    Object(ObjectNode),
    List(ListNode),
}

/// A leaf: one value, taken by a rule.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) class: Class,
    pub(crate) rule: Rule,
    pub(crate) manners: Manners,
    /// The field whose currency fixes the scale of an amount.
    pub(crate) currency_field: Option<Path>,
    pub(crate) required: bool,
    pub(crate) null_is_absent: bool,
    pub(crate) empty: Option<Empty>,
}

/// An object, its members in code-point order.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectNode {
    pub(crate) members: Vec<Member>,
    names: Option<Names>,
}

/// A member of an object.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: Box<str>,
    /// The name as material writes it between two strings: `,"name":"`.
    pub(crate) written: Box<str>,
    pub(crate) node: Node,
}

/// A list.
#[derive(Clone, Debug)]
pub(crate) struct ListNode {
    pub(crate) element: Box<Node>,
    /// Whether elements are sorted by their material.
    pub(crate) any_order: bool,
    /// Whether a required leaf lies below, so that the list must be there.
    pub(crate) required: bool,
    /// Whether an identity leaf lies below.
    pub(crate) in_key: bool,
    /// Whether an identity or a checked leaf lies below.
    pub(crate) in_fingerprint: bool,
}

impl ObjectNode {
    /// An object with the members given, in code-point order.
    pub(crate) fn new(members: Vec<Member>) -> Self {
        let names = Names::new(members.iter().map(|member| &*member.name));
        ObjectNode { members, names }
    }

    /// The index of the member with this name.
    #[inline]
    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        match &self.names {
            Some(names) => names.find(name, |index| self.members.get(index).map(|member| &*member.name)),
            None => self.search(name),
        }
    }

    #[cold]
    fn search(&self, name: &str) -> Option<usize> {
        self.members.binary_search_by(|member| (*member.name).cmp(name)).ok()
    }

    pub(crate) fn member(&self, name: &str) -> Option<&Node> {
        let index = self.index_of(name)?;
        self.members.get(index).map(|member| &member.node)
    }
}

/// A place of a payload, as a policy sees it.
///
/// A host that turns its own values into a [`Value`](crate::Value) asks it what need not be
/// looked at, so that a cycle or a class instance at an ignored place does no harm.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p>(Option<&'p Node>);

impl<'p> Place<'p> {
    /// A place that the policy does not declare.
    pub const UNDECLARED: Place<'static> = Place(None);

    pub(crate) fn of(node: &'p Node) -> Self {
        Place(Some(node))
    }

    /// Whether nothing at or below this place may be looked at.
    #[must_use]
    pub fn is_ignored(self) -> bool {
        matches!(self.0, Some(Node::Ignored))
    }

    /// The place of an object's member.
    #[must_use]
    pub fn member(self, name: &str) -> Self {
        match self.0 {
            Some(Node::Object(object)) => Place(object.member(name)),
            _ => Place(None),
        }
    }

    /// The place of a list's elements.
    #[must_use]
    pub fn element(self) -> Self {
        match self.0 {
            Some(Node::List(list)) => Place(Some(&list.element)),
            _ => Place(None),
        }
    }

    pub(crate) fn node(self) -> Option<&'p Node> {
        self.0
    }
}
