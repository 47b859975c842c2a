//! From the declared paths to the tree of places: each place is one thing only.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::field::{Class, Field, Ignored, List};
use super::node::{Leaf, ListNode, Member, Node, ObjectNode};
use super::path::{Path, Segment};
use super::schema::place_of;
use super::table::{invalid, member_place};
use crate::decimal;
use crate::error::Refusal;
use crate::json::LEVELS;
use crate::material;
use crate::rules::Rule;
use crate::sorted::sorted_by;

/// A place while the tree is built.
#[derive(Default)]
enum Draft {
    /// Nothing has been declared here or below.
    #[default]
    Open,
    Leaf(Leaf),
    Ignored,
    /// Members in code-point order.
    Object(Vec<(Box<str>, Draft)>),
    List {
        element: Box<Draft>,
        any_order: bool,
    },
}

/// Takes declarations one by one and refuses what overlaps.
#[derive(Default)]
pub(super) struct Builder {
    root: Draft,
}

impl Builder {
    pub(super) fn add_field(&mut self, field: &Field) -> Result<(), Refusal> {
        let place = place_of(class_table(field.class), &field.path);
        *self.claim(&field.path, &place)? = Draft::Leaf(Leaf {
            class: field.class,
            rule: field.rule.clone(),
            manners: field.rule.manners(),
            currency_field: field.rule.currency_field().cloned(),
            required: field.required,
            null_is_absent: field.null_is_absent,
            empty: field.empty,
        });
        Ok(())
    }

    pub(super) fn add_ignored(&mut self, ignored: &Ignored) -> Result<(), Refusal> {
        let place = place_of("ignored", &ignored.path);
        *self.claim(&ignored.path, &place)? = Draft::Ignored;
        Ok(())
    }

    /// Says whether the order of a declared list matters.
    pub(super) fn order(&mut self, list: &List) -> Result<(), Refusal> {
        let refusal =
            || invalid(&place_of("lists", &list.path), "no field of the policy lies in such a list");
        let mut draft = &mut self.root;
        for segment in list.path.segments() {
            draft = match (draft, segment) {
                (Draft::Object(members), Segment::Name(name)) => {
                    let found = members.iter_mut().find(|member| member.0 == *name);
                    &mut found.ok_or_else(refusal)?.1
                }
                (Draft::List { element, .. }, Segment::Element) => element,
                _ => return Err(refusal()),
            };
        }
        match draft {
            Draft::List { any_order, .. } => *any_order = list.any_order,
            _ => return Err(refusal()),
        }
        Ok(())
    }

    /// The place of a path, which must be free.
    fn claim(&mut self, path: &Path, place: &str) -> Result<&mut Draft, Refusal> {
        if path.segments().len() > LEVELS {
            return Err(invalid(
                place,
                ["a path has at most ", &decimal::integer(LEVELS as u64), " steps, as a payload has levels"]
                    .concat(),
            ));
        }
        let mut draft = &mut self.root;
        for segment in path.segments() {
            draft = step(draft, segment).ok_or_else(|| {
                invalid(place, "overlaps with another path: a place is a field, an ignored part, an object or a list, and one of them only")
            })?;
        }
        match draft {
            Draft::Open => Ok(draft),
            Draft::Leaf(_) | Draft::Ignored => Err(invalid(place, "is declared twice")),
            Draft::Object(_) | Draft::List { .. } => {
                Err(invalid(place, "overlaps with another path, which lies below it"))
            }
        }
    }

    /// The finished tree, and the lists in it.
    pub(super) fn finish(self, fields: &[Field]) -> Result<(Node, Vec<List>), Refusal> {
        for field in fields {
            check_currency_field(field, fields)?;
        }
        let mut lists = Vec::new();
        let root = settle(self.root, &mut Vec::new(), &mut lists);
        let lists = sorted_by(lists, |one, other| one.path.cmp(&other.path));
        Ok((root, lists))
    }
}

fn class_table(class: Class) -> &'static str {
    match class {
        Class::Identity => "identity",
        Class::Checked => "checked",
    }
}

/// Goes one step down, where the place is of the right kind or still open.
fn step<'d>(draft: &'d mut Draft, segment: &Segment) -> Option<&'d mut Draft> {
    if matches!(draft, Draft::Open) {
        *draft = match segment {
            Segment::Name(_) => Draft::Object(Vec::new()),
            Segment::Element => Draft::List { element: Box::default(), any_order: false },
        };
    }
    match (draft, segment) {
        (Draft::Object(members), Segment::Name(name)) => {
            let index = members.binary_search_by(|member| member.0.cmp(name)).unwrap_or_else(|index| {
                members.insert(index, (name.clone(), Draft::Open));
                index
            });
            members.get_mut(index).map(|member| &mut member.1)
        }
        (Draft::List { element, .. }, Segment::Element) => Some(element),
        _ => None,
    }
}

/// `currency_field` names an identity field of rule `currency` outside lists.
fn check_currency_field(field: &Field, fields: &[Field]) -> Result<(), Refusal> {
    let Some(path) = field.rule.currency_field() else { return Ok(()) };
    let named = fields.iter().find(|other| other.path == *path);
    let sound = named.is_some_and(|other| {
        other.class == Class::Identity
            && matches!(other.rule, Rule::Currency(_))
            && !path.segments().contains(&Segment::Element)
    });
    if sound {
        return Ok(());
    }
    let place = place_of(class_table(field.class), &field.path);
    Err(invalid(
        &member_place(&place, "currency_field"),
        "must be the path, without [], of an identity field of rule \"currency\"; it is \"currency\" where left out",
    ))
}

/// Lays a draft out for walking. Paths have at most 64 steps, and so has this recursion.
fn settle(draft: Draft, path: &mut Vec<Segment>, lists: &mut Vec<List>) -> Node {
    match draft {
        Draft::Leaf(leaf) => Node::Leaf(leaf),
        // A place stays open only at the root of a policy without fields, which does not exist.
        Draft::Ignored | Draft::Open => Node::Ignored,
        Draft::Object(members) => {
            let settle_member = |(name, draft): (Box<str>, Draft)| {
                path.push(Segment::Name(name.clone()));
                let node = settle(draft, path, lists);
                path.pop();
                Member { written: written_between(&name), name, node }
            };
            Node::Object(ObjectNode::new(members.into_iter().map(settle_member).collect()))
        }
        Draft::List { element, any_order } => {
            lists.push(List { path: Path::from_segments(path.clone()), any_order });
            path.push(Segment::Element);
            let element = settle(*element, path, lists);
            path.pop();
            let below = Below::of(&element);
            Node::List(ListNode {
                element: Box::new(element),
                any_order,
                required: below.required,
                in_key: below.identity,
                in_fingerprint: below.identity || below.checked,
            })
        }
    }
}

/// `,"name":"`
fn written_between(name: &str) -> Box<str> {
    [",", &material::written(name), ":\""].concat().into_boxed_str()
}

/// What lies at or below a place.
#[derive(Clone, Copy, Default)]
struct Below {
    required: bool,
    identity: bool,
    checked: bool,
}

impl Below {
    fn of(node: &Node) -> Below {
        match node {
            Node::Ignored => Below::default(),
            Node::Leaf(leaf) => Below {
                required: leaf.required,
                identity: leaf.class == Class::Identity,
                checked: leaf.class == Class::Checked,
            },
            Node::List(list) => Below {
                required: list.required,
                identity: list.in_key,
                checked: list.in_fingerprint && !list.in_key,
            },
            Node::Object(object) => object.members.iter().map(|member| Below::of(&member.node)).fold(
                Below::default(),
                |all, one| Below {
                    required: all.required || one.required,
                    identity: all.identity || one.identity,
                    checked: all.checked || one.checked,
                },
            ),
        }
    }
}
