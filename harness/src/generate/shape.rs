//! The tree of places that a policy declares, as the generators see it.
//!
//! It is built from the policy's paths alone, independently of the tree that core walks.

use std::collections::BTreeMap;

use intentkey_core::{Class, Policy, Segment};

/// What a policy has at one place.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The field with this index in [`Policy::fields`].
    Leaf(usize),
    /// An ignored part.
    Ignored,
    /// An object. Rust sorts strings as code points sort.
    Object(BTreeMap<String, Shape>),
    /// A list.
    List {
        /// What each element is.
        element: Box<Shape>,
        /// Whether the order of the elements does not count.
        any_order: bool,
    },
}

/// A place while the tree is built.
#[derive(Default)]
struct Draft {
    end: Option<Shape>,
    members: BTreeMap<String, Draft>,
    element: Option<Box<Draft>>,
}

impl Shape {
    /// The payload of a policy.
    pub(crate) fn of(policy: &Policy) -> Shape {
        let mut root = Draft::default();
        for (index, field) in policy.fields().iter().enumerate() {
            root.at(field.path().segments()).end = Some(Shape::Leaf(index));
        }
        for ignored in policy.ignored() {
            root.at(ignored.path().segments()).end = Some(Shape::Ignored);
        }
        let any_order = |path: &[Segment]| {
            policy.lists().iter().any(|list| list.is_any_order() && list.path().segments() == path)
        };
        root.settle(&mut Vec::new(), &any_order)
    }

    /// Whether a leaf that satisfies the condition is here or below.
    pub(crate) fn any_leaf(&self, condition: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Shape::Leaf(field) => condition(*field),
            Shape::Ignored => false,
            Shape::Object(members) => members.values().any(|member| member.any_leaf(condition)),
            Shape::List { element, .. } => element.any_leaf(condition),
        }
    }

    /// Whether there are ignored parts only, here and below.
    pub(crate) fn is_free(&self) -> bool {
        !self.any_leaf(&|_| true)
    }

    /// Whether a leaf of this class is here or below.
    pub(crate) fn has_class(&self, policy: &Policy, class: Class) -> bool {
        self.any_leaf(&|field| policy.fields().get(field).is_some_and(|field| field.class() == class))
    }

    /// Whether a required leaf is here or below.
    pub(crate) fn is_required(&self, policy: &Policy) -> bool {
        self.any_leaf(&|field| policy.fields().get(field).is_some_and(intentkey_core::Field::is_required))
    }
}

impl Draft {
    fn at(&mut self, path: &[Segment]) -> &mut Draft {
        let mut draft = self;
        for segment in path {
            draft = match segment {
                Segment::Name(name) => draft.members.entry(name.to_string()).or_default(),
                Segment::Element => draft.element.get_or_insert_default(),
            };
        }
        draft
    }

    fn settle(self, path: &mut Vec<Segment>, any_order: &dyn Fn(&[Segment]) -> bool) -> Shape {
        if let Some(end) = self.end {
            return end;
        }
        if let Some(element) = self.element {
            let any = any_order(path);
            path.push(Segment::Element);
            let element = Box::new(element.settle(path, any_order));
            path.pop();
            return Shape::List { element, any_order: any };
        }
        let members = self.members.into_iter().map(|(name, draft)| {
            path.push(Segment::Name(name.as_str().into()));
            let member = draft.settle(path, any_order);
            path.pop();
            (name, member)
        });
        Shape::Object(members.collect())
    }
}
