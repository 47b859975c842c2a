//! From a payload to the bodies of the material.
//!
//! The way that succeeds is one pass: each object's members are bound to the policy's, and each
//! leaf's canonical form is written where it belongs. Whatever is out of order stops that pass,
//! and [`survey`] then finds, in the documented order, what is refused first.

mod body;
mod leaf;
mod lists;
pub(crate) mod survey;

pub(crate) use body::Bodies;

use alloc::vec;
use alloc::vec::Vec;

use crate::error::{Code, Refusal};
use crate::explain::ExplainedField;
use crate::json::Meter;
use crate::policy::{Class, Leaf, ListNode, Node, ObjectNode, Policy, Trail};
use crate::value::{Name, Value};

use leaf::{Judged, Leaves};

/// Why a walk ended early.
pub(crate) enum Stop {
    /// A value was refused, the first in walking order.
    Refused(Refusal),
    /// A name is unknown, repeated or no text, or there is too much: the survey says which.
    Irregular,
}

impl From<Code> for Stop {
    /// A limit was passed.
    fn from(_: Code) -> Self {
        Stop::Irregular
    }
}

/// How many members are bound without an allocation.
const BOUND_IN_PLACE: usize = 16;

/// Writes the bodies of a payload, or says what is refused first.
///
/// `trace` takes down what became of each field.
pub(crate) fn write_bodies(
    policy: &Policy,
    payload: &Value<'_>,
    bodies: &mut Bodies,
    trace: Option<&mut Vec<ExplainedField>>,
) -> Result<(), Refusal> {
    let leaves = Leaves::new(policy.root(), payload);
    let mut walker = Walker { leaves, bodies, meter: Meter::default(), identity_has_value: false, trace };
    let outcome = match (policy.root(), payload) {
        (Node::Object(node), Value::Object(members)) => {
            walker.bodies.begin(None, b'{');
            let walked = walker.payload(node, members);
            walker.bodies.end(b'}');
            walked
        }
        _ => return Err(Refusal::new(Code::PayloadNotObject)),
    };
    let identity_is_empty = !walker.identity_has_value;
    let refusal = match outcome {
        Ok(()) if identity_is_empty => Refusal::new(Code::IdentityEmpty),
        Ok(()) => return Ok(()),
        Err(Stop::Refused(refusal)) => refusal,
        Err(Stop::Irregular) => Refusal::new(Code::PayloadTooLarge),
    };
    survey::all(payload, policy.payload_place())?;
    Err(refusal)
}

struct Walker<'w, 'v> {
    leaves: Leaves<'w, 'v>,
    bodies: &'w mut Bodies,
    meter: Meter,
    /// Whether an identity leaf so far had a value other than "".
    identity_has_value: bool,
    trace: Option<&'w mut Vec<ExplainedField>>,
}

impl<'w, 'v> Walker<'w, 'v> {
    fn payload(&mut self, node: &'w ObjectNode, members: &'w [(Name<'v>, Value<'v>)]) -> Result<(), Stop> {
        self.meter.value()?;
        self.object(node, members, &Trail::Root)
    }

    /// Walks the members of an object, in code-point order.
    fn object(
        &mut self,
        node: &'w ObjectNode,
        members: &'w [(Name<'v>, Value<'v>)],
        trail: &Trail<'_>,
    ) -> Result<(), Stop> {
        let mut in_place = [None; BOUND_IN_PLACE];
        let mut allocated;
        let bound = match in_place.get_mut(..node.members.len()) {
            Some(bound) => bound,
            None => {
                allocated = vec![None; node.members.len()];
                allocated.as_mut_slice()
            }
        };
        self.bind(node, members, bound)?;
        for (member, value) in node.members.iter().zip(bound.iter()) {
            let trail = Trail::Name(trail, &member.name);
            match value {
                None => self.absent(&member.node, &trail)?,
                Some(value) => self.place(&member.node, value, Some(&member.written), &trail)?,
            }
        }
        Ok(())
    }

    /// Finds the payload's member for each of the policy's.
    fn bind(
        &mut self,
        node: &ObjectNode,
        members: &'w [(Name<'v>, Value<'v>)],
        bound: &mut [Option<&'w Value<'v>>],
    ) -> Result<(), Stop> {
        for (name, value) in members {
            let name = name.as_str().ok_or(Stop::Irregular)?;
            let index = node.index_of(name).ok_or(Stop::Irregular)?;
            self.meter.text(name.len())?;
            match bound.get_mut(index) {
                Some(slot @ None) => *slot = Some(value),
                _ => return Err(Stop::Irregular),
            }
        }
        Ok(())
    }

    /// Walks what a payload has at a place; `written` is the member's name, for objects' members.
    fn place(
        &mut self,
        node: &'w Node,
        value: &'w Value<'v>,
        written: Option<&str>,
        trail: &Trail<'_>,
    ) -> Result<(), Stop> {
        if matches!(node, Node::Ignored) {
            if let Some(trace) = &mut self.trace {
                trace.push(ExplainedField::ignored(trail));
            }
            return Ok(());
        }
        self.meter.value()?;
        match (node, value) {
            (Node::Leaf(leaf), value) => {
                if let Value::String(text) = value {
                    self.meter.text(text.len())?;
                }
                self.leaf(leaf, value, written, trail)
            }
            (Node::Object(node), Value::Object(members)) => {
                let marks = self.bodies.begin(written, b'{');
                self.object(node, members, trail)?;
                // An object with nothing in it is left out; as an element it stays.
                if written.is_some() {
                    self.bodies.end_unless_empty(marks, b'}');
                } else {
                    self.bodies.end(b'}');
                }
                Ok(())
            }
            (Node::List(node), Value::List(elements)) => self.list(node, elements, written, trail),
            (_, Value::Null) => Err(Stop::Refused(Refusal::at(Code::FieldNull, trail.to_field()))),
            _ => Err(Stop::Refused(Refusal::at(Code::FieldType, trail.to_field()))),
        }
    }

    /// Judges a leaf, and writes it where its class belongs.
    #[inline]
    fn leaf(
        &mut self,
        leaf: &'w Leaf,
        value: &'w Value<'v>,
        written: Option<&str>,
        trail: &Trail<'_>,
    ) -> Result<(), Stop> {
        let mut slot = self.bodies.slot(leaf.class, written, leaf.manners.is_bare());
        let judged = self.leaves.judge(leaf, value, trail, slot.out()).map_err(Stop::Refused)?;
        if let Some(trace) = &mut self.trace {
            let canonical = (judged != Judged::Absent).then(|| slot.canonical());
            trace.push(ExplainedField::leaf(leaf, trail, Some(value), canonical));
        }
        if judged == Judged::Absent {
            slot.leave_out();
            return Ok(());
        }
        self.identity_has_value |= leaf.class == Class::Identity && !slot.is_empty();
        let marks = slot.finish(judged == Judged::ToBeEscaped);
        self.bodies.copy_identity(leaf.class, marks);
        Ok(())
    }

    fn list(
        &mut self,
        node: &'w ListNode,
        elements: &'w [Value<'v>],
        written: Option<&str>,
        trail: &Trail<'_>,
    ) -> Result<(), Stop> {
        let mut list = self.bodies.begin_list(node, written);
        for (index, value) in elements.iter().enumerate() {
            list.element(self.bodies);
            self.place(&node.element, value, None, &Trail::Index(trail, index))?;
        }
        list.end(self.bodies, node.any_order);
        Ok(())
    }

    /// Judges what is absent: the first required leaf below it, or list of required leaves.
    fn absent(&mut self, node: &'w Node, trail: &Trail<'_>) -> Result<(), Stop> {
        match node {
            Node::Ignored => Ok(()),
            Node::Leaf(leaf) if leaf.required => {
                Err(Stop::Refused(Refusal::at(Code::FieldMissing, trail.to_field())))
            }
            Node::Leaf(leaf) => {
                if let Some(trace) = &mut self.trace {
                    trace.push(ExplainedField::leaf(leaf, trail, None, None));
                }
                Ok(())
            }
            Node::List(list) if list.required => {
                Err(Stop::Refused(Refusal::at(Code::FieldMissing, trail.to_field())))
            }
            Node::List(_) => Ok(()),
            Node::Object(object) => object
                .members
                .iter()
                .try_for_each(|member| self.absent(&member.node, &Trail::Name(trail, &member.name))),
        }
    }
}
