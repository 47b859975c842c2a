//! The tree of places that a policy declares, laid out for walking.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::field::{Class, Empty};
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
    /// What [`head`] gives for each member's name.
    heads: Vec<u64>,
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

/// Up to how many members are looked through one by one.
const LOOKED_THROUGH: usize = 32;

impl ObjectNode {
    /// An object with the members given, in code-point order.
    pub(crate) fn new(members: Vec<Member>) -> Self {
        let heads = members.iter().map(|member| head(&member.name)).collect();
        ObjectNode { members, heads }
    }

    /// The index of the member with this name.
    #[inline]
    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        if self.members.len() <= LOOKED_THROUGH {
            let head = head(name);
            let index = self.heads.iter().position(|&other| other == head)?;
            if self.members.get(index).is_some_and(|member| member.has_name(name)) {
                return Some(index);
            }
        }
        self.members.binary_search_by(|member| (*member.name).cmp(name)).ok()
    }

    pub(crate) fn member(&self, name: &str) -> Option<&Node> {
        let index = self.index_of(name)?;
        self.members.get(index).map(|member| &member.node)
    }
}

impl Member {
    /// Whether this is its name, whose head is the member's.
    #[inline]
    fn has_name(&self, name: &str) -> bool {
        self.name.len() == name.len() && (name.len() <= 8 || *self.name == *name)
    }
}

/// Eight bytes of a name that tell names of one length apart up to eight bytes, and longer ones
/// nearly always.
#[inline]
fn head(name: &str) -> u64 {
    let bytes = name.as_bytes();
    match (bytes.first_chunk(), bytes.first_chunk(), bytes.last_chunk()) {
        (Some(eight), _, _) => u64::from_ne_bytes(*eight),
        (None, Some(first), Some(last)) => {
            u64::from(u32::from_ne_bytes(*first)) << 32 | u64::from(u32::from_ne_bytes(*last))
        }
        _ => bytes.iter().fold(0, |head, &byte| head << 8 | u64::from(byte)),
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
