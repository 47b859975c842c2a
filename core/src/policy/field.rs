//! What a policy says of its fields, for people and for tools.

use alloc::boxed::Box;

use super::path::Path;
use crate::rules::Rule;

/// How a field takes part in an intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Part of what the action is: in the key and in the fingerprint.
    Identity,
    /// Must not change between attempts: in the fingerprint only.
    Checked,
}

/// What an empty value of a field means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Empty {
    /// The empty text, as any other.
    Keep,
    /// The same as no value.
    Absent,
    /// A refusal: `field_empty`.
    Refuse,
}

/// An identity or checked field of a policy.
#[derive(Clone, Debug)]
pub struct Field {
    pub(crate) path: Path,
    pub(crate) class: Class,
    pub(crate) rule: Rule,
    pub(crate) required: bool,
    pub(crate) null_is_absent: bool,
    pub(crate) empty: Option<Empty>,
}

impl Field {
    /// Where the field lives.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Identity or checked.
    #[must_use]
    pub fn class(&self) -> Class {
        self.class
    }

    /// The rule that takes its values to their canonical form.
    #[must_use]
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Whether an intent without it is refused.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// Whether null means the same as no value.
    #[must_use]
    pub fn null_is_absent(&self) -> bool {
        self.null_is_absent
    }

    /// What an empty value means; `None` for rules that have no empty value.
    #[must_use]
    pub fn empty(&self) -> Option<Empty> {
        self.empty
    }
}

/// An ignored path of a policy: it and all below it is in neither key nor fingerprint.
#[derive(Clone, Debug)]
pub struct Ignored {
    pub(crate) path: Path,
    pub(crate) reason: Box<str>,
}

impl Ignored {
    /// Where it begins.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why it is ignored, in the policy's words.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// A list that a policy declares, and whether the order of its elements matters.
#[derive(Clone, Debug)]
pub struct List {
    pub(crate) path: Path,
    pub(crate) any_order: bool,
}

impl List {
    /// Where the list lives; without the final `[]`.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether lists that differ in the order of their elements only are equal.
    #[must_use]
    pub fn is_any_order(&self) -> bool {
        self.any_order
    }
}
